"""`zareba play` and `zareba resume`: a session at the terminal, kept in a journal."""

from __future__ import annotations

import secrets
from contextlib import suppress
from enum import StrEnum
from itertools import count
from pathlib import Path
from typing import Annotated

import typer
from platformdirs import user_data_path

from zareba.cli.options import HouseRules, PythonRules, Set, assignments, existing_file, house_rules_of, scenario_name
from zareba.cli.output import SafeConsole, out, talk
from zareba.cli.prompt import Prompt
from zareba.cli.trusted import python_files, remember
from zareba.journal import read_journal
from zareba.outcome import outcome_sentence
from zareba.scenario import Scenario, load_scenario
from zareba.scenario.overrides import overrides_noted
from zareba.session import Session, new_session, open_session

__all__ = ["play", "resume"]


class Dice(StrEnum):
    """Whose dice are thrown: the program's, or real ones whose faces are typed in."""

    seeded = "seeded"
    physical = "physical"


Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Tell all that happens when only programs play.")]


def play(
    scenario: Annotated[str, typer.Argument(metavar="SCENARIO", help="A name from 'zareba scenarios', or a file.")],
    ruleset: Annotated[str, typer.Option("--ruleset", metavar="R", help="A name from 'zareba rulesets'.")],
    seat: Annotated[
        list[str] | None,
        typer.Option(
            "--seat",
            metavar="SIDE=PLAYER",
            help="human, solo, or a program: random, doctrine, lookahead or an installed one; human unless told.",
        ),
    ] = None,
    dice: Annotated[Dice, typer.Option("--dice", help="physical: throw real dice and type the faces.")] = Dice.seeded,
    seed: Annotated[int | None, typer.Option("--seed", min=0, help="The same seed throws the same dice.")] = None,
    changed: Set = None,
    house_rule: HouseRules = None,
    journal: Annotated[
        Path | None,
        typer.Option("--journal", metavar="FILE", help="Where the game is kept; in the data folder unless told."),
    ] = None,
    verbose: Verbose = False,
) -> None:
    """Play a scenario: people, programs, or both.

    Every answer is in the journal before it counts; 'zareba resume' goes on from there. Type help at the prompt for
    what else can be typed.

    Example: zareba play patrol_clash --ruleset vcc --seat tribesmen=doctrine
    """
    settings = assignments("setting", changed)
    house_rules = house_rules_of(house_rule)
    found = load_scenario(scenario_name(scenario))
    path = journal or _journal_path(found, ruleset)
    session = new_session(
        ruleset,
        found,
        assignments("seat", seat),
        seed=secrets.randbelow(2**32) if seed is None else seed,
        settings=settings,
        house_rules=house_rules,
        physical=dice is Dice.physical,
        path=path,
    )
    remember(house_rules)
    for note in session.game.untranslated:
        talk(f"not in these rules: {note}")
    for note in overrides_noted(session.game.scenario, ruleset):
        talk(f"said for these rules alone: {note}")
    _run(session, path, verbose)


def resume(
    journal: Annotated[str, typer.Argument(metavar="JOURNAL", help="The journal of a game.")],
    house_rule: PythonRules = None,
    verbose: Verbose = False,
) -> None:
    """Go on with a game from its journal.

    The game goes on under the rules that it began with. If the end of the journal is damaged, the game goes on from
    the last whole entry, and the damaged file is kept beside it. A journal runs no file: a house rule in Python is run
    when it is installed, or when you named its file, here or in a game before.

    Example: zareba resume my_game.jsonl
    """
    path = existing_file("journal", journal)
    replayed = open_session(path, house_rules=python_files(house_rule, read_journal(path).house_rules))
    remember(replayed.house_rules)
    if replayed.notice:
        talk(replayed.notice)
    _run(replayed.session, path, verbose)


def _journal_path(scenario: Scenario, ruleset: str) -> Path:
    """A new file in the folder for this user's games."""
    folder = user_data_path("zareba", ensure_exists=True) / "journals"
    folder.mkdir(exist_ok=True)
    names = (folder / f"{scenario.id}-{ruleset}-{number}.jsonl" for number in count(1))
    return next(path for path in names if not path.exists())


def _run(session: Session, path: Path, verbose: bool) -> None:
    console = out()
    talk(f"journal: {path}")
    over = False
    try:
        if session.people or session.physical:
            with suppress(ImportError):
                # Only its presence matters: lines can then be edited and called back.
                import readline  # noqa: F401
            over = Prompt(session, console).run()
        else:
            over = _drive(session, console, verbose)
    finally:
        session.close()
        if session.refused:
            talk(f"not saved beyond the last accepted answer; when the journal can be written: zareba resume {path}")
        elif not over:
            talk(f"saved; go on with: zareba resume {path}")
    if over:
        console.print(outcome_sentence(session.game.scenario, session.game.outcome(session.state)), style="bold")


def _drive(session: Session, console: SafeConsole, verbose: bool) -> bool:
    session.drive()
    if verbose:
        for key, _, events in session.log():
            for event in events:
                sentence = session.game.describe_event(event)
                if sentence:
                    console.print(f"{key}: {sentence}")
    return True
