"""The state of a battle, its plan and its roster, the range of its units and the hexes they can reach."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from functools import cached_property

from zareba.base.state import Value, house_state, record, shared, stored_as
from zareba.game.activation import CommandCardsCursor
from zareba.renamed import RenamedAttribute, accept_old_arguments
from zareba.scenario.model import Exit
from zareba.scenario.victory import CountedGroup
from zareba.space.lazy import Lazy, LazyBetween
from zareba.table import Deck
from zareba_rulesets.afriboria.book import AfrBook
from zareba_rulesets.afriboria.forces.pieces import (
    OFF,
    Commander,
    CommanderSpec,
    Company,
    Flier,
    FlierSpec,
    ScenarioObject,
    SideState,
    Structure,
    Unit,
    UnitSpec,
)
from zareba_rulesets.afriboria.ground import Field, Ground

# --- The pieces of each side that do not change during a battle, in the order of the scenario -------------------------


ARMS = {"mounted": ("mounted",), "infantry": ("infantry",), "foot": ("infantry", "dismounted")}
"""The arms that special cards name (AFR-339)."""


class SideRoster:
    """The names of the units and commanders of each side.

    `units_named[side, colours, who]` are the units of these colours ("any": of all) that a card for `who` may ever
    name. Cavalry counts both as mounted and as dismounted.
    """

    __slots__ = ("commanders", "units", "units_named")

    def __init__(
        self, sides: Iterable[str], units: Mapping[str, UnitSpec], commanders: Mapping[str, CommanderSpec]
    ) -> None:
        sides = tuple(sides)
        self.units = {side: tuple(name for name, spec in units.items() if spec.side == side) for side in sides}
        self.commanders = {
            side: tuple(name for name, spec in commanders.items() if spec.side == side) for side in sides
        }

        def named(key: tuple[str, tuple[str, ...], str]) -> tuple[str, ...]:
            side, colours, who = key
            return tuple(
                name
                for name in self.units[side]
                if ("any" in colours or units[name].colour in colours) and _may_be(units[name], who)
            )

        self.units_named: Lazy[tuple[str, tuple[str, ...], str], tuple[str, ...]] = Lazy(named)


def _may_be(spec: UnitSpec, who: str) -> bool:
    """Return True if a unit may be of the arms that a card for `who` names, mounted or dismounted."""
    arms = ARMS.get(who)
    kinds = (spec.profile, spec.foot) if spec.foot is not None else (spec.profile,)
    return arms is None or any(kind.arm in arms for kind in kinds)


# --- The state of a battle: positions, cards, and the present ground --------------------------------------------------


@accept_old_arguments
@record
class Battle(CommandCardsCursor):
    """The whole state of a battle, with the cursor of play, which counts player turns.

    `card` is in play with `slots` orders left by colour. `waiting`: pieces that may still act in this stage.
    `effects`: events in force and the last player turn in which they are. `ladders`: (wall hex, hex at its foot) of
    standing ladders. `owners`: the side that holds each objective (AFR-051). `here`, `chiefs`: units and commanders by
    hex, always in step with their positions. `held`: the hexes of each side, replaced and never changed in place.
    `seer`: the seat whose view this is, empty for the full state. An event card that waits unread is still counted in
    its pile: no player and no program has seen it (AFR-067).
    """

    winner: str
    sides: dict[str, SideState]
    units: dict[str, Unit]
    commanders: dict[str, Commander]
    fliers: dict[str, Flier]
    companies: dict[str, Company]
    structures: dict[int, Structure]
    deck: Deck
    event_deck: Deck
    carried_objects: dict[str, ScenarioObject] = stored_as("prizes")
    card: str = ""
    slots: dict[str, int] = dataclass_field(default_factory=dict)
    waiting: list[str] = dataclass_field(default_factory=list)
    effects: dict[str, int] = dataclass_field(default_factory=dict)
    ladders: list[tuple[int, int]] = dataclass_field(default_factory=list)
    owners: dict[str, str] = dataclass_field(default_factory=dict)
    achieved: dict[str, str] = dataclass_field(default_factory=dict)
    arrivals: dict[str, int] = dataclass_field(default_factory=dict)
    gone: dict[str, str] = dataclass_field(default_factory=dict)
    rubble: frozenset[int] = frozenset()
    here: dict[int, tuple[str, ...]] = dataclass_field(default_factory=dict)
    chiefs: dict[int, str] = dataclass_field(default_factory=dict)
    held: dict[str, list[int]] | None = shared(default=None)
    seer: str = shared(default="")
    own: dict[str, Value] = house_state(default_factory=dict)
    book: AfrBook = shared(default=None)
    field: Field = shared(default=None)
    roster: SideRoster = shared(default=None)
    prizes = RenamedAttribute("battle", "carried_objects")

    # --- who is where -------------------------------------------------------------------------------------------------

    def side_units(self, side: str) -> list[Unit]:
        """Return the units of a side on the table, in the order of the scenario."""
        units = self.units
        try:
            return [unit for name in self.roster.units[side] if (unit := units[name]).hex != OFF]
        except KeyError:  # a seat's view from which a house rule has removed units
            return [unit for unit in units.values() if unit.spec.side == side and unit.hex != OFF]

    def units_named(self, side: str, colours: tuple[str, ...], who: str) -> list[Unit]:
        """Return the units on the table of these colours ("any": of all) and of the arms that a card for `who` names,
        if any.
        """
        units, arms = self.units, ARMS.get(who)
        named = self.roster.units_named[side, colours, who]
        try:
            on_table = [unit for name in named if (unit := units[name]).hex != OFF]
        except KeyError:  # a seat's view, as above
            on_table = [unit for name in named if (unit := units.get(name)) is not None and unit.hex != OFF]  # type: ignore[assignment]
        return on_table if arms is None else [unit for unit in on_table if unit.profile.arm in arms]

    def side_commanders(self, side: str) -> list[Commander]:
        """Return the commanders of a side on the table."""
        commanders = self.commanders
        try:
            return [chief for name in self.roster.commanders[side] if (chief := commanders[name]).hex != OFF]
        except KeyError:  # a seat's view, as above
            return [chief for chief in commanders.values() if chief.spec.side == side and chief.hex != OFF]

    def hexes_held_by(self, side: str) -> list[int]:
        """Return the hexes with units of a side, in order; computed again after a unit has moved."""
        held = self.held
        if held is None:
            units, here = self.units, self.here
            held = self.held = {side: [] for side in self.sides}
            for cell in sorted(here):
                held[units[here[cell][0]].spec.side].append(cell)
        return held[side]

    def units_in(self, cell: int) -> list[Unit]:
        """Return the units with figures in a hex."""
        return [self.units[unit] for unit in self.here.get(cell, ())]

    def commander_in(self, cell: int) -> Commander | None:
        """Return the commander in a hex; there is never more than one, of either side (AFR-095, AFR-096)."""
        name = self.chiefs.get(cell)
        return None if name is None else self.commanders[name]

    def held_by_enemy(self, cell: int, side: str) -> bool:
        """Return True if an enemy unit, commander or flier on the ground is in a hex (AFR-081, AFR-082, AFR-278)."""
        units = self.here.get(cell)
        if units:
            return self.units[units[0]].spec.side != side
        chief = self.chiefs.get(cell)
        if chief is not None:
            return self.commanders[chief].spec.side != side
        return bool(self.fliers) and cell in self.parked_by_enemy(side)

    def parked_by_enemy(self, side: str) -> frozenset[int]:
        """Return the hexes of enemy fliers on the ground, which block entry like lone commanders (AFR-278)."""
        return frozenset(
            flier.hex
            for flier in self.fliers.values()
            if not flier.airborne and flier.hex != OFF and flier.spec.side != side
        )

    def commander_of(self, unit: Unit) -> Commander | None:
        """Return the commander in a unit's hex, who commands it (AFR-099)."""
        return self.commander_in(unit.hex)

    def is_alone(self, commander: Commander) -> bool:
        """Return True if a commander is unattached: no unit in his hex (AFR-041)."""
        return commander.hex not in self.here

    def move(self, unit: Unit, cell: int) -> None:
        """Move a whole unit to a hex, or off the table. Two units in a hex never combine (AFR-085)."""
        name = unit.spec.id
        if unit.sections:
            for section in unit.sections:
                self._leave_hex(name, section)
            unit.sections = {}
        elif unit.hex != OFF:
            self._leave_hex(name, unit.hex)
        unit.hex = cell
        if cell != OFF:
            self._enter_hex(name, cell)

    def spread(self, unit: Unit, sections: dict[int, int]) -> None:
        """Spread a unit over wall hexes (AFR-321); the first counts as its position."""
        first = next(iter(sections))
        self.move(unit, first)
        unit.sections = dict(sections)
        for cell in sections:
            if cell != first:
                self._enter_hex(unit.spec.id, cell)

    def drop_section(self, unit: Unit, cell: int) -> None:
        """Remove an emptied section from the wall; the unit keeps its other sections."""
        del unit.sections[cell]
        self._leave_hex(unit.spec.id, cell)
        if unit.hex == cell:
            unit.hex = next(iter(unit.sections))

    def _enter_hex(self, name: str, cell: int) -> None:
        """Record that a unit is in a hex."""
        here, self.held = self.here, None
        here[cell] = tuple(sorted((*here[cell], name))) if cell in here else (name,)

    def _leave_hex(self, name: str, cell: int) -> None:
        """Record that a unit is no longer in a hex."""
        here, self.held = self.here, None
        others = tuple([other for other in here[cell] if other != name])
        if others:
            here[cell] = others
        else:
            del here[cell]

    def place(self, commander: Commander, cell: int) -> None:
        """Move a commander to a hex, or off the table."""
        if commander.hex != OFF:
            del self.chiefs[commander.hex]
        commander.hex = cell
        if cell != OFF:
            self.chiefs[cell] = commander.spec.id

    def conceal(self, hidden: AbstractSet[str]) -> None:
        """Remove every reference to hidden units and commanders, with the companies that they make up and what they
        carry.
        """
        here = {cell: tuple([name for name in names if name not in hidden]) for cell, names in self.here.items()}
        self.here, self.held = {cell: names for cell, names in here.items() if names}, None
        self.chiefs = {cell: name for cell, name in self.chiefs.items() if name not in hidden}
        self.companies = {
            key: replace(company, members=members)
            for key, company in self.companies.items()
            if company.officer not in hidden and (members := [name for name in company.members if name not in hidden])
        }
        for unit in self.units.values():
            if unit.company and unit.company not in self.companies:
                unit.company = ""
        for chief in self.commanders.values():
            chief.supports = "" if chief.supports in hidden else chief.supports
            chief.along = "" if chief.along in hidden else chief.along
            chief.second = "" if chief.second in hidden else chief.second
        self.waiting = [name for name in self.waiting if name not in hidden]
        self.carried_objects = {
            name: carried_object
            for name, carried_object in self.carried_objects.items()
            if carried_object.carrier not in hidden
        }
        self.arrivals = {name: turn for name, turn in self.arrivals.items() if name not in hidden}
        self.gone = {name: why for name, why in self.gone.items() if name not in hidden}

    # --- ground -------------------------------------------------------------------------------------------------------

    def ground(self, cell: int) -> Ground:
        """Return the present ground of a hex; a fallen structure is debris (AFR-310)."""
        return self.field.rubble[cell] if cell in self.rubble else self.field.ground[cell]

    def has_intact_structure(self, cell: int) -> bool:
        """Return True if an intact structure is in a hex."""
        return cell in self.structures and cell not in self.rubble

    def is_shut_out(self, cell: int, side: str) -> bool:
        """Return True if an intact enemy structure keeps a side out (AFR-328)."""
        if cell not in self.structures or cell in self.rubble:
            return False
        return self.field.structures[cell].side != side and not self.structures[cell].open

    # --- command ------------------------------------------------------------------------------------------------------

    def company_of(self, unit: Unit) -> Company | None:
        """Return the company of a unit, whatever its state."""
        return self.companies.get(unit.company) if unit.company else None

    def quit_company(self, unit: Unit) -> None:
        """Remove a unit that is off the table from its company, and delete the company if it was the last."""
        company = self.company_of(unit)
        if company is not None:
            company.members.remove(unit.spec.id)
            if not company.members:
                del self.companies[unit.company]
            unit.company = ""

    def company_led_by(self, officer: Commander) -> Company | None:
        """Return the company of an officer, or None if he leads none."""
        return next((company for company in self.companies.values() if company.officer == officer.spec.id), None)

    def in_zone(self, unit: Unit, officer: Commander) -> bool:
        """Return True if a unit is inside a commander's zone of control: his hex and the six around it (AFR-112)."""
        return unit.hex in self.field.zone[officer.hex]

    @property
    def event_deck_used(self) -> bool:
        """True if the game uses event cards (AFR-012)."""
        return bool(self.event_deck.pile or self.event_deck.discards)

    def in_force(self, effect: str) -> bool:
        """Return True if an event is in force in this player turn."""
        return self.effects.get(effect, -1) >= self.turn


