"""Figures, guns and units: their fixed characteristics, their current state, and the marks on them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from zareba.base.state import Record, WithMarks, WithSpec, if_set, record, shared
from zareba.space.bearings import angle_between, bearing
from zareba.space.geometry import Point, middle_of

# --- Figures, guns and units ------------------------------------------------------------------------------------------


Box = tuple[float, float, float, float]
NOWHERE: Box = (1e9, 1e9, -1e9, -1e9)


@dataclass(frozen=True, slots=True)
class FigureSpec:
    """The fixed characteristics of a figure (FBN-018 to FBN-030).

    `role` is soldier, nco, officer, hero, medic, crew or civilian. `table` is european or native. `column` is the
    column of the panic table. `weapon` is a row of Table 4-C or "none". `close` is True if the figure has a
    close-combat weapon. `crew` is True for every member of a gun crew, including a leader among the gunners (FBN-201).
    """

    id: str
    name: str
    side: str
    role: str
    table: str
    column: str
    cs: int
    ds: int
    sp: int
    ac: int
    gl: int
    weapon: str = "none"
    spare: str = "none"
    close: bool = False
    crew: bool = False
    rides: bool = False
    bearer: bool = False
    sniper: bool = False
    flares: int = 0
    leader_id: str = ""

    @property
    def leads(self) -> bool:
        """True for an officer, NCO or hero (FBN-123, FBN-140)."""
        return self.role in ("officer", "nco", "hero")


@dataclass(frozen=True, slots=True)
class UnitSpec:
    """The fixed characteristics of a unit: name, side, kind (squad, battery, machine_gun, independent) and source.

    `source` is the unit or leader of the scenario. `table` and `drilled` decide whether the unit may form square
    (FBN-060).
    """

    id: str
    name: str
    side: str
    kind: str
    source: str
    table: str = "european"
    drilled: bool = False


class Placed:
    """Base class of everything with a position on the table, in inches."""

    __slots__ = ()
    x: float
    y: float

    @property
    def at(self) -> Point:
        """The position."""
        return self.x, self.y


@record
class Figure(Placed, WithMarks):
    """A man, or a rider with his horse. Positions are in inches; `z` is the height of the ground or floor under him.

    `gl` is the current GL, 7 or more in panic. `reaction` and `since` are his panic reaction and the turn in which it
    began. `place` is the building section he is in and `post` the opening he is at (FBN-275). `spent` counts the AC of
    this turn that went into counter-attacks (FBN-098), and `owed` those of the next turn: fire out of turn after his
    own activation. `moves` counts AC spent on movement, and `attacks` the shots and blows of this activation. Gaits run
    from 0 to 3 (FBN-173). `dropped` is the turn in which he lay down (FBN-053).
    """

    x: float
    y: float
    z: float
    facing: float
    gl: int
    weapon: str
    ac: int = 0
    wounds: int = 1
    mounted: bool = False
    marks: frozenset[str] = frozenset()
    locations: frozenset[str] = frozenset()
    reaction: str = ""
    since: int = 0
    place: str = ""
    post: str = ""
    spent: int = 0
    moves: int = 0
    attacks: int = 0
    gait: int = 0
    last_gait: int = 0
    dropped: int = 0
    flares: int = 0
    owed: int = if_set(default=0)
    spec: FigureSpec = shared(default=None)

    @property
    def id(self) -> str:
        return self.spec.id

    @property
    def prone(self) -> bool:
        """True if the figure lies down (FBN-052)."""
        return "prone" in self.marks

    @property
    def steady(self) -> bool:
        """True if the figure is in play and under no panic reaction (FBN-269)."""
        return not self.reaction

    @property
    def able(self) -> bool:
        """True if the figure is steady and not stunned (FBN-269, FBN-131)."""
        return not self.reaction and "stunned" not in self.marks

    def turned_from(self, point: tuple[float, float]) -> float:
        """Return the angle between the figure's facing and a point, from 0 to 180 degrees."""
        return 0.0 if point == self.at else angle_between(self.facing, bearing(self.at, point))

    def leave_horse(self) -> None:
        """Put the figure on foot. The horse stays behind as a marker (FBN-186, FBN-187)."""
        self.mounted = False
        self.mark(f"horse {self.x:.2f} {self.y:.2f}")


