"""A section for comparison reports: the narrowest victories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from zareba.api.reports import GameRecord, ReportSection


def _lead(record: GameRecord) -> Fraction:
    """Return the winner's lead over the second side, in points."""
    *_, second, highest = sorted(record.points.values())
    return Fraction(highest - second)


def _rows(records: Sequence[GameRecord], titles: Mapping[str, str]) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = []
    for name, title in titles.items():
        won = [record for record in records if record.variant == name and record.winner is not None]
        if won:
            narrowest = min(won, key=lambda record: (_lead(record), record.game))
            found.append(
                (
                    title,
                    str(narrowest.winner),
                    f"{float(_lead(narrowest)):g}",
                    str(narrowest.turns),
                    str(narrowest.game),
                )
            )
    return found


NARROWEST = ReportSection(
    "The narrowest victories",
    "For each system, the won game with the smallest lead of the winner over the second side.",
    ("system", "won by", "points ahead", "turns", "game"),
    _rows,
)
