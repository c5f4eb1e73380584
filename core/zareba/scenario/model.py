"""The neutral scenario: one battle described once, for every rule system to translate.

Places are (x, y) in inches from the south-west corner, x to the east and y to the north. Whatever can be
named is keyed by its id, in the order of the file; that order means something (who is listed first).
"""

from __future__ import annotations

import hashlib
import math
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import Field, JsonValue

from zareba.base.references import RefersTo
from zareba.base.yamlfile import Id, Name, Text, YamlModel
from zareba.scenario.vocabulary import (
    OPPOSITE,
    RANKS,
    TRAITS,
    WIDTHS,
    Ammunition,
    Arm,
    Armament,
    CloseWeapon,
    Controller,
    Depth,
    Draught,
    Edge,
    Facing,
    Formation,
    GateKind,
    GunClass,
    Kind,
    Loyalty,
    Material,
    Mount,
    ObjectKind,
    Orders,
    Quality,
    Rank,
    Role,
    Slope,
    TerrainKind,
    Weapon,
)

MAX_TURNS = 200
MAX_UNITS = 200
MAX_FIGURES = 200
MAX_SIDE = 200.0

Inches: TypeAlias = Annotated[float, Field(ge=0, le=MAX_SIDE)]
Point: TypeAlias = tuple[Inches, Inches]
Polygon: TypeAlias = Annotated[tuple[Point, ...], Field(min_length=3, max_length=100)]
Line: TypeAlias = Annotated[tuple[Point, ...], Field(min_length=2, max_length=100)]
Turn: TypeAlias = Annotated[int, Field(ge=1, le=MAX_TURNS)]
Points: TypeAlias = Annotated[int, Field(ge=0, le=100)]
Die: TypeAlias = Annotated[int, Field(ge=2, le=100)]

SideId: TypeAlias = Annotated[Id, RefersTo("sides")]
UnitId: TypeAlias = Annotated[Id, RefersTo("units")]
LeaderId: TypeAlias = Annotated[Id, RefersTo("leaders")]
TerrainId: TypeAlias = Annotated[Id, RefersTo("terrain")]
ObjectId: TypeAlias = Annotated[Id, RefersTo("objects")]
ZoneId: TypeAlias = Annotated[Id, RefersTo("zones")]
"""A deployment zone of the same side."""
TraitId: TypeAlias = Annotated[Id, Field(examples=[*TRAITS]), RefersTo("traits", besides=TRAITS)]


class Table(YamlModel):
    """The playing surface: width from west to east, depth from south to north, in inches."""

    width: float = Field(ge=12, le=MAX_SIDE)
    depth: float = Field(ge=12, le=MAX_SIDE)


class Gate(YamlModel):
    """An opening in a wall that can be shut: its middle, its width in inches, what it is made of."""

    at: Point
    width: float = Field(default=2.0, gt=0, le=20)
    kind: GateKind = "light_wood"
    open: bool = False


class Terrain(YamlModel):
    """One piece of terrain: an `area` (a polygon) or a `line` of some width, never both.

    `area`: its corners in order. `line`: its points in order. `width`: of a line, in inches. `levels` counts the contours of a
    hill; `crest` is its top, within its area; `depth`: of a river. `strength` is what a structure bears before it breaks, for
    systems that batter walls; `rooms` says that figures may be placed inside a building model. `true_fortification`: built
    against guns.
    """

    kind: TerrainKind
    name: Name | None = None
    area: Polygon | None = None
    line: Line | None = None
    width: float | None = Field(default=None, gt=0, le=40)
    slope: Slope | None = None
    levels: int | None = Field(default=None, ge=1, le=6)
    crest: Polygon | None = None
    depth: Depth | None = None
    material: Material | None = None
    floors: int | None = Field(default=None, ge=1, le=6)
    rooms: bool | None = None
    true_fortification: bool | None = None
    strength: int | None = Field(default=None, ge=1, le=20)
    gates: dict[Id, Gate] = Field(default_factory=dict, max_length=20)

    @property
    def is_deep(self) -> bool:
        """True for water that cannot be waded: a lake, and a river unless it is called shallow."""
        return self.kind == "lake" or (self.kind == "river" and self.depth != "shallow")

    @property
    def across(self) -> float:
        """Inches across the line; 0 for an area."""
        return 0.0 if self.line is None else self.width or WIDTHS[self.kind]


class Victory(YamlModel):
    """How a side wins beside its objectives.

    `quota`: the points that end the game at once in its favour. `note`: a word about it.
    """

    quota: int | None = Field(default=None, ge=1, le=1000)
    note: Text = ""


