"""Changes an umpire may make by hand under these rules."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import partial
from typing import ClassVar

from zareba.base.errors import ZarebaError
from zareba.base.exact import dist
from zareba.presentation.umpire_editor import Allowed, EditorGame, PieceRange, UmpireEditor, in_parts
from zareba.space.geometry import box_around, middle_of
from zareba.table import Point, Table
from zareba_rulesets.paychest.chapters.casualties import remove_from_fight
from zareba_rulesets.paychest.chapters.command import best_leader
from zareba_rulesets.paychest.chapters.fire import aimed_shot, ready_weapon
from zareba_rulesets.paychest.chapters.marching import stand_clear
from zareba_rulesets.paychest.chapters.setting_up import lay_out, set_down
from zareba_rulesets.paychest.chapters.sight import covers_of, obstacles_between, sees, sight_blockers
from zareba_rulesets.paychest.forces.battle import Battle, Engine, bands_of, kind_of, longest_range
from zareba_rulesets.paychest.forces.units import Figure, Unit
from zareba_rulesets.paychest.translation import Plan


class PaychestUmpireEditor(UmpireEditor[Battle]):
    """The umpire's editor for units with their figures, guns and conveyances."""

    pieces = ("units", "engines")
    fields: ClassVar[Mapping[str, Allowed]] = {"hits": range(50), "jammed": bool, "limbered": bool, "shots": range(20)}
    marks = frozenset({"acted", "skip"})

    def __init__(self, game: EditorGame, plan: Plan) -> None:
        super().__init__(game)
        self._plan = plan

    def measurements(self, state: Battle, piece: str, other: str) -> tuple[str, ...]:
        a, b = state.units.get(piece), state.units.get(other)
        if a is None or b is None or not (a.able and b.able):
            return ()
        obstacles = obstacles_between(state, a.spec.side, a.box, b.box)
        pairs = [(dist(x.at, y.at), x, y) for x in a.able for y in b.able if x.at and y.at]
        seeing = {x.spec.id for _, x, y in pairs if x.at and y.at and sees(state, obstacles, x.at, y.at)}
        inches, nearest, _ = min(pairs, key=lambda pair: pair[0])
        runs = state.book.movers[a.able[0].mount or "foot"].run
        return (
            f"{inches:.1f} inches between the nearest men (PAY-007)",
            f"{len(seeing)} of {len(a.able)} can see the other unit{self._sight_blockers(state, a, b, seeing)} (PAY-089)",
            f"runs at them {runs}d6 inches, {3.5 * runs:g} on average on open ground (PAY-066)",
            *self._shot_facts(state, a, b, nearest),
        )

    def _sight_blockers(self, state: Battle, a: Unit, b: Unit, seeing: Collection[str]) -> str:
        """Return what hides the other unit from figures that do not see it, judged by the nearest enemy of each."""
        spots = [y.at for y in b.able if y.at]
        blind = [x.at for x in a.able if x.at and x.spec.id not in seeing]
        lines = [(at, min(spots, key=partial(dist, at))) for at in blind]
        return self.hidden_by(name for line in lines for name in sight_blockers(state, a.spec.side, *line))

    def _shot_facts(self, state: Battle, a: Unit, b: Unit, near: Figure) -> tuple[str, ...]:
        """Return the facts of the nearest figure's shot at the other unit: band, cover and modified skill."""
        weapon = ready_weapon(state.book, near)
        if not weapon:
            return ()
        facts = aimed_shot(
            state, obstacles_between(state, a.spec.side, a.box, b.box), near, weapon, b.able, covers_of(state, b.able)
        )
        if facts is None:
            return (f"{weapon.replace('_', ' ')}: no target in range and sight (PAY-008)",)
        return (
            f"{weapon.replace('_', ' ')}: {facts.band} range, {facts.cover.replace('none', 'no')} cover (PAY-113, PAY-114)",
            in_parts(state.book.rules.tally("firearms", facts)),
        )

    def reaches(self, state: Battle, piece: str) -> Iterator[PieceRange]:
        unit, engine = state.units.get(piece), state.engines.get(piece)
        if unit is not None and unit.able:
            able = [(ready_weapon(state.book, figure), figure.at) for figure in unit.able]
            for weapon in dict.fromkeys(weapon for weapon, at in able if weapon and at):
                spots = [at for own, at in able if own == weapon and at]
                yield self._reach(
                    state, unit.spec.side, weapon, min(spots, key=partial(dist, middle_of(spots))), unit.able[0]
                )
        elif engine is not None and engine.at is not None and engine.kind in ("gun", "machine_gun"):
            yield self._reach(state, engine.side, kind_of(engine), engine.at, engine)

    def _reach(self, state: Battle, side: str, weapon: str, at: Point, whose: Figure | Engine) -> PieceRange:
        """Return how far a weapon reaches from a point, and what is visible from there."""
        bands = bands_of(state, whose, weapon)
        box = box_around(at, longest_range(state, whose, weapon))
        obstacles = obstacles_between(state, side, (*at, *at), box)
        return PieceRange(
            "fire", "PAY-008", weapon.replace("_", " "), bands, at, sees=lambda point: sees(state, obstacles, at, point)
        )

    def figures_left(self, state: Battle, piece: str) -> int | None:
        unit = state.units.get(piece)
        return None if unit is None else len(unit.able)

    def max_figures(self, state: Battle, piece: str) -> int:
        """Return the number of figures on the table, up or down."""
        return sum(figure.at is not None for figure in state.units[piece].figures.values())

    def starting_figures(self, state: Battle, piece: str) -> int:
        return len(state.units[piece].spec.figures)

    def set_figures(self, table: Table, state: Battle, piece: str, count: int) -> None:
        """Set the number of able figures.

        The last on the roster fall first and the leader last; fallen figures rise unhurt, first on the roster first.
        """
        unit = state.change(piece)
        down = sorted(unit.able, key=lambda figure: figure.spec.id != unit.leader)[count:]
        for figure in reversed(down):
            remove_from_fight(table, state, state.change_figure(figure.spec.id), "dead", "umpire", [])
        fallen = [f for f in unit.figures.values() if f.fate in ("unconscious", "dead") and f.at is not None]
        for figure in fallen[: max(0, count - len(unit.able))]:
            self._raise(state, figure)
        self.tidy(state, piece)

    def _raise(self, state: Battle, figure: Figure) -> None:
        """Return a figure to play unhurt, beside its unit."""
        if any(figure.spec.id in other.loads for unit in state.units.values() for other in unit.figures.values()):
            raise ZarebaError(f"{figure.spec.name} is being carried; have him put down first")
        figure.fate, figure.wounds, figure.gait = "able", (), "halt"
        figure.unmark("lame", "down")
        stand_clear(state, figure)

    def move(self, table: Table, state: Battle, piece: str, at: Point) -> None:
        if piece not in state.units:
            raise ZarebaError(f"{self.game.narrator.name_of(piece)} moves only with its unit; move the unit")
        unit = state.change(piece)
        if not state.field.table.is_on_table(at):
            raise ZarebaError("that point is off the table")
        ahead = self._plan.ahead[piece]
        if piece in state.waiting or piece in state.arrivals:
            self._come_back(state, piece)
            set_down(state, unit, at, ahead)
            return
        able = unit.able
        if not able:
            raise ZarebaError(f"{unit.spec.name} has no able figures on the table")
        if any(figure.aboard for figure in able):
            raise ZarebaError(f"some of {unit.spec.name} ride on a conveyance; have them get off first")
        if any(load.rpartition(".")[0] in state.units for figure in able for load in figure.loads):
            raise ZarebaError(f"some of {unit.spec.name} carry a comrade; have him put down first")
        column = "mounted" if any(figure.mount for figure in able) else "foot"
        if not state.field.move_costs[column].can_stand(at):
            raise ZarebaError("no figure can stand there")
        guns = [k for k, e in state.engines.items() if e.unit == piece and e.at is not None and not e.carrier]
        if any(state.engines[key].aboard for key in guns):
            raise ZarebaError(f"some ride on a conveyance of {unit.spec.name}; have them get off first")
        for key in guns:
            state.engines.change(key).at = None
        for figure in able:
            figure.at = None
        unit.measure()
        lay_out(state, unit, able, guns, at, ahead)
        self.tidy(state, piece)

    def remove(self, table: Table, state: Battle, piece: str) -> None:
        if piece not in state.units:
            raise ZarebaError(f"{self.game.narrator.name_of(piece)} can be removed only with its unit; remove the unit")
        unit = state.change(piece)
        if piece in state.waiting or piece in state.arrivals:
            raise ZarebaError(f"{unit.spec.name} is not on the table yet")
        if not any(figure.at is not None for figure in unit.figures.values()):
            raise ZarebaError(f"{unit.spec.name} is off the table already")
        for figure in unit.able:
            remove_from_fight(table, state, state.change_figure(figure.spec.id), "dead", "umpire", [])
        self.tidy(state, piece)

    def _come_back(self, state: Battle, piece: str) -> None:
        """Cancel the arrival or deployment of a unit."""
        if piece in state.waiting:
            state.waiting.remove(piece)
        state.arrivals.pop(piece, None)

    def tidy(self, state: Battle, piece: str) -> None:
        """Choose a new leader for a unit whose leader has fallen (PAY-040), and a commander for its side (PAY-034)."""
        unit = state.units.get(piece)
        if unit is None:
            return
        unit = state.change(piece)
        unit.measure()
        leader = unit.figures.get(unit.leader)
        if leader is None or not leader.able:
            unit.leader = best_leader(state, unit.able)
        self._command(state, unit)

    def _command(self, state: Battle, unit: Unit) -> None:
        """Name another commander of a side if its commander is out of action."""
        side = unit.spec.side
        commander = state.commanders.get(side, "")
        if commander and commander in unit.figures and not unit.figures[commander].able:
            state.commanders[side] = best_leader(state, [man for own in state.side_units(side) for man in own.able])

    def find_inconsistency(self, state: Battle) -> str:
        for unit in state.units.values():
            if unit.leader and unit.leader not in unit.figures:
                return f"{unit.spec.name} has a leader from outside the unit"
            for figure in unit.able:
                if not state.field.table.is_on_table(figure.at or (-1.0, -1.0)):
                    return f"{figure.spec.name} is off the table"
        return ""
