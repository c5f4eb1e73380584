"""The facts and outcomes of the procedures whose odds can be asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = [
    "CardOrderFacts",
    "CardOrderOutcome",
    "CasualtyFacts",
    "CasualtyOutcome",
    "CountedOutcome",
    "ExposedFacts",
    "FlightFacts",
    "FlightOutcome",
    "GroupFacts",
    "GroupOutcome",
    "HitOutcome",
    "HitsOutcome",
    "LeaderFacts",
    "LeaderOutcome",
    "MachineGunFacts",
    "MachineGunOutcome",
    "MeleeCasualtiesOutcome",
    "MeleeExcessOutcome",
    "MeleeFactsOfTwo",
    "MoraleFacts",
    "MoraleOutcome",
    "MoveFacts",
    "MoveOutcome",
    "RoutFacts",
    "RoutOutcome",
    "ShellFacts",
    "ShellOutcome",
    "ShockFacts",
    "ShotFacts",
    "TargetLeaderFacts",
    "TargetLeaderOutcome",
    "VolleyFacts",
    "VolleyLossesFacts",
]

Kind = Literal["regular", "irregular"]
Gait = Literal["halt", "advance", "run"]
Cover = Literal["none", "soft", "hard"]
Firearm = Literal["rifle", "carbine", "musket", "bow", "pistol", "thrown_spear"]
Fate = Literal["killed", "unconscious", "cannot walk", "wounded", "unhurt"]
Mover = Literal[
    "foot", "horse", "camel", "pack", "gun_by_hand", "gun_limbered", "wagon", "carriage", "tractor", "flyer"
]


@dataclass(frozen=True)
class DeckFacts:
    """The casualty deck as it stands: cards left of each class (PAY-116); all 52 unless told otherwise."""

    head_killed: int = 4
    head_unconscious: int = 2
    head_graze: int = 2
    chest_killed: int = 6
    chest_body_wound: int = 6
    belly_killed: int = 2
    belly_unconscious: int = 2
    belly_body_wound: int = 2
    belly_graze: int = 2
    arm_smashed: int = 6
    arm_wound: int = 3
    arm_graze: int = 3
    leg_crippled: int = 6
    leg_wound: int = 6


@dataclass(frozen=True)
class ShotFacts:
    """One man's shot. `skill`: his Firearms Skill on the roster; wounds are his own."""

    skill: int = 4
    inches: float = 20.0
    weapon: Firearm = "rifle"
    gait: Gait = "halt"
    cover: Cover = "none"
    arm_wounds: int = 0
    body_wounds: int = 0


@dataclass(frozen=True)
class HitOutcome:
    hit: bool


@dataclass(frozen=True)
class VolleyFacts(ShotFacts):
    """A group's volleys: `firers` men alike, each firing `shots` times."""

    firers: int = 8
    shots: int = 2


@dataclass(frozen=True)
class HitsOutcome:
    hits: int


@dataclass(frozen=True)
class VolleyLossesFacts(VolleyFacts, DeckFacts):
    """The same, and what the hits do to `group` fresh men in the open when they fall at random."""

    group: int = 10


@dataclass(frozen=True)
class GroupFacts(DeckFacts):
    """So many hits on a group of fresh men, falling at random (PAY-105)."""

    hits: int = 3
    group: int = 5


@dataclass(frozen=True)
class GroupOutcome:
    killed: int
    unconscious: int


@dataclass(frozen=True)
class CasualtyFacts(DeckFacts):
    """Casualty cards on one man, with the wounds that he has already."""

    cards: int = 1
    leg_wounds: int = 0
    arm_wounds: int = 0
    body_wounds: int = 0
    smashed_arms: int = 0


@dataclass(frozen=True)
class CasualtyOutcome:
    """What has become of him. A leader who is killed, unconscious or cannot walk is lost (PAY-128)."""

    fate: Fate


@dataclass(frozen=True)
class MeleeFactsOfTwo:
    """Man `a` against man `b`, and `b2` beside him when his skill is not None. Skills as on the roster."""

    a_skill: int
    b_skill: int
    b2_skill: int | None = None
    a_body_wounds: int = 0
    b_body_wounds: int = 0
    a_back_turned: bool = False
    b_back_turned: bool = False
    a_lame: bool = False
    b_lame: bool = False


