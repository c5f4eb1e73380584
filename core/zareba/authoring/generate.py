"""Generate a scenario from a seed: terrain, forces and objectives, roughly balanced, playable under every ruleset.

The same seed gives the same file on every machine. The result is an ordinary scenario that can be played, compared,
changed and shared. It is checked like any scenario file before it is returned.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from zareba.authoring.blank import KeyedRandom
from zareba.authoring.forces import THEATRES, ZONE, Army, Theatre, ground, raise_army, worth
from zareba.authoring.scenario_yaml import scenario_text
from zareba.base.errors import FileError, ZarebaError, unknown_name
from zareba.scenario import parse_scenario
from zareba.scenario.vocabulary import LINE_ARMS
from zareba.scenario.vocabulary.words import TERRAIN

__all__ = ["SIZES", "THEATRES", "generate"]


@dataclass(frozen=True)
class Size:
    """The size of a battle: units of the first side, the table in inches, pieces of terrain, turns."""

    units: int
    width: float
    depth: float
    pieces: int
    turns: int


SIZES: Mapping[str, Size] = {
    "small": Size(4, 48, 36, 5, 12),
    "medium": Size(6, 60, 48, 7, 14),
    "large": Size(9, 72, 54, 9, 16),
}
PRIZES = ("village", "ruins", "hill", "kopje")
"""The kinds of terrain that can be the main objective."""
ATTEMPTS = 20
"""The number of attempts for one seed until the file passes all checks; the first almost always does."""


def generate(seed: int, size: str = "medium", theatre: str = "") -> str:
    """Return the text of a scenario file, made from a seed (0 or more).

    `size` is one of `SIZES`, `theatre` one of `THEATRES`; by default the theatre is random. Raises ZarebaError with
    the nearest name.
    """
    if size not in SIZES:
        raise unknown_name("size", size, SIZES)
    if theatre and theatre not in THEATRES:
        raise unknown_name("theatre", theatre, THEATRES)
    if seed < 0:
        raise ZarebaError("the seed must be a whole number, 0 or more")
    for attempt in range(ATTEMPTS):
        luck = KeyedRandom(seed, f"battle/{size}/{attempt}")
        known, large = theatre or luck.of("theatre").one_of(tuple(THEATRES)), SIZES[size]
        terrain = ground(luck.of("ground"), large.width, large.depth, _kinds(known), large.pieces)
        if any(piece["kind"] in PRIZES for piece in terrain.values()):
            text = _one(seed, luck, size, known, terrain)
            if _is_sound(text):
                return text
    raise ZarebaError(f"seed {seed} gives no valid battle; choose another")


def _is_sound(text: str) -> bool:
    try:
        parse_scenario(text, "a generated battle")
    except FileError:
        return False
    return True


def _one(seed: int, luck: KeyedRandom, size: str, theatre: str, terrain: dict[str, Any]) -> str:
    large, war = SIZES[size], THEATRES[theatre]
    plot = luck.of("plot").one_of(tuple(PLOTS))
    attacker = "first" if luck.of("attacker").chance(50) else "second"
    ratio = PLOTS[plot].ratio
    first, second = _forces(luck, war, large, 1.0 if plot == "meeting" else ratio if attacker == "first" else 1 / ratio)
    story = _Story(luck, war, large, terrain, attacker, {"first": first, "second": second})
    aims = PLOTS[plot].aims(story)
    year = luck.of("year").whole(*war.years)
    place = luck.of("place").one_of(war.places)
    title = f"{PLOTS[plot].title} {_prize(terrain)[1]['name'].removeprefix('The ').lower()}"
    edges = ("south", "north")
    sides = {}
    for place_of, (side, army) in enumerate((("first", war.first), ("second", war.second))):
        role = "either" if plot == "meeting" else "attacker" if side == attacker else "defender"
        sides[side] = {
            "name": army.name,
            "role": role,
            "home_edge": edges[place_of],
            "deploys": 1 if role != "attacker" else 2,
            "deployment": {edges[place_of]: _zone(large, edges[place_of])},
            "briefing": story.briefings[side],
        }
    data: dict[str, Any] = {
        "id": f"battle_{seed}",
        "title": title[:1].upper() + title[1:],
        "year": year,
        "place": place,
        "note": f"A made-up fight in {war.title}, {year}. {PLOTS[plot].note}",
        "sources": [f"Made by zareba from the seed {seed}."],
        "turns": large.turns,
        "first": "dice" if plot == "meeting" else attacker,
        "table": {"width": large.width, "depth": large.depth},
        "terrain": terrain,
        "sides": sides,
        "units": {**first, **second},
        "leaders": {**_leaders(luck, war.first, "first", first), **_leaders(luck, war.second, "second", second)},
        "objectives": aims,
    }
    if story.objects:
        data["objects"] = story.objects
    return scenario_text(data, f"Made by: zareba generate {seed} --size {size} --theatre {theatre}")


def _zone(large: Size, edge: str) -> list[list[float]]:
    low, high = (0.5, ZONE) if edge == "south" else (large.depth - ZONE, large.depth - 0.5)
    return [[3, low], [large.width - 3, low], [large.width - 3, high], [3, high]]


def _kinds(theatre: str) -> Sequence[str]:
    """Return the kinds of terrain of a theatre; one listed twice is twice as frequent."""
    return (*THEATRES[theatre].ground, *(kind for kind, word in TERRAIN.items() if theatre in word.theatres))


def _forces(luck: KeyedRandom, war: Theatre, large: Size, ratio: float) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return both forces; the second is worth `1 / ratio` of the first."""
    first = raise_army(luck.of("first"), war.first, "first", large.units, None)
    total = sum(worth(unit) for unit in first.values())
    second = raise_army(luck.of("second"), war.second, "second", large.units, total / ratio)
    return first, second