class Side(YamlModel):
    """One force.

    `home_edge`: from where it came. `deployment`: the zones in which it sets up. `deploys` orders the sides for setting up,
    lowest first. `controller`: whether it is made for a player or for the rules' own solo tables. `briefing`: what its player
    is told beforehand.
    """

    name: Name
    role: Role = "either"
    home_edge: Edge | None = None
    deployment: dict[Id, Polygon] = Field(default_factory=dict, max_length=20)
    deploys: int = Field(default=1, ge=1, le=8)
    controller: Controller = "any"
    briefing: Text = ""
    victory: Victory = Victory()


class Arrival(YamlModel):
    """When and where a unit comes on: at the start of a turn, over an edge.

    `turn`: the one in which it comes, or from which a die is thrown for it in each turn. `at`: the place on the edge, where it
    is not open. `die`: with how many faces it is thrown for. `at_least`: what it must show.
    """

    turn: Turn
    edge: Edge
    at: Point | None = None
    die: Die | None = None
    at_least: Die | None = None


class Gun(YamlModel):
    """The pieces of a battery. `pieces`: how many guns."""

    kind: GunClass
    pieces: int = Field(default=1, ge=1, le=12)
    ammunition: tuple[Ammunition, ...] = ("shell",)


_LINE_RANKS: Final = 2
_COLUMN_FILES: Final = 4


class Unit(YamlModel):
    """One body of troops; every figure is one man on the table.

    `mount`: what its men ride, where its arm does not say. `share` is the part of the figures that carries `weapon`, from 0 to 1.
    `draught`: what moves its gun. `armament`: of a vehicle or aircraft. `strength` is the hull of an airship. `position`: where it
    stands. `zone`: the one in which it is set up, where not in any of its side. `inside` names the area terrain it is in.
    `parent`: the platoon or battalion to which it belongs. `traits` are words that all scenarios have, or that this one says of
    its own. `hidden`: it begins as a marker, as the hidden forces of its side are set out. `points` is what its loss gives the
    enemy where a system leaves that open.
    """

    name: Name
    side: SideId
    arm: Arm
    kind: Kind
    quality: Quality = "regular"
    figures: int = Field(ge=1, le=MAX_FIGURES)
    mount: Mount | None = None
    weapon: Weapon = "none"
    share: float = Field(default=1.0, gt=0, le=1)
    close_weapon: CloseWeapon = "none"
    gun: Gun | None = None
    draught: Draught | None = None
    armament: tuple[Armament, ...] = Field(default=(), max_length=4)
    strength: int | None = Field(default=None, ge=1, le=20)
    formation: Formation | None = None
    facing: Facing | None = None
    position: Point | None = None
    zone: ZoneId | None = None
    inside: TerrainId | None = None
    parent: Name | None = None
    traits: tuple[TraitId, ...] = Field(default=(), max_length=20)
    orders: Orders | None = None
    hidden: bool = False
    arrival: Arrival | None = None
    points: Points | None = None

    @property
    def mounted_on(self) -> Mount:
        """What its figures ride, `none` on foot."""
        if self.mount is not None:
            return self.mount
        return {"cavalry": "horse", "mounted_infantry": "horse", "camelry": "camel"}.get(self.arm, "none")  # type: ignore[return-value] # the values are mounts

    @property
    def mounted(self) -> bool:
        """Whether its figures ride."""
        return self.mounted_on != "none"

    @property
    def armed(self) -> int:
        """How many of the figures carry `weapon`."""
        return 0 if self.weapon == "none" else max(1, math.floor(self.share * self.figures + 0.5))

    @property
    def pieces(self) -> int:
        """How many guns or vehicles it has."""
        return self.gun.pieces if self.gun else int(self.arm in ("machine_gun", "rocket", "wagon", "vehicle"))

    @property
    def room(self) -> float:
        """Radius in inches of the ground it fills: 1 square inch a man, 2 a rider, 4 a gun or vehicle."""
        if self.arm in ("aircraft", "airship"):
            return 0.0
        return math.sqrt((self.figures * (2 if self.mounted else 1) + 4 * self.pieces) / math.pi)

    @property
    def footprint(self) -> tuple[float, float]:
        """Frontage and depth in inches in its formation, a line two deep unless it says so; guns stand before their men."""
        if self.formation == "column":
            files = min(self.figures, _COLUMN_FILES)
        elif self.formation in ("square", "mass", "laager"):
            files = math.ceil(math.sqrt(self.figures))
        else:
            files = math.ceil(self.figures / _LINE_RANKS)
        ranks = math.ceil(self.figures / files)
        depth = ranks * (2 if self.mounted else 1) + 2 * min(self.pieces, 1)
        return float(max(files, 2 * self.pieces)), float(depth)


