"""`zareba games`, `log` and `replay`: list saved games, print what happened in one, and verify its journal."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

from zareba.base.errors import ZarebaError, unknown_name
from zareba.base.filenames import check_output
from zareba.base.grammar import amount, in_a_sentence, join_with_and, merge_alike
from zareba.base.state import digest
from zareba.cli.options import Json, PythonRules, existing_file
from zareba.cli.output import hanging, out, plain_table, print_json, print_to_stderr
from zareba.cli.trusted_rules import python_files, remember
from zareba.game.advance import AtQuestion, advance
from zareba.journal import JournalFile, games_folder, read_journal
from zareba.plugins.rule_files import title_in
from zareba.presentation.narration import outcome_sentence
from zareba.registry import NotInstalled
from zareba.renamed import with_old_json_keys
from zareba.session import Session
from zareba.session import replay as play_again
from zareba.session.narration import SECRET_ANSWER, answer_text, is_secret, line_of, line_with
from zareba.session.saved_games import GameIndex, SavedGame

# --- The log of a journal without its rules: the answers and events recorded in it, step by step ----------------------


LoggedStep: TypeAlias = tuple[str, list[tuple[dict[str, Any], str]], list[str]]
"""A step: its key, its answers as data and as lines, and its events in words."""


def bare_steps(entries: Sequence[Mapping[str, Any]]) -> list[LoggedStep]:
    """Return the steps of a journal in its recorded words, after applying its undo and redo entries.

    Older journals hold bare answers. Their cards stay hidden, because the journal does not say who saw them.
    """
    remaining = _remaining(entries)
    last = next((entry for entry in entries if "settled" in entry), remaining[-1] if remaining else {})
    over = last.get("over") is True
    steps: list[LoggedStep] = []
    answers: list[tuple[dict[str, Any], str]] = []
    for entry in remaining:
        answers.append(_recorded_answer(entry, over) or _plain_answer(entry))
        story = entry.get("story")
        for number, key in enumerate(_keys(entry)):
            events = story[number] if isinstance(story, list) and number < len(story) else []
            sentences = [str(sentence) for sentence in events] if isinstance(events, list) else []
            if answers or sentences:
                steps.append((key, answers, sentences))
            answers = []
    if answers:
        steps.append(("under way", answers, []))
    if over and isinstance(end := last.get("end"), str):
        steps.append(("the end", [], [end]))
    return steps


def recorded(entries: Sequence[Mapping[str, Any]]) -> tuple[int, str]:
    """Return the number of steps that stand at the end, and the digest of the state after the last one."""
    steps = [step for entry in _remaining(entries) for step in entry.get("steps", ())]
    return len(steps), str(steps[-1][1]) if steps else "at the start"


def _remaining(entries: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the answers that remain after all undo and redo entries."""
    remaining: list[Mapping[str, Any]] = []
    undone: list[Mapping[str, Any]] = []
    for entry in entries:
        if "undo" in entry:
            count = min(_count(entry["undo"]), len(remaining))
            undone = remaining[len(remaining) - count :] + undone
            remaining = remaining[: len(remaining) - count]
        elif "redo" in entry:
            count = _count(entry["redo"])
            remaining, undone = remaining + undone[:count], undone[count:]
        elif not entry.keys() & {"seats", "orders", "rules_changed", "settled"}:
            remaining.append(entry)
            undone = []
    return remaining


def _count(count: Any) -> int:
    return max(count, 0) if type(count) is int else 0


def _keys(entry: Mapping[str, Any]) -> list[str]:
    steps = entry.get("steps")
    return [str(step[0]) for step in steps if isinstance(step, list) and step] if isinstance(steps, list) else []


def _recorded_answer(entry: Mapping[str, Any], over: bool) -> tuple[dict[str, Any], str] | None:
    """Return an answer in the words of the journal; None if the journal has none."""
    text = entry.get("said")
    if not isinstance(text, dict) or not isinstance(question := text.get("question"), str):
        return None
    line = text.get("line", question + text["then"] if isinstance(text.get("then"), str) else None)
    if not isinstance(line, str):
        return None
    by, faces = str(entry.get("by")), entry.get("faces") or []
    data = {key: text.get(key) for key in ("question", "rule", "seat")}
    data |= {"by": by, "answer": text.get("answer"), "faces": faces}
    if text.get("secret") and not over:
        data["answer"] = SECRET_ANSWER
        return data, line_with(data, SECRET_ANSWER)
    return data, line


