"""What a journal tells by itself, without the rules: who answered what, step by step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

__all__ = ["Told", "bare_steps"]

Told: TypeAlias = tuple[str, list[tuple[dict[str, Any], str]], list[str]]
"""A step: its key, its answers as data and as a line, its events in words."""


def bare_steps(entries: Sequence[Mapping[str, Any]]) -> list[Told]:
    """The steps of a journal, taken back and played again as it says. Cards stay hidden: who saw them is not known."""
    steps: list[Told] = []
    told: list[tuple[dict[str, Any], str]] = []
    for entry in _standing(entries):
        told.append(_bare(entry))
        if keys := _keys(entry):
            steps.append((keys[0], told, []))
            told = []
    return [*steps, ("under way", told, [])] if told else steps


def _standing(entries: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The answers that hold at the end."""
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
        elif not entry.keys() & {"seats", "orders"}:
            standing.append(entry)
            undone = []
    return standing


def _count(count: Any) -> int:
    return max(count, 0) if type(count) is int else 0


def _keys(entry: Mapping[str, Any]) -> list[str]:
    steps = entry.get("steps")
    return [str(step[0]) for step in steps if isinstance(step, list) and step] if isinstance(steps, list) else []


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