# --- A scenario translated into these rules, ready for play -----------------------------------------------------------


Hunted = tuple[str, str, tuple[str, ...]]
"""An objective, a side that it rewards, and the units of the scenario that this side must destroy."""


@accept_old_arguments
@dataclass
class Plan:
    """A scenario translated into these rules.

    `placed` and `chiefs` are hexes at the start, `zones` the hexes in which the owner deploys a unit or commander,
    `entries` the hexes of arrival. `attached` is the unit with which a commander starts unless his owner decides
    otherwise. `places` are the hexes of each objective to hold, `areas` those of each place to reach. `notes` list the
    features of the scenario that these rules cannot express.
    """

    field: Field
    units: dict[str, UnitSpec]
    commanders: dict[str, CommanderSpec]
    fliers: dict[str, FlierSpec]
    placed: dict[str, int] = dataclass_field(default_factory=dict)
    chiefs: dict[str, int] = dataclass_field(default_factory=dict)
    zones: dict[str, list[int]] = dataclass_field(default_factory=dict)
    entries: dict[str, list[int]] = dataclass_field(default_factory=dict)
    arrivals: dict[str, int] = dataclass_field(default_factory=dict)
    attached: dict[str, str] = dataclass_field(default_factory=dict)
    places: dict[str, tuple[int, ...]] = dataclass_field(default_factory=dict)
    areas: dict[str, frozenset[int]] = dataclass_field(default_factory=dict)
    carried_objects: dict[str, tuple[int, str]] = dataclass_field(default_factory=dict)
    hunted: list[Hunted] = dataclass_field(default_factory=list)
    exits: Mapping[str, tuple[Exit, ...]] = dataclass_field(default_factory=dict)
    edges: dict[str, frozenset[int]] = dataclass_field(default_factory=dict)
    ladders: frozenset[str] = frozenset()
    strengths: dict[str, int] = dataclass_field(default_factory=dict)
    quotas: dict[str, int | None] = dataclass_field(default_factory=dict)
    first: str = ""
    turn_limit: int = 0
    events: bool = False
    without: frozenset[str] = frozenset()
    notes: list[str] = dataclass_field(default_factory=list)
    prizes = RenamedAttribute("plan", "carried_objects")

    @cached_property
    def parts(self) -> dict[str, list[str]]:
        """The units that each unit of the scenario has become."""
        parts: dict[str, list[str]] = {}
        for name, spec in self.units.items():
            parts.setdefault(spec.source, []).append(name)
        return parts

    @cached_property
    def ready_groups(self) -> LazyBetween[tuple[str, int, int], tuple[CountedGroup, ...]]:
        """The groups to count of a ready unit in one hex, by its name, the hex and the number of its figures."""

        def groups(name: str, cell: int, figures: int) -> tuple[CountedGroup, ...]:
            spec = self.units[name]
            ready = CountedGroup(spec.side, figures, "ready", spec.source, position=(cell,))
            lost = CountedGroup(spec.side, spec.figures - figures, "lost", spec.source)
            return tuple([count for count in (ready, lost) if count.number > 0])

        return LazyBetween(groups)

    @cached_property
    def sources(self) -> dict[str, tuple[str, ...]]:
        """The units of the scenario that each side's units and fliers are parts of."""
        specs: list[UnitSpec | FlierSpec] = [*self.units.values(), *self.fliers.values()]
        found: dict[str, dict[str, None]] = {side: {} for side in self.field.home_edges}
        for spec in specs:
            found[spec.side][spec.source if isinstance(spec, UnitSpec) else spec.id] = None
        return {side: tuple(sources) for side, sources in found.items()}

    @cached_property
    def counted(self) -> Lazy[tuple[str, ...], tuple[tuple[str, ...], int]]:
        """The parts of several units of the scenario together, and the number of their figures at the start."""

        def counted(sources: tuple[str, ...]) -> tuple[tuple[str, ...], int]:
            names = tuple([name for source in sources for name in self.parts.get(source, ())])
            return names, sum([self.units[name].figures for name in names])

        return Lazy(counted)

    @cached_property
    def roster(self) -> SideRoster:
        """The names of each side's pieces."""
        return SideRoster(self.field.home_edges, self.units, self.commanders)


