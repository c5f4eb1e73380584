"""`zareba play` and `zareba resume`: a session at the terminal, kept in a journal."""

from __future__ import annotations

import secrets
from contextlib import suppress
from enum import StrEnum
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from zareba.base.errors import ZarebaError, unknown_name
from zareba.base.filenames import check_output, name_fault
from zareba.cli.options import (
    HouseRules,
    PythonRules,
    Seats,
    Set,
    Think,
    assignments,
    existing_file,
    house_rules_of,
    scenario_name,
)
from zareba.cli.output import SafeConsole, hanging, out, talk
from zareba.cli.prompt.prompt import Prompt
from zareba.cli.prompt.waiting import Waiting
from zareba.cli.trusted import python_files, remember
from zareba.journal import games_folder, read_journal
from zareba.people.outcome import outcome_sentence
from zareba.scenario import Scenario, load_scenario
from zareba.scenario.overrides import overrides_noted
from zareba.session import Session, new_session, open_session
from zareba.session.briefing import unspoken_to

if TYPE_CHECKING:
    from zareba.cli.lessons import Teacher
    from zareba.cli.play.evening import Evening

__all__ = ["journal_path", "play", "resume", "run_session"]

THINK = 2.0
"""Seconds that a program may think about a choice, unless told."""


class Dice(StrEnum):
    """Whose dice are thrown: the program's, or real ones whose faces are typed in."""

    seeded = "seeded"
    physical = "physical"


Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Tell all that happens when only programs play.")]


