"""The ruleset-neutral scenario: one battle described once, which every ruleset translates.

Places are (x, y) in inches from the south-west corner, x to the east and y to the north. Everything with a name is
keyed by its id. The order of the file matters, because some rules prefer the side or unit listed first.
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
from zareba.scenario.vocabulary.words import ARMS, TERRAIN, word_with_ancestors

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


class Battlefield(YamlModel):
    """The board: width from west to east, depth from south to north, in inches."""

    width: float = Field(ge=12, le=MAX_SIDE)
    depth: float = Field(ge=12, le=MAX_SIDE)


class Gate(YamlModel):
    """A gate in a wall: the position of its middle, its width in inches and its material."""

    at: Point
    width: float = Field(default=2.0, gt=0, le=20)
    kind: GateKind = "light_wood"
    open: bool = False


class Terrain(YamlModel):
    """One piece of terrain: either an area (a polygon) or a line with a width. A road may be an area or a line.

    `area`: corners of the area, in order. `line`: points of the line, in order. `width`: width of the line, in inches.
    `levels`: number of contours of a hill. `crest`: top of a hill, inside its area. `depth`: depth of a river.
    `strength`: damage that a wall or building takes before it breaks; only some rulesets use it. `rooms`: figures can
    be placed inside the building model. `true_fortification`: built to withstand artillery.
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
        """True for water that cannot be waded: a lake, or a river not marked shallow."""
        kinds = word_with_ancestors(self.kind, TERRAIN)
        return "lake" in kinds or ("river" in kinds and self.depth != "shallow")

    @property
    def across(self) -> float:
        """Width of the line in inches; 0 for an area."""
        return 0.0 if self.line is None else self.width or WIDTHS[self.kind]


class Victory(YamlModel):
    """Ways for a side to win besides its objectives.

    `quota`: points with which this side wins at once. `note`: remark about this way to win.
    """

    quota: int | None = Field(default=None, ge=1, le=1000)
    note: Text = ""


class Side(YamlModel):
    """One side of the battle.

    `home_edge`: table edge from which the side comes. `deployment`: zones in which the side sets up. `deploys`: place
    in the order of setting up, lowest first. `controller`: intended controller: a player, the solo rules of the
    ruleset, or either of them. `briefing`: text shown to its player before the game.
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
    """A unit's arrival over a table edge at the start of a turn.

    `turn`: turn of arrival, or first turn in which a die is rolled for it. `at`: point on the edge; leave it out for
    an open choice. `die`: number of faces of the die rolled for the arrival. `at_least`: lowest roll with which the
    unit arrives.
    """

    turn: Turn
    edge: Edge
    at: Point | None = None
    die: Die | None = None
    at_least: Die | None = None


class Gun(YamlModel):
    """The guns of a battery. `pieces`: number of guns."""

    kind: GunClass
    pieces: int = Field(default=1, ge=1, le=12)
    ammunition: tuple[Ammunition, ...] = ("shell",)


_LINE_RANKS: Final = 2
_COLUMN_FILES: Final = 4


class Unit(YamlModel):
    """One body of troops; each figure is one man on the table.

    `mount`: mount of the figures, if different from the usual one of the arm. `share`: part of the figures that carries
    the weapon, from 0 to 1. `draught`: how its gun is moved. `armament`: weapons of a vehicle or aircraft. `strength`:
    hull strength of an airship. `position`: starting position. `zone`: deployment zone of the unit; by default any zone
    of its side. `inside`: area terrain that the unit starts in. `parent`: platoon or battalion of the unit. `traits`:
    traits of zareba, or those that this scenario defines. `hidden`: the unit starts as a marker that the enemy cannot
    identify; the section `hidden` says where markers go. `points`: points that the enemy gets for destroying it, if the
    ruleset does not decide this.
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
        """The mount of its figures; `none` if they are on foot."""
        if self.mount is not None:
            return self.mount
        return ARMS[self.arm].mount

    @property
    def mounted(self) -> bool:
        """True if its figures ride."""
        return self.mounted_on != "none"

    @property
    def armed(self) -> int:
        """The number of figures that carry `weapon`: at least one if the unit has a weapon."""
        return 0 if self.weapon == "none" else max(1, math.floor(self.share * self.figures + 0.5))

    @property
    def pieces(self) -> int:
        """The number of its guns or vehicles."""
        return self.gun.pieces if self.gun else int(ARMS[self.arm].counted and not ARMS[self.arm].flies)

    @property
    def room(self) -> float:
        """Radius in inches of the ground it fills: 1 square inch a man, 2 a rider, 4 more a gun or vehicle.

        Aircraft and airships fill none.
        """
        if ARMS[self.arm].flies:
            return 0.0
        return math.sqrt((self.figures * (2 if self.mounted else 1) + 4 * self.pieces) / math.pi)

    @property
    def footprint(self) -> tuple[float, float]:
        """Frontage and depth in inches in its formation, a line two deep unless it says so; guns stand before their
        men.
        """
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
    """One named figure, either with a unit or alone.

    `non_combatant`: a person who does not fight. `unit`: unit that the leader is with. `loyalty`: units that are loyal
    or disloyal to this leader, instead of what the ruleset would decide. `flares`: number of flares the leader can fire
    at night. `points`: points that the enemy gets for killing or capturing the leader, if the ruleset does not decide
    this.
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


class BaseObjective(YamlModel):
    """The fields that all objectives share.

    `by`: sides that can score it; by default all. `decisive`: scoring it wins the game at once.
    """

    name: Name
    points: int = Field(default=1, ge=1, le=100)
    by: tuple[SideId, ...] = Field(default=(), max_length=8)
    decisive: bool = False


class Hold(BaseObjective):
    """Be the only side at a place when the game ends: a point with a radius in inches, or a piece of terrain."""

    kind: Literal["hold"]
    at: Point | None = None
    radius: float = Field(default=3.0, gt=0, le=40)
    terrain: TerrainId | None = None


class Destroy(BaseObjective):
    """Destroy or drive off this share of the enemy's figures, or of the named units."""

    kind: Literal["destroy"]
    share: float = Field(gt=0, le=1)
    units: tuple[UnitId, ...] = Field(default=(), max_length=MAX_UNITS)


