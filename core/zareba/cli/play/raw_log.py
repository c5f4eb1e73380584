"""The log of a journal without its rules: the answers and events recorded in it, step by step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from zareba.session.narration import UNTOLD, line_with

__all__ = ["Told", "bare_steps", "recorded"]

Told: TypeAlias = tuple[str, list[tuple[dict[str, Any], str]], list[str]]
"""A step: its key, its answers as data and as lines, and its events in words."""


def bare_steps(entries: Sequence[Mapping[str, Any]]) -> list[Told]:
    """Return the steps of a journal in its recorded words, after applying its undo and redo entries.

    Older journals hold bare answers. Their cards stay hidden, because the journal does not say who saw them.
    """
    standing = _standing(entries)
    over = bool(standing) and standing[-1].get("over") is True
    steps: list[Told] = []
    told: list[tuple[dict[str, Any], str]] = []
    for entry in standing:
        told.append(_worded(entry, over) or _bare(entry))
        story = entry.get("story")
        for number, key in enumerate(_keys(entry)):
            events = story[number] if isinstance(story, list) and number < len(story) else []
            sentences = [str(sentence) for sentence in events] if isinstance(events, list) else []
            if told or sentences:
                steps.append((key, told, sentences))
            told = []
    if over and isinstance(end := standing[-1].get("end"), str):
        steps.append(("the end", [], [end]))
    return [*steps, ("under way", told, [])] if told else steps


def recorded(entries: Sequence[Mapping[str, Any]]) -> tuple[int, str]:
    """Return the number of steps that stand at the end, and the digest of the state after the last one."""
    steps = [step for entry in _standing(entries) for step in entry.get("steps", ())]
    return len(steps), str(steps[-1][1]) if steps else "at the start"


def _standing(entries: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the answers that remain after all undo and redo entries."""
    standing: list[Mapping[str, Any]] = []
    undone: list[Mapping[str, Any]] = []
    for entry in entries:
        if "undo" in entry:
            count = min(_count(entry["undo"]), len(standing))
            undone = standing[len(standing) - count :] + undone
            standing = standing[: len(standing) - count]
        elif "redo" in entry:
            count = _count(entry["redo"])
            standing, undone = standing + undone[:count], undone[count:]
        elif not entry.keys() & {"seats", "orders", "rules_changed"}:
            standing.append(entry)
            undone = []
    return standing


def _count(count: Any) -> int:
    return max(count, 0) if type(count) is int else 0


def _keys(entry: Mapping[str, Any]) -> list[str]:
    steps = entry.get("steps")
    return [str(step[0]) for step in steps if isinstance(step, list) and step] if isinstance(steps, list) else []


def _worded(entry: Mapping[str, Any], over: bool) -> tuple[dict[str, Any], str] | None:
    """Return an answer in the words of the journal; None if the journal has none."""
    said = entry.get("said")
    if not isinstance(said, dict) or not isinstance(question := said.get("question"), str):
        return None
    line = said.get("line", question + said["then"] if isinstance(said.get("then"), str) else None)
    if not isinstance(line, str):
        return None
    by, faces = str(entry.get("by")), entry.get("faces") or []
    data = {key: said.get(key) for key in ("question", "rule", "seat")}
    data |= {"by": by, "answer": said.get("answer"), "faces": faces}
    if said.get("secret") and not over:
        data["answer"] = UNTOLD
        return data, line_with(data, UNTOLD)
    return data, line


def _bare(entry: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
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