def play(
    scenario: Annotated[
        str,
        typer.Argument(metavar="SCENARIO", help="A name from 'zareba scenarios', a file, or the file of an evening."),
    ],
    ruleset: Annotated[
        str | None, typer.Option("--ruleset", metavar="R", help="A name from 'zareba rulesets'.")
    ] = None,
    seat: Seats = None,
    dice: Annotated[
        Dice | None, typer.Option("--dice", help="physical: throw real dice and type the faces; seeded unless told.")
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", min=0, help="The same seed throws the same dice.")] = None,
    changed: Set = None,
    house_rule: HouseRules = None,
    journal: Annotated[
        Path | None,
        typer.Option("--journal", metavar="FILE", help="Where the game is kept; in the data folder unless told."),
    ] = None,
    name: Annotated[
        str | None, typer.Option("--name", metavar="NAME", help="What the game is called among yours.")
    ] = None,
    think: Think = None,
    listed_first: Annotated[
        str | None,
        typer.Option(
            "--listed-first",
            metavar="SIDE",
            help="The side that is listed first, as in half the games of a comparison.",
        ),
    ] = None,
    verbose: Verbose = False,
) -> None:
    """Play a scenario: people, programs, or both.

    Every answer is in the journal before it counts; 'zareba continue' goes on from there. Type help at the prompt for
    what else can be typed. An evening is a file that says all of this: 'zareba new evening' writes one; what is named
    on the command line goes before what it says.

    Example: zareba play patrol_clash --ruleset vcc --seat tribesmen=doctrine
    """
    evening = _evening(scenario)
    if ruleset is None and evening is None:
        raise ZarebaError("say under which rules: --ruleset R, with a name from 'zareba rulesets'")
    rules = ruleset or evening.ruleset if evening else str(ruleset)
    settings = {**(evening.settings if evening else {}), **assignments("setting", changed)}
    house_rules = house_rules_of([*(evening.house_rules if evening else ()), *(house_rule or ())])
    found = load_scenario(scenario_name(evening.scenario if evening else scenario))
    if listed_first is not None:
        if listed_first not in found.sides:
            raise unknown_name("side", listed_first, found.sides)
        found = found.listing_first(listed_first)
    path = check_output(journal) if journal is not None else journal_path(found, rules, name)
    if seed is None:
        seed = evening.seed if evening and evening.seed is not None else secrets.randbelow(2**32)
    session = new_session(
        rules,
        found,
        {**(evening.seats if evening else {}), **assignments("seat", seat)},
        seed=seed,
        settings=settings,
        house_rules=house_rules,
        physical=(dice or Dice(evening.dice if evening else "seeded")) is Dice.physical,
        path=path,
    )
    session.think = think or (evening.think if evening else None) or THINK
    remember(house_rules)
    told = out().is_terminal and session.people  # then the briefing says it
    for note in () if told else unspoken_to(session.game, session.people):
        talk(hanging(f"not in these rules: {note}", out().width, 2))
    for note in overrides_noted(session.game.scenario, rules):
        talk(hanging(f"said for these rules alone: {note}", out().width, 2))
    run_session(session, path, verbose)


def _evening(name: str) -> Evening | None:
    """The evening in a file; None for a scenario."""
    if Path(name).suffix not in (".yaml", ".yml") or not Path(name).is_file():
        return None
    from zareba.cli.play.evening import read_evening

    return read_evening(Path(name))


def resume(
    journal: Annotated[str, typer.Argument(metavar="JOURNAL", help="The journal of a game.")],
    seat: Seats = None,
    house_rule: PythonRules = None,
    without: Annotated[
        list[str] | None,
        typer.Option("--without", metavar="RULE", help="Leave a house rule out from now on; repeatable."),
    ] = None,
    with_changed: Annotated[
        list[str] | None,
        typer.Option("--with-changed", metavar="RULE|FILE", help="Go on with a house rule as it is now; repeatable."),
    ] = None,
    as_recorded: Annotated[
        bool,
        typer.Option("--as-recorded", help="Run the Python that the journal itself holds; do so only if you trust it."),
    ] = False,
    think: Think = None,
    verbose: Verbose = False,
) -> None:
    """Go on with a game from its journal.

    The game goes on under the rules that it began with; with --seat somebody else plays a side from now on. If the end of
    the journal is damaged, the game goes on from the last whole entry, and the damaged file is kept beside it. A journal
    runs no file: a house rule in Python is run when it is installed, or when you named its file, here or in a game before.
    A house rule may be left out from now on, or go on as it has been changed; both begin at the step under way, are written
    into the journal, and cannot be taken back.

    Example: zareba resume my_game.jsonl --seat tribesmen=lookahead
    """
    path = existing_file("journal", journal)
    seats = assignments("seat", seat)
    replayed = open_session(
        path,
        house_rules=python_files(house_rule, read_journal(path).since_change().house_rules),
        as_recorded=as_recorded,
        without=without or (),
        changed=house_rules_of(with_changed),
        seats=seats,
    )
    remember(replayed.house_rules)
    for told in filter(None, [replayed.notice, replayed.told]):
        talk(told)
    session = replayed.session
    session.think = think or THINK
    run_session(session, path, verbose)


def journal_path(scenario: Scenario, ruleset: str, name: str | None) -> Path:
    """A new file in the folder for this user's games, by its name or numbered."""
    folder = games_folder()
    if name is not None:
        if fault := name_fault(name):
            raise ZarebaError(f"'{name}' is no name for a game: {fault}")
        return folder / f"{name}.jsonl"
    names = (folder / f"{scenario.id}-{ruleset}-{number}.jsonl" for number in count(1))
    return next(path for path in names if not path.exists())


def run_session(session: Session, path: Path, verbose: bool, teacher: Teacher | None = None) -> None:
    """Play it at this terminal till it is over or left; with a `teacher`, as a lesson."""
    console = out()
    talk(f"journal: {path}")
    over = False
    session.waiting = Waiting(session).on
    session.by_units = True
    try:
        if session.people or session.physical:
            with suppress(ImportError):
                # Only its presence matters: lines can then be edited and called back.
                import readline  # noqa: F401
            over = Prompt(session, console, teacher=teacher).run()
        else:
            over = _drive(session, console, verbose)
    finally:
        session.close()
        if session.refused:
            talk(f"not saved beyond the last accepted answer; when the journal can be written: zareba resume {path}")
        elif not over:
            talk(f"saved; go on with: zareba resume {path}")
    if over:
        _close(session, console, path)


def _close(session: Session, console: SafeConsole, path: Path) -> None:
    """How it ended; who played himself is told all of it."""
    if not session.people:
        console.print(outcome_sentence(session.game.scenario, session.game.outcome(session.state)), style="bold")
        return
    about = "weighs the luck of both sides by the odds of their attacks (Ctrl-C: enough of it)"
    with Waiting(session).told(about, "the rest is left out"):
        page = session.closing()
    with console.paged(input):
        for line in page.lines(session.game):
            console.print(hanging(line, console.width, 2) if line else "")
    talk(f"as a page: zareba log {path} --page FILE.html")


def _drive(session: Session, console: SafeConsole, verbose: bool) -> bool:
    session.drive()
    if verbose:
        for key, _, events in session.log():
            for event in events:
                sentence = session.game.describe_event(event)
                if sentence:
                    console.print(f"{key}: {sentence}")
    return True
