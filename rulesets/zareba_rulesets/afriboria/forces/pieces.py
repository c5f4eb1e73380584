"""The pieces of a battle: units, commanders, things that fly, companies, structures, prizes; marks and their lifetimes."""

from __future__ import annotations

from dataclasses import dataclass, field

from zareba.base.state import Record, WithSpec, record, shared
from zareba_rulesets.afriboria.book.tables import Profile

__all__ = [
    "HIDDEN", "OFF", "TURN_MARKS", "Commander", "CommanderSpec", "Company", "Flier", "FlierSpec", "Prize", "Side",
    "Structure", "Unit", "UnitSpec",
]  # fmt: skip

OFF = -1
HIDDEN = "?"

# Marks that end with the player turn in which they are made. Not listed here: inspired (to the start of the owner's next
# turn), stuck (a vehicle in debris), unexposed, wounded.
TURN_MARKS = frozenset(
    {
        "move", "battle", "along", "company", "done", "changed", "no_battle", "defended", "engaged", "close", "far", "first",
        "no_far", "guided", "march", "ordered", "moved", "acted", "land", "passive",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class UnitSpec:
    """What does not change about a unit during a battle (AFR-015, AFR-019 to AFR-038).

    `profile` is its kind, for cavalry in the saddle; `foot` the kind it is when dismounted. `firearms`: figures that
    have one at the start; `missile`: it may fire at a distance (AFR-037). `points` its loss gives; `source` the unit of
    the scenario that it is a part of.
    """

    id: str
    name: str
    side: str
    key: str
    profile: Profile
    colour: str
    figures: int
    firearms: int
    missile: bool
    foot: Profile | None = None
    lancers: bool = False
    points: int = 1
    source: str = ""


@dataclass(frozen=True, slots=True)
class CommanderSpec:
    """A single figure that commands: an officer or NCO (AFR-039), perhaps a character (AFR-042)."""

    id: str
    name: str
    side: str
    officer: bool
    mounted: bool = False
    character: bool = False
    bonus: bool = True
    points: int = 1


@dataclass(frozen=True, slots=True)
class FlierSpec:
    """An aircraft or airship (chapters 17 and 18); `colour` empty: any card orders it."""

    id: str
    name: str
    side: str
    kind: str
    colour: str = ""
    gun: bool = True
    bombs: bool = True
    points: int = 1


@record
class Unit(WithSpec):
    """A unit as it stands, its figures single men (AFR-006); `hex` OFF before arrival and after removal.

    `sections`: figures by hex when it is spread over a wall, empty otherwise (AFR-321). `moved` hexes, `shots` fired and
    `battled` targets of this turn. `company` is the id of its company, or empty.
    """

    hex: int
    figures: int
    firearms: int
    mounted: bool
    marks: frozenset[str] = frozenset()
    ladders: bool = False
    moved: int = 0
    shots: int = 0
    battled: tuple[str, ...] = ()
    sections: dict[int, int] = field(default_factory=dict)
    company: str = ""
    spec: UnitSpec = shared(default=None)

    @property
    def profile(self) -> Profile:
        """Its kind as it fights now: dismounted cavalry has one of its own (AFR-025)."""
        spec = self.spec
        return spec.profile if self.mounted or spec.foot is None else spec.foot

    @property
    def kind(self) -> str:
        """The name of that kind."""
        spec = self.spec
        return spec.key if self.mounted or spec.foot is None else spec.profile.on_foot

    @property
    def reach(self) -> int:
        """The longest range of its dice: adjacent only without firearms or bows (AFR-037)."""
        dice = self.profile.dice
        return len(dice) if self.spec.missile else min(1, len(dice))

    @property
    def partly_armed(self) -> bool:
        """Only some of its figures have firearms (AFR-038)."""
        return self.spec.missile and self.firearms < self.figures

    @property
    def hexes(self) -> tuple[int, ...]:
        """Where it stands: one hex, or those of its sections."""
        return tuple(self.sections) if self.sections else (self.hex,)


@record
class Commander(WithSpec):
    """A commander as he stands. `supports` the unit that has his die this turn (AFR-183), `along` the one that may only
    come along with him (AFR-103); `second` the further unit of his platoon, where a hex holds one unit (AFR-298)."""

    hex: int
    marks: frozenset[str] = frozenset()
    supports: str = ""
    along: str = ""
    second: str = ""
    spec: CommanderSpec = shared(default=None)


@record
class Flier(WithSpec):
    """An aircraft or airship: `fuel` its die (AFR-262), `landed` the player turn of its last landing (AFR-263)."""

    hex: int
    airborne: bool
    strength: int
    fuel: int = 0
    bombs: int = 0
    flown: int = 0
    landed: int = -1
    marks: frozenset[str] = frozenset()
    spec: FlierSpec = shared(default=None)


@record
class Company(Record):
    """A company (AFR-110): its officer, its units, `active`, `suspended`, `forming` or `disbanding`; `rights` are the
    battles that its orders of this turn still allow (AFR-114)."""

    officer: str
    members: list[str]
    state: str
    rights: int = 0


@record
class Structure(Record):
    """What is left of a structure (AFR-310), and whether its gate stands open (AFR-328)."""

    value: int
    open: bool = False


@record
class Side(Record):
    """One side: its hand (hidden from the other), whether a forced event waits face down, its points, and the quota of
    points that wins, if there is one; `known` are the cards of its hand that the other side has been shown."""

    hand: list[str]
    forced: bool
    points: int
    quota: int | None
    known: list[str] = field(default_factory=list)


@record
class Prize(Record):
    """A thing to be taken: where it lies, or the unit that carries it; `taken_by` the side that carried it off."""

    hex: int
    carrier: str = ""
    taken_by: str = ""
    edge: str = ""
