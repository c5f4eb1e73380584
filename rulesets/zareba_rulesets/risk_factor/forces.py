"""Units, their weapons and positions, and the battle that holds them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from zareba.base.state import Record, Value, WithSpec, house_state, record, shared, stored_as
from zareba.base.tally import Tally
from zareba.battle import positions
from zareba.battle.carried_objects import CarriedObject
from zareba.renamed import RenamedAttribute, accept_old_arguments
from zareba.space.bearings import direction
from zareba.space.field.bodies import Body, body_in_ranks
from zareba.space.field.unit_index import IndexedSide
from zareba.space.geometry import Point, boxes_meet, is_inside, shift_into
from zareba.space.moves import rings
from zareba_rulesets.risk_factor.book import Band, RskBook, band_within
from zareba_rulesets.risk_factor.ground import Field

# --- Units of single figures, prisoners and markers, and the marks on units -------------------------------------------


# Marks that are removed at the start of the side's next player turn. Other marks last until something ends them:
# loaded; fired (in its last player turn); dismounted; disarmed; hidden (until revealed); charger (while in contact);
# works (while it defends the works in which it halted, RSK-135).
TURN_MARKS = frozenset(
    {"moved", "far", "charged", "fired_now", "busy", "linked", "commanded", "free", "bound", "stays", "footing"}
)
BACKWARD = ("retreating", "routing")


@dataclass(frozen=True, slots=True)
class UnitSpec:
    """The fixed attributes of a unit (RSK-007 to RSK-036).

    `leader` is the rank of a single leader figure, "" for a group. `weapon` is the missile weapon of the armed
    figures, or "none"; `close` is the close weapon of all figures. `parent` is the unit of the scenario it comes from.
    `platoon` is the label that squads share. `support` names the line of a crewed weapon. `people` decides whose
    leaders it follows: european, service (natives in European service) or native.
    """

    id: str
    name: str
    side: str
    parent: str
    figures: int
    armed: int
    troop_class: str
    kind: str = "regular"
    weapon: str = "none"
    loading: str = "none"
    close: str = "none"
    bayonet: bool = False
    mounted: bool = False
    can_dismount: bool = False
    cavalry: bool = False
    formed: bool = False
    volley: bool = False
    native: bool = False
    no_quarter: bool = False
    civilian: bool = False
    skirts: str = "up"
    superior_quality: bool = False
    superior_melee: bool = False
    platoon: str = ""
    support: str = ""
    table: str = "auto"
    people: str = "european"
    leader: str = ""
    musician: bool = False
    non_combatant: bool = False
    order: int = 0
    loyalty: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_superior(self) -> bool:
        """True if its figures count as Heroes or superior troops in melee (Table M)."""
        return self.troop_class == "hero" or self.superior_melee


@record
class Unit(WithSpec):
    """The current state of a group or a leader. A body without figures is not on the table.

    `hurt` and `armed` have one entry for each figure of `body`: True if it is wounded (RSK-110), and True if it carries
    the missile weapon. `dead` counts killed figures. `original` is the strength that losses are measured by (RSK-120).
    `facing` is in degrees.

    `action` is the current action, with its `goal`. `status` is steady, retreating or routing (RSK-144). `result` is
    the result of this turn's throw. `target` is the unit to be charged.

    `lost` and `caused` are melee casualties since the last throw; `round_lost` and `round_caused` are those of the
    last melee phase (RSK-124). `crossing` counts moves spent at a barrier (RSK-077). `killers` counts figures that
    kill prisoners this turn (RSK-159). `joins` is the group that the owner chose for a leader equally near two
    (RSK-048).

    `kits` names for each figure the unit whose arms it carries, once groups with different arms have combined
    (RSK-047). It is empty if all figures carry the unit's own arms.
    """

    body: Body
    hurt: tuple[bool, ...]
    armed: tuple[bool, ...]
    facing: float
    original: int
    dead: int = 0
    action: str = "halt"
    goal: tuple[float, float] | None = None
    status: str = "steady"
    result: str = ""
    marks: frozenset[str] = frozenset()
    lost: int = 0
    caused: int = 0
    round_lost: int = 0
    round_caused: int = 0
    crossing: int = 0
    killers: int = 0
    target: str = ""
    joins: str = ""
    kits: tuple[str, ...] = ()
    spec: UnitSpec = shared(default=None)

    @property
    def count(self) -> int:
        """The living figures on the table, including the wounded."""
        return len(self.hurt)

    @property
    def is_on_table(self) -> bool:
        """True if the unit has figures on the table."""
        return bool(self.hurt)

    @property
    def mounted(self) -> bool:
        """True for riders who have not dismounted (RSK-080)."""
        return self.spec.mounted and "dismounted" not in self.marks

    @property
    def casualties(self) -> int:
        """The figures of its original strength that are wounded or killed (RSK-120)."""
        return self.dead + sum(self.hurt)


@record
class Captives(Record):
    """Prisoners: their side and unit, their captor, their positions, and which of them are `hurt` (RSK-156 to
    RSK-161).
    """

    side: str
    unit: str
    captor: str
    body: Body
    hurt: tuple[bool, ...]

    @property
    def count(self) -> int:
        """The number of prisoners."""
        return len(self.hurt)


@record
class Marker(Record):
    """A marker on the table: a hidden unit with its leaders, or a dummy without units (RSK-187).

    `went` is the distance in cm that it moved in this player turn.
    """

    side: str
    at: tuple[float, float]
    units: tuple[str, ...]
    mounted: bool = False
    went: float = 0.0


# --- Contact between units, and leaders with their groups (RSK-004, RSK-005, RSK-048) ---------------------------------


class Positions(positions.Proximity[Unit]):
    """The part of a battle that answers questions about positions."""

    __slots__ = ()

    if TYPE_CHECKING:  # fields that the battle defines
        book: RskBook

    def groups(self, side: str) -> list[Unit]:
        """Return the units of a side that are not leaders."""
        return [unit for unit in self.of(side) if not unit.spec.leader]

    def groups_of(self, side: str) -> IndexedSide:
        """Return an index of the groups of a side, without its leaders, at their current positions."""
        units = self.units
        return self.standing(side).part("groups", lambda name: not units[name].spec.leader)

    def enemies_in_contact(self, unit: Unit) -> list[Unit]:
        """Return the enemies in base contact with a unit (RSK-005)."""
        return self.enemies_within(unit, self.book.lengths["contact"])

    def figures_in_contact(self, unit: Unit) -> frozenset[int]:
        """Return the figures of a unit in base contact with an enemy (RSK-005, RSK-094, RSK-097)."""
        return self.standing(self.enemy(unit.spec.side)).touching(unit.body, self.book.lengths["contact"])

    def host(self, leader: Unit, groups: IndexedSide | None = None) -> Unit | None:
        """Return the group that a leader belongs to: the nearest of the side within 5 cm, or None (RSK-048). `groups`
        is the index of the side's groups, if known.
        """
        groups = groups or self.groups_of(leader.spec.side)
        near = groups.ranked(leader.body, self.book.lengths["with_group"])
        if not near:
            return None
        tied = [groups.names[k] for k, gap in near if gap == near[0][1]]
        return self.units[leader.joins if leader.joins in tied else tied[0]]

    def is_a_unit(self, unit: Unit) -> bool:
        """Return True if a unit counts separately: a group, or a leader with no group within 5 cm (RSK-007,
        RSK-048).
        """
        if not unit.spec.leader:
            return True
        return not self.groups_of(unit.spec.side).ranked(unit.body, self.book.lengths["with_group"])

    def leaders_with(self, unit: Unit) -> list[Unit]:
        """Return the leaders who belong to a group now (RSK-048)."""
        units, groups = self.units, self.groups_of(unit.spec.side)
        leaders = self.standing(unit.spec.side).part("leaders", lambda name: bool(units[name].spec.leader))
        close = [units[leaders.names[k]] for k in leaders.within(unit.body, self.book.lengths["with_group"])]
        return [leader for leader in close if self.host(leader, groups) is unit]


# --- The state of a battle: its units, prisoners and markers, and what each side knows --------------------------------


@accept_old_arguments
@record
class Battle(Positions):
    """The whole state of a game. `turn`, `order`, `active`, `phase` and `waiting` are the position in the sequence of
    play.

    `commanders` maps each Player Character to its side (RSK-018, RSK-070). `pools` holds command points by leader.
    `linked` maps each linked leader to the Player Character whose orders he passes on.

    `seen` holds the units and markers that the enemy has in sight. `sight_dice` holds the throws of this player turn
    (RSK-151). `known` holds the bodies of units as the enemy last saw them (RSK-193).

    `gone` maps units out of play to the reason; `gone_count` holds the figures of units that left to their side's
    credit. `risk` holds the Risk Factors of this player turn. `charging` lists units that attack after all other
    moves. `fights` lists the melees of this player turn. `names_by_side` holds the names of each side's units.
    """

    turn: int
    order: list[str]
    active: int
    phase: str
    waiting: list[str]
    begun: bool
    over: bool
    ending: str
    beaten: list[str]
    units: dict[str, Unit]
    captives: list[Captives]
    markers: dict[str, Marker]
    commanders: dict[str, str]
    pools: dict[str, int]
    linked: dict[str, str]
    seen: frozenset[str]
    sight_dice: dict[str, int]
    known: dict[str, Body]
    arrivals: dict[str, int]
    gone: dict[str, str]
    gone_count: dict[str, int]
    carried_objects: dict[str, CarriedObject] = stored_as("prizes")
    achieved: dict[str, str]
    risk: dict[str, int]
    fights: list[tuple[str, ...]]
    charging: list[str]
    own: dict[str, Value] = house_state(default_factory=dict)
    book: RskBook = shared(default=None)
    field: Field = shared(default=None)
    solo: frozenset[str] = shared(default=frozenset())
    names_by_side: Mapping[str, tuple[str, ...]] | None = shared(default=None)
    prizes = RenamedAttribute("battle", "carried_objects")

    @property
    def side(self) -> str:
        """The active side, whose player turn it is."""
        return self.order[self.active]

    def is_solo(self, side: str) -> bool:
        """Return True if the tables run a side, so that no player answers for it (RSK-044, RSK-190)."""
        return side in self.solo

    def unit(self, unit_id: str) -> Unit:
        return self.units[unit_id]

    def is_commander(self, unit: Unit) -> bool:
        """Return True if a leader is a Player Character (RSK-018)."""
        return unit.spec.id in self.commanders

    def held_by(self, unit: Unit) -> int:
        """Return the number of prisoners that a unit holds."""
        return sum(body.count for body in self.captives if body.captor == unit.spec.id)

    def conceal(self, hidden: AbstractSet[str]) -> None:
        """Remove every reference to hidden units, with their prisoners and the objects that they carry."""
        self.waiting = [name for name in self.waiting if hidden.isdisjoint(name.split("+"))]
        self.charging = [name for name in self.charging if name not in hidden]
        self.fights = [fight for fight in self.fights if hidden.isdisjoint(fight)]
        self.captives = [
            captives for captives in self.captives if captives.captor not in hidden and captives.unit not in hidden
        ]
        self.seen -= hidden
        self.carried_objects = {
            name: carried_object
            for name, carried_object in self.carried_objects.items()
            if carried_object.carrier not in hidden
        }
        self.linked = {name: via for name, via in self.linked.items() if name not in hidden and via not in hidden}
        for known in (self.commanders, self.pools, self.sight_dice, self.known, self.arrivals, self.gone):
            for name in known.keys() & hidden:
                del known[name]
        for unit in self.units.values():
            unit.target = "" if unit.target in hidden else unit.target
            unit.joins = "" if unit.joins in hidden else unit.joins

    def remove(self, unit: Unit, why: str) -> None:
        """Take a unit out of play for good. `why` is the reason: killed, captured, left over an edge, fled or joined
        another unit.
        """
        unit.body, unit.hurt, unit.armed, unit.kits = Body((), unit.body.radius), (), (), ()
        self.gone[unit.spec.id] = why
        self.seen -= {unit.spec.id}
        self.known.pop(unit.spec.id, None)


# --- Command distance of leaders, with changes by house rules (RSK-055) -----------------------------------------------


def command_distances(battle: Battle, leader: Unit, seen: list[Tally] | None = None) -> tuple[float, float]:
    """Return the command distances in cm in enclosed and in open ground; the second is never less than the first.
    `seen` collects the modifier breakdowns.
    """
    lengths, rules = battle.book.lengths, battle.book.rules
    near, far = lengths["command_enclosed"], lengths["command_open"]
    if not rules.changes("command_distance"):
        return near, far
    near, far = (
        float(rules.number("command_distance", printed, battle, leader, seen=seen, of=ground))
        for ground, printed in (("enclosed", near), ("open", far))
    )
    return near, max(near, far)


def in_command_range(battle: Battle, leader: Unit, body: Body) -> tuple[bool, ...]:
    """Return which figures of a body are within command distance of a leader (RSK-055)."""
    field = battle.field
    if not battle.book.rules.changes("command_distance"):
        return field.in_command[leader.body, body]
    return field.within_command(leader.body, body, *command_distances(battle, leader))


# --- Room for units: formations, free ground, and leaders next to their groups (RSK-005, RSK-007) ---------------------


_WIDTHS = {"mass": 6, "column": 3, "laager": 4}
_OPEN_SPACING = 1.6
_CLOSE_SPACING = 1.1


def radius_of(book: RskBook, spec: UnitSpec) -> float:
    """Return half the width of a figure's base (RSK-005)."""
    across: float = book.settings.bases_mounted_cm if spec.mounted else book.settings.bases_foot_cm
    return across / 2


