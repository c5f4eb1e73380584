"""Paychest at a real table: the acts of the rules, and the questions about each.

The book of the evening is a battle on an endless plain. Each unit and each gun has its own place there, far from all
others; the crew stands at its gun. Contact does not follow from places: the book notes which figures touch, as people
see it. Ranges, cover and figures out of sight are laid out for each act as people describe them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from collections.abc import Sequence as Items
from dataclasses import replace
from itertools import combinations
from typing import Annotated, Any, ClassVar, cast

from annotated_types import Ge

from zareba.base.errors import ZarebaError
from zareba.base.exact import dist
from zareba.base.grammar import amount, join_with_and
from zareba.companion import Asked, Choices, Companion, CompanionAct, Opening, Scene
from zareba.game import Game
from zareba.space import Point, TerrainLine
from zareba.space.geometry import Bounds
from zareba.space.ground.movement_cost import Leg, MovementCost
from zareba.space.lazy import Lazy
from zareba.space.outlines import EDGES, nearest_on_edge
from zareba.table import Answer, Draw, Event, Question, Roll, Table
from zareba_rulesets.paychest.actions.actor import MovingUnit
from zareba_rulesets.paychest.actions.fire import FIRE_ACTIONS, FiringUnit, Unjam
from zareba_rulesets.paychest.actions.leaving import LEAVE, leave_by_edge
from zareba_rulesets.paychest.actions.melee_pairing import melee_step
from zareba_rulesets.paychest.actions.moving import MOVE_ACTIONS, offer_moves
from zareba_rulesets.paychest.actions.posture import set_postures
from zareba_rulesets.paychest.actions.wording import formats, plain_name
from zareba_rulesets.paychest.book.numbers import PaychestBook
from zareba_rulesets.paychest.book.tables import Gait, Ground
from zareba_rulesets.paychest.chapters.command import NOBODY, note_deed
from zareba_rulesets.paychest.chapters.fire import Firer
from zareba_rulesets.paychest.chapters.guns import fit_crew, is_ready, servers
from zareba_rulesets.paychest.chapters.leaders import succession
from zareba_rulesets.paychest.chapters.machines import crew_at
from zareba_rulesets.paychest.chapters.marching import drop, pick_up, record_carrying, take_weapon
from zareba_rulesets.paychest.chapters.melee import MeleeFacts, contacts
from zareba_rulesets.paychest.chapters.morale import check_morale, morale_order, must_check
from zareba_rulesets.paychest.chapters.mounts import board, boardable
from zareba_rulesets.paychest.chapters.movement import ADVANCE, EACH, RUN, may_run, move_figures
from zareba_rulesets.paychest.chapters.setting_up import first_state
from zareba_rulesets.paychest.chapters.sight import DOWN, raise_touched, report_posture
from zareba_rulesets.paychest.chapters.targets import STRETCH, readiness
from zareba_rulesets.paychest.chapters.to_hit import FireFacts
from zareba_rulesets.paychest.forces.battle import Battle, Engine, gun_limit, kind_of
from zareba_rulesets.paychest.forces.load_bearers import is_burdened, is_heavy
from zareba_rulesets.paychest.forces.ranges import Bands, band_of, bands_of
from zareba_rulesets.paychest.forces.units import Unit
from zareba_rulesets.paychest.game import PaychestGame
from zareba_rulesets.paychest.ground import Field, Shelter
from zareba_rulesets.paychest.presentation.umpire_editor import PaychestUmpireEditor
from zareba_rulesets.paychest.presentation.words import unit_states, words
from zareba_rulesets.paychest.sequence import Sequence

_Scene = Scene
_APART = 200.0
"""Inches between the places of two units, so that no weapon reaches from one to the other."""
_ROW = 1000.0
"""Inches from the edges of the plain to the first place of a unit, so that no forced move reaches an edge by itself."""
_HAIR = 0.01
"""Distances are laid out this much shorter, so that rounding never moves a figure into the next range band."""
_AWAY = 500.0
"""Inches by which figures stand off in a layout if they take no part."""
_BESIDE_GUN = 2.0
"""Inches from gun to gun of a unit, so that a man between two guns touches both."""
_AT_GUN = 1.5
"""Inches behind a gun where its crew stands, out of touch with the next gun."""
_MOUNTS_APART = 4.0
"""Inches between loose mounts in a layout, so that each man reaches one."""
_DETAIL = "detail"
_MEN, _LEADERS, _WHOLE = "men", "leaders", "whole"
_LEADER, _BEST = "leader", "best"
_START, _CARD, _MOVE, _MELEE, _END = "start", "card", "move", "melee", "end"
_SOFT: Mapping[str, Shelter] = {"none": Shelter("none", "open"), "soft": Shelter("soft", "open")}
_COVERS: Mapping[str, Shelter] = {**_SOFT, "hard": Shelter("hard", "low_wall")}
_EXPOSURES: Mapping[str, Shelter] = {
    **_SOFT,
    **{name: Shelter("hard", name) for name in ("low_wall", "parapet", "wagon")},
}
_COVER_WORDS = {
    "none": "none", "soft": "soft (brush, tents, crops)", "hard": "hard (wall, rocks, building, wagon)",
    "low_wall": "low wall, rocks or boulders", "parapet": "parapet, loophole, window or emplacement", "wagon": "wagon",
}  # fmt: skip
_RANKS = ("ace", "king", "queen", "jack", *map(str, range(10, 1, -1)))
_SUITS = ("spades", "hearts", "clubs", "diamonds")
_PLAYING_CARD = re.compile(rf"({'|'.join(_RANKS)}|[akqj])(?: of | ?)({'|'.join(_SUITS)}|[shcd])")


# --- The plain on which the book stands ---------------------------------------------------------------------------------


class _Paths(MovementCost[Ground]):
    """Open ground. Figures at some points run over the edge, however far it is."""

    __slots__ = ("_edges", "_leaving")

    def __init__(self, extent: Point, leaving: Collection[Point]) -> None:
        super().__init__(extent, "in", [], lambda piece: None)
        self._leaving = leaving

    def march(self, start: Point, goal: Point, allowance: float) -> Leg:
        if start not in self._leaving:
            return super().march(start, goal, allowance)
        if self._table.edge_at(goal):
            return Leg(goal, allowance, False)
        reach = dist(start, goal) or 1.0
        way = ((goal[0] - start[0]) / reach, (goal[1] - start[1]) / reach) if goal != start else (0.0, -1.0)
        return Leg(self._table.edge_point_towards(start, way), allowance, False)


Contacts = Mapping[str, frozenset[str]]


class RealTable(Field):
    """The ground of a battle on a real table: open, and everything is in sight.

    `rest` holds the place of each unit and engine, `contacts` the enemies that each figure touches. A layout works on a
    copy (`told`): `covers` maps points to shelters, and figures at the points in `leaving` run off the table.
    """

    __slots__ = ("covers", "leaving", "rest")

    def __init__(
        self,
        book: PaychestBook,
        size: float,
        home_edges: Mapping[str, str],
        rest: Mapping[str, Point],
        contacts: Contacts,
        covers: Mapping[Point, tuple[Shelter, ...]],
        leaving: Collection[Point],
    ) -> None:
        super().__init__(book, size, size, {}, {}, home_edges)
        self.rest, self.covers, self.leaving = rest, covers, leaving
        self.contacts: Contacts = contacts
        self.move_costs = Lazy(lambda _: _Paths(self.table.extent, leaving))

    def told(
        self,
        contacts: Contacts | None = None,
        covers: Mapping[Point, tuple[Shelter, ...]] | None = None,
        leaving: Collection[Point] = (),
    ) -> RealTable:
        """Return a copy with other contacts, cover, and points from which figures leave the table."""
        own = self.contacts if contacts is None else contacts
        return RealTable(self.book, self.table.width, self.home_edges, self.rest, own, covers or {}, leaving)

    @property
    def stage(self) -> Point:
        """The point where the targets of a shot are laid out."""
        return self.table.width / 2, self.table.depth / 2

    def has_cover_near(self, box: Bounds) -> bool:
        return bool(self.covers)

    def shelters(self, at: Point, radius: float) -> tuple[Shelter, ...]:
        return self.covers.get(at, ())


def _table(battle: Battle) -> RealTable:
    assert isinstance(battle.field, RealTable), "the companion's battles stand on the plain"
    return battle.field


def _real_table(game: PaychestGame) -> RealTable:
    """Return the plain with a place for each unit and each engine of a game, and one for what lies on the ground."""
    names = [*game.plan.units, *game.plan.engines, ""]
    rest = {name: (_ROW + _APART * number, _ROW) for number, name in enumerate(names)}
    for unit in game.plan.units:
        guns = [key for key, engine in game.plan.engines.items() if engine.unit == unit and engine.mount != ""]
        x, y = rest[guns[0]] if guns else (0.0, 0.0)
        rest |= {key: (x + _BESIDE_GUN * number, y) for number, key in enumerate(guns)}
    size = 2 * _ROW + _APART * max(len(names), 20)
    return RealTable(game.book, size, game.plan.field.home_edges, rest, {}, {}, ())


def _place_of(battle: Battle, key: str) -> Point:
    """Return the place of a unit or engine; a gun on a conveyance is where that is."""
    engine = battle.engines.get(key)
    return _table(battle).rest[engine.carrier or key if engine is not None else key]


def _posts(battle: Battle, unit: Unit) -> dict[str, Point]:
    """Return where each figure of a unit stands when it comes on: aboard, at one of its guns, or at the unit's place."""
    guns = [key for key in battle.guns_of(unit) if not battle.engines[key].carrier]
    afoot = [key for key, figure in unit.figures.items() if not figure.aboard]
    places = {key: _place_of(battle, figure.aboard) for key, figure in unit.figures.items() if figure.aboard}
    home = _place_of(battle, unit.spec.id)
    return places | {
        key: _behind(battle, [guns[number % len(guns)]]) if guns else home for number, key in enumerate(afoot)
    }


