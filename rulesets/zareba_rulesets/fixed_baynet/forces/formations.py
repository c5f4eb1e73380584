"""Formations (FBN-055 to FBN-064, FBN-271, FBN-272): their layout and the test that recognises them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import ceil, pi, sqrt

from zareba.space.bearings import angle_between, bearing_to, direction
from zareba.space.field.bodies import are_linked, gaps_within
from zareba.space.field.free_table import faces_out, in_ring, place_formation, rank_positions
from zareba.space.geometry import Point, hull, is_inside
from zareba_rulesets.fixed_baynet.forces.battle import Battle, bases_of
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit

FORMATIONS = ("open", "closed", "mass", "square")
RANKS = {"open": 2, "closed": 2}
_CLOSE_UP, _CLEAR = 0.01, 0.1  # inches between bases: in ranks, in a square


@lru_cache(maxsize=4096)
def layout(formation: str, count: int, radius: float, facing: float, gap: float, ranks: int = 0) -> tuple[Point, ...]:
    """Return the places of `count` round bases around the origin, in a formation that faces `facing`.

    Open: two ranks with `gap` inches between bases. Closed: two ranks, base to base. Mass: a block. Square: a ring
    (FBN-056 to FBN-060).
    """
    if formation == "square":
        return tuple(in_ring(count, 2 * radius + _CLEAR, 4 * pi * radius))
    apart = 2 * radius + (gap if formation == "open" else _CLOSE_UP)
    deep = ranks or (max(1, round(sqrt(count))) if formation == "mass" else min(RANKS[formation], max(1, count // 3)))
    places = rank_positions(count, ceil(count / deep), apart, deep=deep, in_files=True)  # so that bases touch
    return tuple(place_formation(places, (0.0, 0.0), direction(facing)))


def square_facing(centre: Point, at: Point) -> float:
    """Return the bearing outwards from the middle (FBN-060)."""
    return bearing_to(centre, at)


def in_square(battle: Battle, unit: Unit, figure: Figure | None = None) -> bool:
    """Return True if a unit is in square, or is a single man inside a friendly square (FBN-060, FBN-062).

    With `figure`, ask about that man of the unit: a man in panic is never in square (FBN-064).
    """
    if figure is not None and figure.reaction:
        return False
    if unit.shape == "square":
        return True
    if len(unit.figures) != 1 or unit.spec.kind != "independent":
        return False
    (single,) = unit.figures.values()
    return any(
        is_inside(single.at, hull([man.at for man in other.steady]))
        for other in battle.on_table(unit.spec.side)
        if other.shape == "square" and len(other.steady) > 2
    )


def may_form(unit: Unit) -> bool:
    """Return True if a unit can take up formations.

    Single men cannot, nor a unit with only one steady man left (FBN-062, FBN-064), nor a crew that still has a gun.
    """
    return len(unit.steady) > 1 and not any(gun.in_play for gun in unit.guns)


def allowed_formations(battle: Battle, unit: Unit) -> list[str]:
    """Return the formations a unit may take up (FBN-055).

    Squares are for Europeans on foot (FBN-060, FBN-185) and, by setting, for drilled natives.
    """
    if not may_form(unit):
        return []
    european = unit.spec.table == "european" and not unit.spec.drilled
    square = european or (unit.spec.drilled and battle.book.settings.native_regular_square)
    if any(figure.mounted for figure in unit.figures.values()):
        square = False
    return [name for name in FORMATIONS if name != "square" or square]


def is_formed(battle: Battle, unit: Unit, figures: Sequence[Figure] | None = None) -> bool:
    """Return True if the men who count are in the unit's formation.

    By default these are the steady men who are neither prone nor in a building. Men in contact with an enemy do not
    count either (FBN-272): pass `figures` without them.
    """
    men = (
        figures
        if figures is not None
        else [figure for figure in unit.figures.values() if figure.steady and not figure.prone and not figure.place]
    )
    return len(men) < 2 or is_in_formation(battle, unit.formation, men)


def note_gaps(battle: Battle, unit: Unit) -> None:
    """Mark a unit for a formation test at the end of its next activation if it now has gaps (FBN-064, FBN-272).

    Men who get up, recover from panic or are healed count for the formation again.
    """
    if unit.shape != "open" and not is_formed(battle, unit):
        unit.mark("loose")


def is_layout_formed(battle: Battle, formation: str, count: int, ranks: int, mounted: bool) -> bool:
    """Return True if men placed by `layout` count as being in that formation, whatever their facing.

    The result is cached for the session.
    """
    key = formation, count, ranks, mounted
    is_formed = battle.book.formed_layouts.get(key)
    if is_formed is None:
        spots = layout(formation, count, battle.book.radii[mounted], 0.0, battle.book.open_gap, ranks)
        men = [
            Figure(
                x, y, 0.0, square_facing((0.0, 0.0), (x, y)) if formation == "square" else 0.0, 0, "", mounted=mounted
            )
            for x, y in spots
        ]
        is_formed = battle.book.formed_layouts[key] = len(men) < 2 or is_in_formation(battle, formation, men)
    return is_formed


def is_in_formation(battle: Battle, formation: str, men: Sequence[Figure]) -> bool:
    """Return True if these men are in a formation (FBN-056, FBN-057, FBN-058, FBN-271)."""
    bases = bases_of(battle, men)
    if formation == "square":
        form = battle.book.file.square_form  # FBN-271
        out = faces_out([man.at for man in men], [man.facing for man in men], form.outline, form.facing)
        return out and all(min(row) <= form.most for row in gaps_within(bases))
    spacing, first = battle.book.file.spacing, men[0].facing
    if any(angle_between(first, man.facing) > spacing.facing for man in men):
        return False
    return (
        are_linked(bases, spacing.least, spacing.most)
        if formation == "open"
        else are_linked(bases, 0.0, battle.book.contact)
    )
