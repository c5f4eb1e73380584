"""The pieces of a battle: units, commanders, fliers, companies, structures, objects; marks and their lifetimes."""

from __future__ import annotations

from dataclasses import dataclass, field

from zareba.base.state import Record, WithSpec, record, shared
from zareba_rulesets.afriboria.book import Profile

OFF = -1
HIDDEN = "?"

# Marks that end with the player turn in which they are set. Not listed: inspired (until the start of the owner's next
# turn), stuck (a vehicle in debris), unexposed, wounded.
TURN_MARKS = frozenset(
    {
        "move", "battle", "along", "company", "done", "changed", "no_battle", "defended", "engaged", "close", "far", "first",
        "no_far", "guided", "march", "ordered", "moved", "acted", "land", "passive",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class UnitSpec:
    """The properties of a unit that do not change during a battle (AFR-015, AFR-019 to AFR-038).

    `profile` is its kind, mounted for cavalry; `foot` is its kind when dismounted. `firearms`: figures with one at the
    start. `missile`: it may fire at a distance (AFR-037). `points`: scored for its loss. `source`: the unit of the
    scenario that it is a part of.
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
    """A single figure that commands: an officer or NCO (AFR-039), possibly a character (AFR-042)."""

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
    """An aircraft or airship (chapters 17 and 18); with an empty `colour` any card orders it."""

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
    """A unit in its present state; its figures are single men (AFR-006). `hex` is OFF before arrival and after removal.

    `sections`: figures by hex when it is spread over a wall, otherwise empty (AFR-321). `moved` hexes, `shots` fired
    and `battled` targets of this turn. `company` is the id of its company, or empty.
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
        """Its kind in its present state: dismounted cavalry has a separate kind (AFR-025)."""
        spec = self.spec
        return spec.profile if self.mounted or spec.foot is None else spec.foot

    @property
    def kind(self) -> str:
        """The name of that kind."""
        spec = self.spec
        return spec.key if self.mounted or spec.foot is None else spec.profile.on_foot

    @property
    def reach(self) -> int:
        """The longest range of its dice; only the next hex without firearms or bows (AFR-037)."""
        dice = self.profile.dice
        return len(dice) if self.spec.missile else min(1, len(dice))

    @property
    def partly_armed(self) -> bool:
        """True if only some of its figures have firearms (AFR-038)."""
        return self.spec.missile and self.firearms < self.figures

    @property
    def hexes(self) -> tuple[int, ...]:
        """Its position: one hex, or those of its sections."""
        return tuple(self.sections) if self.sections else (self.hex,)


@record
class Commander(WithSpec):
    """A commander in his present state.

    `supports`: the unit that has his die this turn (AFR-183). `along`: the unit that may only go along with him
    (AFR-103). `second`: the other unit of his platoon, where a hex holds one unit (AFR-298).
    """

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
    """A company (AFR-110): its officer, its units, and its state: `active`, `suspended`, `forming` or `disbanding`.

    `rights` are the battles that its orders of this turn still allow (AFR-114).
    """

    officer: str
    members: list[str]
    state: str
    rights: int = 0


@record
class Structure(Record):
    """The remaining value of a structure (AFR-310), and the state of its gate (AFR-328)."""

    value: int
    open: bool = False


@record
class SideState(Record):
    """One side: its hand (hidden from the other), whether a forced event waits face down, its points, and the quota of
    points that wins, if there is one; `known` are the cards of its hand that the other side has been shown."""

    hand: list[str]
    forced: bool
    points: int
    quota: int | None
    known: list[str] = field(default_factory=list)


@record
class ScenarioObject(Record):
    """An object of the scenario: its hex, or the unit that carries it; `taken_by` is the side that carried it off."""

    hex: int
    carrier: str = ""
    taken_by: str = ""
    edge: str = ""
