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
from zareba.registry import (
    HouseRule,
    load_rules,
    ruleset_names,
)
from zareba.rules import Rules
from zareba.scenario import Scenario, load_scenario
from zareba.session import Session
from zareba.table import RememberingTable

DEFAULT_SCENARIO = "patrol_clash"
MOST_STEPS = 20_000
_SETUP_SEED = 0


@dataclass
class _TrialGame:
    """A played game. Its final state is kept as two digests, with the values of house rules and without them."""

    final_state: str = ""
    final_state_without_values: str = ""
    winner: str | None = None
    steps: int = 0
    seconds: float = 0.0
    events: Counter[str] = field(default_factory=Counter)
    modifiers: Counter[str] = field(default_factory=Counter)
    """The modifiers of the tested house rule that applied."""
    values: Counter[str] = field(default_factory=Counter)
    """The state variables of house rules that had a value at the end."""
    simulations: int = 0
    """The number of choices for which players simulated house rules."""

    @property
    def seconds_per_step(self) -> float:
        return self.seconds / max(1, self.steps)


class _RecordingTable(RememberingTable):
    """A seeded table that records its modifier breakdowns, and the step for players that simulate house rules."""

    __slots__ = ("recorded",)

    recorded: list[Tally]

    def tally(self, name: str, facts: Any, unit: Any = None, target: Any = None) -> Tally:
        tally = super().tally(name, facts, unit, target)
        self.recorded.append(tally)
        return tally


def _play(rules: Rules, scenario: str, seed: int, player: str, rule: HouseRule) -> _TrialGame:
    """Play a game and record the effects of a house rule in it."""
    game = rules.game(load_scenario(scenario))
    state = game.start()
    agents: dict[str, Any] = {seat: make_agent(player, game, seat, seed) for seat in game.seats}
    table = _RecordingTable(game.rules, state, seed, agents)
    table.recorded = []
    played = _TrialGame()
    began = process_time()
    with rules.blamed(f"a game of {scenario}"):
        while (step := game.play.next_step(state)) is not None and played.steps < MOST_STEPS:
            table.begin(step)
            game.play.perform(table, state, step)
            played.steps += 1
            played.events.update(event.kind for event in table.events)
            for agent in agents.values():
                reason = str(getattr(agent, "reason", "") or "")
                played.simulations += "house rules" in reason or "against the best other option" in reason
    played.seconds = process_time() - began
    for tally in table.recorded:
        own = {line.id for line in tally.rule.modifiers if f"house rule {rule.name} (" in line.source}
        played.modifiers.update(
            f"{tally.rule.name}: {part.summary or part.id}" for part in tally.parts() if part.id in own
        )
    played.values.update(key.partition("/")[0] for key in state.own)
    with rules.blamed(f"the end of a game of {scenario}"):
        data = state.to_data()
        played.final_state, played.final_state_without_values = digest(data), digest({**data, "own": {}})
        winner = game.play.outcome(state).winner
        played.winner = game.narrator.name_of(winner) if winner else None
    if played.steps == MOST_STEPS:
        raise RuleBroken(f"a game of {scenario} with seed {seed} did not end after {MOST_STEPS:,} steps")
    return played


