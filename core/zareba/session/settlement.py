"""The end of a game by its players: a draw by agreement, a concession, or a win on time."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, TypeAlias, get_args

from zareba.base.errors import ZarebaError
from zareba.scenario.victory import Outcome

_Ground: TypeAlias = Literal["agreement", "concession", "time"]


@dataclass(frozen=True)
class Settlement:
    """The result on which the players end a game: the winner (None: a draw), and why they end it."""

    winner: str | None
    ground: _Ground

    def to_data(self) -> dict[str, Any]:
        """Return the settlement for a journal."""
        return asdict(self)

    def applied_to(self, outcome: Outcome) -> Outcome:
        """Return an outcome with the winner of the settlement; the points stay."""
        return replace(outcome, winner=self.winner, ending=self.ground, ground=self.ground, decided_by="")


def settlement_from_data(data: Any, sides: Collection[str]) -> Settlement:
    """Return the settlement that `to_data` encoded. Raises ZarebaError for anything else."""
    found: dict[str, Any] = data if isinstance(data, dict) else {}
    winner, ground = found.get("winner"), found.get("ground")
    if ground not in get_args(_Ground) or (winner is not None and winner not in sides):
        raise ZarebaError("this is not a valid end of a game by its players")
    return Settlement(winner, ground)  # type: ignore[arg-type]  # it is one of the grounds
