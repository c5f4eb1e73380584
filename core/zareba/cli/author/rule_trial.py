"""Trial runs for `zareba check`: games with and without a house rule, and scenarios set up under every ruleset."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from time import process_time
from typing import Any

from zareba.agents import make_agent
from zareba.base.errors import RuleBroken, ZarebaError
from zareba.base.grammar import amount
from zareba.base.state import digest
from zareba.base.tally import Tally
from zareba.registry import HouseRule, load_rules, ruleset_names
from zareba.rules import Rules
from zareba.scenario import Scenario, load_scenario
from zareba.session import Session
from zareba.table import RememberingTable

__all__ = ["refusals", "tried"]

SCENARIO = "patrol_clash"
MOST_STEPS = 20_000
SEED = 0


@dataclass
class _Game:
    """A played game: its final state with and without the values of house rules, its events, the modifiers that applied,
    and its time.
    """

    end: str
    board: str
    won: str | None
    steps: int
    seconds: float
    told: Counter[str] = field(default_factory=Counter)
    lines: Counter[str] = field(default_factory=Counter)
    kept: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)


class _Noting(RememberingTable):
    """A seeded table that records its modifier breakdowns, and the step for players that simulate house rules."""

    __slots__ = ("reckoned",)

    reckoned: list[Tally]

    def tally(self, name: str, facts: Any, unit: Any = None, target: Any = None) -> Tally:
        found = super().tally(name, facts, unit, target)
        self.reckoned.append(found)
        return found


def _play(rules: Rules, scenario: str, seed: int, player: str, mark: str) -> _Game:
    game = rules.game(load_scenario(scenario))
    state = game.start()
    agents: dict[str, Any] = {seat: make_agent(player, game, seat, seed) for seat in game.seats}
    table = _Noting(game.rules, state, seed, agents)
    table.reckoned = []
    found = _Game("", "", None, 0, 0.0)
    began = process_time()
    with rules.blamed(f"a game of {scenario}"):
        while (step := game.play.next_step(state)) is not None and found.steps < MOST_STEPS:
            table.begin(step)
            game.play.perform(table, state, step)
            found.steps += 1
            found.told.update(event.kind for event in table.events)
            for agent in agents.values():
                reason = str(getattr(agent, "reason", "") or "")
                if "house rules" in reason or "against the best other option" in reason:
                    found.reasons[reason.split(" by ")[0].split(" against ")[-1]] += 1
    found.seconds = process_time() - began
    for tally in table.reckoned:
        own = {line.id for line in tally.rule.modifiers if mark in line.source}
        found.lines.update(f"{tally.rule.name}: {part.summary or part.id}" for part in tally.parts() if part.id in own)
    found.kept.update(key.partition("/")[0] for key in state.own)
    with rules.blamed(f"the end of a game of {scenario}"):
        data = state.to_data()
        found.end, found.board = digest(data), digest({**data, "own": {}})
        found.won = game.narrator.name_of(winner) if (winner := game.play.outcome(state).winner) else None
    if found.steps == MOST_STEPS:
        raise RuleBroken(f"a game of {scenario} with seed {seed} did not end after {MOST_STEPS:,} steps")
    return found


def tried(rule: HouseRule, others: Sequence[HouseRule], name: str, games: int) -> list[str]:
    """Play games of a ruleset with a house rule and return sentences on its effect.

    `others` are the house rules that it requires. Each game is played twice with it, which must give the same result,
    and once without. Raises ZarebaError for a fault of the rule.
    """
    mark = f"house rule {rule.name} ("
    file = rule.manifest.file if rule.manifest is not None else None
    scenario = file.scenarios[0] if file is not None and file.scenarios else SCENARIO
    plain, ruled = load_rules(name, house_rules=others), load_rules(name, house_rules=[*others, rule])
    commanded = max(1, games // 5)
    with_it, without = [], []
    for number in range(games + commanded):
        player = "random" if number < games else "doctrine"
        one = _play(ruled, scenario, number, player, mark)
        again = _play(ruled, scenario, number, player, mark)
        if one.end != again.end:
            raise RuleBroken(
                f"house rule '{rule.name}' ({rule.file}): a game of {name} with seed {number} did not repeat "
                "exactly; it depends on chance, time or something stored outside the game"
            )
        with_it.append(one)
        without.append(_play(plain, scenario, number, player, mark))
    return list(_told(rule, name, scenario, games, with_it, without))


def _told(
    rule: HouseRule, name: str, scenario: str, games: int, with_it: Sequence[_Game], without: Sequence[_Game]
) -> Iterator[str]:
    played = f"{amount(games, 'game')} of {scenario} by random and {len(with_it) - games} by rule-aware players"
    yield f"{rule.name} with {name}: {played}, each repeated exactly"
    ends = [one.board != other.board or one.won != other.won for one, other in zip(with_it, without, strict=True)]
    lines, told, kept = Counter[str](), Counter[str](), Counter[str]()
    for one, other in zip(with_it, without, strict=True):
        lines += one.lines
        told += one.told - other.told
        kept.update({key for key in one.kept if key.startswith(f"{rule.name}.")})
    own = Counter({kind: n for kind, n in told.items() if not any(kind in other.told for other in without)})
    if not any(ends) and not lines and not own:
        yield "  it had no visible effect on a number, an event or a result; is it ever used?"
        return
    yield f"  different results: {sum(ends)} of {amount(len(ends), 'game')}"
    for what, counted in (("numbers", lines), ("events", own), ("values at the end", kept)):
        if counted:
            yield f"  {what}: {', '.join(f'{key} ({n})' for key, n in counted.most_common(6))}"
    won = (
        Counter(one.won or "neither side" for one in with_it[games:]),
        Counter(one.won or "neither side" for one in without[games:]),
    )
    now, before = (", ".join(f"{side} {n}" for side, n in sorted(one.items())) for one in won)
    yield f"  rule-aware players: won by {now}; without it by {before}"
    heeded = sum((one.reasons for one in with_it[games:]), Counter[str]())
    if heeded:
        yield f"  rule-aware players evaluated it by simulation {amount(sum(heeded.values()), 'time')}"
    pace = sum(one.seconds / max(1, one.steps) for one in without) / max(
        1e-9, sum(one.seconds / max(1, one.steps) for one in with_it)
    )
    yield f"  speed per step: {pace:.2f} of that without it"


def refusals(scenario: Scenario, rulesets: Iterable[str] | None = None) -> dict[str, str]:
    """Return the reasons why a scenario cannot be played, by ruleset (default: all installed). Rulesets that can play it
    are left out.

    It is set up under each ruleset, with random players for deployment choices. A ruleset that cannot be loaded is
    skipped.
    """
    found: dict[str, str] = {}
    for name in ruleset_names() if rulesets is None else rulesets:
        try:
            rules = load_rules(name)
        except Exception:  # noqa: BLE001  # the fault of a ruleset, not of the scenario; 'zareba rulesets' tells it
            continue
        if why := _refusal(scenario, rules):
            found[name] = why
    return found


def _refusal(scenario: Scenario, rules: Rules) -> str:
    """Return the error that prevents the setup, or ""."""
    try:
        game = rules.game(scenario)
        session = Session(game, dict.fromkeys(game.seats, "random"), SEED)
        session.drive(enough=lambda: game.game_turn(session.state) > 0)
    except ZarebaError as error:
        return str(error)
    except Exception as error:  # noqa: BLE001  # any failure means that this ruleset cannot play it
        return f"setting it up failed with {type(error).__name__}: {error}"
    return ""
