"""`zareba play` and `zareba continue`: play a session at the terminal and record it in a journal."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from contextlib import suppress
from enum import StrEnum
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from zareba.authoring.even_forces import with_even_forces
from zareba.base.errors import ZarebaError, unknown_name
from zareba.base.filenames import check_output, name_fault
from zareba.base.grammar import merge_alike
from zareba.cli.options import (
    HouseRules,
    PythonRules,
    Seats,
    Set,
    Think,
    assignments,
    house_rules_of,
    scenario_name,
)
from zareba.cli.output import SafeConsole, hanging, out, print_to_stderr
from zareba.cli.play.journals import journal_of, step_heading, titles_of
from zareba.cli.prompt.prompt import Prompt
from zareba.cli.prompt.render import ThinkingDisplay
from zareba.cli.trusted_rules import python_files, remember
from zareba.journal import games_folder, read_journal
from zareba.presentation.narration import outcome_sentence
from zareba.registry import ruleset as installed_ruleset
from zareba.registry import ruleset_names
from zareba.scenario import Scenario, load_scenario
from zareba.scenario.overrides import override_lines
from zareba.session import Session, new_session, open_session
from zareba.session.briefing import unsupported_notes, unsupported_summary

if TYPE_CHECKING:
    from zareba.cli.play.evening_file import EveningFile
    from zareba.lessons import Teacher


THINK = 1.0
"""Default time in seconds that an AI player may think about a choice."""


class Dice(StrEnum):
    """The source of the dice: the program, or real dice with typed results."""

    seeded = "seeded"
    physical = "physical"


Verbose = Annotated[
    bool, typer.Option("--verbose", "-v", help="Print everything that happens when only AI players play.")
]


def play(
    scenario: Annotated[
        str,
        typer.Argument(metavar="SCENARIO", help="A name from 'zareba scenarios', a scenario file, or an evening file."),
    ],
    ruleset: Annotated[
        str | None, typer.Option("--ruleset", metavar="R", help="A name from 'zareba rulesets'.")
    ] = None,
    seat: Seats = None,
    dice: Annotated[
        Dice | None, typer.Option("--dice", help="seeded (default), or physical: throw real dice and type the faces.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="NUMBER", min=0, help="The same seed gives the same dice.")
    ] = None,
    changed: Set = None,
    house_rule: HouseRules = None,
    journal: Annotated[
        Path | None,
        typer.Option("--journal", metavar="FILE", help="File of the saved game (default: in the data folder)."),
    ] = None,
    name: Annotated[str | None, typer.Option("--name", metavar="NAME", help="Name of the saved game.")] = None,
    think: Think = None,
    listed_first: Annotated[
        str | None,
        typer.Option(
            "--listed-first",
            metavar="SIDE",
            help="List this side first in the scenario; a comparison does so in half of its games.",
        ),
    ] = None,
    even: Annotated[
        bool,
        typer.Option("--even", help="Change the forces so that both sides have a fair chance under this ruleset."),
    ] = False,
    verbose: Verbose = False,
) -> None:
    """Play a scenario: people, AI players, or both.

    Every answer is saved in the journal at once; 'zareba continue' resumes the game. Type help at the prompt to see
    the commands. An evening file can hold all of these options ('zareba new evening' writes one); options on the
    command line override it.

    Example: zareba play patrol_clash --ruleset vcc --seat tribesmen=doctrine
    """
    evening = _evening(scenario)
    if ruleset is None and evening is None:
        load_scenario(scenario_name(scenario))
        raise ZarebaError(f"name a ruleset: --ruleset R; installed: {', '.join(ruleset_names())}")
    ruleset_id = (ruleset or evening.ruleset) if evening else str(ruleset)
    settings = {**(evening.settings if evening else {}), **assignments("setting", changed)}
    house_rules = house_rules_of([*(evening.house_rules if evening else ()), *(house_rule or ())])
    loaded = load_scenario(scenario_name(evening.scenario if evening else scenario))
    if even or (evening and evening.even):
        loaded = with_even_forces(loaded, installed_ruleset(ruleset_id).lineage)
    if listed_first is not None:
        if listed_first not in loaded.sides:
            raise unknown_name("side", listed_first, loaded.sides)
        loaded = loaded.listing_first(listed_first)
    path = check_output(journal) if journal is not None else journal_path(loaded, ruleset_id, name)
    if seed is None:
        seed = evening.seed if evening and evening.seed is not None else secrets.randbelow(2**32)
    session = new_session(
        ruleset_id,
        loaded,
        {**(evening.seats if evening else {}), **assignments("seat", seat)},
        seed=seed,
        settings=settings,
        house_rules=house_rules,
        physical=(dice or Dice(evening.dice if evening else "seeded")) is Dice.physical,
        path=path,
    )
    session.think = think or (evening.think if evening else None) or THINK
    remember(house_rules)
    briefing_follows = out().is_terminal and session.people  # in the terminal, the briefing prints these notes
    if not briefing_follows and (notes := unsupported_notes(session.game, session.people)):
        print_to_stderr(hanging(unsupported_summary(len(notes)), out().width, 2))
    for note in override_lines(session.game.scenario, *session.game.rules.ruleset.lineage):
        print_to_stderr(hanging(f"set for these rules only: {note}", out().width, 2))
    run_session(session, path, verbose)


def _evening(name: str) -> EveningFile | None:
    """Return the evening file of this name, or None if the name is a scenario."""
    if Path(name).suffix not in (".yaml", ".yml") or not Path(name).is_file():
        return None
    from zareba.cli.play.evening_file import read_evening

    return read_evening(Path(name))


def continue_(
    name: Annotated[
        str,
        typer.Argument(
            metavar="[GAME]", help="A name from 'zareba games', or a journal file (default: the last unfinished game)."
        ),
    ] = "",
    seat: Seats = None,
    house_rule: PythonRules = None,
    without: Annotated[
        list[str] | None,
        typer.Option("--without", metavar="RULE", help="Drop a house rule from now on; repeatable."),
    ] = None,
    with_changed: Annotated[
        list[str] | None,
        typer.Option(
            "--with-changed", metavar="RULE|FILE", help="Continue with the changed version of a house rule; repeatable."
        ),
    ] = None,
    as_recorded: Annotated[
        bool,
        typer.Option("--as-recorded", help="Run the Python code stored in the journal; use only if you trust it."),
    ] = False,
    think: Think = None,
    verbose: Verbose = False,
) -> None:
    """Continue the last unfinished game, or the one named.

    The game continues under the rules it started with; --seat changes the player of a side from now on. If the end of
    the journal is damaged, the game continues from the last complete entry, and a copy of the damaged file is kept.

    A journal never runs files: a Python house rule is run only if it is installed or if you have named its file, now
    or in an earlier command. A house rule can be dropped, or continue in its changed form. Both take effect at the
    current step, are recorded in the journal, and cannot be undone.

    Example: zareba continue my_game.jsonl --seat tribesmen=general
    """
    path = journal_of(name)
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
    for notice in filter(None, [replayed.notice, replayed.note]):
        print_to_stderr(notice)
    session = replayed.session
    session.think = think or THINK
    run_session(session, path, verbose, teacher=_teacher_of(session, path))


def _teacher_of(session: Session, journal: Path) -> Teacher | None:
    """Return a teacher for a battle of the tutorial, None for any other game."""
    from zareba.lessons import Teacher, first_steps, progress_file

    return Teacher(session, progress_file(journal)) if session.game.scenario.id == first_steps().id else None


def _continue_command(path: Path) -> str:
    """Return the command that continues a game."""
    return f"zareba continue {_name_of(path)}"


def _name_of(journal: Path) -> str:
    """Return the name of a saved game, or its file outside the folder of games."""
    return journal.stem if journal.parent == games_folder() else str(journal)


def journal_path(scenario: Scenario, ruleset: str, name: str | None) -> Path:
    """Return a new file in the user's folder of games, with the given name or a number."""
    folder = games_folder()
    if name is not None:
        if fault := name_fault(name):
            raise ZarebaError(f"'{name}' is not a valid name for a game: {fault}")
        return folder / f"{name}.jsonl"
    names = (folder / f"{scenario.id}-{ruleset}-{number}.jsonl" for number in count(1))
    return next(path for path in names if not path.exists())


