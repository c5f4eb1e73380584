"""The book of the Risk Factor's companion: where units stand on an endless plain, and who can act.

Each group has its own place there, far from all others, with the leaders who are with it. Groups in contact share a
place, and the figures that touch an enemy stand in its middle. Distances, cover and contact are laid out for each act
as people describe them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Annotated

from annotated_types import Ge

from zareba.base.errors import ZarebaError
from zareba.base.grammar import amount
from zareba.companion import Choices, Scene
from zareba.space.field.bodies import Body, FigureBlockers
from zareba.space.field.pieces import TerrainPiece
from zareba.space.geometry import Point
from zareba.space.lazy import Lazy
from zareba_rulesets.risk_factor.book import Cover, Ground, RskBook
from zareba_rulesets.risk_factor.chapters.action_moves import (
    action_this_turn,
)
from zareba_rulesets.risk_factor.chapters.targets import may_pick_figures, may_shoot
from zareba_rulesets.risk_factor.forces import (
    Battle,
    Unit,
    longest_reach,
)
from zareba_rulesets.risk_factor.ground import NOTHING, PLAIN, Field, SightLine

Scene = Scene


APART = 1000.0
"""The distance in cm between the places of two groups, so that no weapon or order reaches from one to the other."""


ROW, STAGE = 2000.0, 6000.0
"""The rows of the resting groups and of the layout of an act, in cm north of the south edge."""


ASIDE = 500.0
"""The distance at which figures stand off in a layout if they take no part, in cm."""


REAR = 60.0
"""The distance behind its fighters at which the rest of a group stands, in cm."""


_SLANT = 0.5**0.5
"""The part of a distance that counts in each direction, if figures stand off at an angle of 45 degrees."""


HAIR = 1e-6
"""Distances are laid out this much shorter, so that rounding never moves a figure into the next range."""


START, THROW, ATTACK, PRISONERS, FINISH = "start", "throw", "attack", "prisoners", "finish"
"""The entries of `waiting` in stages that the whole side goes through at once."""


NO_UNIT = ""
IN_COVER = "in_cover"
"""The fact of the Action throws that moves into cover make true."""


class _LinesOfFire(FigureBlockers):
    """Lines of fire that are free, except to the figures that people do not see."""

    __slots__ = ("_unseen",)

    def __init__(self, unseen: Collection[Point]) -> None:
        super().__init__((), 0.0, False)
        self._unseen = unseen

    def hides(self, here: Point, own: float, there: Point, wide: float) -> bool:
        return there in self._unseen


class RealTable(Field):
    """The ground of a battle on a real table: open, and everything is in sight and can hear orders.

    People see and measure. A layout works on a fresh copy and says what is different: `cover` of a body, bodies that
    are `blind` or `in_fieldworks`, the only body `in_sight`, figures that are `unseen`, the leaders who are
    `heard`, and whether an `obstacle` lies between the fighters of a melee. `has_no_room` says where a figure cannot go
    back. `seen` has what people said at the last Action throws of each side: the units by fact.
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
        self.seen: Mapping[str, Mapping[str, tuple[str, ...]]] = {}
        self.views = Lazy(self._view)
        self.figure_blockers = Lazy(lambda _: _LinesOfFire(self.unseen))
        self.shelters = Lazy(lambda body: ((),) * (len(body) if body in self.cover else 0))
        self.sheltered = Lazy(lambda body: body in self.cover)
        self.in_works = Lazy(lambda body: body in self.in_fieldworks)

    def new_plain(self, pieces: Mapping[str, TerrainPiece[Ground]] | None = None, size: float = 0.0) -> RealTable:
        """Return a new plain for a layout; with `pieces`, a smaller one that has them."""
        plain = RealTable(self.book, size or self.width, size or self.depth, pieces)
        plain.seen = self.seen
        return plain

    def without_movers(
        self, moved: Collection[str], into_cover: Collection[str]
    ) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
        """Return what people saw of the units that have not moved since, and who moved into cover."""
        return {
            side: {
                fact: (*(name for name in names if name not in moved), *(into_cover if fact == IN_COVER else ()))
                for fact, names in facts.items()
            }
            for side, facts in self.seen.items()
        }

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


