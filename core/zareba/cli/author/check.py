"""`zareba check`: check house rules, scenarios and rulesets. The kind of a file is recognised by its keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from zareba.authoring.even_forces import with_even_forces
from zareba.base.errors import FileError, Problem, ZarebaError, nearest
from zareba.base.grammar import join_with_and
from zareba.base.yamlfile import MISSING, Document, read_yaml
from zareba.cli.author.trials import try_house_rule, why_unplayable
from zareba.cli.options import existing_file
from zareba.cli.output import out, print_to_stderr
from zareba.cli.play.evening_file import read_evening
from zareba.plugins.entry_points import house_rule_files
from zareba.plugins.rule_files import CODE, SUFFIXES, is_rule_folder
from zareba.plugins.static_check import check_source, unrun_house_rule
from zareba.registry import (
    HOOKS,
    HouseRule,
    NoEffect,
    check_ruleset,
    extension_in,
    find_house_rule,
    load_rules,
    rules_of,
    ruleset,
    ruleset_names,
)
from zareba.rules import Catalogue
from zareba.rules.tallies import read_book
from zareba.scenario import load_scenario, read_scenario, shipped_scenarios
from zareba.scenario.overrides import check_overrides
from zareba.session import check_seats

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
    exit_code = max([_check_file(name, play, run or play > 0) for name in files])
    if exit_code:
        raise typer.Exit(exit_code)


def _check_file(name: str, play: int, run: bool) -> int:
    """Print the result for one file: 0 if it is valid, 1 if it has errors, 2 if it is missing. Its Python runs only
    with `run`.
    """
    try:
        path = house_rule_files().get(name) or (
            Path(name) if is_rule_folder(Path(name)) else existing_file("YAML", name)
        )
    except ZarebaError as error:
        print_to_stderr(str(error))
        return error.exit_code
    try:
        unrun, refused = _check(path, run)
        effects = _effects_in_play(path, play) if play else []
    except ZarebaError as error:
        print_to_stderr("\n".join(_fault_lines(error)) if isinstance(error, FileError) else f"{path}:1:1: {error}")
        return 1
    playable = [ruleset_name for ruleset_name in ruleset_names() if ruleset_name not in refused]
    if not playable and refused:
        for ruleset_name, why in refused.items():
            print_to_stderr(f"{path}: {ruleset_name} cannot play it: {why}")
        return 1
    out().print(f"{path}: fine{f' for {join_with_and(playable)}' if refused else ''}", soft_wrap=True)
    for ruleset_name, why in refused.items():
        out().print(f"{path}: {ruleset_name} cannot play it: {why}", soft_wrap=True, markup=False)
    if unrun:
        advice = "" if unrun == f"its {HOOKS}" else ", '--play 20' plays it"
        print_to_stderr(f"{name}: {unrun} was read, not run; 'zareba check --run {name}' runs it{advice}")
    for line in effects:
        out().print(line, soft_wrap=True, markup=False)
    return 0


def _fault_lines(error: FileError) -> Iterator[str]:
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
        return "", why_unplayable(scenario)
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
    if evening.even:
        scenario = with_even_forces(scenario, rules.ruleset.lineage)
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
    """Check a house rule by its source. With `run`, or if it has no Python, also check it under every ruleset that it
    is for.
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
    systems = []
    for name in _systems(rule):
        with suppress(Exception):  # another package's broken ruleset is not an error of this file
            systems.append(load_rules(name))
    check_source(rule, systems)


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
    changed, unchanged = [], []
    for name in _systems(rule):
        try:
            load_rules(name)
        except Exception:  # noqa: BLE001  # another package's broken ruleset is not an error of this file
            continue
        try:
            _check_with_ruleset(rule, name)
            changed.append(name)
        except NoEffect:
            unchanged.append(name)
    if unchanged and not changed:
        raise NoEffect(f"house rule '{rule.name}' ({rule.file}) changes nothing in {', '.join(unchanged)}")


def _effects_in_play(path: Path, games: int) -> list[str]:
    """Return sentences on the effects of a house rule in games of each ruleset that it changes; none for other
    files.
    """
    if path.suffix not in SUFFIXES and not path.is_dir():
        return []
    if path.suffix in (".yaml", ".yml") and "house_rule" not in read_yaml(path).data:
        return []
    rule, effects = find_house_rule(str(path)), []
    others = _required_rules(rule)
    for name in rule.systems or ruleset_names():
        try:
            effects += try_house_rule(rule, others, name, games)
        except NoEffect:
            continue
    return effects


def _required_rules(rule: HouseRule) -> list[HouseRule]:
    """Return the house rules that a house rule requires."""
    return [_find_for(rule, "requires", find_house_rule, other) for other in rule.required]


def _find_for(rule: HouseRule, key: str, find: Callable[[str], T], name: str) -> T:
    """Return the object that a house rule names under a key of its file. Errors are reported at that place."""
    try:
        return find(name)
    except FileError:
        raise
    except ZarebaError as error:
        raise rule.manifest.refusal((key,), str(error)) if rule.manifest is not None else error from error


def _check_with_ruleset(rule: HouseRule, name: str) -> None:
    """Raise ZarebaError if a ruleset cannot be loaded with a house rule, or a shipped scenario cannot be set up."""
    file = rule.manifest.file if rule.manifest is not None else None
    rules = load_rules(name, house_rules=[*_required_rules(rule), rule])
    for scenario in file.scenarios if file is not None and file.scenarios else shipped_scenarios():
        game = rules.game(_find_for(rule, "scenarios", load_scenario, scenario))
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
    definition = extension_in(read_yaml(file))
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