@record
class Gun(Placed, Record):
    """A gun or machine gun (FBN-204): its position, the `bearing` of its barrel, and its state.

    `team` is the number of draught animals; `gait` and `last_gait` are the gaits at which it was drawn (FBN-207).
    `jam` is "", "clear" (rolled this turn) or "jammed", and `jammed_in` is the turn of the jam. `salvos` counts the
    salvos of this turn. `plot` is a point, a guess in inches and the turn (FBN-227). `taken_by` is the side that
    captured the gun (FBN-122). `odd` marks a rocket, which always deviates.
    """

    kind: str
    x: float
    y: float
    z: float
    bearing: float
    wounds: int
    ac: int = 0
    saved: int = 0
    team: int = 0
    jam: str = ""
    jammed_in: int = 0
    salvos: int = 0
    moved: bool = False
    gait: int = 0
    last_gait: int = 0
    plot: tuple[float, ...] = ()
    taken_by: str = ""
    odd: bool = False
    shells: bool = True
    solid: bool = True

    @property
    def in_play(self) -> bool:
        """True if the gun is neither destroyed nor captured (FBN-122, FBN-204)."""
        return self.wounds > 0 and not self.taken_by

    @property
    def plot_point(self) -> Point:
        """The point of the plot; call it only if there is a plot (FBN-227)."""
        x, y, _, _ = self.plot
        return x, y

    @property
    def plot_turn(self) -> int:
        """The turn in which the plot was made; call it only if there is a plot (FBN-227)."""
        return int(self.plot[-1])


@record
class Unit(WithSpec):
    """The current state of a unit.

    `figures` are those in play; `box` is the bounding box of their centres and of the guns. `start` is the number of
    figures at the start (FBN-141). `events` are this turn's glory events by kind (FBN-146). `shot_turn` is the last
    turn in which the unit was shot at, and `shot_run` the number of such turns in a row (FBN-144). `back` is True if
    the unit has been ordered to fall back (FBN-160).
    """

    formation: str
    start: int
    figures: dict[str, Figure]
    guns: list[Gun]
    marks: frozenset[str] = frozenset()
    events: tuple[str, ...] = ()
    shot_turn: int = -1
    shot_run: int = 0
    back: bool = False
    box: Box = NOWHERE
    dealt: int = 0
    lost: int = 0
    spec: UnitSpec = shared(default=None)

    @property
    def on_table(self) -> bool:
        """True if the unit has figures in play and has not left the table or still to arrive."""
        return bool(self.figures) and "away" not in self.marks

    @property
    def shape(self) -> str:
        """The formation that counts for the rules.

        An unformed unit is in open order (FBN-272), and so is a single man (FBN-062). Men in panic do not count, so
        one steady man among them is a single man (FBN-064).
        """
        if self.formation == "open" or "unformed" in self.marks:
            return "open"
        has_one = False
        for figure in self.figures.values():
            if not figure.reaction:
                if has_one:
                    return self.formation
                has_one = True
        return "open"

    def shape_of(self, figure: Figure) -> str:
        """Return the formation that counts for one figure.

        A figure in panic no longer belongs to the formation (FBN-064, FBN-171).
        """
        return "open" if figure.reaction else self.shape

    @property
    def steady(self) -> list[Figure]:
        """The steady figures (FBN-269)."""
        return [figure for figure in self.figures.values() if not figure.reaction]

    def measure(self) -> None:
        """Recompute the bounding box after figures or guns have moved, joined or left."""
        figures = self.figures.values()
        xs, ys = [figure.x for figure in figures], [figure.y for figure in figures]
        for gun in self.guns:
            if gun.wounds > 0:
                xs.append(gun.x)
                ys.append(gun.y)
        self.box = (min(xs), min(ys), max(xs), max(ys)) if xs and "away" not in self.marks else NOWHERE

    @property
    def middle(self) -> tuple[float, float]:
        """The mean position of the figures."""
        return middle_of([(figure.x, figure.y) for figure in self.figures.values()])


# --- Marks ------------------------------------------------------------------------------------------------------------