def table_of(battle: Battle) -> RealTable:
    assert isinstance(battle.field, RealTable), "the companion's battles stand on the plain"
    return battle.field


MeleeUnits = dict[str, int]
"""The units in contact with each other, each with the number of its figures that touch an enemy."""


def set_positions(unit: Unit, points: Sequence[Point]) -> None:
    unit.body = Body(tuple(points), unit.body.radius)


def groups_of_leaders(battle: Battle) -> dict[str, str]:
    """Return the group with which each leader on the table is, "" for none."""
    found = {}
    for unit in battle.units.values():
        if unit.is_on_table and unit.spec.leader:
            host = battle.host(unit)
            found[unit.id] = host.id if host is not None else NO_UNIT
    return found


def melees_on_table(battle: Battle, among: Collection[str] | None = None) -> list[MeleeUnits]:
    """Return the units in contact with each other, in the present positions."""
    found: list[MeleeUnits] = []
    for unit in battle.units.values():
        if not unit.is_on_table or (among is not None and unit.id not in among):
            continue
        enemies = battle.enemies_in_contact(unit)
        if enemies:
            melee = {fighter.id: len(battle.figures_in_contact(fighter)) for fighter in (unit, *enemies)}
            found = merge_melee(found, melee)
    return found


def merge_melee(melees: Sequence[MeleeUnits], melee: MeleeUnits) -> list[MeleeUnits]:
    """Return melees with another one, which takes in those that have a unit of it. Figures that touch one enemy go on
    touching him when another comes up.
    """
    apart = [other for other in melees if not other.keys() & melee.keys()]
    merged = dict(melee)
    for other in melees:
        if other.keys() & melee.keys():
            merged = {name: max(other.get(name, 0), merged.get(name, 0)) for name in {**other, **merged}}
    return [*apart, merged]


def place_all(battle: Battle, hosts: Mapping[str, str], melees: Sequence[MeleeUnits]) -> None:
    """Put every unit at its place on the plain."""
    field, number = table_of(battle), {name: place for place, name in enumerate(battle.units, start=1)}
    widest = max((unit.body.radius for unit in battle.units.values()), default=0.0)
    beside = 2 * widest + 0.5
    units = [unit for unit in battle.units.values() if unit.is_on_table]
    places = {name: APART * number[min(melee, key=number.__getitem__)] for melee in melees for name in melee}
    opponents = _opponents_apart(battle, hosts, melees)
    for melee in melees:
        leaders = [name for name in melee if hosts.get(name, NO_UNIT) in places.keys() - melee.keys()]
        leaders = [name for name in leaders if name not in opponents]
        if leaders:  # he fights one enemy, and his group another
            places |= dict.fromkeys(melee, places[hosts[leaders[0]]] + beside)
    for place, leader in enumerate(opponents, start=1):
        host = hosts.get(leader, NO_UNIT)
        places[leader] = places[host] + beside if host else places[leader] + place * REAR
    places |= {host: places[name] for name, host in hosts.items() if name in places and host not in places and host}
    engaged = {name: count for melee in melees for name, count in melee.items()}
    offsets = _offsets_towards_hosts(battle, hosts, melees)
    rears: dict[str, Point] = {}
    for unit in sorted(units, key=lambda unit: bool(unit.spec.leader)):
        host = hosts.get(unit.id, NO_UNIT) if unit.spec.leader else NO_UNIT
        ahead = -1.0 if unit.spec.side == battle.order[0] else 1.0
        x, y = places.get(unit.id, APART * number[unit.id]), ROW
        count = min(unit.count, engaged.get(unit.id, 0))
        unit.joins = host
        if unit.spec.leader and host in rears and not count:
            x, y = rears[host]
            if battle.units[host].count == engaged.get(host, 0):
                melee = next(melee for melee in melees if host in melee)
                y += ahead * (_reach_of_base(battle, unit, melee) + 0.3)  # beside his group, and out of contact
            set_positions(unit, [(x + number[unit.id] / 100, y)])
            continue
        dx, dy = offsets.get(unit.id, (0.0, 0.0))
        x, y = x + dx, y + dy
        behind = (x, y + ahead * REAR) if count else (x, y)
        apart = [(places[leader], y) for leader, enemy in opponents.items() if enemy == unit.id][:count]
        set_positions(unit, [(x, y)] * (count - len(apart)) + apart + [behind] * (unit.count - count))
        rears[unit.id] = behind if count < unit.count else (x, y)
    for captives in battle.captives:
        captor = battle.units[captives.captor]
        at = rears.get(captives.captor, captor.body.centre)
        captives.body = Body((at,) * captives.count, captives.body.radius)
    field.unit_index = None


