"""How events read that happen under every rule system; a ruleset tells its own events first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zareba.scenario import Scenario
    from zareba.table import Event

__all__ = ["TO_SET_UP", "arrival_phrase", "common_sentence", "plain_sentence", "wind_name"]

WINDS = (
    "north", "north-north-east", "north-east", "east-north-east",
    "east", "east-south-east", "south-east", "south-south-east",
    "south", "south-south-west", "south-west", "west-south-west",
    "west", "west-north-west", "north-west", "north-north-west",
)  # fmt: skip
TO_SET_UP = "to be set up"
"""When a unit comes that is there from the start."""

Told = Callable[[Mapping[str, Any], Callable[[str], str]], str]

EVENTS: dict[str, Told] = {
    "loss": lambda data, name: f"{name(data['unit'])} lost {data['lost']}, {data['left']} left" if data["left"] else "",
    "destroyed": lambda data, name: f"that was the end of {name(data['unit'])}",
    "not arrived": lambda data, name: f"{name(data['unit'])} did not arrive yet with {data['die']}",
    "arrived": lambda data, name: f"{name(data['unit'])} arrived",
    "taken up": lambda data, name: f"{name(data['unit'])} took up the {data['object'].replace('_', ' ')}",
    "left the table": lambda data, name: f"{name(data['unit'])} left the table over the {data['edge']} edge",
}


def common_sentence(event: Event, name: Callable[[str], str]) -> str:
    """What happened in one sentence, a house rule's own events as `plain_sentence` has them; "" for what needs no telling.

    `name` gives the names of units by id.
    """
    told = EVENTS.get(event.kind)
    return told(event.data, name) if told is not None else plain_sentence(event, name)


def plain_sentence(event: Event, name: Callable[[str], str]) -> str:
    """An event that nobody has a sentence for: its `text`, or its kind with the unit or side that it befell."""
    if "text" in event.data:
        return str(event.data["text"])
    who = next((name(str(event.data[key])) for key in ("unit", "side") if event.data.get(key)), "")
    return f"{who}: {event.kind}" if who else event.kind


def wind_name(bearing: float, winds: int = 8) -> str:
    """A bearing in degrees as the nearest of 4, 8 or 16 winds."""
    return WINDS[round(bearing / (360 / winds)) % winds * (16 // winds)]


def arrival_phrase(scenario: Scenario, force: str) -> str:
    """When a unit of a scenario that is not on the table is to come, or a leader, alone or with his unit."""
    leader = scenario.leaders.get(force)
    unit = scenario.units.get(force if leader is None else leader.unit or "")
    arrival = (leader.arrival if leader else None) or (unit.arrival if unit else None)
    if arrival is None:
        return TO_SET_UP
    if arrival.turn > scenario.turns:
        return "when it is called"
    die = f", on a d{arrival.die} of {arrival.at_least} or more" if arrival.die and arrival.at_least else ""
    return f"due in turn {arrival.turn} over the {arrival.edge} edge{die}"