# --- The range of a unit's battles (AFR-037, AFR-182): its row of dice in the book, as house rules change it now ------


def reach_of(battle: Battle, unit: Unit) -> int:
    """Return the longest range in hexes at which a unit battles now; 0 for a unit without dice."""
    printed, rules = unit.reach, battle.book.rules
    if not printed or "range" not in rules.changed_numbers:
        return printed
    hexes: int = rules.number("range", printed, battle, unit, of=unit.kind)
    return hexes


def row_at(row: Sequence[int], distance: int) -> int:
    """Return the dice of a row at a range. Beyond the row, which a house rule may allow, its last entry counts."""
    return row[min(distance, len(row)) - 1]


# --- Limits of movement (AFR-081 to AFR-098, chapter 8): entry of hexes, hexes within a number of steps, commanders ---


def commander_allowance(battle: Battle, commander: Commander) -> int:
    """Return the hexes that a commander may move (AFR-040); 1 for a wounded character (AFR-043)."""
    speed = battle.book.file.commander_move
    if "wounded" in commander.marks:
        return speed.wounded
    return speed.mounted if commander.spec.mounted else speed.foot


def may_enter(battle: Battle, cell: int, side: str, walks: bool, origin: int, *, climbs: bool = True) -> bool:
    """Return True if ground and structures admit a side's troops (AFR-134, AFR-149, AFR-328).

    Foot, except packs, may use a ladder from `origin` (AFR-331, AFR-337).
    """
    ground = battle.ground(cell)
    if ground.closed or (ground.infantry_only and not walks):
        return False
    return not battle.is_shut_out(cell, side) or (walks and climbs and (cell, origin) in battle.ladders)