@dataclass(frozen=True)
class MeleeExcessOutcome:
    """Hits left on each side after they cancel (PAY-140)."""

    on_a: int
    on_b: int


@dataclass(frozen=True)
class MeleeCasualtiesOutcome:
    """What has become of each man; b2 is "unhurt" when he was not there."""

    a: Fate
    b: Fate
    b2: Fate


@dataclass(frozen=True)
class MoraleFacts:
    """A unit's check with so many hits this turn (PAY-149)."""

    kind: Kind
    hits: int


@dataclass(frozen=True)
class MoraleOutcome:
    """ "passes", or the result of the second roll (Table 8)."""

    result: str


@dataclass(frozen=True)
class FlightFacts:
    """Men who each run on `at_most` or less (PAY-155, PAY-156)."""

    figures: int = 6
    at_most: int = 2


@dataclass(frozen=True)
class FlightOutcome:
    running: int


@dataclass(frozen=True)
class LeaderFacts:
    """A unit that has lost its leader (PAY-128)."""

    kind: Kind


@dataclass(frozen=True)
class LeaderOutcome:
    """ "passes", or the result that follows (Table 9)."""

    result: str


@dataclass(frozen=True)
class TargetLeaderFacts(ShotFacts):
    """Shots at one leader figure, and what his loss does to a unit of this kind."""

    shots: int = 1
    kind: Kind = "irregular"


@dataclass(frozen=True)
class TargetLeaderOutcome:
    """`lost`: killed, unconscious or unable to walk; `result` "no roll", "passes" or what follows."""

    hits: int
    lost: bool
    result: str


@dataclass(frozen=True)
class RoutFacts:
    """A rout of this many dice, so far from the table edge, followed for a number of moves (PAY-130, PAY-158)."""

    inches: float
    dice: int = 3
    rallies: bool = True
    moves: int = 5


@dataclass(frozen=True)
class RoutOutcome:
    """ "rallied", "off" the table or still "running", and after how many moves."""

    state: Literal["rallied", "off", "running"]
    moves: int


@dataclass(frozen=True)
class MachineGunFacts:
    """A machine gun's shots, each at its own group of so many fresh men in the open or in this cover."""

    skill: int
    inches: float
    group: int = 12
    shots: int = 2
    gait: Gait = "halt"
    cover: Cover = "none"


@dataclass(frozen=True)
class MachineGunOutcome:
    hits: int
    rounds: int
    jammed: bool


@dataclass(frozen=True)
class ShellFacts(DeckFacts):
    """One shell at a group of fresh men in the open (PAY-179 to PAY-182)."""

    skill: int = 4
    inches: float = 30.0
    group: int = 12
    gait: Gait = "halt"


@dataclass(frozen=True)
class ShellOutcome:
    killed: int
    unconscious: int


@dataclass(frozen=True)
class ExposedFacts(DeckFacts):
    """Hits of guns on men of whom so many are open or behind each cover (PAY-187, Table 7)."""

    hits: int = 14
    open: int = 0
    low_wall: int = 0
    parapet: int = 0
    wagon: int = 0


@dataclass(frozen=True)
class CountedOutcome:
    counted: int


@dataclass(frozen=True)
class ShockFacts:
    """Hidden men under a shot that calls for a shock roll (PAY-189)."""

    hidden: int
    kind: Kind = "irregular"


@dataclass(frozen=True)
class MoveFacts:
    """One roll for advancing and running figures of one type: do they come this far? (PAY-069, PAY-072)"""

    mover: Mover = "foot"
    advance_inches: float = 0.0
    run_inches: float = 0.0
    loaded: bool = False
    leg_wound: bool = False


@dataclass(frozen=True)
class MoveOutcome:
    advance_reaches: bool
    run_reaches: bool


@dataclass(frozen=True)
class CardOrderFacts:
    """Cards of one side and of the other in the turn deck (PAY-059)."""

    ours: int = 2
    theirs: int = 2


@dataclass(frozen=True)
class CardOrderOutcome:
    """How many of ours come up before the first of theirs."""

    ours_first: int
