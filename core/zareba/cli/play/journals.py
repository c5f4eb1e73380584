"""`zareba replay` and `zareba log`: what a journal holds, verified and told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from zareba.base.amounts import amount
from zareba.base.errors import ZarebaError
from zareba.base.filenames import check_output
from zareba.base.state import digest
from zareba.cli.options import Json, PythonRules, existing_file
from zareba.cli.output import out, print_json, talk
from zareba.cli.play.bare_log import Told, bare_steps, recorded
from zareba.cli.trusted import python_files, remember
from zareba.game.advance import Paused, advance
from zareba.journal import JournalFile, read_journal
from zareba.people.outcome import outcome_sentence
from zareba.registry import NotAtHand
from zareba.session import Session
from zareba.session import replay as play_again
from zareba.session.history import mentions
from zareba.session.wording import UNTOLD, in_words, is_secret, line_of, line_with

__all__ = ["log", "replay"]

HIDDEN = "a hidden unit"
"""The name of a hidden unit while the game is on."""
Journal = Annotated[str, typer.Argument(metavar="JOURNAL", help="The journal of a game.")]


def replay(
    journal: Journal,
    check: Annotated[bool, typer.Option("--check", help="Compare every question and state with the journal.")] = False,
    to: Annotated[int | None, typer.Option("--to", metavar="STEP", min=0, help="Stop after so many steps.")] = None,
    house_rule: PythonRules = None,
) -> None:
    """Play a journal again and verify it.

    A house rule in Python is run when it is installed, or when you named its file, here or in a game before. Exits with 1 when the game departs from what is written, and with --check also when the file is damaged, or its rules are not at hand and nothing can be compared.

    Example: zareba replay my_game.jsonl --check
    """
    path = existing_file("journal", journal)
    file = read_journal(path)
    files = python_files(house_rule, file.since_change().house_rules)
    try:
        replayed = play_again(path, to=to, check=check, house_rules=files)
    except NotAtHand as error:
        talk(f"told and not played again, for {error}")
        if check:
            raise typer.Exit(1) from error
        steps, last = recorded(file.entries)
        out().print(f"{amount(steps, 'step')} as they were told; state {last}", soft_wrap=True)
        return
    except ZarebaError as error:
        talk(str(error))
        raise typer.Exit(1) from error
    remember(replayed.house_rules)
    state = digest(replayed.session.state.to_data())
    out().print(f"{amount(replayed.steps, 'step')} replayed; state {state}", soft_wrap=True)
    if replayed.told:
        talk(replayed.told)
    if replayed.notice:
        talk(replayed.notice)
        if check:
            raise typer.Exit(1)


def log(
    journal: Journal,
    house_rule: PythonRules = None,
    page: Annotated[
        Path | None, typer.Option("--page", metavar="FILE.html", help="Write the closing page of the battle instead.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Tell what happened in a journal, step by step.

    Shows who answered what, the faces of the dice, and what came of it. Cards that only one seat saw stay hidden. Where
    the game cannot be played again, as without the file of a house rule in Python, it is told as the journal has it.

    Example: zareba log my_game.jsonl
    """
    path = existing_file("journal", journal)
    file = read_journal(path)
    files = python_files(house_rule, file.since_change().house_rules)
    try:
        replayed = play_again(path, check=False, house_rules=files)
    except ZarebaError as error:
        talk(f"told as the journal has it, for the game cannot be played again: {error}")
        notice, steps = f"{path}: {file.damage}" if file.damage else "", bare_steps(file.entries)
    else:
        remember(replayed.house_rules)
        if page is not None:
            _write_page(replayed.session, page)
            return
        notice, steps = replayed.notice, [*_before(file), *_steps(replayed.session)]
    if notice:
        talk(notice)
    if as_json:
        print_json(
            [{"step": key, "answers": [data for data, _ in told], "events": events} for key, told, events in steps]
        )
        return
    console = out()
    for key, told, events in steps:
        console.print(key, style="bold")
        for _, line in told:
            console.print(f"  {line}")
        for sentence in events:
            console.print(f"  - {sentence}")


def _before(file: JournalFile) -> Iterator[Told]:
    """What was told before the game was gone on with under other house rules, and under which it goes on."""
    if before := file.before_change():
        yield from [step for step in bare_steps(before) if step[0] != "under way"]
        names = ", ".join(rule.name for rule in file.since_change().house_rules)
        said = f"from here on with the house rules {names}" if names else "from here on without house rules"
        yield "other rules", [], [said]


def _write_page(session: Session, page: Path) -> None:
    if session.pending is not None:
        raise ZarebaError("the battle is not over; its closing page would show what players may not see yet")
    from zareba.report.closing import closing_page

    game = session.game
    check_output(page).write_text(closing_page(session.closing(), game, game.drawn(session.state)), encoding="utf-8")
    talk(f"written: {page}")


def _steps(session: Session) -> Iterator[Told]:
    """Every step in which something was asked or happened: its key, its answers as data and as a line, its events in words.

    The end of a game that is over comes last.
    """
    game = session.game
    is_on = session.pending is not None
    for step in reversed(list(session.history.seen("" if is_on else None))):
        played, reached = step.played, step.end
        start = played.start if played.answers else None
        told: list[tuple[dict[str, Any], str]] = []
        for place, one in enumerate(played.answers):
            asked = advance(game, start, [answered.answer for answered in played.answers[:place]])
            assert isinstance(asked, Paused), "it was asked when the game was played"
            own = is_secret(game, one.question)
            hidden = mentions(step.hidden, one.question.actor)
            shown = replace(one, question=one.question._replace(actor=HIDDEN)) if own and hidden else one
            data = in_words(game, asked.draft, shown)
            if is_on and (own or hidden):
                data["answer"] = UNTOLD
                if hidden and not own:
                    data |= {"question": f"{HIDDEN}:", "faces": []}
                told.append((data, line_with(data, UNTOLD)))
            else:
                told.append((data, line_of(game, data, one)))
        events = [sentence for event in step.events if (sentence := game.describe_event(event))]
        if told or events:
            yield reached.step.key, told, events
    if session.pending is None:
        yield "the end", [], [outcome_sentence(game.scenario, game.outcome(session.state))]