class Leader(YamlModel):
    """One named figure, with a unit, or alone at a position or in a zone.

    A `non_combatant` is a person to be protected; `unit`: with whom he stands. `loyalty` lists units that break the rule of whom
    they follow. `flares`: how many he can send up at night. `points` is what his loss or capture gives the enemy where a system
    leaves that open.
    """

    name: Name
    side: SideId
    rank: Rank
    quality: Quality = "veteran"
    hero: bool = False
    mounted: bool = False
    non_combatant: bool = False
    unit: UnitId | None = None
    position: Point | None = None
    zone: ZoneId | None = None
    arrival: Arrival | None = None
    loyalty: dict[UnitId, Loyalty] = Field(default_factory=dict, max_length=MAX_UNITS)
    flares: int = Field(default=0, ge=0, le=20)
    points: Points | None = None


class Goal(YamlModel):
    """What all objectives share. `by`: the sides that may score, all when none is named. A `decisive` one wins the game at once."""

    name: Name
    points: int = Field(default=1, ge=1, le=100)
    by: tuple[SideId, ...] = Field(default=(), max_length=8)
    decisive: bool = False


class Hold(Goal):
    """Stand alone at a place when the game ends: a point and a radius in inches, or a piece of terrain."""

    kind: Literal["hold"]
    at: Point | None = None
    radius: float = Field(default=3.0, gt=0, le=40)
    terrain: TerrainId | None = None


class Destroy(Goal):
    """Destroy or drive off this share of the enemy's figures, or of the named units."""

    kind: Literal["destroy"]
    share: float = Field(gt=0, le=1)
    units: tuple[UnitId, ...] = Field(default=(), max_length=MAX_UNITS)


class CarryOff(Goal):
    """Take an object over an edge of the table."""

    kind: Literal["carry_off"]
    object: ObjectId
    edge: Edge


class Escort(Goal):
    """Bring this share of the figures of the named units over an edge, or to a point."""

    kind: Literal["escort"]
    units: tuple[UnitId, ...] = Field(min_length=1, max_length=MAX_UNITS)
    share: float = Field(default=0.5, gt=0, le=1)
    edge: Edge | None = None
    at: Point | None = None
    radius: float = Field(default=3.0, gt=0, le=40)


class CaptureLeader(Goal):
    """Kill or take a leader."""

    kind: Literal["capture_leader"]
    leader: LeaderId


class Survive(Goal):
    """Have this share of one's figures, or of the named units', on the table at the end of a turn."""

    kind: Literal["survive"]
    turn: Turn
    share: float = Field(default=0.5, gt=0, le=1)
    units: tuple[UnitId, ...] = Field(default=(), max_length=MAX_UNITS)


Objective: TypeAlias = Annotated[
    Hold | Destroy | CarryOff | Escort | CaptureLeader | Survive, Field(discriminator="kind")
]

Exit: TypeAlias = tuple[Edge, tuple[str, ...], str]
"""An edge over which units may leave to their side's credit: these units, or whoever carries the object."""


class Object(YamlModel):
    """A thing that can be taken, or that serves: where it stands or which unit has it.

    `side`: whose it is. `count`: how many beasts or men. `heavy`: it burdens whoever carries it.
    """

    name: Name
    kind: ObjectKind
    side: SideId | None = None
    position: Point | None = None
    carrier: UnitId | None = None
    count: int = Field(default=1, ge=1, le=MAX_FIGURES)
    heavy: bool = False


class HiddenForces(YamlModel):
    """How the hidden units of a side are set out: as markers in their zone, or at the edge of terrain pieces.

    `dummies` are markers with nothing behind them; none named leaves their number to the system.
    """

    rule: Literal["zone", "terrain_edge"] = "terrain_edge"
    terrain: tuple[TerrainId, ...] = Field(default=(), max_length=50)
    dummies: int | None = Field(default=None, ge=0, le=MAX_UNITS)


class Event(YamlModel):
    """A change of weather or light at the start of a turn.

    `turn`: the one in which it comes, or from which a die is thrown for it in each turn. `text`: what players are told. `night`:
    it begins, or ends. `fog`: it falls, or lifts. `die`: with how many faces it is thrown for, where it is. `at_least`: what
    the die must show.
    """

    turn: Turn
    text: Text
    night: bool | None = None
    fog: bool | None = None
    die: Die | None = None
    at_least: Die | None = None


