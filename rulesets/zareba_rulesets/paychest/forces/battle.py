"""The state of a battle: units with their figures, guns, conveyances, things, decks."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any

from zareba.base.state import CopyOnWrite, Record, Value, house_state, record, shared
from zareba.game.activation import CardPerUnitCursor
from zareba.space import Point
from zareba.table import Deck
from zareba_rulesets.paychest.book.numbers import PaychestBook
from zareba_rulesets.paychest.forces.things import Litter, Thing, find_litter
from zareba_rulesets.paychest.forces.units import Box, Figure, Unit
from zareba_rulesets.paychest.ground.field import Field

__all__ = [
    "Battle",
    "Engine",
    "Goal",
]


@record
class Engine(Record):
    """A gun, machine gun, conveyance or flyer. `carrier`: the conveyance that a gun stands on.

    `mount`: carriage, emplacement, conveyance or flyer (PAY-083); `aboard` figures riding on a conveyance, its driver
    first; `altitude` of a flyer in steps (PAY-082); `first_ones` first dice that showed 1 this activation (PAY-175); `team`: it has
    draught animals and can be limbered (PAY-084); `served_by`: who has served a gun in this activation (PAY-178).
    """

    kind: str
    name: str
    side: str
    unit: str
    at: Point | None
    mount: str = "carriage"
    carrier: str = ""
    limbered: bool = False
    moved: str = "halt"
    jammed: bool = False
    shots: int = 0
    first_ones: int = 0
    team: bool = False
    aboard: tuple[str, ...] = ()
    altitude: int = 0
    served_by: tuple[str, ...] = ()


@dataclass(frozen=True)
class Goal:
    """One objective as a place to go: a point, a thing to fetch, a leader to take, an edge to leave by, men to beat.

    `due`: the turn at whose end it counts, 0 if at any time.
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
    """The whole state, first of all the cursor of the sequence of play.

    `cards` is the turn deck, `casualties` the casualty deck (PAY-010); `order` the units as their cards came up.
    `waiting`: units still to be set up. `arrivals`: units to come and the turn from which they may; `returning`:
    units that form again (PAY-197). `commanders`: side -> figure (PAY-031). `deeds`: side -> turn of the last deed noted by hand;
    `carried`: carrier and friend -> inches, all told (PAY-044); `exits`: figure -> edge by which it left; `orders`: unit ->
    the point of its newest order (PAY-033). `moved_away`: figures whom a result has moved in this very step (PAY-063).
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
    goals: tuple[Goal, ...] = shared(default=())
    litter: Litter | None = shared(default=None)
    kept: dict[Hashable, Any] | None = shared(default=None)
    prize_ids: tuple[str, ...] | None = shared(default=None)

    def unit(self, unit_id: str) -> Unit:
        return self.units[unit_id]

    @property
    def found(self) -> dict[Hashable, Any]:
        """What was found out of units; copies share it, for each entry says by itself what it holds for."""
        if self.kept is None:
            self.kept = {}
        return self.kept

    def change(self, unit_id: str) -> Unit:
        """A unit to be written to, with its figures; what was read of it before is then out of date."""
        return self.units.change(unit_id)

    def change_figure(self, figure_id: str) -> Figure:
        """A figure to be written to, in its unit that is taken in hand with it."""
        return self.units.change(figure_id.rpartition(".")[0]).figures[figure_id]

    def figure(self, figure_id: str) -> Figure:
        """A figure by its id, which is its unit's id, a point and its place on the roster."""
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
                own = self.engines.change(name)
                own.aboard = tuple([man for man in own.aboard if not is_hidden(man)])
                own.served_by = tuple([man for man in own.served_by if not is_hidden(man)])
        for name in [name for name, thing in self.things.items() if thing.carrier and is_hidden(thing.carrier)]:
            self.remove_thing(name)
        for unit in list(self.units.values()):
            for key, man in unit.figures.items():
                if any(map(is_hidden, man.loads)) or (man.aboard and man.aboard not in self.engines):
                    mine = self.change_figure(key)
                    mine.loads = tuple([load for load in mine.loads if not is_hidden(load)])
                    mine.aboard = mine.aboard if mine.aboard in self.engines else ""

    def side_units(self, side: str) -> Iterator[Unit]:
        """The units of a side with able figures on the table, in roster order."""
        return (u for u in self.units.values() if u.spec.side == side and u.box[2] >= 0)

    def enemies(self, side: str) -> Iterator[Unit]:
        """The units of all other sides with able figures on the table, in roster order."""
        return (u for u in self.units.values() if u.spec.side != side and u.box[2] >= 0)

    def is_leader(self, figure: Figure) -> bool:
        """A leader figure: officer, NCO, acting corporal, chief, leader or sub-leader (PAY-092, PAY-093)."""
        return figure.rank in self.book.leader_ranks

    def leads(self, figure: Figure) -> bool:
        """Whether a figure leads loose mounts (PAY-078)."""
        return any(load in self.things and self.things[load].kind == "mount" for load in figure.loads)

    def radius(self, figure: Figure) -> float:
        """Half the width of a figure's base (PAY-007)."""
        return self.book.bases["mounted" if figure.mount else "foot"]

    def engine_radius(self, engine: Engine) -> float:
        return self.book.bases["gun" if engine.kind in ("gun", "machine_gun") else "conveyance"]

    def add_thing(self, name: str, thing: Thing) -> str:
        """Put a thing into the battle under this name, numbered if there is one already; returns its id."""
        number, thing_id = 1, name
        while thing_id in self.things:
            number += 1
            thing_id = f"{name} {number}"
        self.things[thing_id] = thing
        self.litter = self.litter and self.litter.after(thing_id)
        return thing_id

    def change_thing(self, thing_id: str) -> Thing:
        """A thing to be written to."""
        self.litter = self.litter and self.litter.after(thing_id)
        return self.things.change(thing_id)

    def remove_thing(self, thing_id: str) -> None:
        """Take a thing out of the battle: a mount that is ridden, a weapon that is in hand."""
        self.litter = None
        del self.things[thing_id]

    def things_near(self, box: Box, *, weapons: bool = True) -> list[tuple[str, Thing, Point]]:
        """The things that nobody carries within an upright rectangle, with their ids and places; `weapons` or not."""
        if self.litter is None:
            self.litter = find_litter(self.things)
        things = self.things
        return [(key, things[key], (x, y)) for x, y, _, key in self.litter.near(things, box, weapons=weapons)]

    def prizes(self) -> list[Thing]:
        """The things that objectives are about."""
        if self.prize_ids is None:
            self.prize_ids = tuple(key for key, thing in self.things.items() if thing.goal)
        return [self.things[key] for key in self.prize_ids if key in self.things]

    def guns_of(self, unit: Unit) -> list[str]:
        """The guns and machine guns that a unit serves."""
        own = unit.spec.id
        return [k for k, e in self.engines.items() if e.unit == own and e.kind in ("gun", "machine_gun")]

    def driven_by(self, unit: Unit) -> list[str]:
        """The conveyances and flyers that figures of this unit drive."""
        return [key for key, engine in self.engines.items() if engine.aboard and engine.aboard[0] in unit.figures]


def kind_of(engine: Engine) -> str:
    """The line of the rules for a piece: machine_gun or shell."""
    return "machine_gun" if engine.kind == "machine_gun" else "shell"


def gun_limit(battle: Battle, engine: Engine) -> int:
    """Shots of a piece in an activation (PAY-177, PAY-184)."""
    kind = kind_of(engine)
    if battle.unit(engine.unit).spec.kind == "irregular":
        return battle.book.file.guns[kind].irregular_shots
    settings = battle.book.settings
    return int(settings.mg_shots_regular if kind == "machine_gun" else settings.artillery_shots_regular)
