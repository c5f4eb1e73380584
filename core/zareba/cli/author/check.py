"""`zareba check`: check house rules, scenarios and rulesets, and try rules in games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import process_time
from typing import Annotated, Any, TypeVar

import typer

from zareba.agents import make_agent
from zareba.base.errors import FileError, Problem, RuleBroken, ZarebaError, nearest
from zareba.base.grammar import amount, join_with_and
from zareba.base.state import digest
from zareba.base.tally import Tally
from zareba.base.yamlfile import MISSING, Document, read_yaml
from zareba.cli.options import existing_file
from zareba.cli.output import out, talk
from zareba.cli.play.evening_file import read_evening
from zareba.plugins.entry_points import house_rule_files
from zareba.plugins.rule_files import CODE, SUFFIXES, is_rule_folder
from zareba.plugins.static_check import check_source, unrun_house_rule
from zareba.registry import (
    HOOKS,
    ChangesNothing,
    HouseRule,
    check_ruleset,
    find_house_rule,
    heir_in,
    load_rules,
    rules_of,
    ruleset,
    ruleset_names,
)
from zareba.rules import Catalogue, Rules
from zareba.rules.tallies import read_book
from zareba.scenario import Scenario, load_scenario, read_scenario, shipped_scenarios
from zareba.scenario.overrides import check_overrides
from zareba.session import Session, check_seats
from zareba.table import RememberingTable

# --- Trial runs for `zareba check`: games with and without a house rule, and scenarios set up under every ruleset -----


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
    return list(_trial_lines(rule, name, scenario, games, with_it, without))


def _trial_lines(
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


# --- `zareba check`: validate a file. Its kind is recognised by its keys ----------------------------------------------


T = TypeVar("T")


def check(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...", help="A YAML file of zareba, a Python house rule, or the name of a house rule."
        ),
    ],
    play: Annotated[
        int,
        typer.Option(
            "--play", metavar="N", min=0, max=500, help="Play this many games with a house rule and report its effects."
        ),
    ] = 0,
    run: Annotated[
        bool,
        typer.Option("--run", help="Run a Python house rule under every ruleset that it is for; implied by --play."),
    ] = False,
) -> None:
    """Check scenarios, house rules and rulesets for errors.

    Every error is printed as FILE:LINE:COLUMN: PATH: MESSAGE. Exits with 1 if there are errors, and with 2 if a file
    is missing.

    A scenario is set up under every installed ruleset; rulesets that cannot play it are listed with the reason.

    A Python house rule is read but not run, because its code could do anything that you can do on this computer (see
    SECURITY.md). With --run it is loaded under every ruleset that it is for. With --play it is played by random
    players and by doctrine, with the same dice as without it. Each game is played twice to verify that it repeats
    exactly. The changes caused by the rule are then listed.

    Example: zareba check my_scenario.yaml my_house_rule.yaml
    """
    worst = max([_check_file(name, play, run or play > 0) for name in files])
    if worst:
        raise typer.Exit(worst)


def _check_file(name: str, play: int, run: bool) -> int:
    """Print the result for one file: 0 if it is valid, 1 if it has errors, 2 if it is missing. Its Python runs only with
    `run`.
    """
    try:
        path = house_rule_files().get(name) or (
            Path(name) if is_rule_folder(Path(name)) else existing_file("YAML", name)
        )
    except ZarebaError as error:
        talk(str(error))
        return error.exit_code
    try:
        unrun, refused = _check(path, run)
        lines = _played(path, play) if play else []
    except ZarebaError as error:
        talk("\n".join(_lines(error)) if isinstance(error, FileError) else f"{path}:1:1: {error}")
        return 1
    able = [name for name in ruleset_names() if name not in refused]
    if not able and refused:
        for name, why in refused.items():
            talk(f"{path}: {name} cannot play it: {why}")
        return 1
    out().print(f"{path}: fine{f' for {join_with_and(able)}' if refused else ''}", soft_wrap=True)
    for name, why in refused.items():
        out().print(f"{path}: {name} cannot play it: {why}", soft_wrap=True, markup=False)
    if unrun:
        plays = "" if unrun == f"its {HOOKS}" else ", '--play 20' plays it"
        talk(f"{name}: {unrun} was read, not run; 'zareba check --run {name}' runs it{plays}")
    for line in lines:
        out().print(line, soft_wrap=True, markup=False)
    return 0


def _lines(error: FileError) -> Iterator[str]:
    """Yield the faults, one per line; several missing fields of one place share a line."""
    missing: dict[Problem, list[str]] = {}
    for problem in error.problems:
        parent, _, field = problem.path.rpartition(".")
        place = replace(problem, path=parent)
        if problem.message == MISSING:
            missing.setdefault(place, []).append(field)
    for problem in error.problems:
        parent, _, field = problem.path.rpartition(".")
        fields = missing.get(replace(problem, path=parent), []) if problem.message == MISSING else []
        if len(fields) < 2:
            yield str(problem)
        elif field == fields[0]:
            yield str(replace(problem, path=parent, message=f"these fields are missing: {', '.join(fields)}; add them"))


def _check(path: Path, run: bool) -> tuple[str, dict[str, str]]:
    """Return the part of a file that was not run and, if it is a scenario, the reasons of rulesets that cannot play it.

    Raises ZarebaError, usually a FileError with all errors, if the file is invalid.
    """
    if path.suffix == ".py" or path.is_dir():
        return _check_house_rule(path, run), {}
    document = read_yaml(path)
    keys = document.data.keys()
    if "house_rule" in keys or "changes" in keys:
        return _check_house_rule(path, run), {}
    if "evening" in keys:
        return _check_evening(path, run), {}
    if "extends" in keys:
        return _check_heir(path.with_name("ruleset.yaml"), run), {}
    if "rules" in keys:
        document.validate(Catalogue)
    elif keys & {"sides", "units", "terrain", "objectives", "turns"} and "tallies" not in keys:
        scenario = read_scenario(document)
        kinds = {name: ruleset(name).overrides for name in ruleset_names()}
        if problems := list(check_overrides(scenario, document, kinds)):
            raise FileError(problems)
        return "", refusals(scenario)
    elif "ruleset" in keys:
        _check_ruleset(document)
    else:
        raise FileError([_unknown_kind(document)])
    return "", {}


def _check_evening(path: Path, run: bool) -> str:
    """Check the file itself, its scenario under its rules and house rules, and its seats.

    Without `run`, Python house rules are checked only by their source. The checks that need them are skipped.
    """
    evening = read_evening(path)
    assert evening is not None, "it has the key"
    scenario = load_scenario(evening.scenario)
    if not run and (loose := [name for name in evening.house_rules if _is_loose_python(name)]):
        for name in loose:
            _check_source(Path(name))
        return f"the Python of {' and '.join(loose)}"
    rules = load_rules(evening.ruleset, evening.settings, [find_house_rule(name) for name in evening.house_rules])
    seats = check_seats(scenario, rules, evening.seats)
    game = rules.game(scenario, frozenset(side for side, player in seats.items() if player == "solo"))
    with rules.blamed(f"setting up {scenario.id}"):
        game.start()
    return ""


def _is_loose_python(name: str) -> bool:
    """Return True for the path of a house rule with Python, and False for the name of an installed one."""
    path = Path(name)
    return path.suffix == ".py" or (path / CODE).is_file()


def _check_house_rule(path: Path, run: bool) -> str:
    """Check a house rule by its source. With `run`, or if it has no Python, also check it under every ruleset that it is
    for.
    """
    if _is_loose_python(str(path)):
        _check_source(path)
        if not run:
            return "its Python"
    required = [] if path.suffix == ".py" else unrun_house_rule(path).required
    if not run and (loose := [name for name in required if _is_loose_python(name)]):
        return f"the Python of {' and '.join(loose)}, which it requires,"
    _check_module(path)
    return ""


def _check_source(path: Path) -> None:
    """Check a house rule without running its Python."""
    rule = unrun_house_rule(path)
    sound = []
    for name in _systems(rule):
        with suppress(Exception):  # another package's broken ruleset is not an error of this file
            sound.append(load_rules(name))
    check_source(rule, sound)


def _systems(rule: HouseRule) -> Sequence[str]:
    """Return the rulesets that a house rule is for. Raises FileError if it names one that is not installed."""
    if rule.manifest is not None and (missing := [name for name in rule.systems if name not in ruleset_names()]):
        raise FileError([_unknown_ruleset(rule.manifest.document, missing[0])])
    return rule.systems or ruleset_names()


def _check_module(path: Path) -> None:
    """Check a house rule with every working ruleset that it may apply to; at least one must change.

    This runs its Python, as in a game.
    """
    rule = find_house_rule(str(path))
    sound, idle = 0, []
    for name in _systems(rule):
        try:
            load_rules(name)
        except Exception:  # noqa: BLE001  # another package's broken ruleset is not an error of this file
            continue
        sound += 1
        try:
            _try(rule, name)
        except ChangesNothing:
            idle.append(name)
    if sound and len(idle) == sound:
        raise ChangesNothing(f"house rule '{rule.name}' ({rule.file}) changes nothing in {', '.join(idle)}")


def _played(path: Path, games: int) -> list[str]:
    """Return the effects of a house rule in play on each ruleset that it changes."""
    if path.suffix not in SUFFIXES and not path.is_dir():
        return []
    if path.suffix in (".yaml", ".yml") and "house_rule" not in read_yaml(path).data:
        return []
    rule, told = find_house_rule(str(path)), []
    others = _required(rule)
    for name in rule.systems or ruleset_names():
        try:
            told += tried(rule, others, name, games)
        except ChangesNothing:
            continue
    return told


def _required(rule: HouseRule) -> list[HouseRule]:
    """Return the house rules that a house rule requires."""
    return [_at(rule, "requires", find_house_rule, other) for other in rule.required]


def _at(rule: HouseRule, key: str, find: Callable[[str], T], name: str) -> T:
    """Return the object that a house rule names under a key of its file. Errors are reported at that place."""
    try:
        return find(name)
    except FileError:
        raise
    except ZarebaError as error:
        raise rule.manifest.refusal((key,), str(error)) if rule.manifest is not None else error from error


def _try(rule: HouseRule, name: str) -> None:
    """Raise ZarebaError if a ruleset cannot be loaded with a house rule, or a shipped scenario cannot be set up."""
    file = rule.manifest.file if rule.manifest is not None else None
    rules = load_rules(name, house_rules=[*_required(rule), rule])
    for scenario in file.scenarios if file is not None and file.scenarios else shipped_scenarios():
        game = rules.game(_at(rule, "scenarios", load_scenario, scenario))
        with rules.blamed(f"setting up {scenario}"):
            game.start()


def _check_ruleset(document: Document) -> None:
    name = document.data["ruleset"]
    if not isinstance(name, str) or name not in ruleset_names():
        raise FileError([_unknown_ruleset(document, name)])
    read_book(document, ruleset(name).file, ruleset(name).facts)


def _check_heir(file: Path, run: bool) -> str:
    """Check the files of a ruleset that extends another. Its hooks are run, and the shipped scenarios set up, only with
    `run` or if it has no hooks.
    """
    definition = heir_in(read_yaml(file))
    check_ruleset(definition)
    hooks = file.with_name(HOOKS)
    if hooks.is_file() and not run:
        check_source(replace(unrun_house_rule(hooks), name=definition.id), [load_rules(definition.lineage[1])])
        return f"its {HOOKS}"
    rules = rules_of(definition)
    for scenario in shipped_scenarios():
        game = rules.game(load_scenario(scenario))
        with rules.blamed(f"setting up {scenario}"):
            game.start()
    return ""


def _unknown_ruleset(document: Document, name: object) -> Problem:
    guess = nearest(str(name), ruleset_names())
    hint = f"did you mean '{guess}'?" if guess else f"installed: {', '.join(ruleset_names()) or 'none'}"
    key = "rulesets" if "rulesets" in document.data else "ruleset"
    return document.error((key,), f"there is no installed ruleset '{name}'; {hint}")


def _unknown_kind(document: Document) -> Problem:
    return document.error(
        (),
        "this is not a zareba file; a scenario has the key 'sides', a house rule 'house_rule', "
        "an evening 'evening', a ruleset 'ruleset', a catalogue 'rules'",
    )