# Marks are the words on a unit or a figure that record what it has done or suffered. They are plain strings
# (`unit.mark("pinned")`), so that journals keep them and house rules can test them (`unit.is.pinned`). The column
# "set by" names modules of `chapters`, if no other package is given.
#
# Marks of a figure:
#
# | mark | meaning | set by | ends |
# | --- | --- | --- | --- |
# | charged | has charged: no further movement action (FBN-041) | melee, cavalry, panic | end of activation |
# | moved | has spent AC on movement, as an order to fall back requires (FBN-160) | many | end of activation |
# | crossed | went from one section to another: may only move on (FBN-244) | buildings | end of activation |
# | placed | was posted at an opening, which is free only once (FBN-275) | actions/buildings | end of activation |
# | fired | fired a small arm: may not heal (FBN-137) | fire | end of activation |
# | at UNIT | named this unit as target: no second target order (FBN-038) | fire | end of activation |
# | healed | treated a patient: may neither fire nor treat another (FBN-137) | morale | end of activation |
# | served | gave all his AC to a gun or a heavy door (FBN-205, FBN-253) | crews, buildings | end of activation |
# | serves N | served gun N of his unit, and may serve it again (FBN-205) | crews | end of activation |
# | noticed NAME | has tested for this terrain at night (FBN-239) | night | end of activation |
# | halted | stumbled over terrain at night: no further movement (FBN-239) | night | end of activation |
# | steadied | a rally improved his GL: no second time (FBN-159) | morale | end of turn |
# | used OPENING | has fired through this opening, which has a limit of users (FBN-245) | sight | end of turn |
# | through OPENING | has fought through this opening, which has a limit of fighters (FBN-275) | melee | end of turn |
# | stunned | head wound: neither moves nor fights (FBN-131) | hits | end of his next activation, or a medic |
# | dazed | that next activation has begun: `stunned` ends with it | actions/activation | end of activation |
# | prone | lies down (FBN-052) | morale.lie_down | he gets up or attacks |
# | shown | attacked, but must stay prone: a target meanwhile (FBN-133, FBN-168) | morale | his next activation |
# | disarmed | threw his only spear or was a prisoner: no weapon (FBN-192, FBN-112) | targets, hits | never |
# | horse X Y | his horse stands at this point (FBN-186, FBN-187) | Figure.leave_horse | he mounts |
#
# Marks of a unit:
#
# | mark | meaning | set by | ends |
# | --- | --- | --- | --- |
# | checked | has made its voluntary glory check (FBN-036) | morale | end of activation |
# | faced | has turned on the spot, and has done nothing since (FBN-049) | actions/drill | next act |
# | loose | men acted singly: test the formation when the activation ends (FBN-272) | many | end of activation |
# | deed | took a leader, a bearer or a gun: heroic (FBN-161) | hits, crews | end of activation |
# | took a gun | the deed was a gun | crews | end of activation |
# | back next | ordered to fall back in its own activation: obeys in the next (FBN-160) | morale | end of activation |
# | stuck | no legal march was found; not offered again | actions/movement | next march, or end of activation |
# | stuck GAIT | the same for a ride at gait 1, 2 or 3 | actions/movement | next march, or end of activation |
# | stuck wheel | the same for a ride with turns | cavalry | next march, or end of activation |
# | activated | has had its activation (FBN-013) | actions/activation | end of turn |
# | rallied | an officer rallied it: neither again nor ordered back (FBN-159) | morale | end of turn |
# | ordered_back | was ordered to fall back: neither again nor rallied (FBN-160) | morale | end of turn |
# | heartened | saw a heroic deed: no second time (FBN-161) | morale | end of turn |
# | tested | has made its glory test (FBN-148) | morale | end of turn |
# | half turn | suffered the event of half strength this turn (FBN-141, `each_turn`) | morale | end of turn |
# | half | suffered the event of half strength (FBN-141, `once`) | morale | never |
# | due | suffered a glory event: owes a test (FBN-147) | morale | glory test |
# | cluster | charged in closed order or mass: an easier target (FBN-059) | melee, cavalry | its next activation |
# | pinned | under heavy fire: prone men cannot get up (FBN-231) | fire, machine_guns | a turn without a shot at it |
# | unformed | its men do not keep their formation: counts as open order (FBN-272) | many | it forms up |
# | hidden | not yet known to the enemy (FBN-078) | setting_up | it acts, or an enemy finds it |
# | away | off the table: still to arrive (FBN-011), or has left (FBN-265) | setting_up, victory | it arrives |

# Marks of a figure that end with the activation of its unit. The words are followed by a name.
ACTIVATION_MARKS = frozenset({"charged", "crossed", "healed", "fired", "halted", "served", "moved", "placed"})
_ACTIVATION_WORDS = ("at ", "noticed ", "serves ")
# Marks of a figure that end with the turn
TURN_MARKS = frozenset({"steadied"})
_TURN_WORDS = ("used ", "through ")
# Marks of a unit
UNIT_TURN_MARKS = frozenset({"activated", "rallied", "heartened", "ordered_back", "tested", "half turn"})
UNIT_ACTIVATION_MARKS = frozenset(
    {
        "checked",
        "faced",
        "loose",
        "deed",
        "took a gun",
        "back next",
        "stuck",
        "stuck 1",
        "stuck 2",
        "stuck 3",
        "stuck wheel",
    }
)


def after_activation(marks: Iterable[str]) -> frozenset[str]:
    """Return the marks of a figure that outlast its unit's activation."""
    lasting = frozenset(marks) - ACTIVATION_MARKS
    return frozenset([mark for mark in lasting if not mark.startswith(_ACTIVATION_WORDS)]) if lasting else lasting


def after_turn(marks: Iterable[str]) -> frozenset[str]:
    """Return the marks of a figure that outlast the turn."""
    return frozenset([mark for mark in marks if mark not in TURN_MARKS and not mark.startswith(_TURN_WORDS)])
