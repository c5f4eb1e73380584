"""The pieces of each side that do not change during a battle, in the order of the scenario."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from zareba.space.lazy import Lazy
from zareba_rulesets.afriboria.forces.pieces import CommanderSpec, UnitSpec

__all__ = ["ARMS", "Roster"]

ARMS = {"mounted": ("mounted",), "infantry": ("infantry",), "foot": ("infantry", "dismounted")}
"""The arms that special cards name (AFR-339)."""


class Roster:
    """The names of the units and commanders of each side.

    `named[side, colours, who]` are the units of these colours ("any": of all) that a card for `who` may ever name.
    Cavalry counts both as mounted and as dismounted.
    """

    __slots__ = ("commanders", "named", "units")

    def __init__(
        self, sides: Iterable[str], units: Mapping[str, UnitSpec], commanders: Mapping[str, CommanderSpec]
    ) -> None:
        sides = tuple(sides)
        self.units = {side: tuple(name for name, spec in units.items() if spec.side == side) for side in sides}
        self.commanders = {
            side: tuple(name for name, spec in commanders.items() if spec.side == side) for side in sides
        }

        def named(key: tuple[str, tuple[str, ...], str]) -> tuple[str, ...]:
            side, colours, who = key
            return tuple(
                name
                for name in self.units[side]
                if ("any" in colours or units[name].colour in colours) and _may_be(units[name], who)
            )

        self.named: Lazy[tuple[str, tuple[str, ...], str], tuple[str, ...]] = Lazy(named)


def _may_be(spec: UnitSpec, who: str) -> bool:
    arms = ARMS.get(who)
    kinds = (spec.profile, spec.foot) if spec.foot is not None else (spec.profile,)
    return arms is None or any(kind.arm in arms for kind in kinds)
