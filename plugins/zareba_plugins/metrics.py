"""A metric for comparisons: Pyrrhic victories."""

from __future__ import annotations

from collections.abc import Sequence

from zareba.api.metrics import GameRecord, Metric, Sample, Scope, lost


def _is_pyrrhic(record: GameRecord) -> float | None:
    """Return 1 if the winner lost a larger share of its strength than every other side, else 0; None for a draw."""
    if record.winner is None:
        return None
    others = [lost(record, side) for side in record.sides if side != record.winner]
    return float(lost(record, record.winner) > max(others))


def _samples(records: Sequence[GameRecord], scope: Scope) -> list[Sample]:
    return [Sample("won with the greater losses", "share", "share", tuple(_is_pyrrhic(record) for record in records))]


PYRRHIC = Metric(
    "pyrrhic",
    "Pyrrhic victories",
    "bloodiness",
    "Share of won games whose winner lost a larger share of its strength than any other side.",
    False,
    _samples,
)
