"""The Risk Factor at a real table: the acts of the rules, and the questions about each.

The book of the evening is a battle on an endless plain. Each group has its own place there, far from all others,
with the leaders who are with it. Groups in contact share a place, and the figures that touch an enemy stand in its
middle. Distances, cover and contact are laid out for each act as people describe them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from collections.abc import Sequence as Items
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, ClassVar

from annotated_types import Ge

from zareba.base.errors import ZarebaError
from zareba.base.exact import asind, dist
from zareba.base.grammar import amount
from zareba.companion import Asked, Choices, Companion, CompanionAct, Opening, Scene
from zareba.game import Game
from zareba.space.bearings import direction
from zareba.space.field.bodies import Body, FigureBlockers
from zareba.space.field.pieces import TerrainPiece
from zareba.space.geometry import Point
from zareba.space.lazy import Lazy
from zareba.space.moves import points_around
from zareba.table import Answer, Event, RecordedTable, Table
from zareba_rulesets.risk_factor.actions import ORDERS, give_order
from zareba_rulesets.risk_factor.book import Cover, Ground, RskBook
from zareba_rulesets.risk_factor.chapters.action_moves import (
    action_this_turn,
    carry_out_result,
    list_moves_and_charges,
)
from zareba_rulesets.risk_factor.chapters.action_throws import (
    RiskFacts,
    Snapshot,
    action_throws,
    risk_facts,
    surroundings,
    units_that_throw,
    update_works_mark,
)
from zareba_rulesets.risk_factor.chapters.charge import TOUCH, carry_out_charge
from zareba_rulesets.risk_factor.chapters.command import (
    COMMAND,
    LINK,
    CommandFacts,
    purchases,
    roll_for_character,
    spend,
)
from zareba_rulesets.risk_factor.chapters.groups import combine, may_combine
from zareba_rulesets.risk_factor.chapters.matching import Match, matches
from zareba_rulesets.risk_factor.chapters.melee import MeleeFacts, fight, find_fights
from zareba_rulesets.risk_factor.chapters.movement import full_move
from zareba_rulesets.risk_factor.chapters.prisoners import captors, dispatch
from zareba_rulesets.risk_factor.chapters.shooting import HOLD, shoot
from zareba_rulesets.risk_factor.chapters.targets import may_pick_figures, may_shoot
from zareba_rulesets.risk_factor.chapters.victory import check_after_throws
from zareba_rulesets.risk_factor.forces import (
    BACKWARD,
    Battle,
    Unit,
    action_table,
    arms_of,
    limits_of,
    longest_reach,
    missile_weapons,
)
from zareba_rulesets.risk_factor.game import RskGame
from zareba_rulesets.risk_factor.ground import NOTHING, PLAIN, Field, SightLine
from zareba_rulesets.risk_factor.presentation.words import unit_line
from zareba_rulesets.risk_factor.sequence import Sequence

_Scene = Scene
_APART = 1000.0
"""The distance in cm between the places of two groups, so that no weapon or order reaches from one to the other."""
_ROW, _STAGE = 2000.0, 6000.0
"""Where the groups rest, and where an act is laid out, in cm north of the south edge."""
_ASIDE = 500.0
"""How far figures stand off in a layout if they take no part."""
_REAR = 60.0
"""How far behind its fighters the rest of a group stands."""
_HAIR = 1e-6
"""Distances are laid out this much shorter, so that rounding never moves a figure into the next range."""
_DEEP = 8.0
"""The depth in cm of an ordinary group: if its nearest figure is so near the limit of a range, some may be beyond it."""
_FIGHTERS = 12
"""The most groups and leaders in one melee that the companion asks about."""
_FULL, _HALF = "full", "half"
_START, _THROW, _ATTACK, _PRISONERS, _FINISH = "start", "throw", "attack", "prisoners", "finish"
"""What waits in a stage that the whole side goes through at once."""
_NONE = ""


# --- The plain on which the book stands ---------------------------------------------------------------------------------


class _LinesOfFire(FigureBlockers):
    """Lines of fire that are free, except to the figures that people do not see."""

    __slots__ = ("_unseen",)

    def __init__(self, unseen: Collection[Point]) -> None:
        super().__init__((), 0.0, False)
        self._unseen = unseen

    def hide(self, here: Point, own: float, there: Point, wide: float) -> bool:
        return there in self._unseen


class RealTable(Field):
    """The ground of a battle on a real table: open, and everything is in sight and can hear orders.

    People see and measure. A layout works on a fresh copy and says what is different: `cover` of a body, bodies that
    are `blind` or `in_fieldworks`, the only body `in_sight`, figures that are `unseen`, the leaders who are
    `heard`, and whether an `obstacle` lies between the fighters of a melee. `has_no_room` says where a figure cannot go
    back.
    """

    def __init__(
        self, book: RskBook, width: float, depth: float, pieces: Mapping[str, TerrainPiece[Ground]] | None = None
    ) -> None:
        super().__init__(book, width, depth, pieces or {})
        self.cover: dict[Body, Cover] = {}
        self.blind: set[Body] = set()
        self.in_sight: Body | None = None
        self.in_fieldworks: set[Body] = set()
        self.unseen: set[Point] = set()
        self.has_no_room: Callable[[Point], bool] = lambda end: False
        self.heard: set[Body] | None = None
        self.obstacle = False
        self.views = Lazy(self._view)
        self.figure_blockers = Lazy(lambda _: _LinesOfFire(self.unseen))
        self.shelters = Lazy(lambda body: ((),) * (len(body) if body in self.cover else 0))
        self.sheltered = Lazy(lambda body: body in self.cover)
        self.in_works = Lazy(lambda body: body in self.in_fieldworks)

    def fresh(self, pieces: Mapping[str, TerrainPiece[Ground]] | None = None, size: float = 0.0) -> RealTable:
        """Return a new plain for a layout; with `pieces`, a smaller one that has them."""
        return RealTable(self.book, size or self.width, size or self.depth, pieces)

    def _view(self, key: tuple[Body, Body]) -> SightLine:
        looker, seen = key
        return NOTHING if looker in self.blind or self.in_sight not in (None, seen) else PLAIN

    def cover_of(self, body: Body, index: int, seen_from: Point | None) -> Cover:
        return self.cover.get(body, "open")

    def all_in_cover(self, body: Body, seen_from: Point | None) -> bool:
        return body in self.cover

    def within_command(self, leader: Body, body: Body, shorter: float, longer: float) -> tuple[bool, ...]:
        return (self.heard is None or leader in self.heard,) * len(body)

    def barrier_between(self, a: Point, b: Point) -> bool:
        return self.obstacle

    def on_table(self, point: Point) -> bool:
        return super().on_table(point) and not self.has_no_room(point)


def _table(battle: Battle) -> RealTable:
    assert isinstance(battle.field, RealTable), "the companion's battles stand on the plain"
    return battle.field


# --- Where units stand in the book: leaders with their groups, and units in contact -----------------------------------------------


_Melee = dict[str, int]
"""The units in contact with each other, each with the number of its figures that touch an enemy."""


def _stand(unit: Unit, points: Items[Point]) -> None:
    unit.body = Body(tuple(points), unit.body.radius)


def _hosts(battle: Battle) -> dict[str, str]:
    """Return the group with which each leader on the table is, "" for none."""
    found = {}
    for unit in battle.units.values():
        if unit.is_on_table and unit.spec.leader:
            host = battle.host(unit)
            found[unit.id] = host.id if host is not None else _NONE
    return found


def _melees(battle: Battle, among: Collection[str] | None = None) -> list[_Melee]:
    """Return the units in contact with each other, in the present positions."""
    found: list[_Melee] = []
    for unit in battle.units.values():
        if not unit.is_on_table or (among is not None and unit.id not in among):
            continue
        enemies = battle.enemies_in_contact(unit)
        if enemies:
            melee = {one.id: len(battle.figures_in_contact(one)) for one in (unit, *enemies)}
            found = _joined(found, melee)
    return found


def _joined(melees: Items[_Melee], melee: _Melee) -> list[_Melee]:
    """Return melees with another one, which takes in those that have a unit of it."""
    apart = [one for one in melees if not one.keys() & melee.keys()]
    merged = dict(melee)
    for one in melees:
        if one.keys() & melee.keys():
            merged = {**one, **merged}
    return [*apart, merged]


def _put(battle: Battle, hosts: Mapping[str, str], melees: Items[_Melee]) -> None:
    """Put every unit at its place on the plain."""
    field, number = _table(battle), {name: place for place, name in enumerate(battle.units, start=1)}
    widest = max((unit.body.radius for unit in battle.units.values()), default=0.0)
    units = [unit for unit in battle.units.values() if unit.is_on_table]
    places = {name: _APART * number[min(melee, key=number.__getitem__)] for melee in melees for name in melee}
    for melee in melees:
        leaders = [name for name in melee if hosts.get(name, _NONE) in places.keys() - melee.keys()]
        if leaders:  # he fights one enemy, and his group another
            places |= dict.fromkeys(melee, places[hosts[leaders[0]]] + 2 * widest + 0.5)
    places |= {host: places[name] for name, host in hosts.items() if name in places and host not in places and host}
    engaged = {name: count for melee in melees for name, count in melee.items()}
    rears: dict[str, Point] = {}
    for unit in sorted(units, key=lambda unit: bool(unit.spec.leader)):
        host = hosts.get(unit.id, _NONE) if unit.spec.leader else _NONE
        ahead = -1.0 if unit.spec.side == battle.order[0] else 1.0
        x, y = places.get(unit.id, _APART * number[unit.id]), _ROW
        count = min(unit.count, engaged.get(unit.id, 0))
        unit.joins = host
        if unit.spec.leader and host in rears and not count:
            x, y = rears[host]
            if battle.units[host].count == engaged.get(host, 0):
                y += ahead * (unit.body.radius + widest + 0.3)  # beside his group, and out of contact
            _stand(unit, [(x + number[unit.id] / 100, y)])
            continue
        if unit.id in places and not count:  # only its leader is in contact
            y += ahead * (unit.body.radius + widest + 0.3)
        behind = (x, y + ahead * _REAR) if count else (x, y)
        _stand(unit, [(x, y)] * count + [behind] * (unit.count - count))
        rears[unit.id] = behind if count < unit.count else (x, y)
    for captives in battle.captives:
        captor = battle.units[captives.captor]
        at = rears.get(captives.captor, captor.body.centre)
        captives.body = Body((at,) * captives.count, captives.body.radius)
    field.throng = None


def book_of(start: Battle, battle: Battle) -> Battle:
    """Return a battle of play as it stands in the book that began with `start`: without its distances."""
    book = battle.copy()
    hosts, melees = _hosts(battle), _melees(battle)
    book.field = start.field
    _put(book, hosts, melees)
    return book


# --- Who may do what ------------------------------------------------------------------------------------------------------


def _nobody(battle: Battle) -> list[str]:
    return []


def _names(battle: Battle, units: Items[Unit]) -> Choices:
    return {unit.id: unit.spec.name for unit in units}


def _own(battle: Battle) -> list[str]:
    return [unit.id for unit in battle.of(battle.side)]


def _character(battle: Battle) -> Unit:
    """Return the Player Character whose turn it is to command."""
    return battle.units[battle.waiting[0]]


def _has_thrown(battle: Battle) -> bool:
    return battle.phase == "command" and bool(battle.waiting) and battle.waiting[0] in battle.linked


def _links(battle: Battle) -> list[Unit]:
    """Return the leaders who pass on orders now, the Player Character first."""
    pc = _character(battle)
    others = [name for name, own in battle.linked.items() if own == pc.id and name != pc.id]
    return [pc, *(battle.units[name] for name in others if battle.units[name].is_on_table)]


def _purchases(kind: str, battle: Battle) -> list[str]:
    """Return the leaders that the points can link, or the groups that they can command."""
    if not _has_thrown(battle):
        return []
    found = purchases(battle, _character(battle), _links(battle))
    return [str(one[1]) for one in found if isinstance(one, tuple) and one[0] == kind]


def _obeys(battle: Battle) -> list[str]:
    """Return the units that are free to obey and have not moved yet."""
    if battle.phase != "move":
        return []
    return [name for name in battle.waiting if "free" in battle.units[name].marks and battle.units[name].is_on_table]


def _bound(battle: Battle) -> list[str]:
    """Return the units whose Action result moves them next: routers first, then those who retreat (RSK-038)."""
    if battle.phase != "move":
        return []
    units = [battle.units[name] for name in battle.waiting]
    bound = [unit for unit in units if unit.is_on_table and "free" not in unit.marks and _goes(battle, unit)]
    for action in ("rout", "retreat"):
        if first := [unit.id for unit in bound if action_this_turn(unit) == action]:
            return first
    return [unit.id for unit in bound]


def _goes(battle: Battle, unit: Unit) -> bool:
    """Return True if a result moves a unit. In contact, only Retreat and Rout do (RSK-146)."""
    return action_this_turn(unit) in ("rout", "retreat") or not battle.enemies_in_contact(unit)


def _chargers(battle: Battle) -> list[str]:
    if battle.phase != "charge":
        return []
    units = [battle.units[name] for name in battle.waiting]
    return [u.id for u in units if u.is_on_table and not u.spec.support and not battle.enemies_in_contact(u)]


def _charged(battle: Battle, charger: str) -> list[str]:
    """Return the enemies that a unit may charge: the one that it was ordered to, or any on the table."""
    unit = battle.units[charger]
    ordered = battle.units.get(unit.target)
    if ordered is not None and ordered.is_on_table:
        return [ordered.id]
    return _targets(battle, charger)


def _targets(battle: Battle, unit: str) -> list[str]:
    """Return the enemy units. A leader with a group is one of its figures (RSK-048, RSK-105)."""
    return [enemy.id for enemy in battle.against(battle.units[unit].spec.side) if battle.is_a_unit(enemy)]


def _shooters(battle: Battle) -> list[str]:
    able = []
    for unit in battle.of(battle.side):
        alone = not unit.spec.leader or may_pick_figures(battle, unit) or battle.host(unit) is None
        if (
            alone
            and may_shoot(battle, unit)
            and _reach(battle, unit)
            and len(battle.figures_in_contact(unit)) < unit.count
        ):
            able.append(unit.id)
    return able


def _shot_at(battle: Battle, shooter: str) -> list[str]:
    """Return the units that may be shot at. A Player Character may pick out a leader (RSK-087, RSK-104)."""
    if may_pick_figures(battle, battle.units[shooter]):
        return [enemy.id for enemy in battle.against(battle.units[shooter].spec.side)]
    return _targets(battle, shooter)


def _fights(battle: Battle) -> list[str]:
    """Return a unit of each melee that is still to be fought: the first of the active side."""
    if battle.phase != "melee":
        return []
    found = []
    for melee in battle.waiting:
        names = [name for name in melee.split("+") if battle.units[name].is_on_table]
        sides = [battle.units[name].spec.side for name in names]
        if len(set(sides)) == 2:
            found.append(names[sides.index(battle.side)])
    return found


def _weak(battle: Battle) -> list[str]:
    if battle.phase != "settle":
        return []
    return [group.id for group in battle.groups(battle.side) if _similar(battle, group.id)]


def _similar(battle: Battle, weak: str) -> list[str]:
    """Return the groups that a weak group may join (RSK-047)."""
    unit = battle.units[weak]
    return [
        other.id for other in battle.groups(unit.spec.side) if other is not unit and may_combine(battle, unit, other)
    ]


def _leaders(battle: Battle) -> list[str]:
    return [unit.id for side in battle.order for unit in battle.of(side) if unit.spec.leader]


def _groups_for(battle: Battle, leader: str) -> list[str]:
    unit = battle.units[leader]
    host = battle.host(unit)
    return [group.id for group in battle.groups(unit.spec.side) if group is not host]


def _with_groups(battle: Battle) -> list[str]:
    return [name for name, host in _hosts(battle).items() if host]


def _apart(battle: Battle) -> list[str]:
    return [unit.id for side in battle.order for unit in battle.of(side) if _not_met(battle, unit.id)]


def _not_met(battle: Battle, unit: str) -> list[str]:
    """Return the enemies with which a unit is not in contact."""
    met = [enemy.id for enemy in battle.enemies_in_contact(battle.units[unit])]
    return [enemy for enemy in _targets(battle, unit) if enemy not in met]


def _in_contact(battle: Battle) -> list[str]:
    return [unit.id for side in battle.order for unit in battle.of(side) if battle.enemies_in_contact(unit)]


def _reach(battle: Battle, unit: Unit) -> int:
    """Return the longest range of a unit in cm, 0 without missiles."""
    return longest_reach(battle, unit)


# --- Questions about command -----------------------------------------------------------------------------------------


def _leaders_who_may_fire(battle: Battle, scene: _Scene) -> Choices:
    """Return the leaders who could load or fire themselves, which costs a die (RSK-053)."""
    leaders = [unit for unit in battle.of(battle.side) if unit.spec.leader and longest_reach(battle, unit)]
    return _names(battle, [unit for unit in leaders if not unit.marks & {"busy", "linked"}])


def _through(battle: Battle, scene: _Scene) -> Choices:
    return _names(battle, _links(battle))


def _hear(battle: Battle, scene: _Scene) -> None:
    """Let only one leader be in command distance of a unit (RSK-055, RSK-063)."""
    field = _table(battle).fresh()
    field.heard = {battle.units[scene["through"]].body}
    battle.field = field


# --- Questions about the Risk Factors of a side ------------------------------------------------------------------------


def _throwers(battle: Battle, but: Collection[str] = ()) -> list[Unit]:
    return [unit for unit in units_that_throw(battle, battle.side) if unit.id not in but]


def _all_throwers(battle: Battle, scene: _Scene) -> Choices:
    return _names(battle, _throwers(battle))


def _see_friends(battle: Battle, scene: _Scene) -> Choices:
    """Return the units that see no enemy, if any friends go back (RSK-114)."""
    return {name: word for name, word in _near_friends(battle, scene).items() if name in scene["no_enemy"]}


def _seers(battle: Battle, scene: _Scene) -> Choices:
    """Return the units that see an enemy."""
    return _names(battle, _throwers(battle, scene["no_enemy"]))


def _covered(battle: Battle, scene: _Scene) -> Choices:
    """Return the units in cover that may stand in works."""
    covered = [unit for unit in _throwers(battle) if unit.id in scene["in_cover"]]
    return _names(battle, [unit for unit in covered if "charger" not in unit.marks])


def _in_enemy_range(battle: Battle, scene: _Scene) -> Choices:
    """Return the units that see an enemy, if weapons could reach them (RSK-118)."""
    own = battle.book.settings.rf_in_range_of == "own_weapon"
    enemies = any(_reach(battle, enemy) for enemy in battle.against(battle.side))
    seers = _throwers(battle, scene["no_enemy"])
    return _names(battle, [unit for unit in seers if (_reach(battle, unit) if own else enemies)])


def _raw(battle: Battle, scene: _Scene) -> Choices:
    """Return raw units that are not in clear sight of an enemy in range (RSK-119)."""
    open_to = _in_enemy_range(battle, scene)
    raw = [unit for unit in _throwers(battle, scene["in_range"]) if unit.spec.troop_class == "raw"]
    return _names(battle, [unit for unit in raw if unit.id in open_to])


def _near_friends(battle: Battle, scene: _Scene) -> Choices:
    """Return the units that have friends who go back (RSK-122)."""
    back = [unit.id for unit in battle.groups(battle.side) if unit.status in BACKWARD]
    return _names(battle, [unit for unit in _throwers(battle) if [name for name in back if name != unit.id]])


def _natives(battle: Battle, scene: _Scene) -> Choices:
    """Return the natives, if the enemy has cavalry (RSK-123)."""
    cavalry = any(e.spec.cavalry and e.mounted and not e.spec.leader for e in battle.against(battle.side))
    return _names(battle, [unit for unit in _throwers(battle) if unit.spec.native and cavalry])


def _near_hero(battle: Battle, scene: _Scene) -> Choices:
    """Return the units that have no Hero by the book, if the side has one (RSK-115)."""
    heroes = [unit for unit in battle.of(battle.side) if unit.spec.troop_class == "hero"]
    around = surroundings(battle, battle.side)
    return _names(battle, [u for u in _throwers(battle) if heroes and not risk_facts(battle, u, around).hero])


def _maybe_better(battle: Battle, scene: _Scene) -> Choices:
    """Return the units that see an enemy, if superior quality depends on the enemies they see (RSK-016)."""
    relative = battle.book.settings.rf_superior == "relative"
    return _names(battle, _throwers(battle, scene["no_enemy"]) if relative else [])


def _platoons(battle: Battle, scene: _Scene) -> Choices:
    """Return the platoons whose squads may throw as one (RSK-147)."""
    squads: dict[str, list[Unit]] = {}
    for unit in battle.groups(battle.side):
        if unit.spec.platoon:
            squads.setdefault(unit.spec.platoon, []).append(unit)
    shared = battle.book.settings.actions_platoon_roll != "off"
    may = [
        label
        for label, units in squads.items()
        if shared and len(units) > 1 and not any("commanded" in u.marks or not u.spec.formed for u in units)
    ]
    return {label: scene.game.narrator.name_of(label) for label in may}


def _draw_up(battle: Battle, squads: Items[Unit], at: Point) -> None:
    """Bring the squads of a platoon together in a file from a point, each with its own leaders (RSK-147)."""
    (x, y), gap = at, battle.book.lengths["platoon"] - 2 * TOUCH
    with_them = [battle.leaders_with(unit) for unit in squads]
    for unit, leaders in zip(squads, with_them, strict=True):
        _stand(unit, [(x, y)] * unit.count)
        for number, leader in enumerate(leaders):
            beside = unit.body.radius + leader.body.radius + 2.0  # with this group only
            _stand(leader, [(x + beside, y + number / 100)])
        y -= gap + 2 * unit.body.radius


def _ranks(battle: Battle) -> list[tuple[Unit, Unit]]:
    """Return the leaders who keep a platoon together, each with his group, those who are no Heroes first."""
    able = [u for u in battle.of(battle.side) if u.spec.leader and not u.spec.musician and not u.spec.non_combatant]
    found = [(unit, host) for unit in able if (host := battle.host(unit)) is not None]
    return sorted(found, key=lambda pair: pair[0].spec.troop_class == "hero")


def _lay_out_throws(battle: Battle, scene: _Scene) -> None:
    """Set what units see, their cover and works, and bring the squads of a platoon together."""
    _put(battle, _hosts(battle), ())
    platoons = [[u for u in battle.groups(battle.side) if u.spec.platoon == label] for label in scene["platoons"]]
    led = [any(host is squad for _, host in _ranks(battle) for squad in squads) for squads in platoons]
    for squads, has_leader in zip(platoons, led, strict=True):
        if has_leader:
            _draw_up(battle, squads, squads[0].body.centre)
    for squads, has_leader in zip(platoons, led, strict=True):
        if not has_leader and (ranks := _ranks(battle)):
            leader, _ = ranks[0]
            (x, y), near = leader.body.at[0], battle.book.lengths["platoon"] - 2 * TOUCH
            _draw_up(battle, squads, (x, y - leader.body.radius - near - squads[0].body.radius))
    field = _table(battle).fresh()
    bodies = {unit.id: unit.body for unit in battle.of(battle.side)}
    field.blind = {bodies[name] for name in scene["no_enemy"]}
    field.cover = {bodies[name]: "soft" for name in scene["in_cover"]}
    in_works = [battle.units[name] for name in scene["works"]]
    with_them = [leader for unit in in_works if not unit.spec.leader for leader in battle.leaders_with(unit)]
    field.in_fieldworks = {unit.body for unit in (*in_works, *with_them)}
    battle.field = field


def _throw(table: Table, battle: Battle, scene: _Scene) -> None:
    """Throw for the whole side on the Risk Factors that people and the book give (RSK-113, RSK-127)."""
    around, snapshots = surroundings(battle, battle.side), []
    for unit in battle.of(battle.side):
        update_works_mark(battle, unit)
    for unit in units_that_throw(battle, battle.side):
        name, known = unit.id, risk_facts(battle, unit, around)
        told = {fact: name in scene[fact] for fact in ("in_cover", "in_range", "flank", "friends", "cavalry")}
        found = replace(
            known,
            nothing_in_view=name in scene["no_enemy"] and name not in scene["sees_friends"],
            hero=known.hero or name in scene["hero"],
            superior=name in scene["superior"] if battle.book.settings.rf_superior == "relative" else known.superior,
            raw_in_range=unit.spec.troop_class == "raw" and name in {*scene["in_range"], *scene["raw_in_range"]},
            **told,
        )
        risk = table.tally("risk_factor", found, unit).total
        back = unit.action in ("retreat", "rout")
        snapshots.append(Snapshot(unit, found, risk, action_table(battle, unit), back))
    action_throws(table, battle, snapshots)
    check_after_throws(table, battle)
    battle.waiting = [_ATTACK] if _advancing(battle) else []


def _advancing(battle: Battle) -> list[Unit]:
    """Return the close-combat troops that come on and attack if an enemy in sight is near enough (RSK-138)."""
    able = [
        u for u in units_that_throw(battle, battle.side) if "free" not in u.marks and action_this_turn(u) == "advance"
    ]
    return [u for u in able if action_table(battle, u) == "melee" and not battle.enemies_in_contact(u)]


def _who_advances(battle: Battle, scene: _Scene) -> Choices:
    return _names(battle, _advancing(battle))


def _near_text(battle: Battle, scene: _Scene) -> str:
    """The units that advance on an enemy in sight and near enough to attack."""
    return f"Which of these advance on an enemy in sight within {battle.book.lengths['advance_to_attack']:g} cm?"


def _attack(table: Table, battle: Battle, scene: _Scene) -> None:
    """Turn the advance of units near the enemy into an attack (RSK-138)."""
    battle.waiting = []
    for name in scene["near"]:
        battle.units[name].result = "attack"


# --- Questions about moves ---------------------------------------------------------------------------------------------


def _enemies_or_none(battle: Battle, scene: _Scene) -> Choices:
    enemies = [battle.units[name] for name in _targets(battle, scene.actor)]
    return {_NONE: "none in sight", **_names(battle, enemies)}


def _acts_as(*actions: str) -> Callable[[Battle, _Scene], bool]:
    """Return a test: the result of the actor is one of these actions."""
    return lambda battle, scene: action_this_turn(battle.units[scene.actor]) in actions


def _distance_matters(battle: Battle, scene: _Scene) -> bool:
    return bool(scene.answers.get("enemy")) and action_this_turn(battle.units[scene.actor]) in ("advance", "rout")


def _captor_is_known(battle: Battle, scene: _Scene) -> bool:
    return bool(scene.answers.get("enemy")) and action_this_turn(battle.units[scene.actor]) == "rout"


def _enemy_text(battle: Battle, scene: _Scene) -> str:
    """The nearest enemy in sight."""
    unit = battle.units[scene.actor]
    return f"{{actor}} must {_WILL[action_this_turn(unit)]}. Which enemy in sight is nearest?"


_WILL = {
    "advance": "come on", "retreat": "retreat", "rout": "rout", "halt_in_cover": "halt in cover", "march": "march on",
    "attack": "attack", "halt": "halt",
}  # fmt: skip


def _figures_over(battle: Battle, scene: _Scene, count: float) -> int:
    return _at_most(battle.units[scene.actor].count, count)


def _at_most(most: int, count: float) -> int:
    """Return a number of figures. Raises ZarebaError if there are not so many."""
    if count > most or count != int(count):
        raise ZarebaError(f"there {'is' if most == 1 else 'are'} {amount(most, 'figure')}, not {count:g}")
    return int(count)


def _file(unit: Unit, at: Point) -> list[Point]:
    """Return the figures of a unit one behind another, the first at a point."""
    step = 2 * unit.body.radius + 0.5
    return [(at[0], at[1] - step * number) for number in range(unit.count)]


def _set_apart(battle: Battle, unit: Unit, at: Point) -> list[Unit]:
    """Take a unit to the place of a layout, in a file that faces north, with the leaders who are with it."""
    companions = [] if unit.spec.leader else battle.leaders_with(unit)
    _stand(unit, _file(unit, at))
    unit.facing = 0.0
    for number, leader in enumerate(companions, start=1):
        aside = unit.body.radius + leader.body.radius + 1.0
        _stand(leader, [(at[0] - aside - number / 100, at[1])])
    return companions


def _ahead(battle: Battle, unit: Unit, enemy: Unit, cm: float) -> None:
    """Put an enemy so far north of a unit."""
    (x, y), room = unit.body.at[0], unit.body.radius + enemy.body.radius
    companions = [] if enemy.spec.leader else battle.leaders_with(enemy)
    _stand(enemy, [(x, y + room + cm - _HAIR)] * enemy.count)
    for number, leader in enumerate(companions, start=1):
        _stand(leader, [(x + number / 100, y + room + cm + 1.0)])


def _lay_out_result(battle: Battle, scene: _Scene) -> None:
    """Put the nearest enemy, cover, a goal and the table edge where people see them."""
    unit = battle.units[scene.actor]
    pieces: dict[str, TerrainPiece[Ground]] = {}
    over = scene["over"]
    at = (_ASIDE, _STAGE) if not (scene["cover"] or scene["surrounded"]) else (_ASIDE / 2, _ASIDE / 2)
    _set_apart(battle, unit, at)
    enemy = battle.units.get(scene["enemy"])
    if scene["surrounded"]:
        _stand(unit, [at] * unit.count)
    if enemy is not None:
        _ahead(battle, unit, enemy, scene["distance"] if scene["distance"] is not None else full_move(battle, unit))
    if unit.result == "towards" and enemy is None:
        unit.result = "continue"
        unit.action = action_this_turn(unit)
    if over:
        _stand(unit, [*unit.body.at[: unit.count - over], *[(at[0], 0.5)] * over])
    if action_this_turn(unit) == "march" and scene["goal"] is not None:
        x, y = unit.body.centre
        unit.goal = (x - scene["goal"], y)
    grounds = battle.book.file.grounds
    if scene["cover"]:
        x, y = unit.body.centre[0] + scene["cover"] - unit.body.radius, unit.body.centre[1]
        pieces["cover"] = TerrainPiece.area("cover", grounds["bush"], _square((x, y), 50.0))
    if scene["surrounded"]:
        ring = [*points_around(at, full_move(battle, unit) / 2, 0.0, range(0, 361, 30))]
        pieces["enemies"] = TerrainPiece.line("enemies", grounds["high_wall"], tuple(ring))
    field = _table(battle).fresh(pieces, _ASIDE if pieces else 0.0)
    field.in_sight = enemy.body if enemy is not None else unit.body
    battle.field = field


def _square(west: Point, wide: float) -> tuple[Point, ...]:
    """Return a square to the east of the middle of its west side."""
    (x, y), half = west, wide / 2
    return (x, y - half), (x + wide, y - half), (x + wide, y + half), (x, y + half)


def _carry_out(table: Table, battle: Battle, scene: _Scene) -> None:
    _done(battle, scene.actor)
    unit = battle.units[scene.actor]
    goal = battle.units[scene.actor].goal
    carry_out_result(table, battle, unit)
    unit.goal = goal if unit.goal is not None else None


def _orders(battle: Battle, scene: _Scene) -> Choices:
    """Return the orders that a unit may get, in words for people who move the figures."""
    unit = battle.units[scene.actor]
    if battle.enemies_in_contact(unit):
        return {"hold": "fight on", "withdraw": "withdraw"}
    enemies = bool(battle.against(unit.spec.side))
    may_charge = enemies and not unit.spec.support and not unit.spec.civilian
    orders = {"hold": "stay (and load, if it must)"}
    orders |= {"charge": "charge"} if may_charge else {}
    orders |= {"advance": "move nearer to an enemy"} if enemies else {}
    orders |= {"march": "move, no nearer to an enemy", "withdraw": "move straight away from the enemy"}
    if unit.spec.can_dismount:
        orders |= {"dismount": "dismount"} if unit.mounted else {"mount": "mount"}
    return orders


def _ordered(*orders: str) -> Callable[[Battle, _Scene], bool]:
    """Return a test: the order is one of these."""
    return lambda battle, scene: scene.answers.get("order") in orders


def _moves_by_order(battle: Battle, scene: _Scene) -> bool:
    return scene.answers.get("order") in ("advance", "march", "withdraw")


def _leader_moves(battle: Battle, scene: _Scene) -> bool:
    return bool(battle.units[scene.actor].spec.leader) and _moves_by_order(battle, scene)


def _may_be_with(battle: Battle, scene: _Scene) -> Choices:
    return {_NONE: "none", **_names(battle, battle.groups(battle.units[scene.actor].spec.side))}


def _charge_targets(battle: Battle, scene: _Scene) -> Choices:
    return _names(battle, [battle.units[name] for name in _targets(battle, scene.actor)])


def _lay_out_order(battle: Battle, scene: _Scene) -> None:
    """Put an enemy in reach of an order to charge, or far ahead for a move towards or away from him."""
    unit = battle.units[scene.actor]
    met = battle.enemies_in_contact(unit)
    _set_apart(battle, unit, (_ASIDE, _STAGE))
    enemies = [battle.units[name] for name in _targets(battle, scene.actor)]
    field = _table(battle).fresh()
    if met:
        for enemy in met[:1]:
            _ahead(battle, unit, enemy, TOUCH)
    elif scene["order"] == "charge":
        _ahead(battle, unit, battle.units[scene["enemy"]], 1.0)
    elif scene["order"] in ("advance", "withdraw") and enemies:
        _ahead(battle, unit, enemies[0], _ASIDE)
    else:
        field.blind = {unit.body}
    battle.field = field


def _obey(table: Table, battle: Battle, scene: _Scene) -> None:
    """Carry out an order. A leader then stands with the group that people name."""
    _done(battle, scene.actor)
    unit = battle.units[scene.actor]
    give_order(table, battle, unit, scene.game.plan)
    host = battle.units.get(scene["host"])
    if host is not None and unit.spec.leader and "moved" in unit.marks:
        _stand(unit, [host.body.at[-1]])


def _wanted_order(battle: Battle, scene: _Scene, question: Any) -> Answer:
    """Return the order that people gave."""
    orders, verb = ORDERS.for_session(battle.book.rules), scene["order"]
    found = [one for one in question.options if (order := orders.action_of(one)) is not None and order.verb == verb]
    return found[0] if found else question.options[0]


def _pace(battle: Battle, scene: _Scene, question: Any) -> Answer:
    return scene["pace"] if scene["pace"] in question.options else question.options[0]


def _destination(battle: Battle, scene: _Scene, question: Any) -> Answer:
    """Return a point to the west: at the end of the move if the unit arrives there, else beyond it."""
    unit = battle.units[scene.actor]
    cm = full_move(battle, unit) * (1.0 if scene["pace"] == _FULL else 0.5)
    x, y = unit.body.centre
    return (x - (cm if scene["arrives"] else cm + 100.0), y)


def _rest_of_move(battle: Battle, scene: _Scene, question: Any) -> Answer:
    return "march" if scene["goes_on"] else "hold"


def _keep_facing(battle: Battle, scene: _Scene, question: Any) -> Answer:
    return question.options[0]


# --- Questions about charges -------------------------------------------------------------------------------------------


_COLUMN = 120.0
"""The distance between the columns of a layout, so that no figure reaches from one to another."""


def _comes_home(battle: Battle, scene: _Scene, events: Items[Event]) -> bool:
    return any(event.kind == "charge" for event in events)


def _step_round(unit: Unit, enemy: Unit) -> float:
    """Return the degrees between two figures of a unit that touch the same enemy."""
    return 2 * asind(unit.body.radius / (unit.body.radius + enemy.body.radius)) + 1.0


def _most_in_contact(battle: Battle, scene: _Scene, count: float) -> int:
    unit, enemy = battle.units[scene.actor], battle.units[scene.target]
    most = min(battle.book.settings.melee_max_contact, int(360 / _step_round(unit, enemy)))
    return _at_most(min(unit.count, enemy.count * most), count)


def _lay_out_charge(battle: Battle, scene: _Scene) -> None:
    """Put the enemy at the distance of the charge, and as many figures as come into contact each before an enemy."""
    unit, enemy, cm = battle.units[scene.actor], battle.units[scene.target], max(scene["distance"], TOUCH)
    unit.target = enemy.id
    companions = _set_apart(battle, unit, (_ASIDE, _STAGE))
    count = scene["contact"]
    if count is None:
        _ahead(battle, unit, enemy, cm)
        battle.field = _table(battle).fresh()
        return
    columns = [_ASIDE + _COLUMN * number for number in range(enemy.count)]
    _stand(enemy, [(x, _STAGE) for x in columns])
    room, step = unit.body.radius + enemy.body.radius, _step_round(unit, enemy)
    order = sorted(range(unit.count), key=lambda index: unit.hurt[index])  # the wounded fall behind (RSK-072)
    places: dict[int, Point] = {}
    for number, index in enumerate(order):
        place, column = number // len(columns), columns[number % len(columns)]
        dx, dy = direction(180.0 + (place + 1) // 2 * step * (-1 if place % 2 else 1))
        away = room + (min(cm, 1.0) if unit.hurt[index] else cm) - _HAIR
        places[index] = (column + dx * away, _STAGE + dy * away)
        if number >= count:
            places[index] = (columns[0], _STAGE - _ASIDE - 3 * unit.body.radius * number)
    _stand(unit, [places[index] for index in range(unit.count)])
    last = places[order[-1]]
    for number, leader in enumerate(companions, start=1):
        x, y = last
        _stand(leader, [(x - number / 100, y - unit.body.radius - leader.body.radius - 1.0)])
    battle.field = _table(battle).fresh()


def _charge(table: Table, battle: Battle, scene: _Scene) -> None:
    _done(battle, scene.actor)
    carry_out_charge(table, battle, battle.units[scene.actor])


# --- Questions about shooting ------------------------------------------------------------------------------------------


def _is_group(battle: Battle, scene: _Scene) -> bool:
    return battle.units[scene.actor].count > 1


def _shooting_weapon(battle: Battle, unit: Unit) -> str:
    """Return the weapon of a unit with the longest range."""
    return max(missile_weapons(battle, unit), key=lambda weapon: limits_of(battle, unit, weapon)[-1])


def _next_limit(battle: Battle, scene: _Scene) -> int | None:
    """Return the limit of the range at which the nearest figure shoots, if farther ranges follow."""
    unit = battle.units[scene.actor]
    limits = limits_of(battle, unit, _shooting_weapon(battle, unit))
    return next((limit for limit in limits[:-1] if scene["distance"] <= limit), None)


def _some_are_farther(battle: Battle, scene: _Scene) -> bool:
    limit = _next_limit(battle, scene)
    return _is_group(battle, scene) and limit is not None and scene["distance"] > limit - _DEEP


def _farther_text(battle: Battle, scene: _Scene) -> str:
    """The number of figures that shoot from beyond the first range."""
    return f"How many of the others shoot from more than {_next_limit(battle, scene)} cm?"


def _in_reach(battle: Battle, scene: _Scene, cm: float) -> float:
    """Return a distance. Raises ZarebaError if no weapon reaches so far (RSK-029)."""
    unit = battle.units[scene.actor]
    reach = _reach(battle, unit)
    if cm > reach:
        raise ZarebaError(f"{unit.spec.name} reaches {reach} cm, not {cm:g} (RSK-029)")
    return float(cm)


def _figures_of_actor(battle: Battle, scene: _Scene, count: float) -> int:
    return _at_most(battle.units[scene.actor].count, count)


def _figures_of_target(battle: Battle, scene: _Scene, count: float) -> int:
    return _at_most(battle.units[scene.target].count, count)


def _figures_differ(battle: Battle, scene: _Scene) -> bool:
    """Return True if it matters which figures of a target are in sight: some are wounded, or leaders are with them."""
    target = battle.units[scene.target]
    wounded = any(target.hurt) and not all(target.hurt)
    return target.count > 1 and (wounded or (not target.spec.leader and bool(battle.leaders_with(target))))


def _picks(battle: Battle, scene: _Scene) -> bool:
    target = battle.units[scene.target]
    wounded = any(target.hurt) and not all(target.hurt)
    return wounded and may_pick_figures(battle, battle.units[scene.actor])


def _shooting_first(battle: Battle, unit: Unit, weapon: str) -> list[int]:
    """Return the figures of a unit in the order in which people count them as shooters: those with its weapon first,
    then the unhurt.
    """

    def rank(index: int) -> tuple[bool, bool, int]:
        carries = unit.armed[index] and arms_of(battle, unit, index).weapon == weapon
        return not carries, unit.hurt[index], index

    return sorted(range(unit.count), key=rank)


def _wider(leader: Unit, group: Unit) -> float:
    """Return how much farther back a leader stands whose base is larger than those of his group."""
    return max(0.0, leader.body.radius - group.body.radius)


def _lay_out_shot(battle: Battle, scene: _Scene) -> None:
    """Put shooters and targets at the distances that people measure, and out of contact or sight if they say so."""
    unit, target = battle.units[scene.actor], battle.units[scene.target]
    cm, room = scene["distance"] - _HAIR, unit.body.radius + target.body.radius
    own_leaders = [] if unit.spec.leader else battle.leaders_with(unit)
    other_leaders = [] if target.spec.leader else battle.leaders_with(target)
    at, away = (_ASIDE, _STAGE), (_ASIDE, _STAGE - _ASIDE)
    limit = _next_limit(battle, scene)
    far = (at[0], at[1] - ((limit or 0) + 1.0 - cm)) if scene["farther"] else at
    order = _shooting_first(battle, unit, _shooting_weapon(battle, unit))
    able, farther = unit.count - scene["blocked"], scene["farther"]
    places = {
        index: away if place >= able else far if place >= able - farther else at for place, index in enumerate(order)
    }
    _stand(unit, [places[index] for index in range(unit.count)])
    for number, leader in enumerate(own_leaders, start=1):
        _stand(leader, [(at[0] + number / 100, at[1] - _wider(leader, unit))])
    seen, unseen = (at[0], at[1] + room + cm), (at[0], at[1] + room + cm + 0.01)
    engaged = battle.figures_in_contact(target)
    hidden = sorted(range(target.count), key=lambda index: (index not in engaged, -index))[: scene["unseen"]]
    _stand(target, [unseen if index in hidden else seen for index in range(target.count)])
    for number, leader in enumerate(other_leaders, start=1):
        _stand(leader, [(seen[0] + number / 100, seen[1] + _wider(leader, target) + 0.02)])
    field = _table(battle).fresh()
    field.unseen = {unseen}
    if scene["cover"] != "open":
        field.cover = {one.body: scene["cover"] for one in (target, *other_leaders)}
    battle.field = field


def _shoot(table: Table, battle: Battle, scene: _Scene) -> None:
    _done(battle, scene.actor)
    shoot(table, battle, battle.units[scene.actor])


def _at_target(battle: Battle, scene: _Scene, question: Any) -> Answer:
    return scene.target if scene.target in question.options else HOLD


def _picked(battle: Battle, scene: _Scene, question: Any) -> Answer:
    """Return a figure in the state that people name."""
    hurt = battle.units[scene.target].hurt
    alike = [index for index in question.options if hurt[index] == scene["wounded_man"]]
    return (alike or list(question.options))[0]


def _all_at_once(battle: Battle, scene: _Scene, question: Any) -> Answer:
    return False


# --- Questions about melees --------------------------------------------------------------------------------------------


def _in_melee(battle: Battle, unit: str) -> list[str]:
    """Return the names of the melee of a unit that is still to be fought."""
    return next((melee.split("+") for melee in battle.waiting if unit in melee.split("+")), [])


def _fighting(battle: Battle, scene: _Scene) -> list[Unit]:
    """Return the units of a melee, then the leaders with them who are not in contact yet."""
    units = [battle.units[name] for name in _in_melee(battle, scene.actor)]
    leaders = [leader for unit in units if not unit.spec.leader for leader in battle.leaders_with(unit)]
    return [*units, *(leader for leader in leaders if leader not in units)]


def _fighter(number: int, battle: Battle, scene: _Scene) -> Unit:
    return _fighting(battle, scene)[number]


def _is_there(number: int, battle: Battle, scene: _Scene) -> bool:
    return number < len(_fighting(battle, scene))


def _fights_text(number: int, battle: Battle, scene: _Scene) -> str:
    """The number of figures of each unit that fight."""
    unit = _fighter(number, battle, scene)
    return (
        f"{unit.spec.name}: how many figures fight?"
        if unit.count > 1
        else f"{unit.spec.name}: 1 if he fights, 0 if not"
    )


def _up_to_its_figures(number: int, battle: Battle, scene: _Scene, count: float) -> int:
    return _at_most(_fighter(number, battle, scene).count, count)


def _up_to_its_wounded(number: int, battle: Battle, scene: _Scene, count: float) -> int:
    return _at_most(min(sum(_fighter(number, battle, scene).hurt), scene[f"fighters_{number}"]), count)


def _wounds_differ(number: int, battle: Battle, scene: _Scene) -> bool:
    if not _is_there(number, battle, scene):
        return False
    unit, count = _fighter(number, battle, scene), scene.answers.get(f"fighters_{number}") or 0
    return 0 < sum(unit.hurt) < unit.count and 0 < count < unit.count


def _wounded_text(number: int, battle: Battle, scene: _Scene) -> str:
    """The number of wounded figures among these."""
    return f"{_fighter(number, battle, scene).spec.name}: how many of them are wounded?"


def _went_back(number: int, battle: Battle, scene: _Scene, events: Items[Event]) -> bool:
    """Return True if a unit of the melee goes back."""
    names = _in_melee(battle, scene.actor)
    pushed = [event.data["unit"] for event in events if event.kind == "pushed back"]
    return number < len(names) and names[number] in pushed


def _room_text(number: int, battle: Battle, scene: _Scene) -> str:
    """The number of figures of each losing unit that have no room to go back."""
    return f"{_fighter(number, battle, scene).spec.name} must go back: how many figures have no room?"


def _some_stuck_are_wounded(number: int, battle: Battle, scene: _Scene, events: Items[Event]) -> bool:
    """Return True if it matters which figures have no room: a second wound kills (RSK-180)."""
    if not _went_back(number, battle, scene, events) or not scene[f"stuck_{number}"]:
        return False
    unit = battle.units[_in_melee(battle, scene.actor)[number]]
    return bool(unit.hurt) and any(unit.hurt)


def _stuck_wounded_text(number: int, battle: Battle, scene: _Scene) -> str:
    """The number of figures among these that were wounded before."""
    return f"{_fighter(number, battle, scene).spec.name}: how many of these were wounded before?"


def _up_to_its_stuck(number: int, battle: Battle, scene: _Scene, count: float) -> int:
    return _at_most(min(sum(_fighter(number, battle, scene).hurt), scene[f"stuck_{number}"]), count)


def _storms(battle: Battle, scene: _Scene) -> bool:
    return any("charger" in unit.marks for unit in _fighting(battle, scene))


def _lay_out_fighters(battle: Battle, scene: _Scene) -> None:
    """Bring the figures that fight together, and take the others out of reach (RSK-164)."""
    for number, unit in enumerate(_fighting(battle, scene)):
        count, wounded = scene[f"fighters_{number}"], scene[f"wounded_{number}"]
        ahead = -1.0 if unit.spec.side == battle.order[0] else 1.0
        hurt = [index for index in range(unit.count) if unit.hurt[index]]
        sound = [index for index in range(unit.count) if not unit.hurt[index]]
        hurt_fighters = max(wounded, count - len(sound))
        fighters = {*sound[: count - hurt_fighters], *hurt[:hurt_fighters]}
        away = (_ASIDE, _STAGE + ahead * _ASIDE)
        _stand(unit, [(_ASIDE, _STAGE) if index in fighters else away for index in range(unit.count)])
    field = _table(battle).fresh()
    field.obstacle = scene["obstacle"]
    battle.field = field


def _fight(table: Table, battle: Battle, scene: _Scene) -> None:
    """Match the fighters, set them face to face, and fight (RSK-164, RSK-174)."""
    units = _fighting(battle, scene)
    names = _in_melee(battle, scene.actor)
    pairs = matches(table, battle, [unit for unit in units if battle.figures_in_contact(unit)])
    if not pairs:
        _done_melee(battle, scene.actor)
        return
    _face_off(battle, units, pairs, scene)
    fight(table, battle, tuple(names), pairs)


def _done_melee(battle: Battle, unit: str) -> None:
    battle.waiting = [melee for melee in battle.waiting if unit not in melee.split("+")]


def _face_off(battle: Battle, units: Items[Unit], pairs: Items[Match], scene: _Scene) -> None:
    """Set the matches side by side, each single figure with its opponents before it, and the others behind."""
    places: dict[tuple[str, int], Point] = {}
    x = _ASIDE
    for match in pairs:
        single = battle.units[match.single[0]]
        ahead = 180.0 if single.spec.side != battle.order[0] else 0.0
        round_it = _opponents_round(battle, single, match, ahead)
        wide = max(
            [single.body.radius, *(abs(dx) + battle.units[name].body.radius for (name, _), (dx, _) in round_it.items())]
        )
        x += wide
        places[match.single] = (x, _STAGE)
        places |= {other: (x + dx, _STAGE + dy) for other, (dx, dy) in round_it.items()}
        x += wide + 2 * TOUCH
    for unit in units:
        behind = -1.0 if unit.spec.side == battle.order[0] else 1.0
        free = [index for index in range(unit.count) if (unit.id, index) not in places]
        for index in free:
            x += 3 * unit.body.radius
            places[unit.id, index] = (x, _STAGE + behind * _REAR)
    for unit in units:
        _stand(unit, [places[unit.id, index] for index in range(unit.count)])
    stuck = {u.id: (scene[f"stuck_{n}"], scene[f"stuck_wounded_{n}"]) for n, u in enumerate(units)}
    _table(battle).has_no_room = _barred(battle, stuck)


def _barred(battle: Battle, stuck: Mapping[str, tuple[int, int]]) -> Callable[[Point], bool]:
    """Return a test for the places to which figures without room would go back: those of so many survivors of each
    unit, and so many of them wounded, the fighters first (RSK-180).
    """
    cm, starts = battle.book.lengths["push_back"], dict[str, list[Point]]()

    def cornered(unit: Unit, hurt: bool, count: int) -> list[Point]:
        able = [at for at, wounded in zip(unit.body.at, unit.hurt, strict=True) if wounded == hurt]
        return sorted(able, key=lambda at: abs(at[1] - _STAGE) >= _REAR)[:count]

    def has_no_room(end: Point) -> bool:
        for name, (count, wounded) in stuck.items():
            if name not in starts:  # at the first figure that goes back, after the losses
                unit = battle.units[name]
                before = max(wounded, count - unit.hurt.count(False))
                starts[name] = [*cornered(unit, False, count - before), *cornered(unit, True, before)]
        return any(abs(dist(end, start) - cm) < _HAIR for own in starts.values() for start in own)

    return has_no_room


def _opponents_round(battle: Battle, single: Unit, match: Match, ahead: float) -> dict[tuple[str, int], Point]:
    """Return where the opponents of a figure stand, seen from it: in an arc before it, so that its way back is free."""
    widest = max(battle.units[name].body.radius for name, _ in match.several)
    away = single.body.radius + widest + TOUCH
    step = 2 * asind(widest / away) + 0.5
    in_front = int(180.0 / step) + 1
    found: dict[tuple[str, int], Point] = {}
    for place, other in enumerate(match.several):
        rank, file = divmod(place, in_front)
        files = min(in_front, len(match.several) - rank * in_front)
        dx, dy = direction(ahead + (file - (files - 1) / 2) * step)
        length = away - widest + battle.units[other[0]].body.radius + rank * (2 * widest + 2 * TOUCH)
        found[other] = (dx * length, dy * length)
    return found


# --- Other acts: the functions of play ------------------------------------------------------------------------------------------


def _done(battle: Battle, name: str) -> None:
    battle.waiting = [waiting for waiting in battle.waiting if waiting != name]


def _start_turn(table: Table, battle: Battle, scene: _Scene) -> None:
    _done(battle, _START)
    scene.game.sequence.start(table, battle)


def _throw_for_points(table: Table, battle: Battle, scene: _Scene) -> None:
    for name in scene["fires"]:
        battle.units[name].mark("busy")
    roll_for_character(table, battle, battle.units[scene.actor])


def _spend(kind: str, table: Table, battle: Battle, scene: _Scene) -> None:
    pc, through = _character(battle), battle.units[scene["through"]]
    spend(table, battle, pc, (kind, scene.actor), [pc] if through is pc else [pc, through])


def _combine(table: Table, battle: Battle, scene: _Scene) -> None:
    combine(table, battle, battle.units[scene.actor], battle.units[scene.target])


def _see_to_prisoners(table: Table, battle: Battle, scene: _Scene) -> None:
    _done(battle, _PRISONERS)
    scene.game.sequence.settle(table, battle)


def _kill_prisoners(table: Table, battle: Battle, scene: _Scene) -> None:
    _done(battle, _PRISONERS)
    dispatch(table, battle)


def _end_turn(table: Table, battle: Battle, scene: _Scene) -> None:
    _done(battle, _FINISH)
    scene.game.sequence.finish(table, battle)


def _rearranged(battle: Battle, hosts: Mapping[str, str] | None = None, melees: Items[_Melee] | None = None) -> None:
    known, met = _hosts(battle), _melees(battle)
    _put(battle, known if hosts is None else {**known, **hosts}, met if melees is None else melees)


def _join(table: Table, battle: Battle, scene: _Scene) -> None:
    _rearranged(battle, {scene.actor: scene.target})


def _leave_group(table: Table, battle: Battle, scene: _Scene) -> None:
    _rearranged(battle, {scene.actor: _NONE})


def _meet(table: Table, battle: Battle, scene: _Scene) -> None:
    _rearranged(battle, melees=_joined(_melees(battle), {scene.actor: 1, scene.target: 1}))


def _part(table: Table, battle: Battle, scene: _Scene) -> None:
    apart = [{name: count for name, count in melee.items() if name != scene.actor} for melee in _melees(battle)]
    _rearranged(battle, melees=[melee for melee in apart if _has_two_sides(battle, melee)])


def _has_two_sides(battle: Battle, melee: _Melee) -> bool:
    return len({battle.units[name].spec.side for name in melee}) == 2


# --- The acts of the rules ------------------------------------------------------------------------------------------------------


_Count = Annotated[int, Ge(0)]
_Length = Annotated[float, Ge(0)]

_THROUGH: Asked[Battle] = Asked("through", "Which leader has {actor} in command distance?", choices=_through)


def _melee_asks() -> Iterator[Asked[Battle]]:
    """Yield the questions of a melee: for each unit how many figures fight, and how many of them are wounded."""
    for number in range(_FIGHTERS):
        yield Asked(
            f"fighters_{number}",
            partial(_fights_text, number),
            default=0,
            when=partial(_is_there, number),
            kind=_Count,
            measured=partial(_up_to_its_figures, number),
        )
        yield Asked(
            f"wounded_{number}",
            partial(_wounded_text, number),
            default=0,
            when=partial(_wounds_differ, number),
            kind=_Count,
            measured=partial(_up_to_its_wounded, number),
        )
    yield Asked("obstacle", "Do they fight across an obstacle?", default=False, kind=bool, when=_storms)
    for number in range(_FIGHTERS):
        yield Asked(
            f"stuck_{number}",
            partial(_room_text, number),
            default=0,
            kind=_Count,
            after=partial(_went_back, number),
            measured=partial(_up_to_its_figures, number),
        )
        yield Asked(
            f"stuck_wounded_{number}",
            partial(_stuck_wounded_text, number),
            default=0,
            kind=_Count,
            after=partial(_some_stuck_are_wounded, number),
            measured=partial(_up_to_its_stuck, number),
        )


ACTS: tuple[CompanionAct[Battle], ...] = (
    CompanionAct(
        name="start",
        title="begin the player turn",
        rule="RSK-037",
        run=_start_turn,
        actors=_nobody,
        has_odds=False,
        out_of_turn=False,
    ),
    CompanionAct(
        name="points",
        title="throw for command points",
        rule="RSK-050",
        run=_throw_for_points,
        actors=lambda battle: battle.waiting[:1] if battle.phase == "command" and not _has_thrown(battle) else [],
        asks=(
            Asked(
                "fires",
                "Which leaders will load or fire themselves this turn? (one die less for each)",
                default=(),
                choices=_leaders_who_may_fire,
                many=True,
            ),
        ),
        facts=CommandFacts,
        out_of_turn=False,
    ),
    CompanionAct(
        name="link",
        title="pass on orders",
        rule="RSK-060",
        run=partial(_spend, LINK),
        actors=partial(_purchases, LINK),
        asks=(_THROUGH,),
        lay_out=_hear,
        out_of_turn=False,
    ),
    CompanionAct(
        name="command",
        title="receive orders",
        rule="RSK-059",
        run=partial(_spend, COMMAND),
        actors=partial(_purchases, COMMAND),
        asks=(_THROUGH,),
        lay_out=_hear,
        out_of_turn=False,
    ),
    CompanionAct(
        name="throw",
        title="make the Action throws",
        rule="RSK-127",
        run=_throw,
        actors=_nobody,
        facts=RiskFacts,
        asks=(
            Asked("no_enemy", "Which units see no enemy?", default=(), choices=_all_throwers, many=True),
            Asked(
                "sees_friends",
                "Which of these see friends who go back?",
                default=(),
                choices=_see_friends,
                many=True,
            ),
            Asked(
                "in_cover",
                "Which are wholly in cover from the nearest enemy?",
                default=(),
                choices=_all_throwers,
                many=True,
            ),
            Asked("works", "Which of these stand in works?", default=(), choices=_covered, many=True),
            Asked(
                "in_range",
                "Which are in clear sight of an enemy whose weapons reach them?",
                default=(),
                choices=_in_enemy_range,
                many=True,
            ),
            Asked(
                "raw_in_range",
                "Which are in reach of an enemy in sight who has no clear shot?",
                default=(),
                choices=_raw,
                many=True,
            ),
            Asked(
                "flank", "Which have an enemy in sight on their flank or rear?", default=(), choices=_seers, many=True
            ),
            Asked("friends", "Which have friends who go back close by?", default=(), choices=_near_friends, many=True),
            Asked("cavalry", "Which are near enemy cavalry?", default=(), choices=_natives, many=True),
            Asked("hero", "Which others have a Hero close by?", default=(), choices=_near_hero, many=True),
            Asked(
                "superior",
                "Which are of a better class than all enemies they see?",
                default=(),
                choices=_maybe_better,
                many=True,
            ),
            Asked(
                "platoons",
                "Which platoons stand together, with a leader?",
                default=(),
                choices=_platoons,
                many=True,
            ),
        ),
        lay_out=_lay_out_throws,
        out_of_turn=False,
    ),
    CompanionAct(
        name="attack",
        title="see who attacks",
        rule="RSK-138",
        run=_attack,
        actors=_nobody,
        asks=(Asked("near", _near_text, default=(), choices=_who_advances, many=True),),
        out_of_turn=False,
    ),
    CompanionAct(
        name="act",
        title="do what its Action throw says",
        rule="RSK-038",
        run=_carry_out,
        actors=_bound,
        asks=(
            Asked(
                "enemy",
                _enemy_text,
                choices=_enemies_or_none,
                when=_acts_as("advance", "retreat", "rout", "halt_in_cover"),
                default=_NONE,
            ),
            Asked("distance", "How far is it from {actor}?", kind=_Length, unit="cm", when=_distance_matters),
            Asked(
                "surrounded",
                "Is {actor} surrounded, with no gap to run through?",
                default=False,
                kind=bool,
                when=_captor_is_known,
            ),
            Asked(
                "cover",
                "How far is cover that {actor} can reach, away from the enemy? (0: none)",
                default=0.0,
                kind=_Length,
                unit="cm",
                when=_acts_as("retreat", "halt_in_cover"),
            ),
            Asked("goal", "How far is it to where {actor} marches?", kind=_Length, unit="cm", when=_acts_as("march")),
            Asked(
                "over",
                "How many figures of {actor} cross the edge of the table?",
                default=0,
                kind=_Count,
                when=_acts_as("retreat", "rout"),
                measured=_figures_over,
            ),
        ),
        lay_out=_lay_out_result,
        out_of_turn=False,
    ),
    CompanionAct(
        name="order",
        title="obey an order",
        rule="RSK-066",
        run=_obey,
        actors=_obeys,
        asks=(
            Asked("order", "{actor}: which order?", choices=_orders),
            Asked(
                "enemy",
                "Which enemy does {actor} charge?",
                choices=_charge_targets,
                when=_ordered("charge"),
                default=_NONE,
            ),
            Asked(
                "pace",
                "At which pace?",
                default=_FULL,
                choices=lambda battle, scene: {_FULL: "more than half a move", _HALF: "half a move at most"},
                when=_moves_by_order,
            ),
            Asked("arrives", "Does {actor} reach its destination?", default=False, kind=bool, when=_ordered("march")),
            Asked(
                "goes_on",
                "Does {actor} use the other half of its move?",
                default=False,
                kind=bool,
                when=_ordered("mount", "dismount"),
            ),
            Asked("host", "Which group is {actor} with then?", default=_NONE, choices=_may_be_with, when=_leader_moves),
        ),
        lay_out=_lay_out_order,
        settled={
            "order": _wanted_order,
            "pace": _pace,
            "march to": _destination,
            "go on": _rest_of_move,
            "face": _keep_facing,
        },
        out_of_turn=False,
    ),
    CompanionAct(
        name="charge",
        title="charge",
        rule="RSK-162",
        run=_charge,
        actors=_chargers,
        targets=_charged,
        asks=(
            Asked("distance", "How far from {actor} to {target}?", kind=_Length, unit="cm"),
            Asked(
                "contact",
                "How many figures of {actor} come into contact?",
                kind=_Count,
                after=_comes_home,
                measured=_most_in_contact,
            ),
        ),
        lay_out=_lay_out_charge,
        out_of_turn=False,
    ),
    CompanionAct(
        name="combine",
        title="combine with a group close by",
        rule="RSK-047",
        run=_combine,
        actors=_weak,
        targets=_similar,
        out_of_turn=False,
    ),
    CompanionAct(
        name="guard",
        title="see which prisoners escape",
        rule="RSK-158",
        run=_see_to_prisoners,
        actors=_nobody,
        out_of_turn=False,
    ),
    CompanionAct(
        name="prisoners",
        title="see to prisoners",
        rule="RSK-159",
        run=_kill_prisoners,
        actors=_nobody,
        out_of_turn=False,
    ),
    CompanionAct(
        name="fire",
        title="fire",
        rule="RSK-098",
        run=_shoot,
        actors=_shooters,
        targets=_shot_at,
        asks=(
            Asked(
                "distance",
                "How far from {actor} to {target}?",
                kind=_Length,
                unit="cm",
                measured=_in_reach,
            ),
            Asked("cover", "Cover of {target}?", default="open", choices=lambda battle, scene: _COVERS),
            Asked(
                "blocked",
                "How many figures of {actor} have no clear shot?",
                default=0,
                kind=_Count,
                when=_is_group,
                measured=_figures_of_actor,
            ),
            Asked(
                "farther",
                _farther_text,
                default=0,
                kind=_Count,
                when=_some_are_farther,
                measured=_figures_of_actor,
            ),
            Asked(
                "unseen",
                "How many figures of {target} cannot be hit, out of sight or in contact?",
                default=0,
                kind=_Count,
                when=_figures_differ,
                measured=_figures_of_target,
            ),
            Asked("wounded_man", "At a wounded man?", default=False, kind=bool, when=_picks),
        ),
        lay_out=_lay_out_shot,
        settled={"shoot at": _at_target, "split fire": _all_at_once, "pick a man": _picked},
    ),
    CompanionAct(
        name="melee",
        title="fight its melee",
        rule="RSK-166",
        run=_fight,
        actors=_fights,
        facts=MeleeFacts,
        asks=tuple(_melee_asks()),
        lay_out=_lay_out_fighters,
        out_of_turn=False,
    ),
    CompanionAct(
        name="finish", title="end the player turn", rule="RSK-041", run=_end_turn, actors=_nobody, out_of_turn=False
    ),
    CompanionAct(name="join", title="go to a group", rule="RSK-048", run=_join, actors=_leaders, targets=_groups_for),
    CompanionAct(name="leave", title="leave the group", rule="RSK-048", run=_leave_group, actors=_with_groups),
    CompanionAct(name="meet", title="touch an enemy", rule="RSK-005", run=_meet, actors=_apart, targets=_not_met),
    CompanionAct(name="part", title="break contact", rule="RSK-005", run=_part, actors=_in_contact),
)

_COVERS: Choices = {"open": "in the open", "soft": "soft", "hard": "hard"}


class RskCompanion(Companion[Battle]):
    """An evening of the Risk Factor at a real table."""

    game: RskGame
    acts: ClassVar[Items[CompanionAct[Any]]] = ACTS

    def __init__(self, game: Game[Battle]) -> None:
        assert isinstance(game, RskGame)
        if game.plan.markers:
            raise ZarebaError("the companion keeps no hidden markers: leave the setting hidden.use off (RSK-186)")
        super().__init__(game)
        self._sequence = Sequence(game.policy, game.scenario, game.plan)

    def start(self) -> Battle:
        """Return the battle with all units set up. People deploy the figures as they like."""
        battle = self.game.start()
        hosts = _hosts(battle)
        width = _APART * (len(battle.units) + 1)
        battle.field = RealTable(self.game.book, width, _STAGE + 2 * _ASIDE)
        _put(battle, hosts, ())
        battle.waiting = [_START]
        return battle

    # --- the sequence of play -------------------------------------------------------------------------------------------

    def advance(self, state: Battle) -> None:
        phase = state.phase
        if phase == "command":
            state.pools = dict.fromkeys(state.pools, 0)  # unspent points lapse (RSK-065)
            if len(state.waiting) > 1:
                state.waiting = state.waiting[1:]
                return
        if phase == "settle" and not state.captives:
            table = RecordedTable(self.game.rules, state, ())
            self._sequence.settle(table, state)
        self.game.policy.advance(state)
        if not state.over:
            state.waiting = self._waiting(state)

    def _waiting(self, state: Battle) -> list[str]:
        """Return what waits in the stage that begins."""
        side, stage = state.side, state.phase
        if stage == "command":
            return [name for name, own in state.commanders.items() if own == side and state.units[name].is_on_table]
        if stage == "move":
            moves, state.charging = list_moves_and_charges(state)
            return moves
        if stage == "charge":
            ordered = [unit.id for unit in state.of(side) if unit.target]
            return list(dict.fromkeys([*state.charging, *ordered]))
        if stage == "shoot":
            return _shooters(state)
        if stage == "melee":
            state.fights = find_fights(state)
            return ["+".join(names) for names in state.fights]
        if stage in ("settle", "dispatch"):
            held = captors(state) if stage == "settle" else [one for one in captors(state) if one.spec.side == side]
            return [_PRISONERS] if held else []
        return {"start": [_START], "throw": [_THROW], "finish": [_FINISH]}.get(stage, [])

    def openings(self, state: Battle) -> Items[Opening]:
        waiting, stage = state.waiting, state.phase
        due = _DUE.get((stage, waiting[0])) if waiting else None
        if due is not None:
            return [*self._offered(state, ("combine",)), Opening(due, (), due=True)]
        if stage == "command" and waiting and not _has_thrown(state):
            return [Opening("points", tuple(waiting[:1]), due=True)]
        if stage == "melee":
            fights = _fights(state)
            return [Opening("melee", tuple(fights), due=True)] if fights else []
        if stage == "move" and (bound := _bound(state)):
            going_back = [name for name in bound if action_this_turn(state.units[name]) in ("rout", "retreat")]
            if going_back:
                return [Opening("act", tuple(going_back), due=True)]
        return self._offered(state, _STAGE_ACTS.get(stage, ()))

    def _offered(self, state: Battle, acts: Items[str]) -> list[Opening]:
        """Return the acts that some unit can do now, and for shooting has not done yet."""
        found = []
        for act in acts:
            able = self.act_named[act].actors(state)
            actors = tuple(name for name in able if act != "fire" or name in state.waiting)
            if actors:
                found.append(Opening(act, actors))
        return found

    def acting_side(self, state: Battle) -> str:
        return state.side

    def headline(self, state: Battle) -> str:
        return self.game.display.headline(state, self.game.narrator.name_of(state.side))

    # --- after an act -----------------------------------------------------------------------------------------------------

    def tidy(self, before: Battle, after: Battle, events: Items[Event]) -> None:
        """Bring every unit back to its place, with the leaders and the contacts that result from the act."""
        moved = {event.data["unit"] for event in events if event.kind in ("move", "over the edge")}
        arrived = {event.data["unit"] for event in events if event.kind == "arrived"}
        if after.field is before.field and not arrived and not events:
            return
        fought = {name for event in events if event.kind == "melee" for name in event.data["units"]}
        hosts, new_hosts = _hosts(before), _hosts(after)
        hosts |= {name: host for name, host in new_hosts.items() if name in moved | arrived or name not in hosts}
        joined = {event.data["unit"]: event.data["into"] for event in events if event.kind == "combined"}
        hosts = {leader: joined.get(host, host) for leader, host in hosts.items() if after.units[leader].is_on_table}
        hosts = {leader: host if host and after.units[host].is_on_table else _NONE for leader, host in hosts.items()}
        lost = {name for name, unit in after.units.items() if not unit.is_on_table}
        melees = [{n: count for n, count in one.items() if n not in moved | fought | lost} for one in _melees(before)]
        for melee in _melees(after, fought):
            melees = _joined(melees, melee)
        for event in events:
            if event.kind == "charge" and event.data["contact"]:
                met = {name: min(event.data["contact"], after.units[name].count) for name in event.data["met"]}
                melees = _joined(melees, {event.data["unit"]: event.data["contact"], **met})
            if event.kind == "melee":
                for name in event.data["units"]:
                    _done_melee(after, name)
        after.field = before.field
        _put(after, hosts, [melee for melee in melees if _has_two_sides(after, melee)])

    def fighting(self, state: Battle, actor: str) -> Items[Unit]:
        """Return the units about which the act of fighting a melee asks, in order."""
        return _fighting(state, Scene(self.game, actor))

    # --- the book ---------------------------------------------------------------------------------------------------------

    def units(self, state: Battle, side: str) -> Items[str]:
        return [name for name, spec in self.game.plan.specs.items() if spec.side == side]

    def unit_line(self, state: Battle, unit: str) -> str:
        one = state.units[unit]
        if unit in state.arrivals:
            return "still to arrive"
        _, *line = unit_line(state, one).split(", ")
        met = [enemy.spec.name for enemy in state.enemies_in_contact(one)] if one.is_on_table else []
        host = state.host(one) if one.spec.leader and one.is_on_table else None
        said = [f"with {host.spec.name}"] if host is not None else []
        said += [f"in contact with {', '.join(met)}"] if met else []
        return ", ".join(part for part in (*line, *said) if part)

    def strength_boxes(self, state: Battle, unit: str) -> tuple[int, int]:
        one = state.units[unit]
        return one.count, max(one.count, one.spec.figures)

    def describe_event(self, event: Event) -> str:
        if event.kind == "move":
            way = _WAYS.get(event.data["bearing"] % 360, "")
            return f"{self.game.narrator.name_of(event.data['unit'])} moves {event.data['cm']:g} cm{way}"
        return super().describe_event(event)


_DUE = {
    ("start", _START): "start",
    ("throw", _THROW): "throw",
    ("throw", _ATTACK): "attack",
    ("settle", _PRISONERS): "guard",
    ("dispatch", _PRISONERS): "prisoners",
    ("finish", _FINISH): "finish",
}
"""The act that a stage demands, by what waits in it."""
_STAGE_ACTS: Mapping[str, Items[str]] = {
    "command": ("command", "link"),
    "move": ("act", "order"),
    "charge": ("charge",),
    "settle": ("combine",),
    "shoot": ("fire",),
}
_WAYS = {
    0: " towards the nearest enemy",
    180: " straight away from the nearest enemy",
    90: " into cover",
    270: " towards its goal",
}
"""The directions of the layouts, for people."""
