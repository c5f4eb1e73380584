"""Formations of the organisation chart as units of a new scenario (PAY-198 to PAY-213)."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any

from zareba.base.errors import ZarebaError
from zareba.plugins.ruleset import Force
from zareba.rules import Rules
from zareba_rulesets.paychest.book.numbers import PaychestBook
from zareba_rulesets.paychest.book.organisation import GUNNERS, UnitTemplate, amalgamate, muster
from zareba_rulesets.paychest.translation.unit_mapping import profile_of

__all__ = ["force_of"]

_ASKED = re.compile(r"([a-z_]+)(?::([0-9]{1,2}))?")
PRIVATES = ("private", "warrior")
LONGEST = 45
"""Maximum length of a unit's id. The id of its commander's figure is 12 longer, of 64 allowed."""


def force_of(rules: Rules, asked: str, side: str, *, commands: bool) -> Force:
    """Return the units of a formation for a side, such as "battalion" or "native_regiment:3" (three warbands).

    Names joined by '+' form one weak unit, each part with its own arms and skills (PAY-210). With `commands` the
    highest figure becomes the side's commander, as a separate unit of one (PAY-031, PAY-032). Raises ZarebaError for
    an unknown formation, a number of parts that is not allowed (99 at most), or guns joined to other arms.
    """
    book = PaychestBook(rules)
    musters = [one for name in asked.split("+") for one in _muster(book, name.strip())]
    if "+" in asked:
        joined = amalgamate(*musters)
        if joined.guns and joined.arm not in GUNNERS:
            raise ZarebaError(f"'{asked}' would leave its guns behind; put the guns in a separate force")
        musters = [joined]
    units: dict[str, Any] = {}
    leaders: dict[str, Any] = {}
    ranks: dict[str, str] = {}
    profiles: dict[str, str] = {}
    for one in musters:
        unit_id = _name_for(f"{side} {one.name}", units)
        men = [(rank, part) for part in one.parts or (one,) for rank in part.ranks for _ in range(part.ranks[rank])]
        men.sort(key=lambda man: book.rank_order[man[0]])
        figures, parts = [rank for rank, _ in men], [part for _, part in men]
        if commands and len(figures) > 1:
            leaders[f"{unit_id}_commander"] = {
                "name": f"The {_words(figures[0])}",
                "side": side,
                "rank": "commander",
                "unit": unit_id,
            } | ({"mounted": True} if one.arm == "cavalry" else {})
            ranks[f"{unit_id}_commander.1"] = figures.pop(0)
            parts.pop(0)
            commands = False
        units[unit_id] = _unit(book, one, side, len(figures))
        for place, (rank, part) in enumerate(zip(figures, parts, strict=True), start=1):
            if (part.kind, part.arm) != (one.kind, one.arm):
                profiles[f"{unit_id}.{place}"] = profile_of(book, part.kind, part.arm, rank)
            if rank in PRIVATES or not book.file.ranks[rank].leader:
                if place == 1:
                    ranks[f"{unit_id}.1"] = rank  # otherwise the first figure would lead
                continue
            leaders[f"{unit_id}_{place}"] = {
                "name": f"{_words(rank).capitalize()} of the {part.name}",
                "side": side,
                "rank": book.file.mapping.rank_words[rank],
                "unit": unit_id,
            }
            ranks[f"{unit_id}.{place}"] = rank
    return Force(units, leaders, {"ranks": ranks} | ({"profiles": profiles} if profiles else {}))


def _muster(book: PaychestBook, template: str) -> Sequence[UnitTemplate]:
    found = _ASKED.fullmatch(template)
    if found is None:
        raise ZarebaError(f"'{template}' is no formation; write battalion or, for three warbands, native_regiment:3")
    return muster(book, found[1], int(found[2]) if found[2] else None)


def _unit(book: PaychestBook, one: UnitTemplate, side: str, figures: int) -> dict[str, Any]:
    """Return the unit in the scenario's words, with the usual arms of its kind and arm (PAY-021)."""
    words = book.file.mapping.muster[one.kind][one.arm]
    found: dict[str, Any] = {"name": one.name[0].upper() + one.name[1:], "side": side, "arm": one.arm}
    found |= {"figures": figures, **words}
    if one.arm == "artillery":
        found["gun"] = {"kind": "light", "pieces": max(1, one.guns)}
    return found


def _name_for(title: str, used_names: Collection[str]) -> str:
    """Return a unique unit id, short enough for the longer ids of its leaders and figures."""
    name = plain = re.sub(r"[^a-z0-9]+", "_", title.lower())[:LONGEST].strip("_")
    number = 1
    while name in used_names:
        number += 1
        name = f"{plain}_{number}"
    return name


def _words(rank: str) -> str:
    return rank.replace("_", " ")