def _behind(battle: Battle, guns: Items[str]) -> Point:
    """Return where the crew of a gun stands, or of two guns side by side. Raises ZarebaError for other guns."""
    places = [_place_of(battle, gun) for gun in guns]
    (x, y), (other, _) = places[0], places[-1]
    if len(guns) > 2 or abs(other - x) > _BESIDE_GUN:
        raise ZarebaError("a man stands at one gun, or between two that are side by side")
    return (x, y + _AT_GUN) if len(guns) == 1 else ((x + other) / 2, y)


def _told(battle: Battle, contacts: Contacts) -> None:
    battle.field = _table(battle).told(contacts)


def _apart_from(contacts: Contacts, figures: Collection[str]) -> Contacts:
    """Return the contacts without those of some figures."""
    kept = {key: touched.difference(figures) for key, touched in contacts.items() if key not in figures}
    return {key: touched for key, touched in kept.items() if touched}


def _touching(contacts: Contacts, pairs: Iterable[tuple[str, str]]) -> Contacts:
    """Return the contacts with further ones."""
    found = dict(contacts)
    for one, other in pairs:
        found[one] = found.get(one, frozenset()) | {other}
        found[other] = found.get(other, frozenset()) | {one}
    return found


# --- Who may do what ------------------------------------------------------------------------------------------------------


def _no_units(battle: Battle) -> list[str]:
    return []


def _phasing(battle: Battle) -> list[str]:
    return [battle.acting] if battle.acting else []


def _on_table(battle: Battle) -> list[str]:
    return [key for key, unit in battle.units.items() if unit.has_able_figures]


def _enemies(battle: Battle, unit: str) -> list[str]:
    return [enemy.spec.id for enemy in battle.enemies(battle.unit(unit).spec.side)]


_Able = Callable[[Battle, Unit], object]
_ABLE: dict[str, _Able] = {}
"""The test of each act, which says if a unit may do it."""


def _all(name: str, able: _Able) -> Callable[[Battle], list[str]]:
    """Return a function for the units on the table that pass the test of an act."""
    _ABLE[name] = able
    return lambda battle: [key for key in _on_table(battle) if able(battle, battle.unit(key))]


def _against(name: str, able: _Able) -> Callable[[Battle], list[str]]:
    """Return a function for the units that pass a test and have an enemy on the table."""
    return _all(name, lambda battle, unit: able(battle, unit) and any(battle.enemies(unit.spec.side)))


def _group(battle: Battle, unit: Unit) -> list[Firer]:
    return readiness(battle, unit).group


def _lone_shots(battle: Battle, unit: Unit) -> dict[str, Firer]:
    """Return the leaders of a unit who may fire by themselves (PAY-092)."""
    return {key: firer for key, firer in readiness(battle, unit).leaders.items() if "held" not in firer.figure.marks}


def _ready_guns(battle: Battle, unit: Unit) -> list[str]:
    return [key for key in battle.guns_of(unit) if is_ready(battle, battle.engines[key])]


def _jammed(battle: Battle, unit: Unit) -> list[str]:
    """Return the guns whose crew may clear a jam with one shot (PAY-176)."""
    return [action.gun for action in Unjam.options(FiringUnit(battle, unit))]


def _roll_of(waiting: str) -> tuple[str, float, float]:
    """Return the roll for a type of engine that is noted for the move step, with "" for any other note (PAY-069)."""
    name, is_roll, inches = waiting.partition(" rolled ")
    advance, _, run = inches.partition(" ")
    return (name, float(advance), float(run)) if is_roll else ("", 0.0, 0.0)


def _mover(battle: Battle, unit: Unit) -> MovingUnit:
    """Return a unit in its move step, without the figures and engines that have used their move."""
    actor = MovingUnit(battle, unit, {})
    moved = [key for key, figure in unit.figures.items() if figure.gait != "halt" or "clearing" in figure.marks]
    actor.rolls.update({name: (advance, run) for name, advance, run in map(_roll_of, battle.waiting) if name})
    actor.spent |= {*battle.waiting, *moved, *(key for key, engine in battle.engines.items() if engine.moved != "halt")}
    actor.refresh()
    return actor


def _may_go(battle: Battle, unit: Unit) -> object:
    return _mover(battle, unit).movable


def _other_moves(battle: Battle, unit: Unit) -> list[Any]:
    """Return what a unit can do in its move step besides going, with mounts and conveyances close by."""
    rides = any(figure.mount for figure in unit.able) or any(thing.kind == "mount" for thing in battle.things.values())
    if not (battle.engines or rides or MOVE_ACTIONS.for_session(battle.book.rules).house_actions):
        return []
    usual, found = {"halt", ADVANCE, RUN, EACH}, []
    for mounts in (False, True):
        draft = battle.copy()
        _bring_close(draft, draft.change(unit.spec.id), mounts=mounts)
        options = offer_moves(_mover(draft, draft.unit(unit.spec.id)))
        found += [option for option in options if option not in usual and mounts is _is_to_mount(option)]
    return found


def _is_to_mount(option: Any) -> bool:
    return isinstance(option, tuple) and option[:2] == ("mount", "up")


def _upright(battle: Battle, unit: Unit) -> list[str]:
    """Return the figures that may get down if they are in hard cover: those that touch no enemy (PAY-086)."""
    return [figure.spec.id for figure in unit.able if not _table(battle).contacts.get(figure.spec.id)]


def _loads(battle: Battle, unit: Unit) -> list[tuple[str, ...]]:
    """Return what figures of a unit may drop, pick up or take, if they are close enough (PAY-023, PAY-073)."""
    found: list[tuple[str, ...]] = [
        ("drop", key, load)
        for key, figure in unit.figures.items()
        if figure.able
        for load in figure.loads
        if load not in battle.things or battle.things[load].kind != "weapon"
    ]
    for key, thing in battle.things.items():
        if thing.kind == "weapon" and not thing.carrier and thing.at is not None:
            found.append(("take", key, thing.name))
        elif not thing.taken_by and (not thing.carrier or (thing.heavy and thing.side == unit.spec.side)):
            found.append(("pick up", key))
    for other in battle.units.values():
        for figure in other.positions.fallen:
            if other.spec.side == unit.spec.side:
                found.append(("pick up", figure.spec.id))
            if figure.fate != "able":
                found += [("take", figure.spec.id, weapon) for weapon in figure.weapons]
    return found


def _own_guns(battle: Battle, unit: Unit) -> list[str]:
    return [key for key in battle.guns_of(unit) if not battle.engines[key].carrier]


def _may_note_deed(battle: Battle, unit: Unit) -> bool:
    side = unit.spec.side
    return bool(battle.commanders.get(side)) and battle.deeds.get(side) != battle.turn


def _to_check(battle: Battle) -> list[str]:
    """Return the next unit that checks morale, in the order of the cards (PAY-064)."""
    due = [key for key in battle.waiting if key in battle.units and must_check(battle, battle.unit(key))]
    return due[:1] if battle.stage == _END else []


# --- Questions about figures ------------------------------------------------------------------------------------------------


def _names(battle: Battle, figures: Iterable[str]) -> Choices:
    return {key: _figure_name(battle, key) for key in figures}


def _figure_name(battle: Battle, key: str) -> str:
    """Return the name of a figure with its wounds."""
    figure = battle.figure(key)
    notes = [wound.replace("_", " ") for wound in figure.wounds] + sorted(figure.marks & {"down", "back turned"})
    return plain_name(battle, key) + (f" ({', '.join(notes)})" if notes else "")


def _runners(battle: Battle, scene: _Scene) -> Choices:
    """Return the figures that a forced move of this act may take over the edge, in order of unit."""
    lost = {event.data["figure"] for event in scene.events if event.kind == "loss" and event.data.get("fate") != "off"}
    units = dict.fromkeys(e.data["unit"] for e in scene.events if e.kind in ("forced move", "figures ran"))
    men = [man for unit in units for man in battle.unit(unit).figures.values() if man.fate == "able"]
    return _names(
        battle, [man.spec.id for man in men if man.spec.id not in lost and ("lame" not in man.marks or man.mount)]
    )


def _has_run(battle: Battle, scene: _Scene, events: Items[Event]) -> bool:
    return any(event.data["figures"] for event in events if event.kind in ("forced move", "figures ran"))


def _over_text(battle: Battle, scene: _Scene) -> str:
    """Who of those that run crosses the edge of the table?"""
    runs = [scene.game.narrator.describe_event(e) for e in scene.events if e.kind in ("forced move", "figures ran")]
    return f"{'; '.join(runs) or 'They run'}. Who crosses the edge of the table?"


_OVER: Asked[Battle] = Asked("over", _over_text, default=(), choices=_runners, many=True, after=_has_run)


def _let_leave(battle: Battle, scene: _Scene, covers: Mapping[Point, tuple[Shelter, ...]] | None = None) -> None:
    """Lay out cover, and the figures that run off the table each at a point of its own."""
    leaving = set()
    for number, key in enumerate(scene["over"], start=1):
        figure = battle.change_figure(key)
        if figure.at is not None:
            figure.at = figure.at if figure.aboard else (figure.at[0] + number / 1000, figure.at[1])
            leaving.add(figure.at)
            battle.unit_of(figure).measure()
    battle.field = _table(battle).told(covers=covers, leaving=leaving)


# --- Questions about moves ------------------------------------------------------------------------------------------------


def _gaits(battle: Battle, scene: _Scene) -> Choices:
    """Return the gaits of a unit, each with its dice (PAY-066, PAY-067)."""
    movable = _mover(battle, battle.unit(scene.actor)).movable
    found: dict[str, str] = {ADVANCE: "all advance"}
    if any(may_run(battle, figure) for figure in movable):
        found[RUN] = "all run or charge"
    if len(movable) > 1 and battle.book.settings.gait_scope == "figure":
        found[EACH] = "some halt, or not all go alike"
    if not any(figure.mount for figure in movable):
        found["climb"] = "climb a high wall that they touch"
    return found