def _offsets_towards_hosts(
    battle: Battle, hosts: Mapping[str, str], melees: Sequence[MeleeUnits]
) -> dict[str, tuple[float, float]]:
    """Return how far aside a leader fights whose group is in no melee, and how far aside that group stands: it touches
    him, but no enemy, and is nearer to him than his friends in the melee (RSK-048).
    """
    engaged = {name for melee in melees for name in melee}
    found: dict[str, tuple[float, float]] = {}
    for melee in melees:
        for name in melee:
            leader, host = battle.units[name], hosts.get(name, NO_UNIT)
            if leader.spec.leader and host and host not in engaged:
                ahead = -1.0 if leader.spec.side == battle.order[0] else 1.0
                near = _reach_of_base(battle, leader, melee)
                far = near + leader.body.radius + battle.units[host].body.radius - HAIR
                found |= {leader: (-cm * _SLANT, ahead * cm * _SLANT) for leader, cm in ((name, near), (host, far))}
    return found


def _reach_of_base(battle: Battle, unit: Unit, melee: MeleeUnits) -> float:
    """Return the distance from centre to centre at which a figure touches the widest base of its enemies in a melee."""
    return unit.body.radius + max((enemy.body.radius for enemy in _enemies_in(battle, unit, melee)), default=0.0)


def _enemies_in(battle: Battle, unit: Unit, melee: MeleeUnits) -> list[Unit]:
    """Return the enemies of a unit in a melee."""
    return [battle.units[name] for name in melee if battle.units[name].spec.side != unit.spec.side]


def _opponents_apart(battle: Battle, hosts: Mapping[str, str], melees: Sequence[MeleeUnits]) -> dict[str, str]:
    """Return the leaders who fight more than 5 cm from their friends in the same melee, each with an enemy unit that
    has a figure to spare for him: he is alone, or his own group is in another melee (RSK-048).
    """
    engaged = {name for melee in melees for name in melee}
    found: dict[str, str] = {}
    for melee in melees:
        spare = {name: min(count, battle.units[name].count) - 1 for name, count in melee.items()}
        for name in melee:
            unit, host = battle.units[name], hosts.get(name, NO_UNIT)
            friends = [other for other in melee if other != name and battle.units[other].spec.side == unit.spec.side]
            if not unit.spec.leader or not friends or host in melee or (host and host not in engaged):
                continue
            enemy = max(_enemies_in(battle, unit, melee), key=lambda enemy: spare[enemy.id], default=None)
            if enemy is not None and spare[enemy.id] > 0:
                spare[enemy.id] -= 1
                found[name] = enemy.id
    return found


def book_of(start: Battle, battle: Battle) -> Battle:
    """Return a battle of play as it stands in the book that began with `start`: without its distances."""
    book = battle.copy()
    hosts, melees = groups_of_leaders(battle), melees_on_table(battle)
    book.field = start.field
    place_all(book, hosts, melees)
    return book


def no_actors(battle: Battle) -> list[str]:
    return []


def unit_choices(battle: Battle, units: Sequence[Unit]) -> Choices:
    return {unit.id: unit.spec.name for unit in units}


def own_units(battle: Battle) -> list[str]:
    return [unit.id for unit in battle.of(battle.side)]


def has_thrown(battle: Battle) -> bool:
    return battle.phase == "command" and bool(battle.waiting) and battle.waiting[0] in battle.linked


def bound_units(battle: Battle) -> list[str]:
    """Return the units whose Action result moves them next: routers first, then those who retreat (RSK-038)."""
    if battle.phase != "move":
        return []
    units = [battle.units[name] for name in battle.waiting]
    bound = [unit for unit in units if unit.is_on_table and "free" not in unit.marks and is_moved(battle, unit)]
    for action in ("rout", "retreat"):
        if first := [unit.id for unit in bound if action_this_turn(unit) == action]:
            return first
    return [unit.id for unit in bound]