def run_session(session: Session, path: Path, verbose: bool, teacher: Teacher | None = None) -> None:
    """Play a session at this terminal until it is over or left. With a `teacher` it is a tutorial."""
    console = out()
    print_to_stderr(f"journal: {path}")
    over = False
    session.waiting = ThinkingDisplay(session).while_choosing
    session.by_units = True  # ask for units; doctrine picks the figure
    try:
        if session.people or session.physical:
            with suppress(ImportError):
                # Importing it enables line editing and history.
                import readline  # noqa: F401
            over = Prompt(session, console, teacher=teacher).run()
        else:
            over = _play_without_people(session, console, path if verbose else None)
    except KeyboardInterrupt:
        console.print()  # the cursor stands behind the prompt
        raise
    finally:
        session.close()
        if session.refused:
            print_to_stderr(
                f"only saved up to the last accepted answer; when the journal is writable again: {_continue_command(path)}"
            )
        elif not over:
            print_to_stderr(f"saved; continue with: {_continue_command(path)}")
    if over:
        _print_result(session, console, path)
    if teacher is not None:
        print_lesson(teacher.closing_lines())


def print_lesson(lines: Sequence[str]) -> None:
    """Print lines of the tutorial in their colour."""
    console = out()
    for line in lines:
        console.print(hanging(line, console.width, 2), style="cyan")


def _print_result(session: Session, console: SafeConsole, path: Path) -> None:
    """Print the result, and the full after-action report if people played."""
    if not session.people:
        console.print(outcome_sentence(session.game.scenario, session.outcome), style="bold")
        return
    about = "computing the luck of both sides from the odds of their attacks (Ctrl-C: stop)"
    with ThinkingDisplay(session).while_working(about, "the luck of the remaining attacks is not shown"):
        page = session.after_action_report()
    with console.paged(input):
        for line in page.lines(session.game):
            console.print(hanging(line, console.width, 2) if line else "")
    print_to_stderr(f"this report as a web page: zareba log {_name_of(path)} --page FILE.html")


def _play_without_people(session: Session, console: SafeConsole, logged: Path | None) -> bool:
    """Play to the end without people; print all events of the journal `logged`."""
    session.drive()
    if logged is not None:
        narrator, titles, before = session.game.narrator, titles_of(read_journal(logged).header), ""
        for key, _, events in session.log():
            sentences = [sentence for event in events if (sentence := narrator.describe_event(event))]
            if not sentences:
                continue
            if (heading := step_heading(key, titles)) != before:
                console.print(heading, style="bold")
                before = heading
            for sentence in merge_alike(sentences):
                console.print(hanging(f"  {sentence}", console.width, 4))
    return True