def _movable(battle: Battle, scene: _Scene) -> Choices:
    movable = _mover(battle, battle.unit(scene.actor)).movable
    return _names(
        battle, [figure.spec.id for figure in movable if figure.spec.id not in scene.answers.get("halting", ())]
    )


def _mixed(battle: Battle, scene: _Scene) -> bool:
    return scene.answers.get("gait") == EACH


def _climbs_or_mixed(battle: Battle, scene: _Scene) -> bool:
    return scene.answers.get("gait") in (EACH, "climb")


def _who_may_run(battle: Battle, scene: _Scene) -> Choices:
    return {key: word for key, word in _movable(battle, scene).items() if may_run(battle, battle.figure(key))}


def _enemies_or_none(battle: Battle, scene: _Scene) -> Choices:
    return {"": "no one", **{key: battle.unit(key).spec.name for key in _enemies(battle, scene.actor)}}


def _goes(battle: Battle, scene: _Scene, events: Items[Event]) -> bool:
    return any(event.kind in ("allowance", "climbed", "stayed") for event in events)


def _met_text(battle: Battle, scene: _Scene) -> str:
    """Whom do the figures touch at the end of the move?"""
    allowances = [scene.game.narrator.describe_event(event) for event in scene.events if event.kind == "allowance"]
    return f"{'; '.join([*allowances, 'move'])} the figures. Whom do they touch now?"


def _meets(battle: Battle, scene: _Scene, events: Items[Event]) -> bool:
    return bool(scene["met"])


def _enemy_met(scene: _Scene) -> str:
    return scene.target or str(scene["met"])


def _fresh(battle: Battle, unit: str) -> list[str]:
    """Return the figures of a unit in the order in which people count them into contact: leaders last."""
    return [man.spec.id for man in sorted(battle.unit(unit).able, key=battle.is_leader)]


def _in_touch(whose: Callable[[_Scene], str]) -> Callable[[Battle, _Scene, float], int]:
    """Return a check for a number of figures: a unit must have so many."""

    def check(battle: Battle, scene: _Scene, count: float) -> int:
        unit = battle.unit(whose(scene))
        if count != int(count) or not 1 <= count <= len(unit.able):
            raise ZarebaError(f"{unit.spec.name} has {amount(len(unit.able), 'able figure')}, not {count:g}")
        return int(count)

    return check


def _leaders_met(battle: Battle, scene: _Scene) -> Choices:
    """Return the leaders who may be among the figures in contact."""
    men = [*battle.unit(scene.actor).able, *battle.unit(_enemy_met(scene)).able]
    return _names(battle, [man.spec.id for man in men if battle.is_leader(man)])


def _theirs_text(battle: Battle, scene: _Scene) -> str:
    """How many of the enemies do they touch?"""
    return f"How many of {battle.unit(_enemy_met(scene)).spec.name} do they touch?"


def _touch_asks(after: Callable[[Battle, _Scene, Items[Event]], bool] | None) -> tuple[Asked[Battle], ...]:
    """Return the questions about the figures that touch the enemy unit."""
    count = Annotated[int, Ge(1)]
    return (
        Asked("ours", "How many of {actor} touch them?", kind=count, after=after, measured=_in_touch(lambda s: s.actor)),
        Asked("theirs", _theirs_text, kind=count, after=after, measured=_in_touch(_enemy_met)),
        Asked("leaders", "Which leaders are among them?", default=(), choices=_leaders_met, many=True, after=after),
    )  # fmt: skip


def _rise(table: Table, battle: Battle, unit: str) -> None:
    """Raise figures that are touched; all others who are down still have their cover, as far as the book knows (PAY-086)."""
    field = _table(battle)
    down = [man for one in battle.units.values() for man in one.able if DOWN in man.marks]
    battle.field = field.told(covers={man.at: (_COVERS["hard"],) for man in down if man.at is not None})
    for name in {man.spec.unit for man in down}:
        battle.change(name).measure()
    raise_touched(table, battle, battle.change(unit))
    battle.field = field


def _meet(table: Table, battle: Battle, scene: _Scene) -> None:
    """Note that figures of two units touch: each man one enemy, and the rest as second men (PAY-136)."""
    if not (scene["ours"] and scene["theirs"]):
        return
    named = scene["leaders"] or ()
    ours, theirs = (
        sorted(_fresh(battle, unit), key=lambda key: key not in named)[:count]
        for unit, count in ((scene.actor, scene["ours"]), (_enemy_met(scene), scene["theirs"]))
    )
    pairs = [(ours[n % len(ours)], theirs[n % len(theirs)]) for n in range(max(len(ours), len(theirs)))]
    _told(battle, _touching(_table(battle).contacts, pairs))
    _rise(table, battle, scene.actor)


def _comrades(battle: Battle, unit: Unit) -> list[tuple[str, str]]:
    """Return the bearers of a unit, each with the comrade that he carries."""
    return [(key, load) for key, man in unit.figures.items() for load in man.loads if load not in battle.things]


def _carries_comrade(battle: Battle, scene: _Scene, events: Items[Event]) -> bool:
    return bool(_comrades(battle, battle.unit(scene.actor))) and _goes(battle, scene, events)


def _lay_out_move(battle: Battle, scene: _Scene) -> None:
    """Put the unit on the stage, so that a figure that goes nowhere stays exactly there."""
    unit = battle.change(scene.actor)
    for figure in unit.figures.values():
        if figure.at is not None and not figure.aboard:
            figure.at = _table(battle).stage
    unit.measure()


def _move(table: Table, battle: Battle, scene: _Scene) -> None:
    """Roll for the figures that go, and note their gaits and whom they touch (PAY-067 to PAY-071)."""
    unit, gait = battle.change(scene.actor), scene["gait"]
    movable = [figure for figure in _mover(battle, unit).movable if figure.spec.id not in scene["halting"]]
    going = {figure.spec.id for figure in movable}
    if gait == "climb":
        for figure in movable:
            figure.gait = ADVANCE
        table.emit("climbed", "PAY-091", unit=scene.actor, figures=len(movable))
    else:
        running = going if gait == RUN else set(scene["running"] or ())
        gaits: dict[str, Gait] = {
            f.spec.id: RUN if f.spec.id in running and may_run(battle, f) else ADVANCE for f in movable
        }
        inches = move_figures(table, battle, unit, movable, gaits, {})
        _tell_allowances(table, unit, gaits, inches)
    _use_move(battle, unit, going)
    for bearer in dict.fromkeys(key for key, _ in _comrades(battle, unit) if key in going and scene["carried"]):
        x, y = battle.figure(bearer).at or (0.0, 0.0)
        record_carrying(table, battle, battle.change_figure(bearer), (x - scene["carried"], y))
    risen = [figure for figure in movable if DOWN in figure.marks]
    for figure in risen:
        figure.unmark(DOWN)  # PAY-086
    report_posture(table, scene.actor, "gets up", len(risen))
    _meet(table, battle, scene)
    battle.waiting = [name for name in battle.waiting if name != _MOVE]


def _use_move(battle: Battle, unit: Unit, figures: Collection[str]) -> None:
    """Note that figures have gone: they touch no one until people say so."""
    battle.waiting = [*battle.waiting, *sorted(figures)]
    _told(battle, _apart_from(_table(battle).contacts, figures))
    unit.measure()


def _tell_allowances(table: Table, unit: Unit, gaits: Mapping[str, str], inches: Mapping[str, float]) -> None:
    """Report how far the figures of each gait may go."""
    groups: dict[tuple[str, float], list[str]] = {}
    for key, far in inches.items():
        groups.setdefault((gaits[key], far), []).append(key)
    for (gait, far), men in groups.items():
        table.emit("allowance", "PAY-069", unit=unit.spec.id, figures=len(men), gait=gait, inches=far)


def _stay(battle: Battle, scene: _Scene, question: Any) -> Answer:
    """Return the place where the movers are: people move them."""
    return _table(battle).stage


def _moves_left(battle: Battle, scene: _Scene) -> Choices:
    actions = MOVE_ACTIONS.for_session(battle.book.rules)
    options = _other_moves(battle, battle.unit(scene.actor))
    texts = {option: actions.action_of(option) for option in options}
    return {o: actions.text(a, {}, formats(battle), words()) for o, a in texts.items() if a is not None}


def _bring_close(battle: Battle, unit: Unit, *, mounts: bool = False) -> None:
    """Put the conveyances of a side where a unit is, and loose mounts beside its men: people see what is close."""
    home = _place_of(battle, unit.spec.id)
    for key, engine in list(battle.engines.items()):
        if engine.side == unit.spec.side and engine.at is not None and engine.kind in battle.book.file.conveyances:
            for name in engine.aboard:
                battle.change_figure(name).at = home
                battle.unit_of(battle.figure(name)).measure()
            battle.engines.change(key).at = home
    loose = [key for key, thing in battle.things.items() if mounts and thing.kind == "mount" and thing.at is not None]
    afoot = [key for key, figure in unit.figures.items() if figure.able and not figure.mount and not figure.aboard]
    own = {key: f"mount of {key}" for key in afoot if f"mount of {key}" in loose}
    others = [mount for mount in loose if mount not in own.values()]
    pairs = own | dict(zip([key for key in afoot if key not in own], others, strict=False))
    for number, (key, mount) in enumerate(pairs.items()):  # each man beside his own mount
        unit.figures[key].at = (home[0] + _MOUNTS_APART * number, home[1] + _MOUNTS_APART)
        battle.change_thing(mount).at = unit.figures[key].at
    unit.measure()
    for carried in [key for key, engine in battle.engines.items() if engine.carrier]:
        battle.engines.change(carried).at = battle.engines[battle.engines[carried].carrier].at


