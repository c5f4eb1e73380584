"""Two battles that differ only in their hidden forces, and every request that a client can make."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from random import Random
from typing import Any

from tests.web.conftest import Chair, Club

from zareba.base.state import canonical_json
from zareba.registry import find_house_rule
from zareba.scenario import Scenario, load_scenario
from zareba.session import Session, new_session
from zareba.session.session import HUMAN
from zareba.table import Choose, Confirm, Place

COLUMN, HIDERS = "column", "mahdi"
KEPT = ("front_face", "skirmishers", "camels", "degheim", "jihadiya")
"""The units in plain sight."""
FIRST: dict[str, Any] = {
    "black_flag": {
        "name": "The black flag", "figures": 9, "close_weapon": "spear", "zone": "centre", "formation": "mass",
        "traits": ["fanatic", "no_quarter"], "quality": "regular", "facing": "south_east",
    },
    "jaalin": {
        "name": "Jaalin spears", "figures": 6, "close_weapon": "spear", "zone": "grass", "formation": "mass",
        "traits": ["no_quarter"], "quality": "regular", "facing": "south_east",
    },
}  # fmt: skip
SECOND: dict[str, Any] = {
    "abu_klea": {
        "name": "Men of the reeds", "figures": 5, "weapon": "magazine_rifle", "close_weapon": "sword", "zone": "grass",
        "formation": "open_order", "traits": [], "quality": "elite", "facing": "east",
    },
    "night_men": {
        "name": "Men of the night", "figures": 12, "weapon": "throwing_spear", "close_weapon": "axe", "zone": "centre",
        "formation": "mass", "traits": ["fanatic"], "quality": "raw", "facing": "south",
    },
}  # fmt: skip
THIRD: dict[str, Any] = {
    "late_men": {
        "name": "Men of the third watch", "figures": 4, "weapon": "jezail", "close_weapon": "knife", "zone": "rise",
        "formation": "open_order", "traits": [], "quality": "veteran", "facing": "west",
    }
}  # fmt: skip
LEADERS = {
    "first": {"emir_grass": {"name": "Emir Abu Salih", "rank": "chief", "quality": "elite", "unit": "black_flag"}},
    "second": {"sheikh_night": {"name": "Sheikh of the Night", "rank": "headman", "unit": "night_men"}},
}
NAMES = ("black flag", "Jaalin", "Abu Salih", "reeds", "the night", "of the Night", "third watch")
IDS = ("black_flag", "jaalin", "emir_grass", "abu_klea", "night_men", "late_men", "sheikh_night")
"""Names and ids that no other reader may get; a curious client asks for the ids."""


def world(which: str, *, more: bool = False) -> Scenario:
    """Return the battle with the first or the second hidden force; the second may have one unit `more`."""
    data = load_scenario("square_attacked").model_dump(mode="json", exclude_defaults=True)
    secret = FIRST if which == "first" else {**SECOND, **(THIRD if more else {})}
    made = {
        key: {**unit, "side": HIDERS, "arm": "infantry", "kind": "tribal", "hidden": True}
        for key, unit in secret.items()
    }
    shown = {key: data["units"][key] for key in KEPT}
    shown["front_face"] |= {"figures": 8, "formation": "line"}
    shown["degheim"]["figures"] = 8
    shown["jihadiya"]["figures"] = 6
    shown["camels"]["figures"] = 4
    before, after = ("front_face", "skirmishers", "camels"), ("degheim", "jihadiya")
    data["units"] = {**{key: shown[key] for key in before}, **made, **{key: shown[key] for key in after}}
    data["leaders"] = {
        "front_officer": data["leaders"]["front_officer"],
        **{key: {**leader, "side": HIDERS} for key, leader in LEADERS[which].items()},
    }
    data["turns"] = 5
    for goal in data["objectives"].values():
        if "turn" in goal:
            goal["turn"] = 5
    return Scenario.model_validate_json(canonical_json(data), strict=True)


def begin(club: Club, ruleset: str, scenario: Scenario, name: str, **given: Any) -> tuple[Session, dict[str, Chair]]:
    """Begin a game between two people; return it with the chairs of both and of a watcher."""
    rules = [find_house_rule(name) for name in given.pop("house_rules", ())]
    path = club.folder / f"{name}.jsonl"
    club.folder.mkdir(exist_ok=True)
    seats = dict.fromkeys(scenario.sides, HUMAN)
    session = new_session(ruleset, scenario, seats, seed=7, house_rules=rules, path=path, settings=given or None)
    game = club.games.add(path, session)
    tokens = {who: game.links.grant(held) for who, held in ((COLUMN, [COLUMN]), (HIDERS, [HIDERS]), ("watcher", []))}
    return session, {who: Chair(club, f"/game/{name}/{token}") for who, token in tokens.items()}


def answer(session: Session, chairs: dict[str, Chair], number: int, placed: int) -> None:
    """Answer the pending question: alike in every world for units in plain sight, while hidden units do nothing."""
    question = session.pending
    assert isinstance(question, (Choose, Place, Confirm))
    secret = {key for key, unit in session.game.scenario.units.items() if unit.hidden}
    secret |= {key for key, leader in session.game.scenario.leaders.items() if leader.unit in secret}
    random = Random(f"{question.why}/{question.actor}/{session.game.game_turn(session.state)}/{number}")
    given: dict[str, Any]
    if question.seat == HIDERS and is_of(secret, question.actor):
        given = {"option": 0}
        if question.why == "ambush at":
            assert isinstance(question, Choose)
            given = {"option": placed % len(question.options)}
        elif isinstance(question, Choose):
            held = session.game.odds_horizon.hold(question)
            given = {"option": question.options.index(held)}
    elif isinstance(question, Choose):
        listed = [place for place, option in enumerate(question.options) if not is_of(secret, str(option))]
        given = {"option": random.choice(listed or [0])}
        if question.seat == HIDERS and session.game.odds_horizon.hold(question) in question.options:
            given = {"option": question.options.index(session.game.odds_horizon.hold(question))}
    else:
        given = {"option": 0}
    done = chairs[question.seat].do("answer", version=chairs[question.seat].parts()["version"], **given)
    assert done.status_code == 200, done.text


def is_of(units: set[str], word: str) -> bool:
    """Return True if a word names one of these units or a part of it."""
    return any(word == unit or re.match(rf"{unit}[._/ ]", word) for unit in units)


def asked_by(chair: Chair, parts: dict[str, Any]) -> Iterator[str]:
    """Yield every address that a client can find out about."""
    version, steps = parts["version"], parts["steps"]
    yield from ("/parts", "/why", "/people", "/summary", f"/at?step={steps}", f"/act?step={steps - 1}")
    if not (parts["is_asked"] or steps < 2):  # between two questions a few addresses are enough
        return
    yield from ("/acts", "/acts?step=0&beat=0", f"/acts?step={steps - 1}&beat=1", f"/acts?step={steps}&beat=0")
    yield from ("/parts", f"/parts?ground={parts['ground']}", "/umpire", "/units", "/briefing", "/score")
    yield from (f"/at?step={step}" for step in (-1, *range(steps), steps + 1))
    yield from (f"/act?step={step}" for step in (-1, *range(steps), steps + 1))
    yield "/at?step=0"
    yield from (f"/reach?kind={kind}" for kind in ("fire", "danger", "command"))
    yield f"/where?version={version}"
    yield from (f"/why_not?version={version}&cell={cell}" for cell in (0, 9, 20))
    yield from (f"/check?x={x}&y={y}" for x, y in ((20, 30), (33, 40), (50, 5)))
    shown = re.findall(r'data-(?:card|unit)=\\?"([^"\\]+)', json.dumps(parts))
    pieces = [*dict.fromkeys(shown), *IDS, *(f"{key}.1" for key in IDS)]
    yield from (f"/unit?piece={piece}" for piece in pieces)
    yield from (f"/reach?kind=fire&piece={piece}" for piece in (*pieces[:2], *IDS))
    yield from (f"/why_not?version={version}&piece={piece}" for piece in (*pieces[:2], *IDS))
    for a, b in zip(pieces[-9:], IDS, strict=False):
        yield f"/ruler?ax=30&ay=29&bx=33&by=40&a={a}&b={b}"
    if parts["is_asked"]:
        yield "/advice"
        yield from (f"/odds?n={number}&whole={whole}&version={version}" for number in range(3) for whole in (0, 1))


def without_links(text: str) -> str:
    """Return an answer without the tokens of links, which are random."""
    return re.sub(r"/game/game/[\w-]+", "LINK", text)


def told(chair: Chair, *, odds: bool) -> list[tuple[str, str]]:
    """Return every answer to a client as the table stands, by address."""
    parts = chair.parts()
    found = [(path, chair.get(path)) for path in asked_by(chair, parts) if odds or "/odds" not in path]
    return [("/", chair.get("").text), *((path, f"{response.status_code} {response.text}") for path, response in found)]
