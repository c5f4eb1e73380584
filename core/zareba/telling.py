"""How events read that happen under every rule system; a ruleset tells its own, and these where it has no words for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from zareba.table import Event

__all__ = ["common_sentence"]

Told = Callable[[Mapping[str, Any], Callable[[str], str]], str]

EVENTS: dict[str, Told] = {
    "loss": lambda data, name: f"{name(data['unit'])} lost {data['lost']}, {data['left']} left" if data["left"] else "",
    "destroyed": lambda data, name: f"that was the end of {name(data['unit'])}",
    "arrived": lambda data, name: f"{name(data['unit'])} arrived",
    "taken up": lambda data, name: f"{name(data['unit'])} took up the {data['object'].replace('_', ' ')}",
    "left the table": lambda data, name: f"{name(data['unit'])} left the table over the {data['edge']} edge",
}


def common_sentence(event: Event, name: Callable[[str], str]) -> str:
    """What happened in one sentence; a house rule's own events are told by their `text`. "" for what needs no telling.

    `name` gives the names of units by id.
    """
    told = EVENTS.get(event.kind)
    return told(event.data, name) if told is not None else str(event.data.get("text", ""))