def _lay_out_other_move(battle: Battle, scene: _Scene) -> None:
    _bring_close(battle, battle.change(scene.actor), mounts=_is_to_mount(scene.answers.get("what")))


def _move_otherwise(table: Table, battle: Battle, scene: _Scene) -> None:
    """Do something else in the move step: with guns, conveyances, mounts, or by a house rule."""
    unit = battle.change(scene.actor)
    actor, actions = _mover(battle, unit), MOVE_ACTIONS.for_session(battle.book.rules)
    before = {key: figure.gait for key, figure in unit.figures.items()}
    action = actions.action_of(scene["what"])
    assert action is not None, "only actions of the table are offered"
    spent = set(actor.spent)
    actions.perform(action, table, actor)
    unit = battle.change(scene.actor)
    gone = [key for key, figure in unit.figures.items() if figure.gait != before[key]]
    _use_move(battle, unit, {*gone, *(actor.spent - spent)})
    notes = [f"{mover} rolled {advance} {run}" for mover, (advance, run) in actor.rolls.items()]
    battle.waiting = [*(name for name in battle.waiting if " rolled " not in name), *notes]
    if actor.over:
        battle.waiting = [name for name in battle.waiting if name != _MOVE]


def _where_it_stands(battle: Battle, scene: _Scene, question: Any) -> Answer:
    """Return the present place of the engine that is driven, or of the figures that walk on."""
    option = scene["what"]
    engine = battle.engines.get(option[1]) if isinstance(option, tuple) and len(option) > 1 else None
    if question.why == "drive to" and engine is not None and engine.at is not None:
        return engine.at
    return min(question.suggestions, key=lambda at: dist(at, battle.unit(scene.actor).positions.middle))


def _not_on(battle: Battle, scene: _Scene, question: Any) -> Answer:
    return question.options[0]


# --- Posture, loads, leaving, contact ----------------------------------------------------------------------------------


def _may_be_down(battle: Battle, scene: _Scene) -> Choices:
    return _names(battle, _upright(battle, battle.unit(scene.actor)))


def _lay_out_cover(battle: Battle, scene: _Scene) -> None:
    """Put the unit behind hard cover from all sides."""
    places = [figure.at for figure in battle.unit(scene.actor).able if figure.at is not None]
    battle.field = _table(battle).told(covers=dict.fromkeys(places, (_COVERS["hard"],)))


def _duck(table: Table, battle: Battle, scene: _Scene) -> None:
    unit = battle.change(scene.actor)
    unit.measure()
    set_postures(table, battle, unit)


def _posture(battle: Battle, scene: _Scene, question: Any) -> Answer:
    """Return the posture of the unit, or of one figure, as people say it."""
    down = set(scene["down"])
    men = [question.actor] if question.actor not in battle.units else _upright(battle, battle.unit(scene.actor))
    if not down.isdisjoint(men) and not down.issuperset(men) and EACH in question.options:
        return EACH
    return DOWN if men and down.issuperset(men) else "up"


def _load_words(battle: Battle, scene: _Scene) -> Choices:
    found = {}
    for one in _loads(battle, battle.unit(scene.actor)):
        verb, what = one[0], one[-1]
        whose = f" of {plain_name(battle, one[1])}" if verb == "take" and one[1] not in battle.things else ""
        who = f"{plain_name(battle, one[1])} drops " if verb == "drop" else f"{verb} "
        found[one] = f"{who}{plain_name(battle, what)}{whose}"
    return found


def _bearers(battle: Battle, scene: _Scene) -> Choices:
    """Return the figures that may pick up a load or take a weapon (PAY-023, PAY-073)."""
    verb, what = scene["what"][0], scene["what"][-1]
    men = [man for man in battle.unit(scene.actor).able if not man.has_no_arms and man.spec.id != scene["what"][1]]
    if verb == "take":
        return _names(battle, [man.spec.id for man in men if what not in man.weapons])
    able = [man for man in men if man.can_walk and not man.aboard and not is_burdened(battle, man)]
    on_foot = [man for man in able if not man.mount or (what in battle.things and not is_heavy(battle, what))]
    return _names(battle, [man.spec.id for man in on_foot if what not in man.loads])


def _lifts(battle: Battle, scene: _Scene) -> bool:
    return "what" in scene.answers and scene["what"][0] != "drop"


def _handle(table: Table, battle: Battle, scene: _Scene) -> None:
    verb, *names = scene["what"]
    battle.change(scene.actor)
    if verb == "drop":
        drop(table, battle, battle.change_figure(names[0]), names[1])
    elif verb == "take":
        take_weapon(table, battle, battle.change_figure(scene["man"]), names[0], names[1])
    else:
        pick_up(table, battle, battle.change_figure(scene["man"]), names[0])


def _may_leave(battle: Battle, scene: _Scene) -> Choices:
    return _names(battle, [figure.spec.id for figure in battle.unit(scene.actor).able if figure.can_walk])


def _edges(battle: Battle, scene: _Scene) -> Choices:
    return {edge: f"the {edge} edge" for edge in EDGES}


def _lay_out_exit(battle: Battle, scene: _Scene) -> None:
    """Put the figures that leave at the edge of the table (PAY-214)."""
    unit = battle.change(scene.actor)
    for key in scene["men"]:
        figure = unit.figures[key]
        at = nearest_on_edge(_place_of(battle, scene.actor), battle.field.table.extent, scene["edge"])
        figure.at, figure.gait = at, ADVANCE if figure.gait == "halt" else figure.gait
        if figure.aboard:
            battle.engines.change(figure.aboard).at = at
    unit.measure()


def _leave(table: Table, battle: Battle, scene: _Scene) -> None:
    unit = battle.change(scene.actor)
    leave_by_edge(table, battle, unit)
    unit.measure()
    if unit.leader and unit.figures[unit.leader].at is None:
        succession(table, battle)


def _all_leave(battle: Battle, scene: _Scene, question: Any) -> Answer:
    return LEAVE.verb


def _able_of(whose: Callable[[_Scene], str]) -> Callable[[Battle, _Scene], Choices]:
    return lambda battle, scene: _names(battle, [figure.spec.id for figure in battle.unit(whose(scene)).able])


def _touch(table: Table, battle: Battle, scene: _Scene) -> None:
    _meet(table, battle, scene)


def _touch_singly(table: Table, battle: Battle, scene: _Scene) -> None:
    """Note which figures of a unit one figure touches, and no others of it."""
    man, enemies = scene["man"], set(battle.unit(scene.target).figures)
    field = _table(battle)
    own = field.contacts.get(man, frozenset()) - enemies
    pairs = [(man, foe) for foe in (*own, *scene["foes"])]
    _told(battle, _touching(_apart_from(field.contacts, {man}), pairs))
    _rise(table, battle, scene.actor)


def _part(table: Table, battle: Battle, scene: _Scene) -> None:
    _told(battle, _apart_from(_table(battle).contacts, set(battle.unit(scene.actor).figures)))


def _gun_choices(battle: Battle, scene: _Scene) -> Choices:
    return {key: battle.engines[key].name for key in _own_guns(battle, battle.unit(scene.actor))}


def _serve(table: Table, battle: Battle, scene: _Scene) -> None:
    """Put the named figures at a gun or between two, and all others of the unit away from there (PAY-178)."""
    unit = battle.change(scene.actor)
    at = _behind(battle, scene["guns"]) if scene["guns"] else None
    for key, figure in unit.figures.items():
        if figure.at is None or figure.aboard:
            continue
        if key in scene["men"]:
            figure.at = at or _place_of(battle, scene.actor)
        elif figure.at == at:
            figure.at = _place_of(battle, scene.actor)
    unit.measure()


def _conveyances(battle: Battle, unit: Unit) -> list[str]:
    """Return the conveyances of its side that figures of a unit may get on, if they reach them (PAY-080)."""
    if not battle.engines:
        return []
    draft, name = battle.copy(), unit.spec.id
    _bring_close(draft, draft.change(name))
    return boardable(draft, draft.unit(name), tuple(unit.figures))


def _conveyance_choices(battle: Battle, scene: _Scene) -> Choices:
    return {key: battle.engines[key].name for key in _conveyances(battle, battle.unit(scene.actor))}


def _board(table: Table, battle: Battle, scene: _Scene) -> None:
    """Put figures that have reached a conveyance with half of their move left aboard (PAY-080)."""
    boarded = board(table, battle, battle.change(scene.actor), scene["wagon"], scene["men"])
    _use_move(battle, battle.change(scene.actor), set(boarded))


# --- Questions about fire ------------------------------------------------------------------------------------------------


def _volley_firers(battle: Battle, unit: Unit) -> list[Firer]:
    """Return the figures that may fire in a volley: the group and the leaders who may join it (PAY-094)."""
    ready = readiness(battle, unit)
    return [*ready.group, *ready.joining]


def _bands_of_volley(battle: Battle, scene: _Scene) -> dict[str, Bands]:
    """Return the range bands of the weapons in a volley, by weapon."""
    ready = readiness(battle, battle.unit(scene.actor))
    firers = ready.group if scene["who"] == _MEN else [*ready.group, *ready.joining]
    return {weapon: bands_of(battle, man, weapon) for man, weapon in firers}


def _bands_of_leader(battle: Battle, scene: _Scene) -> dict[str, Bands]:
    man, weapon = _lone_shots(battle, battle.unit(scene.actor))[scene["man"]]
    return {weapon: bands_of(battle, man, weapon)}


def _bands_of_gun(battle: Battle, scene: _Scene) -> dict[str, Bands]:
    engine = battle.engines[scene["gun"]]
    return {kind_of(engine): bands_of(battle, engine, kind_of(engine))}


_BandsOf = Callable[[Battle, _Scene], dict[str, Bands]]