def is_moved(battle: Battle, unit: Unit) -> bool:
    """Return True if a result moves a unit. In contact, only Retreat and Rout do (RSK-146)."""
    return action_this_turn(unit) in ("rout", "retreat") or not battle.enemies_in_contact(unit)


def enemy_units(battle: Battle, unit: str) -> list[str]:
    """Return the enemy units. A leader with a group is one of its figures (RSK-048, RSK-105)."""
    return [enemy.id for enemy in battle.against(battle.units[unit].spec.side) if battle.is_a_unit(enemy)]


def shooters(battle: Battle) -> list[str]:
    able = []
    for unit in battle.of(battle.side):
        alone = not unit.spec.leader or may_pick_figures(battle, unit) or battle.host(unit) is None
        if (
            alone
            and may_shoot(battle, unit)
            and reach_of(battle, unit)
            and len(battle.figures_in_contact(unit)) < unit.count
        ):
            able.append(unit.id)
    return able


def fights_to_come(battle: Battle) -> list[str]:
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


def reach_of(battle: Battle, unit: Unit) -> int:
    """Return the longest range of a unit in cm, 0 without missiles."""
    return longest_reach(battle, unit)


def figure_count(most: int, count: float) -> int:
    """Return a number of figures. Raises ZarebaError if there are not so many."""
    if count > most or count != int(count):
        raise ZarebaError(f"there {'is' if most == 1 else 'are'} {amount(most, 'figure')}, not {count:g}")
    return int(count)


def single_file(unit: Unit, at: Point) -> list[Point]:
    """Return the figures of a unit one behind another, the first at a point."""
    step = 2 * unit.body.radius + 0.5
    return [(at[0], at[1] - step * number) for number in range(unit.count)]


def place_alone(battle: Battle, unit: Unit, at: Point) -> list[Unit]:
    """Take a unit to the place of a layout, in a file that faces north, with the leaders who are with it."""
    companions = [] if unit.spec.leader else battle.leaders_with(unit)
    set_positions(unit, single_file(unit, at))
    unit.facing = 0.0
    for number, leader in enumerate(companions, start=1):
        aside = unit.body.radius + leader.body.radius + 1.0
        set_positions(leader, [(at[0] - aside - number / 100, at[1])])
    return companions


def place_ahead(battle: Battle, unit: Unit, enemy: Unit, cm: float) -> None:
    """Put an enemy so far north of a unit."""
    (x, y), room = unit.body.at[0], unit.body.radius + enemy.body.radius
    companions = [] if enemy.spec.leader else battle.leaders_with(enemy)
    set_positions(enemy, [(x, y + room + cm - HAIR)] * enemy.count)
    for number, leader in enumerate(companions, start=1):
        set_positions(leader, [(x + number / 100, y + room + cm + 1.0)])


def names_in_melee(battle: Battle, unit: str) -> list[str]:
    """Return the names of the melee of a unit that is still to be fought."""
    return next((melee.split("+") for melee in battle.waiting if unit in melee.split("+")), [])


def fighting_units(battle: Battle, scene: Scene) -> list[Unit]:
    """Return the units of a melee, then the leaders with them who are not in contact yet."""
    units = [battle.units[name] for name in names_in_melee(battle, scene.actor)]
    leaders = [leader for unit in units if not unit.spec.leader for leader in battle.leaders_with(unit)]
    return [*units, *(leader for leader in leaders if leader not in units)]


def end_melee(battle: Battle, unit: str) -> None:
    battle.waiting = [melee for melee in battle.waiting if unit not in melee.split("+")]


def end_wait(battle: Battle, name: str) -> None:
    battle.waiting = [waiting for waiting in battle.waiting if waiting != name]


def has_two_sides(battle: Battle, melee: MeleeUnits) -> bool:
    return len({battle.units[name].spec.side for name in melee}) == 2


Count = Annotated[int, Ge(0)]


Length = Annotated[float, Ge(0)]
