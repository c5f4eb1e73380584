"""The values that an umpire may set under these rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from zareba.base.errors import ZarebaError
from zareba.base.grammar import amount, join_with_and
from zareba.presentation.umpire_editor import Allowed, PieceRange, UmpireEditor, in_parts
from zareba.table import Point, Table
from zareba_rulesets.vcc.chapters.fire import cover_against, fire_facts
from zareba_rulesets.vcc.chapters.movement import charge_targets
from zareba_rulesets.vcc.chapters.sight import band_of, in_front, sees, sight_blockers
from zareba_rulesets.vcc.forces import OFF_TABLE, Battle, Commander, Unit


class VccUmpireEditor(UmpireEditor[Battle]):
    """The umpire editor. Units have bases, with the leader base; commanders are addressed by their side's id."""

    pieces = ("units", "commanders")
    fields: ClassVar[Mapping[str, Allowed]] = {
        "hits": range(10),
        "wounds": range(10),
        "streak": range(10),
        "facing": range(8),
    }
    marks = frozenset(
        {"prone", "lying", "broken", "square", "dismounted", "overheated", "wrecked", "moved", "charged", "fired"}
    )

    def measurements(self, state: Battle, piece: str, other: str) -> tuple[str, ...]:
        a, b = state.units.get(piece), state.units.get(other)
        if a is None or b is None or not (a.on_table and b.on_table):
            return ()
        in_sight = sees(state, a.box, b.box)
        seen = self.sight_phrase(in_sight, "VCC-072", sight_blockers(state, a.box, b.box))
        front = "in its field of fire (VCC-058)" if in_front(state, a, b.box) else "outside its field of fire (VCC-058)"
        weapon = a.spec.weapon
        band = band_of(state, a, b.box) if weapon != "none" else None
        range_text = f"{weapon.replace('_', ' ')}: {f'{band} range' if band else 'out of range'} (VCC-081)"
        cover = cover_against(state, a.box, b).replace("none", "no")
        ground = f"ground: {state.field.ground[b.box].title}; {cover} cover (VCC-068)"
        dice = (
            ()
            if band is None or not in_sight
            else (in_parts(state.book.rules.tally("fire_dice", fire_facts(state, a, b))),)
        )
        charge = f"{'may be charged' if b in charge_targets(state, a) else 'out of its charge'} (VCC-049)"
        return (seen, front, *([range_text] if weapon != "none" else []), ground, charge, *dice)

    def reaches(self, state: Battle, piece: str) -> Iterator[PieceRange]:
        unit, commander = state.units.get(piece), state.commanders.get(piece.removeprefix("commander "))
        if unit is not None and unit.on_table and (weapon := unit.spec.weapon) != "none":
            cells: dict[str, list[int]] = {}
            for box in range(state.field.grid.size):
                band = band_of(state, unit, box)
                if band and in_front(state, unit, box) and sees(state, unit.box, box):
                    cells.setdefault(band, []).append(box)
            yield PieceRange("fire", "VCC-081", weapon.replace("_", " "), cells=cells)
        if commander is not None and commander.box != OFF_TABLE:
            yield PieceRange("command", "VCC-143", "the Army Commander's box", cells={"": [commander.box]})

    def figures_left(self, state: Battle, piece: str) -> int | None:
        unit = state.units.get(piece)
        return None if unit is None else unit.strength

    def max_figures(self, state: Battle, piece: str) -> int:
        spec = state.units[piece].spec
        return spec.bases + spec.leader

    def set_figures(self, table: Table, state: Battle, piece: str, count: int) -> None:
        """Set the bases of a unit. The leader base is the last to go (VCC-107)."""
        unit = state.units[piece]
        lost = unit.strength - count
        if not count:
            self.remove(table, state, piece)
            return
        unit.leader = unit.spec.leader and (unit.leader or count > unit.spec.bases)
        unit.bases = count - unit.leader
        if lost > 0:
            table.emit("loss", "", unit=piece, side=unit.side, lost=lost, left=count, cause="umpire")

    def move(self, table: Table, state: Battle, piece: str, at: Point) -> None:
        box = self._box(state, at)
        if piece not in state.units:
            self._move_commander(state, self.piece(state, piece), box)
            return
        unit = state.units[piece]
        if not unit.strength:
            raise ZarebaError(f"{unit.spec.name} is destroyed; set its figures first")
        difficulty = state.field.difficulty(unit.spec.troop, box)
        if difficulty == "no" or (difficulty == "road" and box not in state.field.roads):
            raise ZarebaError(f"the ground of {state.field.grid.label(box)} is closed to {unit.spec.name}")
        if not state.has_room(box, unit):
            raise ZarebaError(f"{state.field.grid.label(box)} has no room for {unit.spec.name} (VCC-007)")
        if box != unit.box:
            state.end_contacts(unit)
        commander = state.attached_commander(unit)
        self._come_back(state, piece)
        state.move(unit, box)
        if commander is not None:
            commander.box = box
        for carried_object in state.carried_objects.values():
            if carried_object.carrier == piece:
                carried_object.box = box

    def _move_commander(self, state: Battle, commander: Commander, box: int) -> None:
        """Put a commander into a box, attached to no unit. Raises ZarebaError for one with enemies."""
        if state.has_enemy_in(box, commander.side):
            raise ZarebaError(f"{state.field.grid.label(box)} holds enemy units; a commander cannot be placed there")
        commander.box, commander.unit = box, ""

    def remove(self, table: Table, state: Battle, piece: str) -> None:
        if piece not in state.units:
            commander = self.piece(state, piece)
            commander.box, commander.unit = OFF_TABLE, ""
            return
        unit = state.units[piece]
        if not unit.on_table and piece in state.gone:
            raise ZarebaError(f"{unit.spec.name} is already off the table")
        lost = unit.strength
        self._come_back(state, piece)
        state.waiting = [waiting for waiting in state.waiting if waiting != piece]
        state.remove(unit, "destroyed")
        unit.bases, unit.leader = 0, False
        state.checks = [check for check in state.checks if check.unit != piece]
        table.emit("loss", "", unit=piece, side=unit.side, lost=lost, left=0, cause="umpire")
        table.emit("destroyed", "", unit=piece)

    def _come_back(self, state: Battle, piece: str) -> None:
        """Cancel the unit's arrival, deployment or removal."""
        state.gone.pop(piece, None)
        state.arrivals.pop(piece, None)
        if state.phase == "deployment" and piece in state.waiting:
            state.waiting.remove(piece)

    def _box(self, state: Battle, at: Point) -> int:
        """Return the box at a place of the board. Raises ZarebaError if there is none."""
        box = state.field.grid.at(int(at[0]), int(at[1]))
        if box is None:
            raise ZarebaError("there is no such box on the table")
        return box

    def tidy(self, state: Battle, piece: str) -> None:
        """Mark a unit that lies down by choice as prone, unless it is broken."""
        unit = state.units.get(piece)
        if unit is not None and "broken" not in unit.marks and "lying" in unit.marks:
            unit.mark("prone")

    def find_inconsistency(self, state: Battle) -> str:
        per_base = state.book.settings.hits_per_base
        for unit in state.units.values():
            faults = _faults_of(unit, per_base)
            if faults:
                return f"{unit.spec.name} {join_with_and(faults)}"
        return ""


def _faults_of(unit: Unit, per_base: int) -> list[str]:
    """Return the faults of a unit's state (VCC-010 to VCC-024, VCC-106, VCC-148)."""
    spec, marks = unit.spec, unit.marks
    checks = {
        f"has {amount(unit.hits, 'hit')} on its marker, but {per_base} remove a base": unit.hits >= per_base,
        "is broken and not prone": "broken" in marks and "prone" not in marks,
        "is in square and prone": "square" in marks and "prone" in marks,
        "cannot form square": "square" in marks and not unit.can_square,
        "cannot dismount": "dismounted" in marks and not spec.can_dismount,
        "has no gun": bool({"overheated", "wrecked"} & marks)
        and spec.troop not in ("machine_gun", "artillery", "rocket"),
        "has no bases": unit.on_table and not unit.strength,
    }
    return [words for words, is_so in checks.items() if is_so]
