"""The state of a battle: units, commanders, things that fly, companies, cards, and marks with their lifetimes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from zareba.chance import Deck
from zareba.state import Marked, Record, record, shared
from zareba_rulesets.afriboria.book import AfrBook, Profile
from zareba_rulesets.afriboria.field import Field, Ground

__all__ = [
    "HIDDEN", "OFF", "Battle", "Commander", "CommanderSpec", "Company", "Flier", "FlierSpec", "Prize", "Side", "Structure",
    "Unit", "UnitSpec",
]  # fmt: skip

OFF = -1
HIDDEN = "?"

# Marks that end with the player turn in which they are made. Not listed here: inspired (to the start of the owner's next
# turn), stuck (a vehicle in debris), unexposed, wounded.
TURN_MARKS = frozenset(
    {
        "move", "battle", "along", "company", "done", "changed", "no_battle", "defended", "engaged", "close", "far", "first",
        "no_far", "guided", "march", "ordered", "moved", "leaving", "acted", "land", "took_off", "passive", "broke",
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
class Unit(Marked):
    """A unit as it stands; `hex` OFF before arrival and after removal.

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
    def id(self) -> str:
        return self.spec.id

    @property
    def side(self) -> str:
        return self.spec.side

    @property
    def profile(self) -> Profile:
        """Its kind as it fights now: dismounted cavalry has one of its own (AFR-025)."""
        spec = self.spec
        return spec.profile if self.mounted or spec.foot is None else spec.foot

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
class Commander(Marked):
    """A commander as he stands. `supports` the unit that has his die this turn (AFR-183); `second` the further unit of
    his platoon, this turn, where a hex holds one unit (AFR-298)."""

    hex: int
    marks: frozenset[str] = frozenset()
    supports: str = ""
    second: str = ""
    spec: CommanderSpec = shared(default=None)

    @property
    def id(self) -> str:
        return self.spec.id

    @property
    def side(self) -> str:
        return self.spec.side


@record
class Flier(Marked):
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

    @property
    def id(self) -> str:
        return self.spec.id

    @property
    def side(self) -> str:
        return self.spec.side


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
    """One side: its hand (hidden from the other), whether a forced event waits face down, its points and quota."""

    hand: list[str]
    forced: bool
    points: int
    quota: int


@record
class Prize(Record):
    """A thing to be taken: where it lies, or the unit that carries it; `taken_by` the side that carried it off."""

    hex: int
    carrier: str = ""
    taken_by: str = ""
    edge: str = ""