def _leaders(luck: KeyedRandom, army: Army, side: str, units: Mapping[str, Any]) -> dict[str, Any]:
    """Return a commander and some subordinate leaders, each with an infantry or mounted unit."""
    hosts = [key for key, unit in units.items() if unit["arm"] in LINE_ARMS]
    found: dict[str, Any] = {}
    for place, name in enumerate(army.leaders[: min(len(hosts), 2 + len(units) // 4)]):
        key = name.lower().replace(" ", "_")
        found[key] = {"name": name, "side": side, "rank": army.ranks[min(place, 1)], "unit": hosts[place]}
        if units[hosts[place]]["arm"] != "infantry":
            found[key]["mounted"] = True
    return found


def _prize(terrain: Mapping[str, Any]) -> tuple[str, Any]:
    """Return the piece to fight for: the first one placed in the middle."""
    return next(
        (key, piece) for key, piece in terrain.items() if piece["kind"] in ("village", "ruins", "hill", "kopje")
    )


class _Story:
    """The input for objectives: terrain, forces and the attacker.

    The functions that make objectives add objects and briefings.
    """

    def __init__(
        self,
        luck: KeyedRandom,
        war: Theatre,
        large: Size,
        terrain: dict[str, Any],
        attacker: str,
        forces: dict[str, dict[str, Any]],
    ) -> None:
        self.luck = luck.of("aims")
        self.war = war
        self.large = large
        self.terrain = terrain
        self.attacker = attacker
        self.defender = "second" if attacker == "first" else "first"
        self.forces = forces
        self.objects: dict[str, Any] = {}
        self.briefings: dict[str, str] = {}

    @property
    def far_edge(self) -> str:
        """The edge behind the defender, where the attacker wants to go."""
        return "north" if self.attacker == "first" else "south"


def _broken(points: int = 2) -> dict[str, Any]:
    return {"kind": "destroy", "name": "Break the enemy", "points": points, "share": 0.5}


def _meeting(story: _Story) -> dict[str, Any]:
    key, piece = _prize(story.terrain)
    others = [(name, one) for name, one in story.terrain.items() if name != key and "area" in one]
    for side in story.forces:
        story.briefings[side] = f"Take {_the(piece)} before they do, and break them if they stand."
    aims = {"prize": {"kind": "hold", "name": piece["name"], "points": 3, "terrain": key}, "break_them": _broken()}
    if others:
        name, one = story.luck.one_of(others)
        aims["second_prize"] = {"kind": "hold", "name": one["name"], "points": 1, "terrain": name}
    return aims


def _attack(story: _Story) -> dict[str, Any]:
    key, piece = _prize(story.terrain)
    story.briefings[story.attacker] = (
        f"{_the(piece, capital=True)} is to be yours when the day ends, whatever it costs."
    )
    story.briefings[story.defender] = f"Hold {_the(piece)}, or make them pay more than it is worth."
    return {
        "prize": {"kind": "hold", "name": piece["name"], "points": 4, "terrain": key},
        "break_them": _broken(2),
        "keep_half": {
            "kind": "survive", "name": "Keep the force together", "points": 1, "turn": story.large.turns, "share": 0.5, "by": [story.defender],
        },
    }  # fmt: skip


def _raid(story: _Story) -> dict[str, Any]:
    _, piece = _prize(story.terrain)
    xs, ys = zip(*piece["area"], strict=True)
    at = [round(sum(xs) / len(xs), 1), round(sum(ys) / len(ys), 1)]
    home = "south" if story.attacker == "first" else "north"
    story.objects["cattle"] = {"name": "The cattle", "kind": "livestock", "side": story.defender, "position": at}
    story.briefings[story.attacker] = (
        f"The cattle at {_the(piece)} are what you came for. Bring them home over the {home} edge."
    )
    story.briefings[story.defender] = "They have come for the cattle. Keep them, and let few of the thieves go home."
    return {
        "cattle": {
            "kind": "carry_off",
            "name": "The cattle",
            "points": 3,
            "object": "cattle",
            "edge": home,
            "by": [story.attacker],
        },
        "break_them": _broken(2),
        "keep_them": {
            "kind": "survive",
            "name": "Drive them off",
            "points": 2,
            "turn": story.large.turns,
            "share": 0.5,
            "by": [story.defender],
        },
    }


def _breakthrough(story: _Story) -> dict[str, Any]:
    movers = [key for key, unit in story.forces[story.attacker].items() if unit["arm"] != "artillery"]
    story.briefings[story.attacker] = (
        f"The road over the {story.far_edge} edge must be opened: get half of your men across."
    )
    story.briefings[story.defender] = "Nobody passes. What does not get through is as good as beaten."
    return {
        "through": {
            "kind": "escort",
            "name": "Break through",
            "points": 4,
            "units": movers,
            "share": 0.4,
            "edge": story.far_edge,
            "by": [story.attacker],
        },
        "break_them": _broken(2),
        "bar_the_way": {
            "kind": "survive",
            "name": "Bar the way",
            "points": 2,
            "turn": story.large.turns,
            "share": 0.5,
            "by": [story.defender],
        },
    }


def _the(piece: Mapping[str, Any], *, capital: bool = False) -> str:
    name = str(piece["name"])
    known = name if not name.startswith("The ") else f"the {name.removeprefix('The ')}"
    known = known if known.startswith("the ") else f"the {known[0].lower()}{known[1:]}"
    return known[:1].upper() + known[1:] if capital else known


@dataclass(frozen=True)
class _Plot:
    title: str
    note: str
    ratio: float
    aims: Any


PLOTS: Mapping[str, _Plot] = {
    "meeting": _Plot("Meeting at the", "Two columns meet over a place that both want.", 1.0, _meeting),
    "attack": _Plot("Attack on the", "One side holds a place; the other, who is stronger, wants it.", 1.2, _attack),
    "raid": _Plot("Raid on the", "Raiders have come for the cattle, and their owners for the raiders.", 1.0, _raid),
    "breakthrough": _Plot(
        "The road past the", "A column has to get through, and somebody stands in its way.", 1.1, _breakthrough
    ),
}