def _limits(bands: _BandsOf) -> Callable[[Battle, _Scene], Choices]:
    """Return the choices of a range: each limit of a band in inches, with the band of each weapon there."""

    def choices(battle: Battle, scene: _Scene) -> Choices:
        known = bands(battle, scene)
        limits = sorted({limit for own in known.values() for _, limit in own})
        words_of = {
            limit: " and ".join(dict.fromkeys(
                (f"{weapon.replace('_', ' ')} " if len(known) > 1 else "") + band
                for weapon, own in known.items() if (band := band_of(own, limit))
            ))
            for limit in limits
        }  # fmt: skip
        return {limit: f"{word}, up to {limit:g} inches" for limit, word in words_of.items()}

    return choices


def _at_range(bands: _BandsOf) -> Callable[[Battle, _Scene, float], float]:
    """Return the check of a measured range: the limit of the band in which it lies, with the altitude of flyers."""

    def measured(battle: Battle, scene: _Scene, inches: float) -> float:
        limits = sorted({limit for own in bands(battle, scene).values() for _, limit in own})
        up = inches + _altitude(battle, scene)
        found = next((limit for limit in limits if up <= limit), None)
        if found is None:
            raise ZarebaError(f"the range is up to {limits[-1]:g} inches, not {up:g} (PAY-008)")
        return found

    return measured


def _altitude(battle: Battle, scene: _Scene) -> float:
    """Return the inches that the altitude of flyers adds to a range (PAY-082)."""
    carriers = {figure.aboard for unit in (scene.actor, scene.target) for figure in battle.unit(unit).able} - {""}
    return sum(battle.engines[key].altitude for key in carriers) * float(battle.book.file.altitude.inches_a_step)


def _range_asked(bands: _BandsOf, when: Callable[[Battle, _Scene], bool] | None = None) -> Asked[Battle]:
    question = "How far from {actor} to {target}?"
    return Asked("range", question, choices=_limits(bands), unit="inches", measured=_at_range(bands), when=when)


def _by_parts(battle: Battle) -> bool:
    """Return True if small arms too hit only the exposed parts of a body (PAY-188)."""
    return bool(battle.book.settings.exposure_check == "all_fire")


def _covers(guns: bool) -> Callable[[Battle, _Scene], Choices]:
    def choices(battle: Battle, scene: _Scene) -> Choices:
        return {key: _COVER_WORDS[key] for key in (_EXPOSURES if guns or _by_parts(battle) else _COVERS)}

    return choices


def _who_fires(battle: Battle, scene: _Scene) -> Choices:
    joining = readiness(battle, battle.unit(scene.actor)).joining
    leaders = {}
    if joining:
        leaders = {_LEADERS: f"all men, and {join_with_and(firer.figure.spec.name for firer in joining)} with them"}
    return {_MEN: "all men, at all of {target}".replace("{target}", battle.unit(scene.target).spec.name), **leaders,
            _DETAIL: "not all fire, or not all can be hit"}  # fmt: skip


def _in_detail(battle: Battle, scene: _Scene) -> bool:
    return scene.answers.get("who") == _DETAIL


def _firer_choices(battle: Battle, scene: _Scene) -> Choices:
    holding = scene.answers.get("holding", ())
    men = [firer.figure.spec.id for firer in _volley_firers(battle, battle.unit(scene.actor))]
    return _names(battle, [key for key in men if key not in holding])


def _farther_choices(battle: Battle, scene: _Scene) -> Choices:
    return {key: word for key, word in _firer_choices(battle, scene).items() if key in scene["farther"]}


def _some_farther(battle: Battle, scene: _Scene) -> bool:
    return _in_detail(battle, scene) and bool(scene.answers.get("farther"))


def _other_units(battle: Battle, scene: _Scene) -> Choices:
    return {key: battle.unit(key).spec.name for key in _enemies(battle, scene.actor) if key != scene.target}


def _targets_in(battle: Battle, scene: _Scene) -> list[str]:
    """Return the figures of the target, and of the units along the same stretch, that may be hit."""
    units = [battle.unit(key) for key in battle.units if key in (scene.target, *(scene.answers.get("along") or ()))]
    return [
        man.spec.id for unit in units for man in unit.able if man.spec.id not in (scene.answers.get("spared") or ())
    ]


def _target_choices(battle: Battle, scene: _Scene) -> Choices:
    return _names(battle, _targets_in(battle, scene))


def _differing(battle: Battle, scene: _Scene) -> Choices:
    return _target_choices(battle, scene) if _by_parts(battle) else _firer_choices(battle, scene)


def _differ_text(battle: Battle, scene: _Scene) -> str:
    """For whom does another cover count?"""
    return (
        "Who of the target has another cover?" if _by_parts(battle) else "From whose line has the target another cover?"
    )


def _some_differ(battle: Battle, scene: _Scene) -> bool:
    return bool(scene.answers.get("differing"))


def _all_in_reach(battle: Battle, scene: _Scene) -> Choices:
    return {_WHOLE: "yes", _DETAIL: "no, or others too"}


_FIRE_DETAIL: tuple[Asked[Battle], ...] = (
    Asked("along", "Which other units stand along the same stretch?", default=(), choices=_other_units, many=True, when=_in_detail),
    Asked("spared", "Who cannot be hit: out of sight, in contact, or apart from the rest?", default=(), choices=_target_choices, many=True, when=_in_detail),
)  # fmt: skip


def _lay_out_targets(battle: Battle, scene: _Scene) -> dict[str, Point]:
    """Put the target figures on the stage, each at a point of its own, and those that cannot be hit far away."""
    (x, y), spared = _table(battle).stage, set(scene["spared"] or ())
    found: dict[str, Point] = {}
    for name in (scene.target, *(scene["along"] or ())):
        unit = battle.change(name)
        for figure in unit.able:
            key = figure.spec.id
            found[key] = (x - _AWAY, y) if key in spared else (x + len(found) * 1e-6, y)
            figure.at = found[key]
        for key in battle.guns_of(unit):
            if battle.engines[key].mount == "emplacement":
                battle.engines.change(key).at = (x, y)
        unit.measure()
    return {key: at for key, at in found.items() if key not in spared}


def _lay_out_volley(battle: Battle, scene: _Scene) -> None:
    """Put each firer at his range, and the target in its cover, as each firer sees it."""
    targets, (x, y) = _lay_out_targets(battle, scene), _table(battle).stage
    unit, up = battle.change(scene.actor), _altitude(battle, scene)
    aside = set() if _by_parts(battle) else set(scene["differing"] or ())
    for figure, weapon in _volley_firers(battle, unit):
        key = figure.spec.id
        back = (key in (scene["farther"] or ())) + (key in (scene["farthest"] or ()))
        far = _range_of(bands_of(battle, figure, weapon), scene["range"], back) - _HAIR - up
        if not figure.aboard:
            figure.at = (x + far, y) if key in aside else (x, y - far)
        else:
            figure.at = (x, y - far)
    unit.measure()
    kinds = _EXPOSURES if _by_parts(battle) else _COVERS
    _let_leave_from(battle, scene, targets, kinds, aside)


def _let_leave_from(
    battle: Battle, scene: _Scene, targets: Mapping[str, Point], kinds: Mapping[str, Shelter], aside: Collection[str]
) -> None:
    """Lay out the cover of targets and the figures that run off the table.

    For firers in `aside`, who stand to the east, another cover counts; otherwise some of the targets may have another.
    """
    main, other = kinds[scene["cover"]], kinds[scene["other_cover"] or scene["cover"]]
    places = dict(targets)
    for number, key in enumerate(scene["over"], start=1):
        if key in places:  # as `_let_leave` places him
            places[key] = (places[key][0] + number / 1000, places[key][1])
    covers: dict[Point, tuple[Shelter, ...]] = {}
    x, y = _table(battle).stage
    south, east = TerrainLine([(x - 5, y - 0.4), (x + 5, y - 0.4)]), TerrainLine([(x + 1.5, y - 5), (x + 1.5, y + 5)])
    for key, at in places.items():
        if aside:
            covers[at] = (main._replace(line=south), other._replace(line=east))
        else:
            covers[at] = (other if key in (scene["differing"] or ()) else main,)
        covers[at] = tuple(shelter for shelter in covers[at] if shelter.cover != "none")
    _let_leave(battle, scene, {at: found for at, found in covers.items() if found})


def _range_of(bands: Bands, limit: float, back: int) -> float:
    """Return a range in the band of `limit`, or so many bands farther."""
    number = next((place for place, (_, most) in enumerate(bands) if limit <= most), None)
    if number is None or number + back >= len(bands):
        return bands[-1][1] + 1.0
    return bands[number + back][1] if back else limit


def _fire_volley(table: Table, battle: Battle, scene: _Scene) -> None:
    """Fire a volley of the men, with their leaders, or of some of them (PAY-094)."""
    unit = battle.change(scene.actor)
    verbs = {_MEN: "volley", _LEADERS: "volley with leaders", _DETAIL: "volley of picked men"}
    _fire_as(table, battle, unit, verbs[scene["who"]])


def _fire_as(table: Table, battle: Battle, unit: Unit, option: Any) -> None:
    """Do an action of the fire step."""
    actions = FIRE_ACTIONS.for_session(battle.book.rules)
    action = actions.action_of(option)
    assert action is not None, "only actions of the table are done"
    actions.perform(action, table, FiringUnit(battle, unit))


def _at_target(battle: Battle, scene: _Scene, question: Any) -> Answer:
    """Return the group that people aim at, or else the stretch on which the targets stand (PAY-094, PAY-098)."""
    options = list(question.options)
    group = [one for one in options if isinstance(one, tuple) and one[0] == scene.target]
    if group and not scene["along"]:
        return cast(Answer, group[0])
    if STRETCH in options:
        return STRETCH
    raise ZarebaError(f"{battle.unit(scene.actor).spec.name} may not fire at that (PAY-094, PAY-096, PAY-102)")


def _on_stage(battle: Battle, scene: _Scene, question: Any) -> Answer:
    at = _table(battle).stage
    if refusal := question.legal(at):
        raise ZarebaError(refusal)
    return at


