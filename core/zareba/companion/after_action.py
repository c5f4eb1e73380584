"""The after-action report of an evening at a real table: losses by unit and by act, and the turning points."""

from __future__ import annotations

from collections import Counter
from typing import Any

from zareba.base.grammar import amount
from zareba.companion.evening import Entry, Evening

_MOST_TURNING_POINTS = 3


def after_action_lines(evening: Evening[Any]) -> list[str]:
    """Return the report as sentences: the result and the score, what each side lost, and the entries with most
    losses.
    """
    lines = [*evening.score()]
    for side in evening.game.seats:
        lines.append(_losses_of_side(evening, side))
    losses = _losses_by_entry(evening)
    by_act: Counter[str] = Counter()
    for entry, lost in losses:
        by_act[_act_title(evening, entry)] += lost.total()
    if by_act:
        lines.append("Losses by act: " + ", ".join(f"{title} {count}" for title, count in by_act.most_common()))
    turning_points = sorted(losses, key=lambda loss: -loss[1].total())[:_MOST_TURNING_POINTS]
    for entry, lost in turning_points:
        lines.append(f"Turning point: {entry.title} ({entry.headline}): {_lost(evening, lost)}")
    return lines


def _losses_of_side(evening: Evening[Any], side: str) -> str:
    """Return what a side lost: "The patrol lost 7 of 20 bases: Fusiliers 3 of 4, Sikhs all 4"."""
    companion = evening.companion
    boxes = {unit: companion.strength_boxes(evening.state, unit) for unit in companion.units(evening.state, side)}
    lost, had = sum(most - left for left, most in boxes.values()), sum(most for _, most in boxes.values())
    name = evening.game.narrator.name_of(side)
    if not lost:
        return f"{name} lost nothing."
    units = ", ".join(
        f"{evening.game.narrator.name_of(unit)} {most - left if left else 'all'}{' of' if left else ''} {most}"
        for unit, (left, most) in boxes.items()
        if left < most
    )
    return f"{name} lost {lost} of {amount(had, evening.game.narrator.loss_noun)}: {units}."


def _losses_by_entry(evening: Evening[Any]) -> list[tuple[Entry[Any], Counter[str]]]:
    """Return the entries of the book that cost strength, each with the figures or bases that units lost."""
    found = []
    before = _strengths(evening, evening.first_state)
    for entry in evening.entries:
        after = _strengths(evening, entry.state)
        lost = Counter({unit: before[unit] - left for unit, left in after.items() if before.get(unit, left) > left})
        if lost and "correct" not in entry.data:
            found.append((entry, lost))
        before = after
    return found


def _strengths(evening: Evening[Any], state: Any) -> dict[str, int]:
    companion = evening.companion
    units = [unit for side in evening.game.seats for unit in companion.units(state, side)]
    return {unit: companion.strength_boxes(state, unit)[0] for unit in units}


def _act_title(evening: Evening[Any], entry: Entry[Any]) -> str:
    act = entry.data.get("act")
    return evening.companion.act_named[act].title if act else entry.title


def _lost(evening: Evening[Any], lost: Counter[str]) -> str:
    """Return the losses of an act: "Red lost 4 figures, Alpha 2"."""
    name_of = evening.game.narrator.name_of
    (first, count), *others = lost.most_common()
    rest = [f"{name_of(unit)} {more}" for unit, more in others]
    return ", ".join([f"{name_of(first)} lost {amount(count, evening.game.narrator.loss_noun)}", *rest])
