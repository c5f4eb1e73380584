"""The state of a battle: units, commanders, contacts, and marks with their lifetimes."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from dataclasses import field as data_field

from zareba.base.state import Record, Value, WithSpec, house_state, if_set, record, shared, stored_as
from zareba.game.activation import PhaseCursor
from zareba.renamed import RenamedAttribute, accept_old_arguments
from zareba.scenario.model import Exit
from zareba_rulesets.vcc.book import CREWED, Band, Cover, Quality, VccBook
from zareba_rulesets.vcc.ground import Field

OFF_TABLE = -1
LINE = frozenset({"foot", "mounted"})
"""The classes of infantry, cavalry and camelry: the units that may charge (VCC-049)."""

# Marks on a unit, by how long they last. Not listed: prone, lying (prone by choice), broken, square, dismounted, jest,
# overheated, wrecked (its weapon is lost for good) and abandoned, which last until something ends them.
STEP_MARKS = frozenset(
    {"held", "hit", "lost_base", "rocketed", "flank_shot", "rallied", "arrived", "withdrew", "engaged"}
)
TURN_MARKS = frozenset({"moved", "charged", "fired", "flanked"})
GUN_MARKS = frozenset({"gun_moved", "gun_pivoted"})


@dataclass(frozen=True, slots=True)
class UnitSpec:
    """The properties of a unit that do not change during a battle (VCC-009 to VCC-024).

    `troop` is its class when not dismounted. `weapon` is its line of the range chart or "none". Dice are numbers of
    faces, 0 for none. `bases` are ordinary bases or gunners at the start. `lancers` and `dervish_foot` are the traits
    that matter in melee (VCC-021, VCC-022).
    """

    id: str
    name: str
    side: str
    profile: str
    troop: str
    weapon: str
    fire_die: int
    melee_die: int
    bases: int
    leader: bool
    quality: Quality
    regular: bool = False
    regular_on_foot: bool = False
    can_square: bool = False
    can_dismount: bool = False
    lancers: bool = False
    dervish_foot: bool = False
    leader_name: str = ""


@record
class Unit(WithSpec):
    """A unit in its present state. `box` is OFF_TABLE before arrival and after removal; `bases` 0 and no leader:
    destroyed.

    `facing` is a compass direction 0 to 7 (VCC-026). `hits` is the marker of left-over hits (VCC-106). `wounds` are
    those of the leader (VCC-115). `streak` counts a machine gun's consecutive turns of fire (VCC-103). `gun_box` is
    the box of a gun whose crew has left it (VCC-157).
    """

    box: int
    facing: int
    bases: int
    leader: bool
    marks: frozenset[str] = frozenset()
    hits: int = 0
    wounds: int = 0
    streak: int = 0
    gun_box: int = OFF_TABLE
    spec: UnitSpec = shared(default=None)

    @property
    def strength(self) -> int:
        """The living bases or gunners, with the leader base (VCC-137)."""
        return self.bases + self.leader

    @property
    def on_table(self) -> bool:
        """True if the unit is in a box."""
        return self.box != OFF_TABLE

    @property
    def mounted(self) -> bool:
        """True for cavalry, camelry and mounted infantry that is not dismounted (VCC-020)."""
        return self.spec.troop == "mounted" and "dismounted" not in self.marks

    @property
    def regular(self) -> bool:
        """True for regular infantry, and for camel corps on foot (VCC-023)."""
        return self.spec.regular or (self.spec.regular_on_foot and "dismounted" in self.marks)

    @property
    def can_square(self) -> bool:
        """True for regular infantry, and for camel corps on foot (VCC-024, VCC-061)."""
        return self.spec.can_square or (self.spec.regular_on_foot and "dismounted" in self.marks)

    @property
    def dervish_foot(self) -> bool:
        """True for Dervish foot while it is on foot (VCC-022, VCC-024)."""
        return self.spec.dervish_foot and not self.mounted

    @property
    def troop(self) -> str:
        """The class by which it moves now: dismounted units and gunners without their gun are foot (VCC-024,
        VCC-157).
        """
        if "dismounted" in self.marks or "abandoned" in self.marks:
            return "foot"
        return self.spec.troop

    @property
    def crewed(self) -> bool:
        """True if it serves a weapon now; gunners who have left their gun do not (VCC-157)."""
        return self.troop in CREWED

    @property
    def is_line(self) -> bool:
        """True for infantry, cavalry and camelry: the units that may charge (VCC-049)."""
        return self.spec.troop in LINE


@record
class Commander(Record):
    """An Army Commander (VCC-163). `box` is OFF_TABLE when he is dead, captured or absent; `unit` is the one he is
    attached to.
    """

    side: str
    name: str
    box: int
    unit: str = ""
    wounds: int = 0


@record
class Contact(Record):
    """Contact made by a charge (VCC-050): on the flank or not, uphill for the charger, cover of the charged unit.

    Enemies in one box without a contact only share the box (VCC-008).
    """

    charger: str
    charged: str
    flank: bool
    uphill: bool
    cover: Cover
    turn: int


@record
class LeaderCheck(Record):
    """A leader check caused by a shot or a melee roll (VCC-109): the unit whose leader is checked, and the range
    band.
    """

    unit: str
    band: Band


@record
class ScenarioObject(Record):
    """An object of the scenario: its box, or the unit that carries it; `taken_by` is the side that carried it off."""

    box: int
    carrier: str = ""
    taken_by: str = ""
    edge: str = ""


@accept_old_arguments
@record
class Battle(PhaseCursor):
    """The whole state of a battle, with the cursor of the sequence of play (VCC-027).

    `waiting`: units that have still to act in the present stage. `here`: units by box, always in step with the boxes
    of the units. `dealt`, `taken`: hits of this turn's melee. `arrivals`: units still to come and their earliest turn.
    `gone`: units out of the battle and the reason. `carried_objects`: objects of the scenario by id. `achieved`:
    objectives scored for good, with the side that scored them. `drawn`: the side that rolled the British role, ""
    where the scenario decides it (VCC-016). `exits`, by side: edge, units and object of each objective that lets
    its units leave the table (VCC-057).
    """

    units: dict[str, Unit]
    commanders: dict[str, Commander]
    contacts: list[Contact]
    waiting: list[str]
    checks: list[LeaderCheck]
    dealt: dict[str, int]
    taken: dict[str, int]
    arrivals: dict[str, int]
    gone: dict[str, str]
    carried_objects: dict[str, ScenarioObject] = stored_as("prizes")
    achieved: dict[str, str]
    here: dict[int, tuple[str, ...]] = data_field(default_factory=dict)
    own: dict[str, Value] = house_state(default_factory=dict)
    drawn: str = if_set(default="")
    book: VccBook = shared(default=None)
    field: Field = shared(default=None)
    exits: Mapping[str, tuple[Exit, ...]] = shared(default_factory=dict)
    prizes = RenamedAttribute("battle", "carried_objects")

    @property
    def by_role(self) -> tuple[str, str]:
        """The sides, British first (VCC-016)."""
        return (self.drawn, self.field.enemy(self.drawn)) if self.drawn else self.field.by_role

    def unit(self, unit_id: str) -> Unit:
        return self.units[unit_id]

    def side_units(self, side: str) -> list[Unit]:
        """Return the units of a side on the table, in the order of the scenario."""
        units = self.units
        try:
            return [unit for unit_id in self.field.units_of[side] if (unit := units[unit_id]).box != OFF_TABLE]
        except KeyError:  # a seat's view from which a house rule has removed units
            return [unit for unit in units.values() if unit.spec.side == side and unit.box != OFF_TABLE]

    def units_in(self, box: int, side: str | None = None) -> list[Unit]:
        """Return the units in a box, of one side or of both."""
        units = [self.units[unit_id] for unit_id in self.here.get(box, ())]
        return units if side is None else [unit for unit in units if unit.spec.side == side]

    def has_enemy_in(self, box: int, side: str) -> bool:
        """Return True if a unit hostile to `side` is in the box."""
        unit_ids = self.here.get(box)
        if unit_ids is None:
            return False
        units = self.units
        for unit_id in unit_ids:  # noqa: SIM110  # a loop for speed: called for every neighbouring box of every move
            if units[unit_id].spec.side != side:
                return True
        return False

    def move(self, unit: Unit, box: int) -> None:
        """Move a unit to a box, or off the table."""
        if unit.box != OFF_TABLE:
            remaining = tuple(other for other in self.here[unit.box] if other != unit.spec.id)
            if remaining:
                self.here[unit.box] = remaining
            else:
                del self.here[unit.box]
        unit.box = box
        if box != OFF_TABLE:
            self.here[box] = (*self.here.get(box, ()), unit.spec.id)

    def remove(self, unit: Unit, why: str) -> None:
        """Take a unit off the table for good: `destroyed`, `routed`, `captured` or `left`.

        Its contacts end. An Army Commander attached to it and the objects it carried stay in its box (VCC-108,
        VCC-171).
        """
        self.end_contacts(unit)
        commander = self.attached_commander(unit)
        if commander is not None:
            commander.unit = ""
        for carried_object in self.carried_objects.values():
            if carried_object.carrier == unit.spec.id:
                carried_object.carrier, carried_object.box = "", unit.box
        self.move(unit, OFF_TABLE)
        self.gone[unit.spec.id] = why

    def conceal(self, hidden: AbstractSet[str]) -> None:
        """Remove every reference to hidden units, with the commander attached to one and what they carry."""
        visible = {box: tuple([name for name in names if name not in hidden]) for box, names in self.here.items()}
        self.here = {box: names for box, names in visible.items() if names}
        self.contacts = [
            contact for contact in self.contacts if contact.charger not in hidden and contact.charged not in hidden
        ]
        self.waiting = [name for name in self.waiting if name not in hidden]
        self.checks = [check for check in self.checks if check.unit not in hidden]
        self.carried_objects = {
            name: carried_object
            for name, carried_object in self.carried_objects.items()
            if carried_object.carrier not in hidden
        }
        for values in (self.dealt, self.taken, self.arrivals, self.gone):
            for name in values.keys() & hidden:
                del values[name]
        for commander in self.commanders.values():
            if commander.unit in hidden:
                commander.unit, commander.box = "", OFF_TABLE

    def contacts_of(self, unit: Unit) -> list[Contact]:
        """Return the contacts of a unit, oldest first."""
        return [contact for contact in self.contacts if unit.spec.id in (contact.charger, contact.charged)]

    def is_in_contact(self, unit: Unit) -> bool:
        """Return True if a unit is in contact with an enemy (VCC-050)."""
        unit_id = unit.spec.id
        for contact in self.contacts:  # noqa: SIM110  # a loop for speed: called for every option of every move
            if unit_id == contact.charger or unit_id == contact.charged:
                return True
        return False

    def end_contacts(self, unit: Unit) -> None:
        """End all contacts of a unit."""
        self.contacts = [contact for contact in self.contacts if unit.spec.id not in (contact.charger, contact.charged)]

    def commander_in(self, box: int, side: str) -> bool:
        """Return True if the living commander of `side` is in the box (VCC-143)."""
        commander = self.commanders.get(side)
        return commander is not None and commander.box == box != OFF_TABLE

    def attached_commander(self, unit: Unit) -> Commander | None:
        """Return the commander attached to a unit, if any (VCC-163)."""
        commander = self.commanders.get(unit.spec.side)
        return commander if commander is not None and commander.unit == unit.spec.id else None

    def stacking_points(self, box: int, side: str) -> int:
        """Return the stacking points of a side's units in a box (VCC-007)."""
        classes, units = self.book.classes, self.units
        return sum(
            [
                classes[unit.spec.troop].stack
                for unit_id in self.here.get(box, ())
                if (unit := units[unit_id]).spec.side == side
            ]
        )

    def has_room(self, box: int, unit: Unit) -> bool:
        """Return True if the box limit allows a unit to end a move or retreat in a box (VCC-007)."""
        limit: int = self.book.settings.stack_points
        if box not in self.here:
            return self.book.classes[unit.spec.troop].stack <= limit
        added = 0 if unit.box == box else self.book.classes[unit.spec.troop].stack
        return self.stacking_points(box, unit.spec.side) + added <= limit