def formation_body(ground: Field, spec: UnitSpec, formation: str | None, at: Point, facing: float) -> Body:
    """Return a group in its formation round a point: two ranks unless the scenario says mass or column.

    On a table too small for that the group stands in more ranks, and in close order if it must.
    """
    usual_width = min(_WIDTHS.get(formation or "", max(1, (spec.figures + 1) // 2)), spec.figures)
    spacings = (_OPEN_SPACING, _CLOSE_SPACING) if formation == "open_order" else (_CLOSE_SPACING,)
    radius = radius_of(ground.book, spec)
    bodies = (
        body_in_ranks(at, facing, spec.figures, radius, w, s) for s in spacings for w in range(usual_width, 0, -1)
    )
    widest = next(bodies)
    if _has_table_for(ground, widest):
        return widest
    return next((body for body in bodies if _has_table_for(ground, body)), widest)


def _has_table_for(ground: Field, body: Body) -> bool:
    """Return True if the table is as wide and as deep as a body."""
    west, south, east, north = body.box
    return east - west <= ground.width and north - south <= ground.depth


def find_room(
    ground: Field, occupied: Iterable[Body], body: Body, inside: tuple[Point, ...] = (), limit: float = 60.0
) -> Body:
    """Return the body shifted as little as needed to stand on the table, on no other base, and off closed terrain.

    It is first shifted onto the table. Further shifts are tried in rings 2 cm apart, up to `limit` cm. If there is no
    room, it stays there.
    """
    others = [other for other in occupied if len(other)]
    aside, along = shift_into(body.box, (0.0, 0.0, ground.width, ground.depth))
    if aside or along:
        body = body.moved_by(aside, along)
    if is_room_for(ground, others, body, inside):
        return body
    around = (body.moved_by(dx, dy) for dx, dy in rings(2.0, limit, least=8, per=4.0))
    return next((moved for moved in around if is_room_for(ground, others, moved, inside)), body)


def is_room_for(ground: Field, others: list[Body], body: Body, inside: tuple[Point, ...]) -> bool:
    """Return True if a body stands on the table, within the polygon `inside` if it has points, on no other base, and
    not in or across closed terrain.
    """
    west, south, east, north = body.box
    if west < 0 or south < 0 or east > ground.width or north > ground.depth:
        return False
    if inside and not all(is_inside(point, inside) for point in body.at):
        return False
    for other in others:
        if body.circle_gap(other) <= 0 and ground.gaps[body, other].gap <= 0:
            return False
    if ground.hinders(body.box):
        for piece in ground.closed:
            if not boxes_meet(body.box, piece.box):
                continue
            if piece.is_area and any(piece.holds(point) for point in body.at):
                return False
            if not piece.is_area and any(piece.meets(body.centre, point) for point in body.at):
                return False
    return True


def place_close_behind(ground: Field, occupied: Iterable[Body], group: Body, facing: float, radius: float) -> Body:
    """Return a place for one figure close behind a group, or anywhere else within 5 cm of it."""
    others = list(occupied)
    back = (facing + 180) % 360
    reach = ground.book.lengths["with_group"]
    for cm in (0.5, 2.0, 3.5):
        for turn in (0, 20, -20, 40, -40, 60, -60, 90, -90, 120, -120, 150, -150, 180):
            dx, dy = direction(back + turn)
            far = max(group.at, key=lambda p: p[0] * dx + p[1] * dy)
            along = (far[0] - group.centre[0]) * dx + (far[1] - group.centre[1]) * dy + group.radius + radius + cm
            body = Body(((group.centre[0] + dx * along, group.centre[1] + dy * along),), radius)
            if ground.gaps[body, group].gap <= reach and is_room_for(ground, others, body, ()):
                return body
    return find_room(ground, others, Body((group.centre,), radius))


# --- Weapons ----------------------------------------------------------------------------------------------------------
# The arms of figures: missiles, melee factors, and the Action table that a unit uses (RSK-026 to RSK-036, RSK-130).


_SLOWEST = ("muzzle", "breech", "magazine")


# --- who carries what -------------------------------------------------------------------------------------------------


def kit_of(spec: UnitSpec) -> tuple[str, str, str, bool]:
    """Return the arms of the armed figures of a unit: weapon, loading, close weapon and bayonet."""
    return spec.weapon, spec.loading, spec.close, spec.bayonet


def kits_of(unit: Unit) -> tuple[str, ...]:
    """Return for each figure the unit whose arms it carries: its own unit, or the one it came from (RSK-047)."""
    return unit.kits or (unit.spec.id,) * unit.count


def arms_of(battle: Battle, unit: Unit, index: int) -> UnitSpec:
    """Return the unit whose arms a figure carries."""
    return battle.units[unit.kits[index]].spec if unit.kits else unit.spec


def _missile_arms(book: RskBook, spec: UnitSpec, armed: bool) -> list[str]:
    """Return the weapons with which a figure can shoot or throw."""
    found = [spec.weapon] if armed and spec.weapon != "none" else []
    if spec.close not in ("none", spec.weapon) and book.ranges[spec.close]:
        found.append(spec.close)
    return found


def missile_arms_of_figure(battle: Battle, unit: Unit, index: int) -> list[str]:
    """Return the weapons that one figure can shoot or throw."""
    return _missile_arms(battle.book, arms_of(battle, unit, index), unit.armed[index])


def missile_weapons(battle: Battle, unit: Unit) -> list[str]:
    """Return the weapons that a unit can shoot or throw now: its missile weapon, its crewed weapon, and its close
    weapon if it can be thrown.

    A figure may carry several (RSK-035). Spears, hatchets and rocks are hurled (RSK-031).
    """
    if "disarmed" in unit.marks:
        return []
    if unit.spec.support:
        return [unit.spec.support]
    if unit.kits:
        return list(
            dict.fromkeys(arm for index in range(unit.count) for arm in missile_arms_of_figure(battle, unit, index))
        )
    return _missile_arms(battle.book, unit.spec, any(unit.armed))


def figures_carrying(battle: Battle, unit: Unit, weapon: str) -> list[int]:
    """Return the figures of a unit that carry one of its missile weapons."""
    if unit.kits:
        return [index for index in range(unit.count) if weapon in missile_arms_of_figure(battle, unit, index)]
    if weapon == unit.spec.weapon:
        return [index for index, armed in enumerate(unit.armed) if armed]
    return list(range(unit.count))


def figures_with_other_arms(battle: Battle, unit: Unit, weapon: str) -> list[int]:
    """Return the figures that shoot or throw something else while the rest of their unit uses `weapon` (RSK-035)."""
    if not unit.kits and (weapon != unit.spec.weapon or all(unit.armed)):
        return []
    have = figures_carrying(battle, unit, weapon)
    return [index for index in range(unit.count) if index not in have]


def loading_of(battle: Battle, unit: Unit, weapon: str) -> str:
    """Return how a weapon of a unit is loaded (RSK-033): its missile weapon by its loading, other weapons are hurled,
    and crewed weapons count as breech-loaders.

    If a group carries one weapon with two kinds of loading, the slower counts.
    """
    if unit.spec.support:
        return "breech"
    if not unit.kits:
        return unit.spec.loading if weapon == unit.spec.weapon else "hurled"
    specs = [battle.units[kit].spec for kit in dict.fromkeys(unit.kits)]
    loadings = {spec.loading for spec in specs if spec.weapon == weapon}
    return min(loadings.intersection(_SLOWEST), key=_SLOWEST.index, default="hurled")


def limits_of(battle: Battle, unit: Unit, weapon: str) -> tuple[int, ...]:
    """Return the outer limits of a weapon's ranges in cm (RSK-029), with changes by house rules for this unit. Empty
    for a weapon without ranges.
    """
    book = battle.book
    if not book.has_range_lines:
        return book.ranges[weapon]
    return tuple([far for _, far in book.rules.ranges(book.limits(weapon), battle, unit, weapon)])


def reach_of(battle: Battle, unit: Unit, weapon: str) -> int:
    """Return the longest range of a weapon of a unit in cm, or 0 for a weapon without ranges (RSK-030)."""
    limits = limits_of(battle, unit, weapon)
    return limits[-1] if limits else 0


def band_of(battle: Battle, unit: Unit, weapon: str, distance: float) -> Band | None:
    """Return the range band of a unit's weapon at a distance, limits included (RSK-029), or None beyond long range."""
    return band_within(limits_of(battle, unit, weapon), distance)


def longest_reach(battle: Battle, unit: Unit) -> int:
    """Return the longest range of any weapon that a unit carries, or 0 if it has only hand weapons (RSK-118)."""
    return max([reach_of(battle, unit, weapon) for weapon in missile_weapons(battle, unit)], default=0)


def _firearms(battle: Battle, unit: Unit) -> dict[str, int]:
    """Return the firearms, bows and slings of a unit, and how many figures carry each."""
    weapons, found = battle.book.weapons, dict[str, int]()
    if unit.kits:
        for index, armed in enumerate(unit.armed):
            weapon = arms_of(battle, unit, index).weapon
            found[weapon] = found.get(weapon, 0) + armed
    else:
        found[unit.spec.weapon] = sum(unit.armed)
    return {weapon: count for weapon, count in found.items() if count and not weapons[weapon].hurled}


def main_weapon(battle: Battle, unit: Unit) -> str:
    """Return the firearm, bow or sling that most figures of a unit carry, or "" without one. Ties go to the longer
    medium range (RSK-138).
    """
    if unit.spec.support:
        return unit.spec.support
    counts, ranges = _firearms(battle, unit), battle.book.ranges
    return max(counts, key=lambda weapon: (counts[weapon], ranges[weapon][1]), default="")


def action_table(battle: Battle, unit: Unit) -> str:
    """Return the Action table of a unit: missile if at least half of the living figures carry a firearm, bow or sling,
    otherwise melee (RSK-130).
    """
    spec = unit.spec
    if spec.table != "auto":
        return spec.table
    if spec.support:
        return "missile"
    shooters = sum(_firearms(battle, unit).values())
    return "missile" if shooters and battle.book.is_share_reached("missile_troops", shooters, unit.count) else "melee"


def melee_factor(book: RskBook, spec: UnitSpec, armed: bool) -> int:
    """Return the highest melee factor that a figure carries (RSK-035)."""
    own = book.factor(spec.weapon, spec.bayonet) if armed and spec.weapon != "none" else 0
    return max(own, book.factor(spec.close, False))
