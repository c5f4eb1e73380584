"""The umpire editor: values an umpire may set under these rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import ClassVar

from zareba.base.errors import ZarebaError
from zareba.base.exact import dist
from zareba.presentation.umpire_editor import Allowed, PieceRange, UmpireEditor, in_parts
from zareba.space.geometry import joint_box
from zareba.table import Point, Table
from zareba_rulesets.fixed_baynet.book.tables import BANDS
from zareba_rulesets.fixed_baynet.chapters.fire import shot_facts
from zareba_rulesets.fixed_baynet.chapters.melee import charge_targets
from zareba_rulesets.fixed_baynet.chapters.setting_up import form_near
from zareba_rulesets.fixed_baynet.chapters.sight import (
    band_of,
    cover_value,
    range_between,
    sees,
    sees_point,
    sight_blockers,
    stand_point,
)
from zareba_rulesets.fixed_baynet.chapters.targets import keeps_facing
from zareba_rulesets.fixed_baynet.forces.battle import Battle, Casualty, limits_of, open_ground, spot_near
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit
from zareba_rulesets.fixed_baynet.ground import Scene

DEPLOYMENT = "deployment"


class FbnUmpireEditor(UmpireEditor[Battle]):
    """The umpire editor for units with their men and guns, and for buildings."""

    pieces = ("units", "houses")
    fields: ClassVar[Mapping[str, Allowed]] = {"back": bool, "points": range(200)}
    marks = frozenset({"pinned", "unformed", "activated", "rallied", "heartened", "cluster"})

    def measurements(self, state: Battle, piece: str, other: str) -> tuple[str, ...]:
        a, b = state.units.get(piece), state.units.get(other)
        if a is None or b is None or not (a.on_table and b.on_table):
            return ()
        pairs = [(range_between(state, x, y), x, y) for x in a.figures.values() for y in b.figures.values()]
        least, near, far = min(pairs, key=lambda pair: pair[0])
        scene = state.field.scene(joint_box(a.box, b.box))
        blind = [x for x in a.figures.values() if not any(sees(state, x, y, scene) for y in b.figures.values())]
        nearest = [min(b.figures.values(), key=partial(range_between, state, x)) for x in blind]
        hidden = self.hidden_by(
            name for pair in zip(blind, nearest, strict=True) for name in sight_blockers(state, *pair)
        )
        cover = cover_value(state, near, far, scene)
        band = band_of(state, near, least) if near.weapon in state.book.weapons else None
        charged = any(target is b for target in charge_targets(state, a))
        need = () if band is None else (self._need(state, near, b, far, scene, band),)
        return (
            f"{least:.1f} inches between the nearest men (FBN-005)",
            f"{len(a.figures) - len(blind)} of {len(a.figures)} see the other unit{hidden} (FBN-078)",
            f"the nearest man has cover {cover} (FBN-066)",
            f"{near.weapon.replace('_', ' ')}: {f'{band} range' if band else 'out of range'} (FBN-081)",
            f"{'may be charged' if charged else 'out of charge reach'} (FBN-041)",
            *need,
        )

    def _need(self, state: Battle, near: Figure, b: Unit, far: Figure, scene: Scene, band: str) -> str:
        """Return the number needed by the nearest man's shot, with its modifiers."""
        return in_parts(state.book.rules.tally("fire", shot_facts(state, near, b, far, scene, band)))

    def reaches(self, state: Battle, piece: str) -> Iterator[PieceRange]:
        unit = state.units.get(piece)
        if unit is None or not unit.on_table:
            return
        armed: dict[str, list[Figure]] = {}
        for figure in unit.figures.values():
            if max(state.book.bands.get(figure.weapon, (-1.0,))) > 0:
                armed.setdefault(figure.weapon, []).append(figure)
        for weapon, figures in armed.items():
            yield self._reach(state, unit, weapon, min(figures, key=lambda figure: dist(figure.at, unit.middle)))

    def _reach(self, state: Battle, unit: Unit, weapon: str, figure: Figure) -> PieceRange:
        """Return the range bands and arc of a man's weapon, with a test of the points he sees."""
        fixed_facing = keeps_facing(state.book, unit, figure)
        bands = [(name, limit) for name, limit in zip(BANDS, limits_of(state, figure), strict=True) if limit > 0]
        half = state.book.fire_half_arc if fixed_facing else 180.0
        at = stand_point(state, figure)
        return PieceRange(
            "fire", "FBN-081", weapon.replace("_", " "), tuple(bands), at, figure.facing, half,
            lambda point: sees_point(state, figure, point),
        )  # fmt: skip

    def figures_left(self, state: Battle, piece: str) -> int | None:
        unit = state.units.get(piece)
        return None if unit is None else len(unit.figures)

    def max_figures(self, state: Battle, piece: str) -> int:
        return len(state.units[piece].figures) + len(self._fallen(state, piece))

    def _fallen(self, state: Battle, piece: str) -> list[Casualty]:
        """Return the fallen men of a unit who are not prisoners."""
        held = {captive.figure for captive in state.captives}
        return [casualty for casualty in state.fallen if casualty.unit == piece and casualty.figure not in held]

    def starting_figures(self, state: Battle, piece: str) -> int:
        return state.units[piece].start

    def set_figures(self, table: Table, state: Battle, piece: str, count: int) -> None:
        """Set the number of figures.

        Losses take the last common soldiers first and leaders last; the first of the fallen return, unhurt.
        """
        unit = state.units.change(piece)
        if "away" in unit.marks:
            raise ZarebaError(f"{unit.spec.name} is not on the table")
        ranked = sorted(unit.figures.values(), key=lambda man: not (man.spec.leads or man.spec.bearer))
        for man in reversed(ranked[count:]):
            self._fall(table, state, unit, man)
        for casualty in self._fallen(state, piece)[: max(0, count - len(ranked))]:
            self._raise(state, unit, casualty)
        unit.measure()
        if unit.figures:
            state.gone.pop(piece, None)
        elif piece not in state.gone:
            state.gone[piece] = "destroyed"
            if piece in state.waiting:
                state.waiting.remove(piece)
            table.emit("destroyed", "FBN-015", unit=piece)

    def _fall(self, table: Table, state: Battle, unit: Unit, man: Figure) -> None:
        """Take a man out of play. Raises ZarebaError if he escorts prisoners."""
        key = man.spec.id
        if any(captive.captor == key for captive in state.captives):
            raise ZarebaError(f"{man.spec.name} escorts prisoners; choose another man")
        del unit.figures[key]
        state.fallen += (Casualty(key, unit.spec.id, man.x, man.y, False, man.place),)
        table.emit("loss", "", unit=unit.id, side=unit.side, lost=1, cause="umpire", how="down", figure=key)

    def _raise(self, state: Battle, unit: Unit, casualty: Casualty) -> None:
        """Return a fallen man to play unhurt, where he fell."""
        spec = state.specs[casualty.figure]
        man = Figure(
            casualty.x, casualty.y, 0.0, 0.0, spec.gl, spec.weapon, wounds=state.book.file.wounds.man, spec=spec
        )
        state.put(man, *spot_near(state, man.x, man.y, state.radius(man)))
        unit.figures[casualty.figure] = man
        state.fallen = tuple(man for man in state.fallen if man.figure != casualty.figure)
        unit.measure()

    def move(self, table: Table, state: Battle, piece: str, at: Point) -> None:
        if piece not in state.units:
            raise ZarebaError(f"{self.game.narrator.name_of(piece)} cannot be moved")
        unit = state.units.change(piece)
        if not unit.figures:
            raise ZarebaError(f"{unit.spec.name} has no figures left; set its figures first")
        if unit.id in state.gone:
            raise ZarebaError(f"{unit.spec.name} has left the table and cannot return")
        if not open_ground(state, *at):
            raise ZarebaError("no figure can stand there")
        state.arrivals.pop(piece, None)
        if state.phase == DEPLOYMENT and piece in state.waiting:
            state.waiting.remove(piece)
        unit.unmark("away", "unformed")
        for man in unit.figures.values():
            man.x = man.y = -1000.0
            man.place = man.post = ""
        for gun in unit.guns:
            gun.x = gun.y = -1000.0
        unit.measure()
        facing = next(iter(unit.figures.values())).facing
        form_near(state, unit, at, unit.formation, facing)

    def remove(self, table: Table, state: Battle, piece: str) -> None:
        if piece not in state.units:
            raise ZarebaError(f"{self.game.narrator.name_of(piece)} cannot be removed")
        if not state.units[piece].on_table:
            raise ZarebaError(f"{self.game.narrator.name_of(piece)} is not on the table")
        self.set_figures(table, state, piece, 0)

    def find_inconsistency(self, state: Battle) -> str:
        width, depth = state.field.width, state.field.depth
        for unit in state.on_table():
            placed = state.phase != DEPLOYMENT or unit.id not in state.waiting
            for man in unit.figures.values():
                if placed and not (0 <= man.x <= width and 0 <= man.y <= depth):
                    return f"{man.spec.name} is off the table"
        return ""