def try_house_rule(rule: HouseRule, others: Sequence[HouseRule], name: str, games: int) -> list[str]:
    """Play games of a ruleset with a house rule and return sentences on its effect.

    `others` are the house rules that it requires. Each game is played twice with it, which must give the same result,
    and once without. Raises ZarebaError for a fault of the rule.
    """
    file = rule.manifest.file if rule.manifest is not None else None
    scenario = file.scenarios[0] if file is not None and file.scenarios else DEFAULT_SCENARIO
    without_rule, with_rule = load_rules(name, house_rules=others), load_rules(name, house_rules=[*others, rule])
    doctrine_games = max(1, games // 5)
    games_with, games_without = [], []
    for seed in range(games + doctrine_games):
        player = "random" if seed < games else "doctrine"
        first = _play(with_rule, scenario, seed, player, rule)
        second = _play(with_rule, scenario, seed, player, rule)
        if first.final_state != second.final_state:
            raise RuleBroken(
                f"house rule '{rule.name}' ({rule.file}): a game of {name} with seed {seed} did not repeat "
                "exactly; it depends on chance, time or something stored outside the game"
            )
        games_with.append(first)
        games_without.append(_play(without_rule, scenario, seed, player, rule))
    players = f"{amount(games, 'game')} of {scenario} by random and {doctrine_games} by rule-aware players"
    return [
        f"{rule.name} with {name}: {players}, each repeated exactly",
        *_effects(rule, games_with, games_without, random_games=games),
    ]


def _effects(
    rule: HouseRule, games_with: Sequence[_TrialGame], games_without: Sequence[_TrialGame], random_games: int
) -> Iterator[str]:
    """Yield sentences on the effect of a house rule. The games are in pairs; those of random players come first."""
    pairs = list(zip(games_with, games_without, strict=True))
    different = sum(
        played.final_state_without_values != other.final_state_without_values or played.winner != other.winner
        for played, other in pairs
    )
    modifiers, more_events, values = Counter[str](), Counter[str](), Counter[str]()
    for played, other in pairs:
        modifiers += played.modifiers
        more_events += played.events - other.events
        values.update({key for key in played.values if key.startswith(f"{rule.name}.")})
    usual = {kind for other in games_without for kind in other.events}
    new_events = Counter({kind: number for kind, number in more_events.items() if kind not in usual})
    if not different and not modifiers and not new_events:
        yield "  it had no visible effect on a number, an event or a result; is it ever used?"
        return
    yield f"  different results: {different} of {amount(len(pairs), 'game')}"
    for title, counts in (("numbers", modifiers), ("events", new_events), ("values at the end", values)):
        if counts:
            yield f"  {title}: {', '.join(f'{key} ({number})' for key, number in counts.most_common(6))}"
    winners_with, winners_without = _winners(games_with[random_games:]), _winners(games_without[random_games:])
    yield f"  games won by rule-aware players: {winners_with}; without the rule: {winners_without}"
    simulations = sum(played.simulations for played in games_with[random_games:])
    if simulations:
        yield f"  rule-aware players evaluated it by simulation {amount(simulations, 'time')}"
    time_with = sum(played.seconds_per_step for played in games_with)
    time_without = sum(played.seconds_per_step for played in games_without)
    yield f"  speed per step: {time_without / max(1e-9, time_with):.2f} of that without it"


def _winners(games: Sequence[_TrialGame]) -> str:
    """Return the number of games that each side has won, as in "Afghans 3, neither side 1"."""
    wins = Counter(played.winner or "neither side" for played in games)
    return ", ".join(f"{side} {number}" for side, number in sorted(wins.items()))


def why_unplayable(scenario: Scenario, rulesets: Iterable[str] | None = None) -> dict[str, str]:
    """Return the reasons why a scenario cannot be played, by ruleset (default: all installed). Rulesets that can play
    it are left out.

    It is set up under each ruleset, with random players for deployment choices. A ruleset that cannot be loaded is
    skipped.
    """
    reasons: dict[str, str] = {}
    for name in ruleset_names() if rulesets is None else rulesets:
        try:
            rules = load_rules(name)
        except Exception:  # noqa: BLE001  # the fault of a ruleset, not of the scenario; 'zareba rulesets' tells it
            continue
        if reason := _fault_of_setup(scenario, rules):
            reasons[name] = reason
    return reasons


def _fault_of_setup(scenario: Scenario, rules: Rules) -> str:
    """Return the error that prevents the setup, or ""."""
    try:
        game = rules.game(scenario)
        session = Session(game, dict.fromkeys(game.seats, "random"), _SETUP_SEED)
        session.drive(enough=lambda: game.game_turn(session.state) > 0)
    except ZarebaError as error:
        return str(error)
    except Exception as error:  # noqa: BLE001  # any failure means that this ruleset cannot play it
        return f"setting it up failed with {type(error).__name__}: {error}"
    return ""