class CarryOff(BaseObjective):
    """Take an object over an edge of the table."""

    kind: Literal["carry_off"]
    object: ObjectId
    edge: Edge


class Escort(BaseObjective):
    """Bring this share of the figures of the named units over an edge, or to a point."""

    kind: Literal["escort"]
    units: tuple[UnitId, ...] = Field(min_length=1, max_length=MAX_UNITS)
    share: float = Field(default=0.5, gt=0, le=1)
    edge: Edge | None = None
    at: Point | None = None
    radius: float = Field(default=3.0, gt=0, le=40)


class CaptureLeader(BaseObjective):
    """Kill or capture a leader."""

    kind: Literal["capture_leader"]
    leader: LeaderId


class Survive(BaseObjective):
    """Have this share of the side's figures, or of the named units, left at the end of a turn."""

    kind: Literal["survive"]
    turn: Turn
    share: float = Field(default=0.5, gt=0, le=1)
    units: tuple[UnitId, ...] = Field(default=(), max_length=MAX_UNITS)


Objective: TypeAlias = Annotated[
    Hold | Destroy | CarryOff | Escort | CaptureLeader | Survive, Field(discriminator="kind")
]

Exit: TypeAlias = tuple[Edge, tuple[str, ...], str]
"""A table edge that a side scores for leaving by: the edge, the units that score, and the object to carry off."""


class Object(YamlModel):
    """A thing that can be captured or used. It has a position, or a unit carries it.

    `side`: owner of the object. `count`: number of animals or men. `heavy`: slows down its carrier.
    """

    name: Name
    kind: ObjectKind
    side: SideId | None = None
    position: Point | None = None
    carrier: UnitId | None = None
    count: int = Field(default=1, ge=1, le=MAX_FIGURES)
    heavy: bool = False


class HiddenForces(YamlModel):
    """The way in which the hidden units of a side are set up: as markers in their zone, or as markers at the edge of
    terrain.

    `dummies`: number of markers with no unit behind them; by default the ruleset decides.
    """

    rule: Literal["zone", "terrain_edge"] = "terrain_edge"
    terrain: tuple[TerrainId, ...] = Field(default=(), max_length=50)
    dummies: int | None = Field(default=None, ge=0, le=MAX_UNITS)


class ScenarioEvent(YamlModel):
    """A change of weather or light at the start of a turn.

    `turn`: turn of the change, or first turn in which a die is rolled for it. `text`: text shown to the players.
    `night`: night begins (true) or ends (false). `fog`: fog falls (true) or lifts (false). `die`: number of faces of
    the die, if one is rolled. `at_least`: lowest roll with which the change happens.
    """

    turn: Turn
    text: Text
    night: bool | None = None
    fog: bool | None = None
    die: Die | None = None
    at_least: Die | None = None