def _plain_answer(entry: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    by, faces, answer = str(entry.get("by")), entry.get("faces") or [], entry.get("answer")
    if "umpire" in entry:
        act = entry["umpire"] if isinstance(entry["umpire"], dict) else {}
        by, answer = (
            "umpire",
            [part for part in (act.get("act"), act.get("of"), act.get("what"), act.get("value")) if part],
        )
    if by == "chance" and not faces:
        answer = "a card"
    shown = " ".join(map(str, faces)) if isinstance(faces, list) and faces else _words(answer)
    data = {"question": None, "rule": None, "seat": None, "by": by, "answer": answer, "faces": faces}
    return data, f"{by}: {shown}"


def _words(answer: Any) -> str:
    if isinstance(answer, bool):
        return "yes" if answer else "no"
    return ", ".join(map(_words, answer)) if isinstance(answer, list) else str(answer)


# --- `zareba replay` and `zareba log`: verify a journal, and print what happened in it --------------------------------


HIDDEN = "a hidden unit"
"""The name shown for a hidden unit while the game is not over."""
Journal = Annotated[str, typer.Argument(metavar="GAME", help="A name from 'zareba games', or a journal file.")]


def replay(
    journal: Journal,
    check: Annotated[bool, typer.Option("--check", help="Compare every question and state with the journal.")] = False,
    to: Annotated[int | None, typer.Option("--to", metavar="STEP", min=0, help="Stop after this many steps.")] = None,
    house_rule: PythonRules = None,
) -> None:
    """Replay a saved game from its journal and verify it.

    A Python house rule is run only if it is installed or if you have named its file, now or in an earlier command.
    Exits with 1 if the game departs from the journal. With --check it also exits with 1 if the file is damaged, or if
    a house rule is missing, so that nothing can be compared.

    Example: zareba replay my_game.jsonl --check
    """
    path = journal_of(journal)
    file = read_journal(path)
    files = python_files(house_rule, file.since_change().house_rules)
    try:
        replayed = play_again(path, to=to, check=check, house_rules=files)
    except NotInstalled as error:
        print_to_stderr(f"not replayed: {error}")
        if check:
            raise typer.Exit(1) from error
        steps, last = recorded(file.entries)
        out().print(f"{amount(steps, 'step')} as recorded; checksum of the last state: {last}", soft_wrap=True)
        return
    except ZarebaError as error:
        print_to_stderr(str(error))
        raise typer.Exit(1) from error
    remember(replayed.house_rules)
    state = digest(replayed.session.state.to_data())
    same = " and every question and state is as recorded" if check and not replayed.notice else ""
    console = out()
    console.print(
        f"{amount(replayed.steps, 'step')} replayed{same}; checksum of the last state: {state}", soft_wrap=True
    )
    if replayed.note:
        print_to_stderr(replayed.note)
    if replayed.notice:
        print_to_stderr(replayed.notice)
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
    """Print what happened in a saved game, step by step.

    Shows all answers, the dice and the results. Cards that only one player saw stay hidden. If the game cannot be
    replayed, for example without the file of a Python house rule, the text recorded in the journal is shown.

    Example: zareba log my_game.jsonl
    """
    path = journal_of(journal)
    file = read_journal(path)
    files = python_files(house_rule, file.since_change().house_rules)
    try:
        replayed = play_again(path, check=False, house_rules=files)
    except ZarebaError as error:
        print_to_stderr(f"showing the recorded text, because the game cannot be replayed: {error}")
        notice, steps = f"{path}: {file.damage}" if file.damage else "", bare_steps(file.entries)
    else:
        remember(replayed.house_rules)
        if page is not None:
            _write_page(replayed.session, page)
            return
        notice, steps = replayed.notice, [*_before(file), *_steps(replayed.session)]
    if notice:
        print_to_stderr(notice)
    if as_json:
        print_json(
            [
                {"step": key, "answers": [data for data, _ in answers], "events": events}
                for key, answers, events in steps
            ]
        )
        return
    console, titles = out(), titles_of(file.header)
    before = ""
    for key, answers, events in steps:
        if (heading := step_heading(key, titles)) != before:
            console.print(heading, style="bold")
        before = heading
        for _, line in answers:
            console.print(hanging(f"  {line}", console.width, 4))
        for sentence in merge_alike(events):
            console.print(hanging(f"  - {sentence}", console.width, 4))


def titles_of(header: Mapping[str, Any]) -> dict[str, str]:
    """Return the titles of phases and the names of sides, units and leaders by id, from the header of a journal."""
    sequence, scenario = header["rules"].get("sequence", {}), header["scenario"]
    titles = {
        phase: entry["title"][:1].lower() + entry["title"][1:]
        for phase, entry in sequence.items()
        if entry.get("title")
    }
    for part in ("sides", "units", "leaders"):
        titles |= {piece: in_a_sentence(entry["name"]) for piece, entry in scenario.get(part, {}).items()}
    return titles


def step_heading(key: str, titles: Mapping[str, str]) -> str:
    """Return the key of a step as a heading: "Turn 1, native moves" for `1/native_moves/move.units`.

    A number that only counts steps is left out.
    """
    turn, slash, rest = key.partition("/")
    if not slash or not turn.isdecimal():
        return key
    phase = re.sub(r"[._ ]?\d+$", "", rest.partition("/")[0])
    title = titles.get(phase, re.sub(r"[._]", " ", phase))
    when = f"Turn {turn}" if int(turn) else "Before turn 1"
    return f"{when}, {title}" if title else when


def _before(file: JournalFile) -> Iterator[LoggedStep]:
    """Yield the steps played before the house rules were changed, and a note on the rules used from then on."""
    if before := file.before_change():
        yield from [step for step in bare_steps(before) if step[0] != "under way"]
        titles = [f"'{title_in(rule.name, Path(rule.file), rule.text)}'" for rule in file.since_change().house_rules]
        noun = "house rule" if len(titles) == 1 else "house rules"
        heading = (
            f"from here on with the {noun} {join_with_and(titles)}" if titles else "from here on without house rules"
        )
        yield "other rules", [], [heading]


def _write_page(session: Session, page: Path) -> None:
    if session.pending is not None:
        raise ZarebaError("the battle is not over; its after-action report would show hidden information")
    from zareba.report.after_action import after_action_page

    game = session.game
    check_output(page).write_text(
        after_action_page(session.after_action_report(), game, game.display.labelled_board(session.state)),
        encoding="utf-8",
    )
    print_to_stderr(f"written: {page}")


def _steps(session: Session) -> Iterator[LoggedStep]:
    """Yield every step with a question or an event.

    For a finished game the result comes last.
    """
    game = session.game
    is_on = session.pending is not None
    for step in reversed(list(session.history.steps_seen_by("" if is_on else None))):
        played, reached = step.played, step.end
        start = played.start if played.answers else None
        answers: list[tuple[dict[str, Any], str]] = []
        for index, answer in enumerate(played.answers):
            position = advance(game, start, [answered.answer for answered in played.answers[:index]])
            assert isinstance(position, AtQuestion), "it was asked when the game was played"
            secret = is_secret(game, answer.question)
            hidden = step.hides(index)
            shown = replace(answer, question=answer.question._replace(actor=HIDDEN)) if secret and hidden else answer
            data = answer_text(game, position.draft, shown)
            if is_on and (secret or hidden):
                data["answer"] = SECRET_ANSWER
                if hidden and not secret:
                    data |= {"question": f"{HIDDEN}:", "faces": []}
                answers.append((data, line_with(data, SECRET_ANSWER)))
            else:
                answers.append((data, line_of(game, data, answer)))
        events = [sentence for event in step.events if (sentence := game.narrator.describe_event(event))]
        if answers or events:
            yield reached.step.key, answers, events
    if session.pending is None:
        yield "the end", [], [outcome_sentence(game.scenario, session.outcome)]


# --- `zareba games` and `zareba continue`: list the user's saved games, and continue one ------------------------------


def _listing(game: SavedGame) -> dict[str, str | bool]:
    """Return a game as listed. The keys are a stable interface for programs."""
    return {
        "name": game.name,
        "file": game.file,
        "scenario": game.scenario,
        "ruleset": game.ruleset,
        "seats": game.players,
        "progress": game.progress,
        "over": game.over,
        "when": time.strftime("%Y-%m-%d %H:%M", time.localtime(game.when)),
    }


def saved_games() -> Iterator[SavedGame]:
    """Yield the saved games, the last played first. An unreadable file is reported and skipped."""
    files = sorted(games_folder().glob("*.jsonl"), key=lambda path: path.stat().st_mtime, reverse=True)
    for entry in GameIndex(games_folder()).games(files).values():
        if isinstance(entry, SavedGame):
            yield entry
        else:
            print_to_stderr(entry)


def journal_of(name: str) -> Path:
    """Return the journal of a saved game by its name or file; of the last unfinished game for "".

    Raises ZarebaError if there is none.
    """
    saved = [] if "/" in name else list(saved_games())
    chosen = next((game for game in saved if game.name == name or (not name and not game.over)), None)
    if chosen is not None:
        return Path(chosen.file)
    if "/" in name or Path(name).suffix or (name and (Path(name).exists() or Path(name).is_symlink())):
        return existing_file("journal", name)
    if name:
        raise unknown_name("game", name, [game.name for game in saved])
    raise ZarebaError("there is no unfinished game; start one with 'zareba play', or see 'zareba games'")


def games(as_json: Json = False) -> None:
    """List your saved games: scenario, ruleset, seats, progress and date.

    Example: zareba games
    """
    found = list(saved_games())
    if as_json:
        print_json([with_old_json_keys("games", _listing(entry)) for entry in found])
        return
    if not found:
        print_to_stderr("there are no saved games; start one with 'zareba play'")
        return
    heads = ["game", "scenario", "rules", "seats", "progress", "last played"]
    listings = [_listing(entry) for entry in found]
    keys = ("name", "scenario", "ruleset", "seats", "progress", "when")
    out().print(plain_table(heads, [[str(listing[key]) for key in keys] for listing in listings]))
    print_to_stderr("zareba continue goes on with the first unfinished game; zareba continue GAME with another one")
