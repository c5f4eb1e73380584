"""The umpire editor of Risk-Factor: the values it can change, and the facts it shows about two units."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import inf
from typing import ClassVar

from zareba.base.errors import ZarebaError
from zareba.base.exact import dist
from zareba.presentation.umpire_editor import Allowed, PieceRange, UmpireEditor
from zareba.space.field.bodies import Body, body_in_ranks, nearest
from zareba.table import Point, Table
from zareba_rulesets.risk_factor.book import BANDS
from zareba_rulesets.risk_factor.chapters.casualties import kill
from zareba_rulesets.risk_factor.chapters.movement import full_move
from zareba_rulesets.risk_factor.chapters.shooting import group_cover, to_hit
from zareba_rulesets.risk_factor.chapters.sight import marker_body, sees
from zareba_rulesets.risk_factor.chapters.targets import figures_to_hit
from zareba_rulesets.risk_factor.forces import (
    Battle,
    Unit,
    band_of,
    command_distances,
    find_room,
    in_command_range,
    is_room_for,
    limits_of,
    missile_weapons,
    radius_of,
)
from zareba_rulesets.risk_factor.ground import sight_blockers, view_between

_WIDEST = 12
"""The most figures in a rank when a unit is placed by hand. A rank never holds more than half of the unit."""


class RskUmpireEditor(UmpireEditor[Battle]):
    """The umpire editor for groups and lone leaders. Units behind markers, and the markers, are moved only by their
    owners.
    """

    fields: ClassVar[Mapping[str, Allowed]] = {
        "status": ("steady", "retreating", "routing"),
        "action": ("halt", "advance", "attack", "retreat", "rout"),
        "lost": range(100), "caused": range(100),
    }  # fmt: skip
    marks = frozenset({"loaded", "fired", "moved", "dismounted", "disarmed", "commanded"})

    def measurements(self, state: Battle, piece: str, other: str) -> tuple[str, ...]:
        a, b = state.units.get(piece), state.units.get(other)
        if a is None or b is None or not (a.is_on_table and b.is_on_table):
            return ()
        gap = nearest(a.body, b.body).gap
        return (
            f"{gap:.1f} cm between the nearest figures (RSK-004)",
            self.sight_phrase(sees(state, a, b), "RSK-126", sight_blockers(state.field, a.body, b.body)),
            f"a full move of {full_move(state, a):g} cm {'reaches' if gap <= full_move(state, a) else 'falls short of'} it (RSK-162)",
            *self._shots(state, a, b),
        )

    def _shots(self, state: Battle, a: Unit, b: Unit) -> Iterator[str]:
        """Yield the to-hit number of each weapon of a unit against a target, with range band and cover."""
        gap = state.gap(a, b).gap
        pool = figures_to_hit(state, a, b)
        cover = group_cover(state, pool, a.body.centre) if pool else None
        for weapon in missile_weapons(state, a):
            band, name = band_of(state, a, weapon, gap), weapon.replace("_", " ")
            if band is None:
                yield f"{name}: out of range (RSK-029)"
            elif cover is None:
                yield f"{name}: {band} range, no figure may be hit (RSK-097)"
            else:
                base_number = to_hit(state.book, weapon, band, cover)
                need = state.book.rules.number("to_hit", base_number, state, a, b, of=weapon, band=band)
                shelter = "in the open" if cover == "open" else f"{cover} cover"
                yield f"{name}: {band} range, {shelter}: {need} or more on a D8 (RSK-098, RSK-099)"

    def reaches(self, state: Battle, piece: str) -> Iterator[PieceRange]:
        unit = state.units.get(piece)
        if unit is None or not unit.is_on_table:
            return
        here = min(unit.body.at, key=lambda at: dist(at, unit.body.centre))
        eye = marker_body(state, here)

        def in_sight(point: Point) -> bool:
            found = view_between(state.field, eye, marker_body(state, point))
            return found.plain or found.deep < inf

        for weapon in missile_weapons(state, unit):
            bands = tuple(zip(BANDS, map(float, limits_of(state, unit, weapon)), strict=True))
            yield PieceRange("fire", "RSK-029", weapon.replace("_", " "), bands, here, sees=in_sight)
        if unit.spec.leader:
            commands = (("", command_distances(state, unit)[1]),)
            yield PieceRange(
                "command",
                "RSK-055",
                "orders",
                commands,
                here,
                sees=lambda point: in_command_range(state, unit, marker_body(state, point))[0],
            )

    def figures_left(self, state: Battle, piece: str) -> int | None:
        return state.units[piece].count

    def max_figures(self, state: Battle, piece: str) -> int:
        unit = state.units[piece]
        return unit.count + unit.dead if unit.count else 0

    def starting_figures(self, state: Battle, piece: str) -> int:
        return state.units[piece].original

    def set_figures(self, table: Table, state: Battle, piece: str, count: int) -> None:
        """Set the number of figures. The last in the ranks fall; figures that return stand next to the others,
        unhurt.
        """
        unit = state.units[piece]
        lost = unit.count - count
        if lost > 0:
            if not count:
                self.remove(table, state, piece)
                return
            kill(table, state, unit, range(count, unit.count), "umpire")
            return
        returning = -lost
        unit.dead -= returning
        unit.hurt += (False,) * returning
        armed = max(0, unit.spec.armed - sum(unit.armed))
        unit.armed += tuple(number < armed for number in range(returning))
        unit.kits += (piece,) * returning if unit.kits else ()
        unit.body = self._body(state, unit, unit.body.centre)

    def _body(self, state: Battle, unit: Unit, at: Point) -> Body:
        """Return the ranks of a unit round a point, or as near as there is room."""
        width = max(1, min(_WIDEST, (unit.count + 1) // 2))
        body_at_point = body_in_ranks(at, unit.facing, unit.count, radius_of(state.book, unit.spec), width)
        occupied = [other.body for other in state.units.values() if other.is_on_table and other is not unit]
        body = find_room(state.field, occupied, body_at_point)
        if not is_room_for(state.field, occupied, body, ()):
            raise ZarebaError(f"there is no room for {unit.spec.name} near that point")
        return body

    def move(self, table: Table, state: Battle, piece: str, at: Point) -> None:
        unit = self.piece(state, piece)
        if "hidden" in unit.marks:
            raise ZarebaError(f"{unit.spec.name} is hidden behind a marker")
        if piece in state.gone:
            raise ZarebaError(f"{unit.spec.name} is out of play and cannot return")
        if not state.field.on_table(at):
            raise ZarebaError("that is off the table")
        if piece in state.arrivals:
            del state.arrivals[piece]
            unit.hurt = (False,) * unit.spec.figures
            unit.armed = tuple(index < unit.spec.armed for index in range(unit.spec.figures))
        unit.body = self._body(state, unit, at)

    def remove(self, table: Table, state: Battle, piece: str) -> None:
        unit = self.piece(state, piece)
        if not unit.count:
            raise ZarebaError(f"{unit.spec.name} is not on the table")
        if any(captives.captor == piece for captives in state.captives):
            raise ZarebaError(f"{unit.spec.name} holds prisoners; it cannot be taken away")
        kill(table, state, unit, range(unit.count), "umpire")

    def find_inconsistency(self, state: Battle) -> str:
        for unit in state.units.values():
            name = unit.spec.name
            if unit.casualties > unit.original:
                return f"{name} has more casualties than its original strength"
            if "dismounted" in unit.marks and not unit.spec.can_dismount:
                return f"{name} cannot dismount"
            if unit.status == "routing" and unit.action not in ("rout", "halt"):
                return f"{name} is routing but has another action; set its action first"
        return ""