def reachable(
    battle: Battle,
    start: int,
    limit: int,
    side: str,
    walks: bool,
    *,
    room: int,
    with_chief: bool = False,
    guided: bool = False,
    storms: bool = False,
    climbs: bool = True,
) -> Mapping[int, int]:
    """Return the hexes within `limit` steps and the fewest steps to each, without the start.

    Closed are hexes with an enemy (AFR-081, AFR-095) or a parked enemy flier (AFR-278), hexes with `room` friendly
    units, hexes with another commander if one moves or goes along (AFR-096), and ground that keeps the movers out. A
    friendly piece in the hex (AFR-083, AFR-097) or its terrain (AFR-086) ends the move. The terrain it starts in does
    not matter (AFR-148), nor the kind of mover (AFR-150), nor adjacent enemies (AFR-088, AFR-089). `storms`: a wounded
    character in the next hex may be captured (AFR-043). `climbs`: the movers may climb ladders (AFR-337).
    """
    field, here, chiefs, units = battle.field, battle.here, battle.chiefs, battle.units
    parked = battle.parked_by_enemy(side) if battle.fliers else frozenset()
    if not battle.structures:
        steps_alone = field.steps_on_empty_field[start, limit, walks, guided]
        if (
            steps_alone.keys().isdisjoint(here)
            and steps_alone.keys().isdisjoint(chiefs)
            and steps_alone.keys().isdisjoint(parked)
        ):
            return steps_alone
    static = field.ground if not battle.rubble else None
    near_of = field.neighbours
    structures = battle.structures
    found: dict[int, int] = {start: 0}
    frontier = [start]
    for step in range(1, limit + 1):
        following = []
        for cell in frontier:
            for near in near_of[cell]:
                if near in found or near in parked:
                    continue
                ends = near in here
                if ends:
                    names = here[near]
                    if len(names) >= room or units[names[0]].spec.side != side or (with_chief and near in chiefs):
                        continue
                elif near in chiefs:
                    commander = battle.commanders[chiefs[near]]
                    if commander.spec.side != side:
                        if not storms or step > 1 or "wounded" not in commander.marks:
                            continue
                    elif with_chief:
                        continue
                    ends = True
                ground = static[near] if static is not None else battle.ground(near)
                if ground.closed or (ground.infantry_only and not walks):
                    continue
                if structures and not may_enter(battle, near, side, walks, cell, climbs=climbs):
                    continue
                if structures and battle.is_shut_out(near, side):  # the climb ends the move (AFR-331)
                    climbed = step - 1 + battle.book.file.ladder_moves.climb
                    if climbed <= limit:
                        found[near] = climbed
                    continue
                found[near] = step
                if not ends and (guided or not ground.stop):
                    following.append(near)
        frontier = following
    del found[start]
    return found
