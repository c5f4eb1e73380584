"""Cover of a target and exposed parts of its body (PAY-080, PAY-082, PAY-087, PAY-088, PAY-114, PAY-187)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from zareba.base.exact import cosd, sind
from zareba.space import Point, TerrainLine
from zareba.space.geometry import bounds
from zareba_rulesets.paychest.book.tables import Cover
from zareba_rulesets.paychest.chapters.sight.contact import reaches
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import Box, Figure, Unit
from zareba_rulesets.paychest.ground.field import Shelter, cover_from

__all__ = ["cover_class", "covers_of", "exposures", "in_hard_cover", "machine_cover"]

CORNERS = 24
"""Number of corners of a conveyance's base when it serves as cover."""
MACHINE_REACH = 4.0
"""No figure further than this from the centre of a gun or conveyance touches it, in inches.

The widest bases are 3 inches across.
"""


def covers_of(battle: Battle, targets: Sequence[Figure]) -> list[tuple[Shelter, ...]] | None:
    """Return the shelters of each target, or None if there is no cover near any of them."""
    spots = [figure.at for figure in targets if figure.at is not None]
    box = bounds(spots)
    machines = [machine_cover(battle, figure) for figure in targets] if _has_machine_near(battle, box) else []
    if not any(machines) and not battle.field.has_cover_near(box):
        return None
    found = []
    for number, figure in enumerate(targets):
        assert figure.at is not None, "targets are on the table"
        shelters = machines[number] if machines else ()
        if not figure.aboard:
            shelters += battle.field.shelters(figure.at, battle.radius(figure))
        found.append(shelters)
    return found if any(found) else None


def in_hard_cover(battle: Battle, unit: Unit, figures: Sequence[Figure]) -> list[Figure]:
    """Return the able figures among those given that have hard cover from some direction (PAY-086)."""
    ground = _covered_by_ground(battle, unit)
    machines = _has_machine_near(battle, unit.box)
    if not machines and not ground:
        return []
    found = []
    for figure in figures:
        shelters = ground.get(figure.spec.id, ())
        if machines:
            shelters += machine_cover(battle, figure)
        for shelter in shelters:
            if shelter.cover == "hard":
                found.append(figure)
                break
    return found


def _covered_by_ground(battle: Battle, unit: Unit) -> dict[str, tuple[Shelter, ...]]:
    """Return the cover that terrain gives to a unit's able figures.

    Cached with its `standing`, because terrain does not change.
    """
    positions = unit.standing
    if positions.sheltered is None:
        positions.sheltered = {}
        if battle.field.has_cover_near(unit.box):
            for x, y, key, figure in positions.bases:
                shelters = battle.field.shelters((x, y), battle.radius(figure))
                if shelters:
                    positions.sheltered[key] = shelters
    return positions.sheltered


def _has_machine_near(battle: Battle, box: Box) -> bool:
    """Return True if a gun or conveyance may give cover to figures in the box, or carry them."""
    if not battle.engines:
        return False
    west, south, east, north = box
    west, south, east, north = west - MACHINE_REACH, south - MACHINE_REACH, east + MACHINE_REACH, north + MACHINE_REACH
    for engine in battle.engines.values():
        at = engine.at
        if at is not None and west <= at[0] <= east and south <= at[1] <= north:
            return True
    return False


def machine_cover(battle: Battle, figure: Figure) -> tuple[Shelter, ...]:
    """Return the cover from engines: on all sides inside one or in an emplacement, else behind a conveyance.

    Implements PAY-080, PAY-082, PAY-087 and PAY-088.
    """
    if figure.aboard:
        flies = battle.engines[figure.aboard].kind == "flyer"
        return (Shelter("hard", "parapet" if flies else "wagon"),)
    found = []
    for engine in battle.engines.values():
        if engine.mount == "emplacement":
            if engine.unit == figure.spec.unit and reaches(battle, figure, engine.at, battle.engine_radius(engine)):
                found.append(Shelter("hard", "parapet"))
        elif engine.kind in battle.book.file.conveyances and not engine.altitude:
            radius = battle.engine_radius(engine)
            if engine.at is not None and reaches(battle, figure, engine.at, radius):
                found.append(Shelter("hard", "wagon", _outline(engine.at, radius)))
    return tuple(found)


def _outline(at: Point, radius: float) -> TerrainLine:
    """Return a round base as a closed line."""
    angles = [360 * corner / CORNERS for corner in range(CORNERS + 1)]
    return TerrainLine([(at[0] + radius * cosd(angle), at[1] + radius * sind(angle)) for angle in angles])


def cover_class(a: Point, targets: Sequence[Figure], covers: Sequence[Sequence[Shelter]] | None, share: float) -> Cover:
    """Return a group's cover from one firer (PAY-114).

    Hard if at least `share` of it is in hard cover, else soft if that share has any cover, else none.
    """
    if covers is None:
        return "none"
    hard = soft = 0
    for figure, shelters in zip(targets, covers, strict=True):
        assert figure.at is not None, "targets are on the table"
        cover, _ = cover_from(a, figure.at, shelters) if shelters else ("none", "")
        hard += cover == "hard"
        soft += cover != "none"
    enough = share * len(targets) - 1e-9
    if hard >= enough:
        return "hard"
    return "soft" if soft >= enough else "none"


def exposures(
    battle: Battle, a: Point, targets: Sequence[Figure], covers: Sequence[Sequence[Shelter]] | None
) -> list[frozenset[str]]:
    """Return for each target the parts of the body that a shot from `a` can hit (PAY-087, PAY-187)."""
    exposed = battle.book.exposed
    found = []
    for number, figure in enumerate(targets):
        assert figure.at is not None, "targets are on the table"
        shelters: Iterable[Shelter] = covers[number] if covers is not None else ()
        cover, exposure = cover_from(a, figure.at, tuple(shelters))
        found.append(exposed[exposure if cover == "hard" else "open"])
    return found
