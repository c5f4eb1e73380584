"""The state of a battle, the ranges of its weapons, and the figures that bear its loads."""

from __future__ import annotations

from collections.abc import Hashable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from zareba.base.exact import dist
from zareba.base.state import CopyOnWrite, Record, Value, house_state, record, shared
from zareba.game.activation import CardPerUnitCursor
from zareba.renamed import RenamedAttribute
from zareba.space import Point
from zareba.table import Deck
from zareba_rulesets.paychest.book.numbers import PaychestBook
from zareba_rulesets.paychest.book.tables import Band, Gait
from zareba_rulesets.paychest.forces.units import Box, Figure, Thing, ThingIndex, Unit, index_things
from zareba_rulesets.paychest.ground import Field


@record
class Engine(Record):
    """A gun, machine gun, conveyance or flyer.

    `mount` is carriage, emplacement, conveyance or flyer (PAY-083), and `carrier` the conveyance a gun stands on.
    `team` is True if it has draught animals and can be limbered (PAY-084). `aboard` lists the figures on a conveyance,
    the driver first. `altitude` is a flyer's, in steps (PAY-082). `first_ones` counts the first dice of this
    activation that showed 1 (PAY-175). `served_by` holds the crew that has served a gun in this activation (PAY-178).
    """

    kind: str
    name: str
    side: str
    unit: str
    at: Point | None
    mount: str = "carriage"
    carrier: str = ""
    limbered: bool = False
    moved: Gait = "halt"
    jammed: bool = False
    shots: int = 0
    first_ones: int = 0
    team: bool = False
    aboard: tuple[str, ...] = ()
    altitude: int = 0
    served_by: tuple[str, ...] = ()


@dataclass(frozen=True)
class Objective:
    """An objective of the scenario: a point, a thing to fetch, a leader, an exit edge, or units to defeat.

    `due` is the turn when it counts, at its end, or 0 for any time.
    """

    id: str
    kind: str
    sides: tuple[str, ...]
    points: int
    at: Point | None = None
    radius: float = 0.0
    thing: str = ""
    leader: str = ""
    edge: str = ""
    units: tuple[str, ...] = ()
    due: int = 0