def _fires(battle: Battle, scene: _Scene, question: Any) -> Answer:
    return question.actor not in (scene["holding"] or ())


def _leader_choices(battle: Battle, scene: _Scene) -> Choices:
    return _names(battle, _lone_shots(battle, battle.unit(scene.actor)))


def _figures_to_hit(battle: Battle, scene: _Scene) -> Choices:
    """Return the figures of the target, its leader first, who is the usual aim (PAY-092)."""
    unit = battle.unit(scene.target)
    men = [man for man in unit.able if DOWN not in man.marks]
    keys = [man.spec.id for man in men]
    leads = {_LEADER: f"{_figure_name(battle, unit.leader)}, its leader"} if unit.leader in keys else {}
    return {**leads, **_names(battle, [key for key in keys if key != unit.leader])}


def _man_hit(battle: Battle, scene: _Scene) -> str:
    return battle.unit(scene.target).leader if scene["aim"] == _LEADER else str(scene["aim"])


def _leader_is_free(battle: Battle, scene: _Scene) -> bool:
    return not _table(battle).contacts.get(scene.answers.get("man", ""))


def _lay_out_leader_shot(battle: Battle, scene: _Scene) -> None:
    """Put a leader at his range from the figure that he aims at (PAY-092, PAY-103)."""
    aim, unit = _man_hit(battle, scene), battle.change(scene.actor)
    others = [man.spec.id for man in battle.unit(scene.target).able if man.spec.id != aim]
    told = replace(scene, answers={**scene.answers, "spared": others, "along": (), "differing": (), "other_cover": ""})
    targets, (x, y) = _lay_out_targets(battle, told), _table(battle).stage
    far = scene["range"] - _HAIR - _altitude(battle, scene) if scene["range"] is not None else 1.0
    unit.figures[scene["man"]].at = (x, y - far)
    unit.measure()
    kinds = _EXPOSURES if _by_parts(battle) else _COVERS
    _let_leave_from(battle, told, targets, kinds, ())


def _fire_leader(table: Table, battle: Battle, scene: _Scene) -> None:
    _fire_as(table, battle, battle.change(scene.actor), ("leader", scene["man"]))


def _at_unit(battle: Battle, scene: _Scene, question: Any) -> Answer:
    if scene.target not in question.options:
        raise ZarebaError(f"{plain_name(battle, scene['man'])} may not fire at that unit (PAY-092, PAY-102)")
    return scene.target


def _at_man(battle: Battle, scene: _Scene, question: Any) -> Answer:
    aim = _man_hit(battle, scene)
    if aim not in question.options:
        raise ZarebaError(f"{plain_name(battle, aim)} cannot be fired at (PAY-101)")
    return aim


def _gun_ready_choices(battle: Battle, scene: _Scene) -> Choices:
    return {key: battle.engines[key].name for key in _ready_guns(battle, battle.unit(scene.actor))}


def _lay_out_gun(battle: Battle, scene: _Scene) -> None:
    """Put a gun with its crew at its range from the target (PAY-178, PAY-179)."""
    targets, (x, y) = _lay_out_targets(battle, scene), _table(battle).stage
    unit, key = battle.change(scene.actor), scene["gun"]
    crew, at = crew_at(battle, battle.engines[key]), (x, y - (scene["range"] - _HAIR - _altitude(battle, scene)))
    battle.engines.change(key).at = at
    for man in crew:
        unit.figures[man.spec.id].at = at
    unit.measure()
    _let_leave_from(battle, scene, targets, _EXPOSURES, ())


def _crews(battle: Battle, scene: _Scene) -> Choices:
    """Return the crews that may serve a gun (PAY-178, PAY-184)."""
    engine = battle.engines[scene["gun"]]
    crews = combinations([man.spec.id for man in fit_crew(battle, engine)], len(servers(battle, engine)))
    return {_BEST: "the best shots", **{c: join_with_and(plain_name(battle, key) for key in c) for c in crews}}


def _served_by(battle: Battle, scene: _Scene, question: Any) -> Answer:
    """Return the crew that people name, or the first one: the best shots."""
    return scene["crew"] if scene["crew"] in question.options else question.options[0]


def _fire_gun(table: Table, battle: Battle, scene: _Scene) -> None:
    _fire_as(table, battle, battle.change(scene.actor), ("gun", scene["gun"]))


def _unjam(table: Table, battle: Battle, scene: _Scene) -> None:
    _fire_as(table, battle, battle.change(scene.actor), ("unjam", scene["gun"]))


def _jam_choices(battle: Battle, scene: _Scene) -> Choices:
    return {key: battle.engines[key].name for key in _jammed(battle, battle.unit(scene.actor))}


# --- The sequence of play ----------------------------------------------------------------------------------------------------


def _enter(battle: Battle) -> None:
    """Note what waits in the stage that has begun."""
    waiting = {_MOVE: [_MOVE], _MELEE: [_MELEE], _END: morale_order(battle)}
    battle.waiting = waiting.get(battle.stage, [])


def _start_turn(table: Table, battle: Battle, scene: _Scene) -> None:
    scene.game.sequence.turn_start(table, battle)
    _enter(battle)


def _no_orders(battle: Battle, scene: _Scene, question: Any) -> Answer:
    return question.options[0]


def _arrival_point(battle: Battle, scene: _Scene, question: Any) -> Answer:
    return question.suggestions[0]


def _turn_card(table: Table, battle: Battle, scene: _Scene) -> None:
    scene.game.sequence.unit_card(table, battle)
    _enter(battle)


def _fall_back(table: Table, battle: Battle, scene: _Scene) -> None:
    """Make the forced move that replaces a move step (PAY-164)."""
    scene.game.sequence.unit_move(table, battle)
    _enter(battle)


def _melee(table: Table, battle: Battle, scene: _Scene) -> None:
    melee_step(table, battle, battle.change(scene.actor))
    battle.waiting = [name for name in battle.waiting if name != _MELEE]


def _ways_to_fight(battle: Battle, scene: _Scene) -> Choices:
    touched = contacts(battle, battle.unit(scene.actor))
    singly = len(touched) > 1 or any(len(foes) > 1 for foes in touched.values())
    return {"fight all": "all who touch an enemy", **({EACH: "man by man"} if singly else {})}


def _way_to_fight(battle: Battle, scene: _Scene, question: Any) -> Answer:
    return scene["how"]


def _finish(table: Table, battle: Battle, scene: _Scene) -> None:
    scene.game.sequence.end_activation(table, battle, battle.change(battle.acting))
    _enter(battle)


def _morale(table: Table, battle: Battle, scene: _Scene) -> None:
    battle.waiting = [name for name in battle.waiting if name != scene.actor]
    check_morale(table, battle, battle.change(scene.actor))


def _deed(table: Table, battle: Battle, scene: _Scene) -> None:
    note_deed(table, battle, battle.unit(scene.actor).spec.side)


def _deed_in(battle: Battle, scene: _Scene, question: Any) -> Answer:
    return scene.actor


def _deed_of(battle: Battle, scene: _Scene, question: Any) -> Answer:
    return scene["man"]


def _end_turn(table: Table, battle: Battle, scene: _Scene) -> None:
    scene.game.sequence.close_turn(table, battle)
    _enter(battle)


def _no_deed(battle: Battle, scene: _Scene, question: Any) -> Answer:
    return NOBODY


# --- The acts ------------------------------------------------------------------------------------------------------------------


_TO_STAGE = {"stretch from": _on_stage, "stretch to": _on_stage}