@record
class Battle(Record):
    """The whole state. `turn` counts player turns; with `active`, `stage` and `tick` it is the cursor of play.

    `card` is in play with `slots` orders left by colour. `waiting`: who may still act in this stage. `effects`: events in
    force and the last player turn in which they are. `ladders`: (wall hex, hex at its foot) of ladders that stand.
    `owners`: who holds each objective (AFR-051). `here`, `chiefs`: units and commanders by hex, kept beside their places.
    An event card that waits unread is still counted in its pile: nobody, not even the program, has looked (AFR-067).
    """

    turn: int
    active: str
    stage: str
    tick: int
    over: bool
    ending: str
    winner: str
    sides: dict[str, Side]
    units: dict[str, Unit]
    commanders: dict[str, Commander]
    fliers: dict[str, Flier]
    companies: dict[str, Company]
    structures: dict[int, Structure]
    deck: Deck
    event_deck: Deck
    prizes: dict[str, Prize]
    card: str = ""
    slots: dict[str, int] = field(default_factory=dict)
    waiting: list[str] = field(default_factory=list)
    effects: dict[str, int] = field(default_factory=dict)
    ladders: list[tuple[int, int]] = field(default_factory=list)
    owners: dict[str, str] = field(default_factory=dict)
    achieved: dict[str, str] = field(default_factory=dict)
    arrivals: dict[str, int] = field(default_factory=dict)
    gone: dict[str, str] = field(default_factory=dict)
    rubble: frozenset[int] = frozenset()
    here: dict[int, tuple[str, ...]] = field(default_factory=dict)
    chiefs: dict[int, str] = field(default_factory=dict)
    book: AfrBook = shared(default=None)
    field: Field = shared(default=None)

    # --- who is where ---------------------------------------------------------------------------------------------------------

    def side_units(self, side: str) -> Iterator[Unit]:
        """The units of a side on the table, in the order of the scenario."""
        return (unit for unit in self.units.values() if unit.spec.side == side and unit.hex != OFF)

    def side_commanders(self, side: str) -> Iterator[Commander]:
        """The commanders of a side on the table."""
        return (chief for chief in self.commanders.values() if chief.spec.side == side and chief.hex != OFF)

    def units_in(self, cell: int) -> list[Unit]:
        """The units with figures in a hex."""
        return [self.units[unit] for unit in self.here.get(cell, ())]

    def commander_in(self, cell: int) -> Commander | None:
        """The commander in a hex; there is never more than one of a side, and never two of both (AFR-095, AFR-096)."""
        found = self.chiefs.get(cell)
        return None if found is None else self.commanders[found]

    def held_by_enemy(self, cell: int, side: str) -> bool:
        """Whether an enemy unit or commander is in a hex (AFR-081, AFR-082)."""
        units = self.here.get(cell)
        if units:
            return self.units[units[0]].spec.side != side
        chief = self.chiefs.get(cell)
        return chief is not None and self.commanders[chief].spec.side != side

    def commander_of(self, unit: Unit) -> Commander | None:
        """The commander in a unit's hex: it is under his command (AFR-099)."""
        return self.commander_in(unit.hex)

    def alone(self, commander: Commander) -> bool:
        """Unattached: no unit in his hex (AFR-041)."""
        return commander.hex not in self.here

    def move(self, unit: Unit, cell: int) -> None:
        """Put a unit, whole, into a hex, or off the table."""
        for left in unit.hexes:
            if left != OFF:
                others = tuple(other for other in self.here[left] if other != unit.spec.id)
                if others:
                    self.here[left] = others
                else:
                    del self.here[left]
        if unit.sections:
            unit.sections = {}
        unit.hex = cell
        if cell != OFF:
            self.here[cell] = tuple(sorted((*self.here.get(cell, ()), unit.spec.id)))

    def spread(self, unit: Unit, sections: dict[int, int]) -> None:
        """Spread a unit over wall hexes (AFR-321); the first is where it is counted to stand."""
        first = next(iter(sections))
        self.move(unit, first)
        unit.sections = dict(sections)
        for cell in sections:
            if cell != first:
                self.here[cell] = tuple(sorted((*self.here.get(cell, ()), unit.spec.id)))

    def drop_section(self, unit: Unit, cell: int) -> None:
        """Take an emptied section off the wall; the unit goes on in the others."""
        del unit.sections[cell]
        others = tuple(other for other in self.here[cell] if other != unit.spec.id)
        if others:
            self.here[cell] = others
        else:
            del self.here[cell]
        if unit.hex == cell:
            unit.hex = next(iter(unit.sections))

    def place(self, commander: Commander, cell: int) -> None:
        """Put a commander into a hex, or off the table."""
        if commander.hex != OFF:
            del self.chiefs[commander.hex]
        commander.hex = cell
        if cell != OFF:
            self.chiefs[cell] = commander.spec.id

    # --- ground -----------------------------------------------------------------------------------------------------------------

    def ground(self, cell: int) -> Ground:
        """The ground of a hex as it is now: a fallen structure is debris (AFR-310)."""
        return self.field.rubble if cell in self.rubble else self.field.ground[cell]

    def standing(self, cell: int) -> bool:
        """Whether an intact structure stands in a hex."""
        return cell in self.structures and cell not in self.rubble

    def shut_out(self, cell: int, side: str) -> bool:
        """Whether an intact structure of the enemy keeps a side out (AFR-328)."""
        if cell not in self.structures or cell in self.rubble:
            return False
        return self.field.structures[cell].side != side and not self.structures[cell].open

    # --- command ----------------------------------------------------------------------------------------------------------------

    def company_of(self, unit: Unit) -> Company | None:
        """The company of a unit, whatever its state."""
        return self.companies.get(unit.company) if unit.company else None

    def led_by(self, officer: Commander) -> tuple[str, Company] | None:
        """The company of an officer, with its id."""
        for key, company in self.companies.items():
            if company.officer == officer.spec.id:
                return key, company
        return None

    def in_zone(self, unit: Unit, officer: Commander) -> bool:
        """Inside a commander's zone of control: his hex and the six around it (AFR-112)."""
        return self.field.distance[unit.hex, officer.hex] <= 1

    @property
    def event_deck_used(self) -> bool:
        """Whether event cards are played with (AFR-012)."""
        return bool(self.event_deck.pile or self.event_deck.discards)

    def in_force(self, effect: str) -> bool:
        """Whether an event is in force in this player turn."""
        return self.effects.get(effect, -1) >= self.turn