@record
class Battle(CardPerUnitCursor):
    """The whole state of a battle, starting with the cursor of the sequence of play.

    `cards` is the turn deck, `casualties` the casualty deck (PAY-010). `order` lists the units as their cards came up.
    `waiting` are units still to be set up; `arrivals` maps units to the turn from which they may arrive; `returning`
    are units that form again (PAY-197). `commanders` maps side to figure (PAY-031), `deeds` side to the turn of the
    last deed noted by hand, `carried` carrier and comrade to the total inches carried (PAY-044), `exits` figure to the
    edge it left by, `orders` unit to the point of its newest order (PAY-033). `moved_away` holds figures that a result
    has moved in the current step (PAY-063).
    """

    winner: str
    units: CopyOnWrite[str, Unit]
    engines: CopyOnWrite[str, Engine]
    things: CopyOnWrite[str, Thing]
    cards: Deck
    casualties: Deck
    order: list[str]
    waiting: list[str]
    arrivals: dict[str, int]
    returning: list[str]
    commanders: dict[str, str]
    deeds: dict[str, int]
    achieved: dict[str, str]
    exits: dict[str, str] = field(default_factory=dict)
    carried: dict[str, float] = field(default_factory=dict)
    orders: dict[str, Point] = field(default_factory=dict)
    moved_away: tuple[str, ...] = ()
    own: dict[str, Value] = house_state(default_factory=dict)
    book: PaychestBook = shared(default=None)
    field: Field = shared(default=None)
    objectives: tuple[Objective, ...] = shared(default=())
    thing_index: ThingIndex | None = shared(default=None)
    cached_facts: dict[Hashable, Any] | None = shared(default=None)
    objective_thing_ids: tuple[str, ...] | None = shared(default=None)
    prizes = RenamedAttribute("battle", "things_of_objectives")

    def unit(self, unit_id: str) -> Unit:
        return self.units[unit_id]

    @property
    def fact_cache(self) -> dict[Hashable, Any]:
        """The cache of facts about units.

        Copies of the battle share it, because each entry records the state it is valid for.
        """
        if self.cached_facts is None:
            self.cached_facts = {}
        return self.cached_facts

    def change(self, unit_id: str) -> Unit:
        """Return a unit and its figures for writing. Anything read from it before is then out of date."""
        return self.units.change(unit_id)

    def change_figure(self, figure_id: str) -> Figure:
        """Return a figure for writing. Its unit is made writable too."""
        return self.units.change(figure_id.rpartition(".")[0]).figures[figure_id]

    def figure(self, figure_id: str) -> Figure:
        """Return a figure by its id: the unit's id, a dot and its number on the roster."""
        return self.units[figure_id.rpartition(".")[0]].figures[figure_id]

    def unit_of(self, figure: Figure) -> Unit:
        return self.units[figure.spec.unit]

    def side_of(self, figure: Figure) -> str:
        return self.units[figure.spec.unit].spec.side

    def conceal(self, hidden: AbstractSet[str]) -> None:
        """Remove every reference to hidden units, with their guns and conveyances and what their men carry."""

        def is_hidden(figure: str) -> bool:
            return figure.rpartition(".")[0] in hidden

        self.order = [name for name in self.order if name not in hidden]
        self.waiting = [name for name in self.waiting if name not in hidden]
        self.returning = [name for name in self.returning if name not in hidden]
        self.arrivals = {name: turn for name, turn in self.arrivals.items() if name not in hidden}
        self.orders = {name: at for name, at in self.orders.items() if name not in hidden}
        self.acting = "" if self.acting in hidden else self.acting
        self.commanders = {side: man for side, man in self.commanders.items() if not is_hidden(man)}
        self.exits = {man: edge for man, edge in self.exits.items() if not is_hidden(man)}
        self.moved_away = tuple([man for man in self.moved_away if not is_hidden(man)])
        for name, engine in list(self.engines.items()):
            if engine.unit in hidden:
                del self.engines[name]
            elif any(map(is_hidden, (*engine.aboard, *engine.served_by))):
                writable_engine = self.engines.change(name)
                writable_engine.aboard = tuple([man for man in writable_engine.aboard if not is_hidden(man)])
                writable_engine.served_by = tuple([man for man in writable_engine.served_by if not is_hidden(man)])
        for name, thing in list(self.things.items()):
            holder = thing.carrier or name.removeprefix("mount of ")  # a loose mount is as hidden as its rider
            if is_hidden(holder):
                self.remove_thing(name)
        for unit in list(self.units.values()):
            for key, man in unit.figures.items():
                if any(map(is_hidden, man.loads)) or (man.aboard and man.aboard not in self.engines):
                    writable_figure = self.change_figure(key)
                    writable_figure.loads = tuple([load for load in writable_figure.loads if not is_hidden(load)])
                    writable_figure.aboard = writable_figure.aboard if writable_figure.aboard in self.engines else ""

    def side_units(self, side: str) -> list[Unit]:
        """Return the units of a side with able figures on the table, in roster order."""
        # the box of a unit tells whether it has any, as `has_able_figures` does
        return [u for u in self.units.values() if u.box[2] >= 0 and u.spec.side == side]

    def enemies(self, side: str) -> list[Unit]:
        """Return the units of all other sides with able figures on the table, in roster order."""
        return [u for u in self.units.values() if u.box[2] >= 0 and u.spec.side != side]

    def is_leader(self, figure: Figure) -> bool:
        """Return True for a leader figure: officer, NCO, chief, leader, sub-leader or acting (PAY-092, PAY-093)."""
        return figure.rank in self.book.leader_ranks

    def leads(self, figure: Figure) -> bool:
        """Return True if a figure leads loose mounts (PAY-078)."""
        if not figure.loads:
            return False
        return any(load in self.things and self.things[load].kind == "mount" for load in figure.loads)

    def radius(self, figure: Figure) -> float:
        """Return the radius of a figure's base in inches (PAY-007)."""
        return self.book.bases["mounted" if figure.mount else "foot"]

    def engine_radius(self, engine: Engine) -> float:
        return self.book.bases["gun" if engine.kind in ("gun", "machine_gun") else "conveyance"]

    def add_thing(self, name: str, thing: Thing) -> str:
        """Add a thing under this name, with a number if the name is taken, and return its id."""
        number, thing_id = 1, name
        while thing_id in self.things:
            number += 1
            thing_id = f"{name} {number}"
        self.things[thing_id] = thing
        self.thing_index = self.thing_index and self.thing_index.after(thing_id)
        return thing_id

    def change_thing(self, thing_id: str) -> Thing:
        """Return a thing for writing."""
        self.thing_index = self.thing_index and self.thing_index.after(thing_id)
        return self.things.change(thing_id)

    def remove_thing(self, thing_id: str) -> None:
        """Remove a thing from the battle: a mount that is ridden now, or a weapon in hand."""
        self.thing_index = None
        del self.things[thing_id]

    def things_near(self, box: Box, *, weapons: bool = True) -> list[tuple[str, Thing, Point]]:
        """Return the things on the ground in a rectangle, with their ids and positions; `weapons` includes weapons."""
        if self.thing_index is None:
            self.thing_index = index_things(self.things)
        things = self.things
        return [(key, things[key], (x, y)) for x, y, _, key in self.thing_index.near(things, box, weapons=weapons)]

    def things_of_objectives(self) -> list[Thing]:
        """Return the things that objectives refer to."""
        if self.objective_thing_ids is None:
            self.objective_thing_ids = tuple(key for key, thing in self.things.items() if thing.goal)
        return [self.things[key] for key in self.objective_thing_ids if key in self.things]

    def guns_of(self, unit: Unit) -> list[str]:
        """Return the guns and machine guns of a unit."""
        unit_id = unit.spec.id
        return [k for k, e in self.engines.items() if e.unit == unit_id and e.kind in ("gun", "machine_gun")]

    def driven_by(self, unit: Unit) -> list[str]:
        """Return the conveyances and flyers driven by figures of this unit."""
        return [key for key, engine in self.engines.items() if engine.aboard and engine.aboard[0] in unit.figures]


