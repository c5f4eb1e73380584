"""Texts about events, outcomes and the roster of a side."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from zareba.base.grammar import agreeing, in_a_sentence, with_the
from zareba.scenario.victory import Outcome

if TYPE_CHECKING:
    from zareba.scenario import Scenario
    from zareba.table import Event


# --- Sentences for the events that occur under every ruleset. A ruleset describes its own events first ----------------


_WINDS = (
    "north", "north-north-east", "north-east", "east-north-east",
    "east", "east-south-east", "south-east", "south-south-east",
    "south", "south-south-west", "south-west", "west-south-west",
    "west", "west-north-west", "north-west", "north-north-west",
)  # fmt: skip
TO_SET_UP = "to be set up"
"""Arrival of a unit that is there from the start."""

Sentence = Callable[[Mapping[str, Any], Callable[[str], str]], str]
"""Returns the sentence for the data of an event; its second argument returns the name of a unit by id."""

SHOT_FROM_HIDING, SHOT_OUT_OF_SIGHT = "shot from hiding", "shot out of sight"
"""Kinds of event that a seat gets instead of a shot: by an enemy that it does not see, and at one."""

EVENTS: dict[str, Sentence] = {
    SHOT_FROM_HIDING: lambda data, name: f"{name(data['unit'])} came under fire from an unseen enemy",
    SHOT_OUT_OF_SIGHT: lambda data, name: f"{name(data['unit'])} fired at an enemy out of sight",
    "loss": lambda data, name: f"{name(data['unit'])} lost {data['lost']}, {data['left']} left" if data["left"] else "",
    "destroyed": lambda data, name: f"that was the end of {in_a_sentence(name(data['unit']))}",
    "not arrived": lambda data, name: f"{name(data['unit'])} did not arrive this turn (rolled {data['die']})",
    "arrived": lambda data, name: f"{name(data['unit'])} arrived",
    "taken up": lambda data, name: f"{name(data['unit'])} took up {with_the(name(data['object']))}",
    "left the table": lambda data, name: f"{name(data['unit'])} left the table over the {data['edge']} edge",
}


def common_sentence(event: Event, name: Callable[[str], str]) -> str:
    """Return one sentence for an event; "" for an event that needs none.

    Events without a sentence here, such as those of a house rule, are described by `plain_sentence`. `name` returns
    the name of a unit by id.
    """
    sentence = EVENTS.get(event.kind)
    return sentence(event.data, name) if sentence is not None else plain_sentence(event, name)


def plain_sentence(event: Event, name: Callable[[str], str]) -> str:
    """Return the fallback text of an event: its `text`, otherwise its kind, with the unit or side it concerns."""
    if "text" in event.data:
        return str(event.data["text"])
    who = next((name(str(event.data[key])) for key in ("unit", "side") if event.data.get(key)), "")
    return f"{who}: {event.kind}" if who else event.kind


def wind_name(bearing: float, winds: int = 8) -> str:
    """Return the nearest of 4, 8 or 16 compass points to a bearing in degrees."""
    return _WINDS[round(bearing / (360 / winds)) % winds * (16 // winds)]


def arrival_phrase(scenario: Scenario, force: str) -> str:
    """Return when a unit or leader of a scenario arrives that is not on the table.

    A leader may come alone or with a unit.
    """
    leader = scenario.leaders.get(force)
    unit = scenario.units.get(force if leader is None else leader.unit or "")
    arrival = (leader.arrival if leader else None) or (unit.arrival if unit else None)
    if arrival is None:
        return TO_SET_UP
    if arrival.turn > scenario.turns:
        return "when it is called"
    die = f", on a d{arrival.die} of {arrival.at_least} or more" if arrival.die and arrival.at_least else ""
    return f"due in turn {arrival.turn} over the {arrival.edge} edge{die}"


# --- The result of a finished game, in words --------------------------------------------------------------------------


_ENDINGS = {
    "objectives": "A decisive objective or a quota of points ended the battle",
    "quota": "A side reached its quota of points",
    "collapse": "No more than one side could still act",
    "withdrawal": "A side withdrew",
    "turn_limit": "The battle ended at the turn limit",
    "agreement": "The players agreed on a draw",
    "concession": "A player conceded",
    "time": "A player ran out of time",
}
"""The reason why a battle ended, by `Outcome.ending`. House rules may end it for other reasons."""


def outcome_sentence(scenario: Scenario, outcome: Outcome) -> str:
    """Return the winner of a finished game, the points of all sides, why it ended, and what decided it."""
    sides = scenario.sides
    points = ", ".join(f"{in_a_sentence(sides[side].name)} {scored:g}" for side, scored in outcome.points.items())
    result = "a draw"
    if outcome.winner is not None:
        name = sides[outcome.winner].name
        result = f"{in_a_sentence(name)} {agreeing(name, 'wins', 'win')}"
    ending = _ENDINGS.get(outcome.ending) or f"It ended early: {outcome.ending.replace('_', ' ')}"
    deciding = f" Deciding factor: {outcome.decided_by}." if outcome.decided_by else ""
    return f"The game is over: {result}. Points: {points}. {ending}.{deciding}"


# --- A roster: the figures of each unit, as plain data that a terminal, a page or a program can show ------------------


class Boxes(NamedTuple):
    """A row of tick boxes: the first `ticked` of `boxes` are ticked."""

    ticked: int
    boxes: int


Cell: TypeAlias = str | int | Boxes


@dataclass(frozen=True)
class RosterLine:
    """One figure: a cell for each column of its unit. `out` means that it takes no further part."""

    cells: tuple[Cell, ...]
    out: bool = False


@dataclass(frozen=True)
class RosterUnit:
    """One unit: id, name, side, labelled notes about the whole unit, and a line for each figure."""

    id: str
    name: str
    side: str
    side_name: str
    notes: tuple[tuple[str, Cell], ...]
    columns: tuple[str, ...]
    lines: tuple[RosterLine, ...]

    def __post_init__(self) -> None:
        for number, line in enumerate(self.lines, 1):
            if len(line.cells) != len(self.columns):
                raise ValueError(
                    f"line {number} of {self.id} has {len(line.cells)} cells for {len(self.columns)} columns"
                )


@dataclass(frozen=True)
class Roster:
    """The roster of a battle: title, `headline` (the moment it describes), units, and `key` to the signs."""

    title: str
    headline: str
    units: tuple[RosterUnit, ...]
    key: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return JSON-ready data: a line is a mapping from column to cell, boxes are `{"ticked", "boxes"}`."""
        return {
            "title": self.title,
            "headline": self.headline,
            "key": self.key,
            "units": [
                {
                    "id": unit.id,
                    "name": unit.name,
                    "side": unit.side,
                    "notes": {label: _cell_data(cell) for label, cell in unit.notes},
                    "figures": [
                        {
                            **dict(zip(unit.columns, map(_cell_data, line.cells), strict=True)),
                            "out": line.out,
                        }
                        for line in unit.lines
                    ],
                }
                for unit in self.units
            ],
        }


def _cell_data(cell: Cell) -> Any:
    return cell._asdict() if isinstance(cell, Boxes) else cell
