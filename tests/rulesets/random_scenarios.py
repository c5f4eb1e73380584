"""Random scenarios that use the whole scenario vocabulary: always valid, rarely sensible."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any, get_args

from zareba.base.errors import FileError
from zareba.base.yamlfile import Document
from zareba.scenario import Scenario
from zareba.scenario.load import read_scenario
from zareba.scenario.model import Terrain, Unit
from zareba.scenario.unsupported import terrain_conflicts, unit_conflicts
from zareba.scenario.vocabulary import (
    AREA_KINDS,
    LINE_KINDS,
    RANKS,
    Ammunition,
    Arm,
    Armament,
    CloseWeapon,
    Draught,
    Edge,
    Facing,
    Formation,
    GunClass,
    Kind,
    ObjectKind,
    Orders,
    Quality,
    Trait,
    Weapon,
)

__all__ = ["random_scenario"]

Doc = dict[str, Any]
EDGES = get_args(Edge)
LIKELY_ARMS = ("infantry", "infantry", "infantry", "cavalry", "artillery", *get_args(Arm))
KNOWN_TO_ALL = ("infantry", "cavalry", "mounted_infantry")
ATTEMPTS = 400
TURNS = 6


@cache
def random_scenario(seed: int, sides: int = 2) -> Scenario:
    """Return a valid random scenario of two or three sides, redrawn until one passes the checks.

    Each side has a unit that exists in all rulesets, because a ruleset refuses a battle without one.
    """
    random = Random(seed)
    for _ in range(ATTEMPTS):
        try:
            found = read_scenario(Document("random.yaml", _draw(random, seed, sides), {(): (1, 1)}))
        except FileError:
            continue
        if all(any(found.units[unit].arm in KNOWN_TO_ALL for unit in found.units_of(side)) for side in found.sides):
            return found
    raise AssertionError(f"no sound scenario of seed {seed} in {ATTEMPTS} attempts")


def _draw(random: Random, seed: int, sides: int) -> Doc:
    width, depth = random.choice((30, 40, 48, 60)), random.choice((30, 36, 44))
    doc: Doc = {
        "id": f"random_{seed}",
        "title": f"Random {seed}",
        "year": random.randint(1750, 1930),
        "place": "nowhere",
        "note": "A battle that was thrown together.",
        "turns": TURNS,
        "first": random.choice(("open", "dice", "one", "two")),
        "table": {"width": width, "depth": depth},
    }
    doc |= {flag: True for flag in ("night", "fog", "siege", "entrenched") if random.random() < 0.15}
    doc["terrain"] = {f"ground_{n}": _terrain(random, width, depth) for n in range(random.randint(0, 7))}
    edges = (("one", "south"), ("two", "north"), ("three", "west"))
    doc["sides"] = {side: _side(random, edge, width, depth) for side, edge in edges[:sides]}
    doc["units"] = {
        f"{side}_{n}": _unit(random, doc, side) for side in doc["sides"] for n in range(random.randint(1, 4))
    }
    doc["leaders"] = {
        f"{side}_leader_{n}": _leader(random, doc, side) for side in doc["sides"] for n in range(random.randint(0, 3))
    }
    doc["objects"] = {f"thing_{n}": _object(random, doc) for n in range(random.choice((0, 0, 1, 2)))}
    doc["objectives"] = {f"goal_{n}": _goal(random, doc) for n in range(random.randint(1, 4))}
    doc["objectives"]["last"] = {"kind": "destroy", "name": "Drive them off", "share": 0.5}
    hidden = {unit["side"] for unit in doc["units"].values() if unit.get("hidden")}
    doc["hidden"] = {side: _hidden(random, doc) for side in sorted(hidden)}
    doc["events"] = {f"weather_{n}": _event(random) for n in range(random.choice((0, 0, 0, 1)))}
    return doc


def _maybe(random: Random, chance: float, value: Callable[[], Any]) -> Any:
    return value() if random.random() < chance else None


def _given(doc: Doc) -> Doc:
    return {key: value for key, value in doc.items() if value is not None}


def _spot(random: Random, doc: Doc) -> list[int]:
    return [random.randint(1, doc["table"]["width"] - 1), random.randint(1, doc["table"]["depth"] - 1)]


def _terrain(random: Random, width: int, depth: int) -> Doc:
    """Return one piece of ground with fields that suit its kind; invalid ones are redrawn."""
    while True:
        kind = random.choice((*AREA_KINDS, *LINE_KINDS))
        piece: Doc = {"kind": kind, "name": kind.replace("_", " ")}
        if kind in LINE_KINDS:
            corners = random.randint(2, 4)
            piece["line"] = [[random.randint(0, width), random.randint(0, depth)] for _ in range(corners)]
            piece["width"] = _maybe(random, 0.3, lambda: random.choice((0.5, 1, 2, 4)))
        else:
            x, y = random.randint(0, width - 6), random.randint(0, depth - 6)
            to_x, to_y = x + random.randint(3, min(16, width - x)), y + random.randint(3, min(14, depth - y))
            cut = random.choice((0, 0, 1, 2))
            piece["area"] = [[x, y], [to_x, y + cut], [to_x - cut, to_y], [x, to_y - cut]]
        piece |= {
            "slope": _maybe(random, 0.2, lambda: random.choice(("gentle", "steep"))),
            "levels": _maybe(random, 0.2, lambda: random.randint(1, 3)),
            "depth": _maybe(random, 0.2, lambda: random.choice(("shallow", "deep"))),
            "material": _maybe(random, 0.3, lambda: random.choice(("wood", "adobe", "stone"))),
            "floors": _maybe(random, 0.2, lambda: random.randint(1, 3)),
            "rooms": _maybe(random, 0.2, lambda: True),
            "true_fortification": _maybe(random, 0.2, lambda: True),
            "strength": _maybe(random, 0.2, lambda: random.randint(1, 9)),
        }
        if kind in LINE_KINDS and random.random() < 0.2:
            piece["gates"] = {"gate": {"at": piece["line"][0], "open": random.random() < 0.5}}
        piece = _given(piece)
        if not list(terrain_conflicts(Terrain.model_validate_json(json.dumps(piece)))):
            return piece


def _side(random: Random, edge: str, width: int, depth: int) -> Doc:
    """Return a side in a strip along an edge. The strip in the west lies between the other two."""
    deep = 10
    low = {"south": 0, "north": depth - deep, "west": deep}[edge]
    high, right = (depth - deep, 8) if edge == "west" else (low + deep, width)
    return _given(
        {
            "name": f"The {edge}",
            "role": random.choice(("attacker", "defender", "either")),
            "home_edge": _maybe(random, 0.9, lambda: edge),
            "deployment": {"home": [[0, low], [right, low], [right, high], [0, high]]},
            "deploys": random.randint(1, 2),
            "victory": {"quota": random.randint(1, 12)} if random.random() < 0.3 else {},
        }
    )


def _unit(random: Random, doc: Doc, side: str) -> Doc:
    """Return one unit with consistent fields; inconsistent ones are redrawn."""
    while True:
        arm, kind = random.choice(LIKELY_ARMS), random.choice(get_args(Kind))
        if arm == "civilians":
            kind = "civilian"
        unit: Doc = {
            "name": f"{kind} {arm} of {side}".replace("_", " "),
            "side": side,
            "arm": arm,
            "kind": kind,
            "quality": random.choice(get_args(Quality)),
            "figures": random.choice((4, 5, 6, 8, 10, 12, 16, 20)),
            "mount": _maybe(random, 0.1, lambda: random.choice(("horse", "camel"))),
            "weapon": random.choice(get_args(Weapon)),
            "share": _maybe(random, 0.15, lambda: random.choice((0.1, 0.5, 0.8))),
            "close_weapon": random.choice(get_args(CloseWeapon)),
            "formation": _maybe(random, 0.3, lambda: random.choice(get_args(Formation))),
            "facing": _maybe(random, 0.2, lambda: random.choice(get_args(Facing))),
            "orders": _maybe(random, 0.3, lambda: random.choice(get_args(Orders))),
            "traits": random.sample(get_args(Trait), random.choice((0, 0, 0, 1, 2))),
            "parent": _maybe(random, 0.2, lambda: random.choice(("first battalion", "second battalion"))),
            "points": _maybe(random, 0.1, lambda: random.randint(0, 9)),
            "draught": _maybe(random, 0.1, lambda: random.choice(get_args(Draught))),
            "strength": _maybe(random, 0.05, lambda: random.randint(1, 9)),
            "hidden": _maybe(random, 0.1, lambda: True),
        }
        if arm == "artillery":
            pieces = random.randint(1, 3)
            ammunition = random.sample(get_args(Ammunition), random.randint(1, 2))
            unit["gun"] = {"kind": random.choice(get_args(GunClass)), "pieces": pieces, "ammunition": ammunition}
        if random.random() < 0.3:
            unit["armament"] = random.sample(get_args(Armament), 1)
        if random.random() < 0.15:
            unit["arrival"] = _arrival(random)
        elif random.random() < 0.15:
            unit["position"] = _spot(random, doc)
        elif (areas := _areas(doc)) and random.random() < 0.2:
            unit["inside"] = random.choice(areas)
        unit = _given(unit)
        if not list(unit_conflicts(Unit.model_validate_json(json.dumps(unit)))):
            return unit


def _areas(doc: Doc) -> list[str]:
    return [name for name, piece in doc["terrain"].items() if "area" in piece]


def _arrival(random: Random) -> Doc:
    arrival: Doc = {"turn": random.randint(1, TURNS - 1), "edge": random.choice(EDGES)}
    if random.random() < 0.4:
        arrival |= {"die": 6, "at_least": random.randint(2, 5)}
    return arrival


def _leader(random: Random, doc: Doc, side: str) -> Doc:
    own = [name for name, unit in doc["units"].items() if unit["side"] == side]
    leader: Doc = {
        "name": f"Captain {random.choice('ABCDEFGH')} of {side}",
        "side": side,
        "rank": random.choice(RANKS),
        "quality": random.choice(get_args(Quality)),
        "hero": random.random() < 0.2,
        "mounted": random.random() < 0.3,
        "non_combatant": random.random() < 0.1,
        "flares": random.choice((0, 0, 0, 2)),
    }
    if random.random() < 0.6:
        leader["unit"] = random.choice(own)
    elif random.random() < 0.2:
        leader["arrival"] = _arrival(random)
    elif random.random() < 0.2:
        leader["position"] = _spot(random, doc)
    if random.random() < 0.1:
        leader["loyalty"] = {random.choice(own): random.choice(("loyal", "disloyal"))}
    return leader


def _object(random: Random, doc: Doc) -> Doc:
    kind = random.choice(get_args(ObjectKind))
    thing: Doc = {"name": f"The {kind.replace('_', ' ')}", "kind": kind, "heavy": random.random() < 0.3}
    if random.random() < 0.6:
        thing["position"] = _spot(random, doc)
    else:
        thing["carrier"] = random.choice(list(doc["units"]))
    if random.random() < 0.5:
        thing["side"] = random.choice(sorted(doc["sides"]))
    return thing


def _goal(random: Random, doc: Doc) -> Doc:
    side, other = random.sample(sorted(doc["sides"]), 2)
    own = [name for name, unit in doc["units"].items() if unit["side"] == side]
    foes = [name for name, unit in doc["units"].items() if unit["side"] == other]
    chiefs = [name for name, leader in doc["leaders"].items() if leader["side"] == other]
    goals: list[Doc] = [
        {"kind": "hold", "at": _spot(random, doc), "radius": random.choice((2, 4, 8))},
        {"kind": "destroy", "share": random.choice((0.3, 0.6, 1.0)), "units": random.sample(foes, 1), "by": [side]},
        {"kind": "escort", "units": random.sample(own, 1), "edge": random.choice(EDGES), "by": [side]},
        {"kind": "escort", "units": random.sample(own, 1), "at": _spot(random, doc), "by": [side]},
        {"kind": "survive", "turn": random.randint(2, TURNS), "share": 0.5, "by": [side]},
        *[{"kind": "hold", "terrain": name} for name in doc["terrain"]],
        *[{"kind": "carry_off", "object": name, "edge": random.choice(EDGES), "by": [side]} for name in doc["objects"]],
        *[{"kind": "capture_leader", "leader": name, "by": [side]} for name in chiefs],
    ]
    goal = random.choice(goals)
    return {**goal, "name": goal["kind"], "points": random.randint(1, 9), "decisive": random.random() < 0.1}


def _hidden(random: Random, doc: Doc) -> Doc:
    forces: Doc = {"rule": random.choice(("zone", "terrain_edge")), "dummies": random.choice((0, 1, 3))}
    if doc["terrain"] and random.random() < 0.5:
        forces["terrain"] = random.sample(sorted(doc["terrain"]), 1)
    return forces


def _event(random: Random) -> Doc:
    event: Doc = {"turn": random.randint(1, TURNS), "text": "The light changes.", "night": random.random() < 0.5}
    if random.random() < 0.5:
        event |= {"die": 6, "at_least": 4}
    return event