def kind_of(engine: Engine) -> Literal["machine_gun", "shell"]:
    """Return the line of the rules for a gun: machine_gun or shell."""
    return "machine_gun" if engine.kind == "machine_gun" else "shell"


def gun_limit(battle: Battle, engine: Engine) -> int:
    """Return the shots a gun has in an activation (PAY-177, PAY-184)."""
    kind = kind_of(engine)
    if battle.unit(engine.unit).spec.kind == "irregular":
        return battle.book.file.guns[kind].irregular_shots
    settings = battle.book.settings
    return int(settings.mg_shots_regular if kind == "machine_gun" else settings.artillery_shots_regular)


# --- Weapon ranges by band (PAY-008, PAY-026), including changes by house rules ---------------------------------------


Bands = tuple[tuple[Band, float], ...]
"""The range bands of a weapon with their limits in inches, the nearest first."""


def bands_of(battle: Battle, firer: Figure | Engine | None, weapon: str) -> Bands:
    """Return the range bands of a weapon for a figure or gun. Without one, return those that apply generally."""
    book = battle.book
    bands = book.bands[weapon]
    return cast("Bands", book.rules.ranges(bands, battle, firer, weapon)) if book.has_range_lines else bands


def longest_range(battle: Battle, firer: Figure | Engine | None, weapon: str) -> float:
    """Return the inches within which a figure or gun can fire a weapon, or within which anyone can without one."""
    _, limit = bands_of(battle, firer, weapon)[-1]
    return limit


def band_of(bands: Bands, inches: float) -> Band | None:
    """Return the range band of a distance, limits included (PAY-008), or None beyond the weapon's reach."""
    for name, limit in bands:
        if inches <= limit:
            return name
    return None


# --- Bearers of loads, alone or together (PAY-072, PAY-073) -----------------------------------------------------------


def is_heavy(battle: Battle, load: str) -> bool:
    """Return True for a body or a heavy thing (PAY-073)."""
    thing = battle.things.get(load)
    return thing is None or thing.heavy


def is_burdened(battle: Battle, figure: Figure) -> bool:
    """Return True if a figure carries anything heavy (PAY-072)."""
    return bool(figure.loads) and any(is_heavy(battle, load) for load in figure.loads)


def bearers_of(battle: Battle, side: str, load: str) -> list[Figure]:
    """Return the figures of a side that bear a load, in roster order. The load is at the position of the first."""
    return [f for unit in battle.side_units(side) for f in unit.figures.values() if load in f.loads]


def bearer_of(battle: Battle, side: str, load: str) -> Figure | None:
    """Return the first figure of a side that bears a load, or None."""
    return next((f for unit in battle.side_units(side) for f in unit.figures.values() if load in f.loads), None)


def let_go(battle: Battle, figure: Figure, load: str) -> list[Figure]:
    """Make one figure let go of a load and return those who still bear it."""
    figure.loads = tuple(other for other in figure.loads if other != load)
    others = bearers_of(battle, battle.side_of(figure), load)
    if others and load in battle.things:
        battle.change_thing(load).carrier = others[0].spec.id
    return others


def loads_left_behind(battle: Battle, figure: Figure) -> list[str]:
    """Return the shared loads whose first bearer is too far from this figure (PAY-073)."""
    max_gap, side = battle.book.file.bearers_apart.inches + 1e-9, battle.side_of(figure)
    left_behind = []
    for load in figure.loads:
        first = bearer_of(battle, side, load) if is_heavy(battle, load) else None
        if first is not None and first.at is not None and figure.at is not None and dist(first.at, figure.at) > max_gap:
            left_behind.append(load)
    return left_behind