ACTS: tuple[CompanionAct[Battle], ...] = (
    CompanionAct(
        name="start",
        title="begin the turn",
        rule="PAY-065",
        run=_start_turn,
        actors=_no_units,
        settled={"order for": _no_orders, "arrive at": _arrival_point},
        out_of_turn=False,
        has_odds=False,
    ),
    CompanionAct(
        name="card",
        title="turn over the next card",
        rule="PAY-052",
        run=_turn_card,
        actors=_no_units,
        asks=(_OVER,),
        lay_out=_let_leave,
        out_of_turn=False,
        has_odds=False,
    ),
    CompanionAct(
        name="fall_back",
        title="fall back as ordered",
        rule="PAY-164",
        run=_fall_back,
        actors=_phasing,
        asks=(_OVER,),
        lay_out=_let_leave,
        out_of_turn=False,
        has_odds=False,
    ),
    CompanionAct(
        name="move",
        title="move or charge",
        rule="PAY-067",
        run=_move,
        actors=_all("move", _may_go),
        asks=(
            Asked("gait", "How does {actor} go?", choices=_gaits),
            Asked("halting", "Who stays where he is?", default=(), choices=_movable, many=True, when=_climbs_or_mixed),
            Asked("running", "Who of the others runs?", default=(), choices=_who_may_run, many=True, when=_mixed),
            Asked(
                "carried",
                "How many inches were the wounded carried?",
                default=0.0,
                kind=Annotated[float, Ge(0)],
                unit="inches",
                after=_carries_comrade,
            ),
            Asked("met", _met_text, default="", choices=_enemies_or_none, after=_goes),
            *_touch_asks(_meets),
        ),
        lay_out=_lay_out_move,
        settled={"move to": _stay, "go on to": _stay},
        has_odds=False,
    ),
    CompanionAct(
        name="other_move",
        title="mount, dismount, or move a gun or wagon",
        rule="PAY-084",
        run=_move_otherwise,
        actors=_all("other_move", _other_moves),
        asks=(Asked("what", "{actor}: what does it do?", choices=_moves_left),),
        lay_out=_lay_out_other_move,
        settled={"move to": _where_it_stands, "go on to": _where_it_stands, "drive to": _where_it_stands, "get on": _not_on},
        has_odds=False,
    ),
    CompanionAct(
        name="duck",
        title="get down behind hard cover, or rise",
        rule="PAY-086",
        run=_duck,
        actors=_all("duck", _upright),
        asks=(Asked("down", "Who of {actor} is down, out of sight?", default=(), choices=_may_be_down, many=True),),
        lay_out=_lay_out_cover,
        settled={"posture": _posture},
        has_odds=False,
    ),
    CompanionAct(
        name="load",
        title="pick up, drop or take something",
        rule="PAY-073",
        run=_handle,
        actors=_all("load", _loads),
        asks=(
            Asked("what", "{actor}: what?", choices=_load_words),
            Asked("man", "Who does it?", choices=_bearers, when=_lifts),
        ),
        has_odds=False,
    ),
    CompanionAct(
        name="leave",
        title="leave the table",
        rule="PAY-214",
        run=_leave,
        actors=_all("leave", lambda battle, unit: any(man.can_walk for man in unit.able)),
        asks=(
            Asked("men", "Who of {actor} leaves?", choices=_may_leave, many=True),
            Asked("edge", "Over which edge?", choices=_edges),
        ),
        lay_out=_lay_out_exit,
        settled={"at the edge": _all_leave},
        has_odds=False,
    ),
    CompanionAct(
        name="board",
        title="get on a wagon or flyer that they have reached",
        rule="PAY-080",
        run=_board,
        actors=_all("board", _conveyances),
        asks=(
            Asked("wagon", "On what?", choices=_conveyance_choices),
            Asked("men", "Who of {actor} gets on?", choices=_able_of(lambda scene: scene.actor), many=True),
        ),
        lay_out=_lay_out_other_move,
        has_odds=False,
    ),
    CompanionAct(
        name="touch",
        title="touch an enemy unit",
        rule="PAY-137",
        run=_touch,
        actors=_against("touch", lambda battle, unit: True),
        targets=_enemies,
        asks=_touch_asks(None),
        has_odds=False,
    ),
    CompanionAct(
        name="touch_man",
        title="note whom one man touches",
        rule="PAY-137",
        run=_touch_singly,
        actors=_against("touch_man", lambda battle, unit: True),
        targets=_enemies,
        asks=(
            Asked("man", "Which man of {actor}?", choices=_able_of(lambda scene: scene.actor)),
            Asked("foes", "Whom does he touch?", default=(), choices=_able_of(lambda scene: scene.target), many=True),
        ),
        has_odds=False,
    ),
    CompanionAct(
        name="part", title="break contact", rule="PAY-076", run=_part, actors=_all("part", contacts), has_odds=False
    ),
    CompanionAct(
        name="serve",
        title="stand at its gun, or leave it",
        rule="PAY-178",
        run=_serve,
        actors=_all("serve", _own_guns),
        asks=(
            Asked("guns", "At which gun? (none: to leave it)", default=(), choices=_gun_choices, many=True),
            Asked("men", "Who of {actor} stands there?", default=(), choices=_able_of(lambda s: s.actor), many=True),
        ),
        has_odds=False,
    ),
    CompanionAct(
        name="volley",
        title="fire a volley",
        rule="PAY-094",
        run=_fire_volley,
        actors=_against("volley", _group),
        targets=_enemies,
        facts=FireFacts,
        asks=(
            Asked("who", "Who fires?", default=_MEN, choices=_who_fires),
            _range_asked(_bands_of_volley),
            Asked("cover", "Cover of most of {target}?", default="none", choices=_covers(guns=False)),
            Asked("holding", "Who does not fire?", default=(), choices=_firer_choices, many=True, when=_in_detail),
            Asked("farther", "For whom is the range one band longer?", default=(), choices=_firer_choices, many=True, when=_in_detail),
            Asked("farthest", "For whom of these is it two bands longer?", default=(), choices=_farther_choices, many=True, when=_some_farther),
            *_FIRE_DETAIL,
            Asked("differing", _differ_text, default=(), choices=_differing, many=True, when=_in_detail),
            Asked("other_cover", "Which cover is that?", choices=_covers(guns=False), when=_some_differ),
            _OVER,
        ),
        lay_out=_lay_out_volley,
        settled={"volley at": _at_target, "fires": _fires, **_TO_STAGE},
    ),
    CompanionAct(
        name="leader_shot",
        title="fire at one figure (leader)",
        rule="PAY-092",
        run=_fire_leader,
        actors=_against("leader_shot", _lone_shots),
        targets=_enemies,
        facts=FireFacts,
        asks=(
            Asked("man", "Who fires?", choices=_leader_choices),
            Asked("aim", "At whom?", default=_LEADER, choices=_figures_to_hit),
            _range_asked(_bands_of_leader, _leader_is_free),
            Asked("cover", "His cover?", default="none", choices=_covers(guns=False)),
            _OVER,
        ),
        lay_out=_lay_out_leader_shot,
        settled={"fire at unit": _at_unit, "fire at": _at_man},
    ),
    CompanionAct(
        name="gun",
        title="fire a gun or machine gun",
        rule="PAY-178",
        run=_fire_gun,
        actors=_against("gun", _ready_guns),
        targets=_enemies,
        facts=FireFacts,
        asks=(
            Asked("gun", "Which gun?", choices=_gun_ready_choices),
            Asked("who", "At all of {target}?", default=_WHOLE, choices=_all_in_reach),
            _range_asked(_bands_of_gun),
            Asked("cover", "Cover of most of {target} that is up?", default="none", choices=_covers(guns=True)),
            Asked("crew", "Who serves it?", default=_BEST, choices=_crews, when=_in_detail),
            *_FIRE_DETAIL,
            Asked("differing", "Who of the target has another cover?", default=(), choices=_target_choices, many=True, when=_in_detail),
            Asked("other_cover", "Which cover is that?", choices=_covers(guns=True), when=_some_differ),
            _OVER,
        ),
        lay_out=_lay_out_gun,
        settled={"gun at": _at_target, "served by": _served_by, **_TO_STAGE},
    ),
    CompanionAct(
        name="unjam",
        title="clear a jam (uses one shot)",
        rule="PAY-176",
        run=_unjam,
        actors=_all("unjam", _jammed),
        asks=(Asked("gun", "Which gun?", choices=_jam_choices),),
        has_odds=False,
    ),
    CompanionAct(
        name="melee",
        title="fight hand to hand",
        rule="PAY-136",
        run=_melee,
        actors=_all("melee", contacts),
        facts=MeleeFacts,
        asks=(Asked("how", "Who of {actor} fights?", default="fight all", choices=_ways_to_fight), _OVER),
        lay_out=_let_leave,
        settled={"melee": _way_to_fight},
    ),
    CompanionAct(
        name="finish",
        title="end its activation",
        rule="PAY-056",
        run=_finish,
        actors=_phasing,
        out_of_turn=False,
        has_odds=False,
    ),
    CompanionAct(
        name="morale",
        title="check morale",
        rule="PAY-148",
        run=_morale,
        actors=_to_check,
        asks=(_OVER,),
        lay_out=_let_leave,
        out_of_turn=False,
    ),
    CompanionAct(
        name="deed",
        title="have a brave deed noted by the commander",
        rule="PAY-044",
        run=_deed,
        actors=_all("deed", _may_note_deed),
        asks=(Asked("man", "Whose deed?", choices=_able_of(lambda scene: scene.actor)),),
        settled={"brave deed in": _deed_in, "brave deed of": _deed_of},
        has_odds=False,
    ),
    CompanionAct(
        name="end",
        title="end the turn",
        rule="PAY-057",
        run=_end_turn,
        actors=_no_units,
        settled={"brave deed in": _no_deed},
        out_of_turn=False,
        has_odds=False,
    ),
)  # fmt: skip

_MOVE_STAGE = ("move", "other_move")
_FIRE_STAGE = ("volley", "leader_shot", "gun", "unjam")
_BESIDE = {
    _MOVE: ("duck", "load", "leave", "board", "touch", "part", "serve"),
    "fire": ("duck", "touch"),
    _MELEE: ("touch", "touch_man"),
}
"""Acts that may be done in a stage, but do not keep it open."""


# --- The companion -------------------------------------------------------------------------------------------------------------


class RealTableEditor(PaychestUmpireEditor):
    """Corrections of the book: a figure that the book has lost or taken off the table can come back."""

    def max_figures(self, state: Battle, piece: str) -> int:
        return self.starting_figures(state, piece)

    def set_figures(self, table: Table, state: Battle, piece: str, count: int) -> None:
        unit = state.change(piece)
        missing = count - len(unit.able)
        posts = _posts(state, unit)
        for key, figure in unit.figures.items():
            if missing > 0 and not figure.able:
                figure.fate, figure.wounds, figure.at, figure.gait = "able", (), posts[key], "halt"
                figure.weapons = figure.weapons or figure.spec.weapons
                figure.unmark("lame", DOWN)
                missing -= 1
        state.arrivals.pop(piece, None)
        unit.measure()
        super().set_figures(table, state, piece, count)


