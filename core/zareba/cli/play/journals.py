"""`zareba replay` and `zareba log`: verify a journal, and print what happened in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from zareba.base.errors import ZarebaError
from zareba.base.filenames import check_output
from zareba.base.grammar import amount
from zareba.base.state import digest
from zareba.cli.options import Json, PythonRules, existing_file
from zareba.cli.output import out, print_json, talk
from zareba.cli.play.raw_log import Told, bare_steps, recorded
from zareba.cli.trusted_rules import python_files, remember
from zareba.game.advance import AtQuestion, advance
from zareba.journal import JournalFile, read_journal
from zareba.presentation.outcome import outcome_sentence
from zareba.registry import NotInstalled
from zareba.session import Session
from zareba.session import replay as play_again
from zareba.session.narration import UNTOLD, answer_text, is_secret, line_of, line_with

__all__ = ["log", "replay"]

HIDDEN = "a hidden unit"
"""The name shown for a hidden unit while the game is not over."""
Journal = Annotated[str, typer.Argument(metavar="JOURNAL", help="The journal of a game.")]


def replay(
    journal: Journal,
    check: Annotated[bool, typer.Option("--check", help="Compare every question and state with the journal.")] = False,
    to: Annotated[int | None, typer.Option("--to", metavar="STEP", min=0, help="Stop after this many steps.")] = None,
    house_rule: PythonRules = None,
) -> None:
    """Replay a journal and verify it.

    A Python house rule is run only if it is installed or if you have named its file, now or in an earlier command.
    Exits with 1 if the game departs from the journal. With --check it also exits with 1 if the file is damaged, or if
    a house rule is missing, so that nothing can be compared.

    Example: zareba replay my_game.jsonl --check
    """
    path = existing_file("journal", journal)
    file = read_journal(path)
    files = python_files(house_rule, file.since_change().house_rules)
    try:
        replayed = play_again(path, to=to, check=check, house_rules=files)
    except NotInstalled as error:
        talk(f"not replayed: {error}")
        if check:
            raise typer.Exit(1) from error
        steps, last = recorded(file.entries)
        out().print(f"{amount(steps, 'step')} as recorded; checksum of the last state: {last}", soft_wrap=True)
        return
    except ZarebaError as error:
        talk(str(error))
        raise typer.Exit(1) from error
    remember(replayed.house_rules)
    state = digest(replayed.session.state.to_data())
    same = " and every question and state is as recorded" if check and not replayed.notice else ""
    console = out()
    console.print(
        f"{amount(replayed.steps, 'step')} replayed{same}; checksum of the last state: {state}", soft_wrap=True
    )
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
        Path | None,
        typer.Option("--page", metavar="FILE.html", help="Write the after-action report as a page instead."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Print what happened in a journal, step by step.

    Shows all answers, the dice and the results. Cards seen by only one seat stay hidden. If the game cannot be
    replayed, for example without the file of a Python house rule, the text recorded in the journal is shown.

    Example: zareba log my_game.jsonl
    """
    path = existing_file("journal", journal)
    file = read_journal(path)
    files = python_files(house_rule, file.since_change().house_rules)
    try:
        replayed = play_again(path, check=False, house_rules=files)
    except ZarebaError as error:
        talk(f"showing the recorded text, because the game cannot be replayed: {error}")
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
    before = ""
    for key, told, events in steps:
        if (heading := _heading(key)) != before:
            console.print(heading, style="bold")
        before = heading
        for _, line in told:
            console.print(f"  {line}")
        for sentence in events:
            console.print(f"  - {sentence}")


def _heading(key: str) -> str:
    """Return the key of a step as a heading: "Turn 1, native moves" for `1/native_moves/move.units`."""
    turn, slash, rest = key.partition("/")
    if not slash or not turn.isdecimal():
        return key
    phase = re.sub(r"[._]", " ", rest.partition("/")[0])
    return f"Turn {turn}, {phase}"


def _before(file: JournalFile) -> Iterator[Told]:
    """Yield the steps played before the house rules were changed, and a note on the rules used from then on."""
    if before := file.before_change():
        yield from [step for step in bare_steps(before) if step[0] != "under way"]
        names = ", ".join(rule.name for rule in file.since_change().house_rules)
        said = f"from here on with the house rules {names}" if names else "from here on without house rules"
        yield "other rules", [], [said]


def _write_page(session: Session, page: Path) -> None:
    if session.pending is not None:
        raise ZarebaError("the battle is not over; its after-action report would show hidden information")
    from zareba.report.after_action import after_action_page

    game = session.game
    check_output(page).write_text(
        after_action_page(session.after_action_report(), game, game.display.drawn(session.state)), encoding="utf-8"
    )
    talk(f"written: {page}")


def _steps(session: Session) -> Iterator[Told]:
    """Yield every step with a question or event: its key, its answers as data and as lines, and its events in words.

    For a finished game the result comes last.
    """
    game = session.game
    is_on = session.pending is not None
    for step in reversed(list(session.history.seen("" if is_on else None))):
        played, reached = step.played, step.end
        start = played.start if played.answers else None
        told: list[tuple[dict[str, Any], str]] = []
        for place, one in enumerate(played.answers):
            asked = advance(game, start, [answered.answer for answered in played.answers[:place]])
            assert isinstance(asked, AtQuestion), "it was asked when the game was played"
            own = is_secret(game, one.question)
            hidden = step.hides(place)
            shown = replace(one, question=one.question._replace(actor=HIDDEN)) if own and hidden else one
            data = answer_text(game, asked.draft, shown)
            if is_on and (own or hidden):
                data["answer"] = UNTOLD
                if hidden and not own:
                    data |= {"question": f"{HIDDEN}:", "faces": []}
                told.append((data, line_with(data, UNTOLD)))
            else:
                told.append((data, line_of(game, data, one)))
        events = [sentence for event in step.events if (sentence := game.narrator.describe_event(event))]
        if told or events:
            yield reached.step.key, told, events
    if session.pending is None:
        yield "the end", [], [outcome_sentence(game.scenario, game.play.outcome(session.state))]
