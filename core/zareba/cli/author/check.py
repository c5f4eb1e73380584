"""`zareba check`: is this file sound? What kind of file it is shows in its keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from zareba.base.amounts import listed
from zareba.base.errors import FileError, Problem, ZarebaError, nearest
from zareba.base.yamlfile import Document, read_yaml
from zareba.cli.author.tryout import refusals, tried
from zareba.cli.options import existing_file
from zareba.cli.output import out, talk
from zareba.cli.play.evening import read_evening
from zareba.plugins.brought import house_rule_files
from zareba.plugins.rulefiles import CODE, SUFFIXES, is_rule_folder
from zareba.plugins.static_check import check_source, unrun_house_rule
from zareba.registry import ChangesNothing, HouseRule, find_house_rule, load_rules, ruleset, ruleset_names
from zareba.rules import Catalogue
from zareba.rules.lines import read_book
from zareba.scenario import load_scenario, read_scenario, shipped_scenarios
from zareba.scenario.overrides import check_overrides
from zareba.session import check_seats

__all__ = ["check"]

T = TypeVar("T")


def check(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE...", help="Any YAML file of ours, a house rule in Python, or the name of one."),
    ],
    play: Annotated[
        int,
        typer.Option(
            "--play", metavar="N", min=0, max=500, help="Play so many games with a house rule, and tell what it did."
        ),
    ] = 0,
    run: Annotated[
        bool,
        typer.Option(
            "--run", help="Run the Python of a house rule under every ruleset that it is for; --play does too."
        ),
    ] = False,
) -> None:
    """Check scenarios, house rules and rulesets for faults.

    Every fault is told as FILE:LINE:COLUMN: PATH: MESSAGE. Exits with 1 when there are any, with 2 when a file is
    not there. A scenario is set up under every installed ruleset; the systems that cannot play it are named with the reason.
    A house rule in Python is read and not run: running it lets it do whatever you may do on this computer (SECURITY.md says
    more). With --run it is loaded under every ruleset that it is for. With --play it is played by random players and by
    doctrine, with the same dice as without it: each game twice, to see that it goes the same way; then the command says
    what the rule changed.

    Example: zareba check my_scenario.yaml my_house_rule.yaml
    """
    worst = max([_told(name, play, run or play > 0) for name in files])
    if worst:
        raise typer.Exit(worst)


def _told(name: str, play: int, run: bool) -> int:
    """Tell how it stands with a file: 0 it is fine, 1 it has faults, 2 it is not there. Its Python runs only with `run`."""
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
        talk(str(error) if isinstance(error, FileError) else f"{path}:1:1: {error}")
        return 1
    able = [name for name in ruleset_names() if name not in refused]
    if not able and refused:
        for name, why in refused.items():
            talk(f"{path}: {name} cannot play it: {why}")
        return 1
    out().print(f"{path}: fine{f' for {listed(able)}' if refused else ''}", soft_wrap=True)
    for name, why in refused.items():
        out().print(f"{path}: {name} cannot play it: {why}", soft_wrap=True, markup=False)
    if unrun:
        talk(f"{name}: {unrun} was read, not run; 'zareba check --run {name}' runs it, '--play 20' plays it")
    for line in lines:
        out().print(line, soft_wrap=True, markup=False)
    return 0


def _check(path: Path, run: bool) -> tuple[str, dict[str, str]]:
    """Return what of a file was not run, and why systems cannot play it if it is a scenario, by ruleset.

    Raises ZarebaError, mostly FileError with all faults, when the file is not sound.
    """
    if path.suffix == ".py" or path.is_dir():
        return _check_house_rule(path, run), {}
    document = read_yaml(path)
    keys = document.data.keys()
    if "house_rule" in keys or "changes" in keys:
        return _check_house_rule(path, run), {}
    if "evening" in keys:
        return _check_evening(path, run), {}
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
    """Check the file itself, its scenario under its rules with its house rules, and its seats.

    Without `run`, house rules in Python are checked by their source; then the rest, which needs them, is left out.
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
    """Return True for the path of a house rule that has Python; False for the name of one that is installed."""
    path = Path(name)
    return path.suffix == ".py" or (path / CODE).is_file()


def _check_house_rule(path: Path, run: bool) -> str:
    """Check a house rule by its source, and with `run`, or if it has no Python, under every ruleset that it is for."""
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
        with suppress(Exception):  # a broken ruleset is no fault of this file
            sound.append(load_rules(name))
    check_source(rule, sound)


def _systems(rule: HouseRule) -> Sequence[str]:
    """Return the rulesets that a house rule is for; raises FileError where its sheet names one that is not installed."""
    if rule.manifest is not None and (missing := [name for name in rule.systems if name not in ruleset_names()]):
        raise FileError([_unknown_ruleset(rule.manifest.document, missing[0])])
    return rule.systems or ruleset_names()


def _check_module(path: Path) -> None:
    """Python runs here, as it would in a game; every sound ruleset that it may be for is tried, and one at least must be changed."""
    rule = find_house_rule(str(path))
    sound, idle = 0, []
    for name in _systems(rule):
        try:
            load_rules(name)
        except Exception:  # noqa: BLE001  # a broken ruleset is no fault of this file
            continue
        sound += 1
        try:
            _try(rule, name)
        except ChangesNothing:
            idle.append(name)
    if sound and len(idle) == sound:
        raise ChangesNothing(f"house rule '{rule.name}' ({rule.file}) changes nothing of {', '.join(idle)}")


def _played(path: Path, games: int) -> list[str]:
    """What a house rule does in play, in each ruleset that it changes."""
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
    """The house rules that one needs before it."""
    return [_at(rule, "requires", find_house_rule, other) for other in rule.required]


def _at(rule: HouseRule, key: str, find: Callable[[str], T], name: str) -> T:
    """What a house rule names under a key of its file; what is wrong with it is told there."""
    try:
        return find(name)
    except FileError:
        raise
    except ZarebaError as error:
        raise rule.manifest.refusal((key,), str(error)) if rule.manifest is not None else error from error


def _try(rule: HouseRule, name: str) -> None:
    """Raises ZarebaError when a ruleset cannot be loaded under a house rule, or a shipped scenario not be set up."""
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


def _unknown_ruleset(document: Document, name: object) -> Problem:
    guess = nearest(str(name), ruleset_names())
    hint = f"did you mean '{guess}'?" if guess else f"installed: {', '.join(ruleset_names()) or 'none'}"
    key = "rulesets" if "rulesets" in document.data else "ruleset"
    return document.error((key,), f"there is no installed ruleset '{name}'; {hint}")


def _unknown_kind(document: Document) -> Problem:
    return document.error(
        (),
        "this is none of our files; a scenario has the key 'sides', a house rule 'house_rule', "
        "an evening 'evening', a ruleset 'ruleset', a catalogue 'rules'",
    )