class PaychestCompanion(Companion[Battle]):
    """An evening of Paychest at a real table."""

    game: PaychestGame
    acts: ClassVar[Items[CompanionAct[Any]]] = ACTS

    def __init__(self, game: Game[Battle]) -> None:
        assert isinstance(game, PaychestGame)
        super().__init__(game)
        game.make_editor = RealTableEditor
        self._plan = game.plan
        field = _real_table(game)
        extent = field.table.extent
        middle = extent[0] / 2, extent[1] / 2
        entries = {unit: nearest_on_edge(middle, extent, arrival.edge) for unit, arrival in self._plan.arrivals.items()}
        game.plan = replace(self._plan, field=field, entries=entries)
        game.sequence = Sequence(game.policy, game.scenario, game.plan)

    def start(self) -> Battle:
        """Return the battle with all units set up. People deploy the figures as they like (PAY-048)."""
        battle = first_state(self.game.book, self.game.scenario, self._plan, self.game.policy.first)
        battle.field, battle.waiting = self.game.plan.field, []
        for key in battle.engines:
            engine = battle.engines.change(key)
            engine.at = None if engine.unit in battle.arrivals else _place_of(battle, key)
            for name in engine.aboard:
                battle.change_figure(name).aboard = "" if engine.unit in battle.arrivals else key
        for name in [name for name in battle.units if name not in battle.arrivals]:
            unit = battle.change(name)
            for key, at in _posts(battle, unit).items():
                unit.figures[key].at, unit.figures[key].appearances = at, 1
            unit.measure()
        for key in [key for key, thing in battle.things.items() if thing.at is not None]:
            battle.change_thing(key).at = battle.field.rest[""]  # type: ignore[attr-defined]  # a RealTable
        self.game.policy.advance(battle, False)
        return battle

    def openings(self, state: Battle) -> Items[Opening]:
        stage, acting = state.stage, state.acting
        if stage == _START:
            return [Opening("start", (), due=True)]
        if stage == _CARD:
            return [Opening("card", (), due=True)]
        if stage == _END:
            due = _to_check(state)
            return [Opening("morale", tuple(due), due=True) if due else Opening("end", (), due=True)]
        unit = state.unit(acting)
        if stage == _MOVE and unit.pending:
            return [Opening("fall_back", (acting,), due=True)]
        found = [Opening(act, (acting,)) for act in self._possible(state, unit) if _ABLE[act](state, unit)]
        if found:
            beside = [act for act in _BESIDE[stage] if _ABLE[act](state, unit)]
            return [*found, *(Opening(act, (acting,)) for act in beside)]
        return [Opening("finish", (acting,), due=True)] if stage == _MELEE else []

    def _possible(self, state: Battle, unit: Unit) -> Items[str]:
        """Return the acts that a unit may do in the present stage of its activation."""
        if "idle" in unit.marks:
            return ()
        if state.stage == _MOVE:
            return _MOVE_STAGE if _MOVE in state.waiting and "no move" not in unit.marks else ()
        if state.stage == "fire":
            return () if "no fire" in unit.marks else _FIRE_STAGE
        return ("melee",) if _MELEE in state.waiting else ()

    def advance(self, state: Battle) -> None:
        """Move on to the next stage, without melee or morale if they are left out. Arrivals and cards cannot be."""
        if state.stage == _START:
            raise ZarebaError("the turn begins with the arrivals: throw their dice (PAY-065)")
        if state.stage == _CARD:
            raise ZarebaError("turn over the next card first (PAY-058)")
        if state.stage == _MELEE or (state.stage == _END and _to_check(state)):
            left_out = _to_check(state)
            state.waiting = [name for name in state.waiting if name not in (_MELEE, *left_out)]
            return
        state.moved_away = ()
        self.game.policy.advance(state, bool(state.cards.pile))
        _enter(state)

    def tidy(self, before: Battle, after: Battle, events: Items[Event]) -> None:
        """Bring every figure back to its place in the book; who has run stands away from its gun."""
        forced = {event.data["unit"] for event in events if event.kind == "forced move"}
        ran = {key for key in after.moved_away if key not in before.moved_away}
        ran |= {key for name in forced for key, man in after.unit(name).figures.items() if man.can_walk}
        touching = {key: foes for key, foes in _table(after).contacts.items() if key not in ran}
        gone = [key for key in touching if not after.figure(key).able]
        left = _apart_from(touching, {*gone, *ran})
        after.field = _table(before).told(left)
        for key, engine in list(after.engines.items()):
            if engine.at is not None and engine.at != _place_of(after, key):
                after.engines.change(key).at = _place_of(after, key)
        for name, unit in list(after.units.items()):
            if unit is before.units[name]:
                continue
            places = self._places(before, after, unit, ran)
            if any(unit.figures[key].at != at for key, at in places.items()):
                unit = after.change(name)
                for key, at in places.items():
                    unit.figures[key].at = at
                unit.measure()
        for key in [key for key, thing in after.things.items() if thing.at not in (None, _place_of(after, ""))]:
            after.change_thing(key).at = _place_of(after, "")

    def _places(self, before: Battle, after: Battle, unit: Unit, ran: Collection[str]) -> dict[str, Point]:
        """Return where the figures of a unit on the table stand in the book."""
        posts, home, found = _posts(after, unit), _place_of(after, unit.spec.id), {}
        guns = _own_guns(after, unit)
        own = {home, *(_behind(after, pair) for n in range(len(guns)) for pair in (guns[n : n + 1], guns[n : n + 2]))}
        for key, figure in unit.figures.items():
            was = before.figure(key)
            if figure.at is None:
                continue
            if was.at is None or figure.aboard:
                found[key] = posts[key]
            elif figure.at not in own:
                found[key] = home if key in ran or was.aboard else was.at
        return found

    def acting_side(self, state: Battle) -> str:
        return state.unit(state.acting).spec.side if state.acting else ""

    def headline(self, state: Battle) -> str:
        name = self.game.narrator.name_of
        whose = [f"{name(state.acting)} ({name(self.acting_side(state))})"] if state.acting else []
        return self.game.display.headline(state, *whose)

    def units(self, state: Battle, side: str) -> Items[str]:
        units = [key for key, unit in state.units.items() if unit.spec.side == side]
        return [*units, *(key for key, engine in state.engines.items() if engine.side == side)]

    def unit_line(self, state: Battle, unit: str) -> str:
        if unit in state.engines:
            return _engine_line(state, unit, state.engines[unit])
        one = state.unit(unit)
        if unit in state.arrivals:
            return f"to come from turn {state.arrivals[unit]}"
        if not one.has_able_figures:
            return "no able figure on the table"
        return ", ".join([*_unit_notes(state, one), f"card: {self._playing_card(unit)}"])

    def strength_boxes(self, state: Battle, unit: str) -> tuple[int, int]:
        if unit in state.engines:
            return int(state.engines[unit].at is not None), 1
        return len(state.unit(unit).able), len(state.unit(unit).spec.figures)

    def describe(self, state: Battle, question: Question) -> str:
        if isinstance(question, Roll) and question.why in ("who is hit", "which man is hit"):
            return f"{super().describe(state, question)} - by their order on the roster"
        return super().describe(state, question)

    def describe_card(self, question: Draw, card: str) -> str:
        said = super().describe_card(question, card)
        entry = self.game.book.cards.get(card)
        if question.why == "casualty card" and entry is not None:
            return f"{entry.cards}: {said}"
        return f"{said} ({self._playing_card(card)})" if question.why == "card" else said

    def card_named(self, question: Draw, typed: str) -> str | None:
        """Return the unit or the wound that a playing card stands for: 'queen of hearts', 'Q hearts' or 'qh'."""
        found = _PLAYING_CARD.fullmatch(typed.strip().lower())
        if found is None:
            return None
        rank = next(name for name in _RANKS if name == found[1] or (name[0] == found[1] and not name.isdecimal()))
        suit = next(name for name in _SUITS if name[0] == found[2][0])
        if question.why == "card":
            named = [unit for unit in self.game.plan.units if self._playing_card(unit) == f"{rank} of {suit}"]
            return next(iter(named), None)
        short = rank if rank.isdecimal() else rank[0].upper()
        return next((card for card, entry in self.game.book.cards.items() if _is_among(short, suit, entry.cards)), None)

    def _playing_card(self, unit: str) -> str:
        """Return the playing card of a unit, by its place in the list of units (PAY-046)."""
        number = list(self.game.plan.units).index(unit)
        pack, place = divmod(number, len(_RANKS) * len(_SUITS))
        suit, rank = divmod(place, len(_RANKS))
        return f"{_RANKS[rank]} of {_SUITS[suit]}" + (f", pack {pack + 1}" if pack else "")

    def describe_event(self, event: Event) -> str:
        by, target = event.data.get("by", ""), str(event.data.get("target", ""))
        if event.kind == "stayed":  # people move what the book leaves in its place
            gait = words().tables["gaits"][event.data["gait"]]
            return f"{self.game.narrator.name_of(by)} counts as {gait}" if by in self.game.plan.engines else ""
        if target.startswith(("the stretch", "whoever")):
            event = event._replace(data={**event.data, "target": "the figures on that stretch"})
        return super().describe_event(event)


def _is_among(rank: str, suit: str, cards: str) -> bool:
    """Return True if a playing card is among those of a result of the casualty deck: 'Q, J or 10 of clubs'."""
    ranks, _, suits = cards.partition(" of ")
    return rank in ranks.replace(",", " ").split() and suit in suits.split()


def _engine_line(battle: Battle, key: str, engine: Engine) -> str:
    """Return what the book says of a gun or conveyance."""
    if engine.at is None:
        return "not on the table"
    notes = ["jammed"] * engine.jammed + ["limbered"] * engine.limbered
    if engine.kind in ("gun", "machine_gun"):
        crew = crew_at(battle, engine)
        notes.append(f"{len(crew)} at it, {amount(gun_limit(battle, engine), 'shot')} a turn")
    else:
        notes.append(f"{len(engine.aboard)} aboard")
    return ", ".join(notes)


def _unit_notes(battle: Battle, unit: Unit) -> list[str]:
    """Return the state of a unit: leader, hits, orders, contacts, and its wounded by name."""
    leader = f"led by {unit.figures[unit.leader].spec.name}" if unit.leader in unit.figures else "no leader"
    notes = [f"{len(unit.able)} able", leader] if not unit.spec.single else ["able"]
    notes += [f"{amount(unit.hits, 'hit')} this turn"] if unit.hits else []
    notes += unit_states(unit)
    touched = sum(bool(_table(battle).contacts.get(man.spec.id)) for man in unit.able)
    notes += [f"{touched} in contact"] if touched else []
    down = sum(DOWN in man.marks for man in unit.able)
    notes += [f"{down} down"] if down else []
    for man in unit.able:
        if man.wounds:
            notes.append(f"{man.spec.name}: {join_with_and(wound.replace('_', ' ') for wound in man.wounds)}")
    return notes