class Scenario(YamlModel):
    """One battle, with everything that the rulesets need to know about it.

    `id`: name of the battle in files and commands. `note`: its history in a few lines. `tests`: parts of the rules that
    matter in this battle, as a help to choose one for a comparison. `turns`: number of the last turn. `first`: side
    that goes first; `dice` rolls for it, and `open` leaves it to the ruleset. `night`: the battle starts in the dark.
    `fog`: the battle starts in fog. `siege`: siege rules apply, if the ruleset has any. `entrenched`: the battle is
    fought from trenches. `traits`: unit traits that only this scenario has, each with its meaning. Rulesets and house
    rules can give these traits an effect; players get a note about a trait that has none.
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
    table: Battlefield
    traits: dict[Id, Text] = Field(default_factory=dict, max_length=20)
    terrain: dict[Id, Terrain] = Field(default_factory=dict, max_length=200)
    sides: dict[Id, Side] = Field(min_length=2, max_length=8)
    units: dict[Id, Unit] = Field(min_length=2, max_length=MAX_UNITS)
    leaders: dict[Id, Leader] = Field(default_factory=dict, max_length=MAX_UNITS)
    objectives: dict[Id, Objective] = Field(default_factory=dict, max_length=50)
    objects: dict[Id, Object] = Field(default_factory=dict, max_length=50)
    hidden: dict[SideId, HiddenForces] = Field(default_factory=dict, max_length=8)
    events: dict[Id, ScenarioEvent] = Field(default_factory=dict, max_length=50)
    overrides: dict[Id, dict[Id, JsonValue]] = Field(default_factory=dict, max_length=20)

    @property
    def digest(self) -> str:
        """SHA-256, in hex, of the scenario's content; comments and layout of the file do not count."""
        return hashlib.sha256(self.model_dump_json(exclude_defaults=True).encode()).hexdigest()

    def units_of(self, side: str) -> dict[str, Unit]:
        """Return the units of a side, in the order of the file."""
        return {key: unit for key, unit in self.units.items() if unit.side == side}

    def leaders_of(self, side: str) -> dict[str, Leader]:
        """Return the leaders of a side, highest rank first; within a rank in the order of the file."""
        leaders = [(key, leader) for key, leader in self.leaders.items() if leader.side == side]
        return dict(sorted(leaders, key=lambda item: RANKS.index(item[1].rank)))

    def leader_of(self, unit: str) -> str | None:
        """Return the id of the highest leader with a unit, None if it has no leader."""
        leaders = self.leaders_of(self.units[unit].side)
        return next((key for key, leader in leaders.items() if leader.unit == unit), None)

    def enemies_of(self, side: str) -> tuple[str, ...]:
        """Return the ids of all other sides."""
        return tuple(key for key in self.sides if key != side)

    def facing_of(self, unit: str) -> Facing | None:
        """Return the facing of a unit: as given, otherwise away from its home edge, None if it has neither."""
        entry = self.units[unit]
        edge = self.sides[entry.side].home_edge
        return entry.facing or (OPPOSITE[edge] if edge else None)

    def objectives_of(self, side: str) -> dict[str, Objective]:
        """Return the objectives that a side can score, in the order of the file."""
        return {key: goal for key, goal in self.objectives.items() if not goal.by or side in goal.by}

    def exits_for(self, side: str) -> tuple[Exit, ...]:
        """Return the edges that a side can score by leaving over, in the order of the file.

        There is one for each carry-off objective, and one for each escort objective with an edge.
        """
        exits: list[Exit] = []
        for goal in self.objectives_of(side).values():
            if isinstance(goal, CarryOff):
                exits.append((goal.edge, (), goal.object))
            elif isinstance(goal, Escort) and goal.edge is not None:
                exits.append((goal.edge, goal.units, ""))
        return tuple(exits)

    def listing_first(self, side: str) -> Scenario:
        """Return the same battle with this side listed first, for rulesets that favour the side listed first."""
        names = list(self.sides)
        start = names.index(side)
        return self.model_copy(update={"sides": {name: self.sides[name] for name in (*names[start:], *names[:start])}})

    def arrivals(self, turn: int) -> tuple[str, ...]:
        """Return the ids of the units that arrive, or first roll to arrive, at the start of a turn."""
        return tuple(key for key, unit in self.units.items() if unit.arrival and unit.arrival.turn == turn)