class Scenario(YamlModel):
    """One battle, with all that five rule systems need to know of it.

    `id`: what it is called in files. `note`: its history in a few lines. `tests`: what it asks of a system, for those who choose
    a battle to compare systems by. `turns`: after so many it ends. `first`: who goes first, a side, the dice, or whoever the
    rules say (open). `night`: it begins in the dark. `fog`: it begins in fog. `siege`: by the rules for sieges, where a system
    has any. `entrenched`: it is fought from trenches. `traits`: those of its units that no other scenario has, each
    with what it means; rules and house rules may know them, players are told where they do not.
    """

    id: Id
    title: Name
    year: int = Field(ge=1700, le=1950)
    place: Name
    note: Text
    tests: Text = ""
    sources: tuple[Text, ...] = Field(default=(), max_length=20)
    turns: Turn
    first: Annotated[str, RefersTo("sides", besides=("open", "dice"))] = Field(default="open", max_length=64)
    night: bool = False
    fog: bool = False
    siege: bool = False
    entrenched: bool = False
    table: Table
    traits: dict[Id, Text] = Field(default_factory=dict, max_length=20)
    terrain: dict[Id, Terrain] = Field(default_factory=dict, max_length=200)
    sides: dict[Id, Side] = Field(min_length=2, max_length=8)
    units: dict[Id, Unit] = Field(min_length=2, max_length=MAX_UNITS)
    leaders: dict[Id, Leader] = Field(default_factory=dict, max_length=MAX_UNITS)
    objectives: dict[Id, Objective] = Field(default_factory=dict, max_length=50)
    objects: dict[Id, Object] = Field(default_factory=dict, max_length=50)
    hidden: dict[SideId, HiddenForces] = Field(default_factory=dict, max_length=8)
    events: dict[Id, Event] = Field(default_factory=dict, max_length=50)
    overrides: dict[Id, dict[Id, JsonValue]] = Field(default_factory=dict, max_length=20)

    @property
    def digest(self) -> str:
        """SHA-256 in hex of what the scenario says; comments and layout of its file do not count."""
        return hashlib.sha256(self.model_dump_json(exclude_defaults=True).encode()).hexdigest()

    def units_of(self, side: str) -> dict[str, Unit]:
        """The units of a side, as listed."""
        return {key: unit for key, unit in self.units.items() if unit.side == side}

    def leaders_of(self, side: str) -> dict[str, Leader]:
        """The leaders of a side, highest rank first, as listed within a rank."""
        own = [(key, leader) for key, leader in self.leaders.items() if leader.side == side]
        return dict(sorted(own, key=lambda item: RANKS.index(item[1].rank)))

    def leader_of(self, unit: str) -> str | None:
        """The id of the highest leader with a unit, None without one."""
        own = self.leaders_of(self.units[unit].side)
        return next((key for key, leader in own.items() if leader.unit == unit), None)

    def enemies_of(self, side: str) -> tuple[str, ...]:
        """The ids of all other sides."""
        return tuple(key for key in self.sides if key != side)

    def facing_of(self, unit: str) -> Facing | None:
        """The facing of a unit: as given, else away from its home edge, None without either."""
        own = self.units[unit]
        edge = self.sides[own.side].home_edge
        return own.facing or (OPPOSITE[edge] if edge else None)

    def objectives_of(self, side: str) -> dict[str, Objective]:
        """What a side may score, as listed."""
        return {key: goal for key, goal in self.objectives.items() if not goal.by or side in goal.by}

    def exits_for(self, side: str) -> tuple[Exit, ...]:
        """The edges over which objectives by which a side may score send somebody, or want something carried, as listed."""
        found: list[Exit] = []
        for goal in self.objectives_of(side).values():
            if isinstance(goal, CarryOff):
                found.append((goal.edge, (), goal.object))
            elif isinstance(goal, Escort) and goal.edge is not None:
                found.append((goal.edge, goal.units, ""))
        return tuple(found)

    def listing_first(self, side: str) -> Scenario:
        """The same battle with its sides listed from this one on: what a system gives to the one listed first goes to it."""
        names = list(self.sides)
        start = names.index(side)
        return self.model_copy(update={"sides": {name: self.sides[name] for name in (*names[start:], *names[:start])}})

    def arrivals(self, turn: int) -> tuple[str, ...]:
        """The ids of the units that come on, or first roll to come on, at the start of a turn."""
        return tuple(key for key, unit in self.units.items() if unit.arrival and unit.arrival.turn == turn)
