"""Starting a game: the options on the page, and the session that is made from them."""

from __future__ import annotations

import ast
import json
import re
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

from zareba.agents import listed_agent_names
from zareba.base.errors import ZarebaError, unknown_name
from zareba.base.yamlfile import read_yaml
from zareba.plugins.entry_points import house_rule_files
from zareba.plugins.rule_files import systems_in
from zareba.registry import HouseRule, find_house_rule, house_rule_of, load_rules, ruleset, ruleset_names
from zareba.rules.patch import manifest_in
from zareba.rules.settings import flat_settings, text
from zareba.scenario import Scenario, known_scenarios
from zareba.session import new_session
from zareba.session.briefing import unsupported_notes
from zareba.session.session import HUMAN, SOLO
from zareba.web.lobby.battles import Battles
from zareba.web.lobby.games import Games, OpenGame
from zareba.web.lobby.links import OWNER, WATCHERS
from zareba.web.lobby.people import clock_of
from zareba.web.security import Form

MOST_TYPED, MOST_RULES = 16_000, 8
_BETWEEN = re.compile(r"^---[ \t]*$", re.MULTILINE)
ME, FRIEND = "me", "friend"
SAID = {
    ME: "me, on this computer",
    FRIEND: "a friend, with a link",
    "doctrine": "AI: doctrine, plays sensibly",
    "lookahead": "AI: lookahead, stronger but slower",
    "random": "AI: random, any legal choice",
    SOLO: "the ruleset's solo rules",
}
ACTIVATION = {
    "fixed_phases": "both sides follow fixed phases",
    "command_cards": "command cards from a hand decide which units act",
    "card_per_unit": "a playing card for each unit decides the order",
    "alternate_units": "the sides alternate, one unit at a time; action counters limit what each figure does",
    "command_points": "command points go down the chain of command",
}
TABLES = {"boxes": "boxes", "hexes": "hexes", "free": "an open table with measuring"}


@dataclass(frozen=True)
class StartedGame:
    """A new game and its links, by holder."""

    game: OpenGame
    links: Mapping[str, str]


def _figures(scenario: Scenario) -> int:
    return sum(unit.figures for unit in scenario.units.values())


def told_of(battles: Battles) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """Return the available battles, the user's own first and then by size, and the errors of invalid files."""
    faults: dict[str, str] = {}
    found: list[tuple[bool, str, Scenario]] = []
    made = battles.made()
    for name in (*made, *known_scenarios()):
        try:
            found.append((name not in made, name, battles.scenario(name)))
        except ZarebaError as error:
            faults[name] = str(error)
    told = [
        {
            "id": name,
            "title": one.title,
            "where": f"{one.place}, {one.year}",
            "note": one.note,
            "turns": one.turns,
            "sides": " against ".join(side.name for side in one.sides.values()),
            "figures": _figures(one),
            "units": len(one.units),
            "made": not shipped,
        }
        for shipped, name, one in sorted(found, key=lambda item: (item[0], _figures(item[2])))
    ]
    return told, faults


@lru_cache(maxsize=1)
def systems() -> list[dict[str, str]]:
    """Return the installed rulesets with a description; a ruleset that does not load is left out."""
    found = []
    for name in ruleset_names():
        try:
            book, definition = load_rules(name).book, ruleset(name)
        except ZarebaError:
            continue
        readme = definition.folder / "README.md"
        about = readme.read_text(encoding="utf-8").split("\n\n")[1] if readme.is_file() else ""
        if not about and definition.parent is not None:
            about = f"Extends {load_rules(definition.parent.id).book.title}."
        found.append(
            {
                "id": name,
                "title": book.title,
                "table": TABLES.get(book.space, book.space),
                "activation": ACTIVATION.get(book.activation, book.activation.replace("_", " ")),
                "about": " ".join(re.sub("[*`]", "", about).split()),
            }
        )
    return found


@lru_cache(maxsize=1)
def _expected() -> dict[str, Any]:
    """Return the data that `make expected` measured for the shipped battles."""
    found: dict[str, Any] = json.loads((resources.files("zareba.web.lobby") / "expected.json").read_text("utf-8"))
    return found


def expected_length(scenario: Scenario, name: str) -> dict[str, int] | None:
    """Return the expected table time, game turns and decisions of a battle under a ruleset; None if there is no data."""
    known = _expected().get(scenario.id, {})
    found: dict[str, int] | None = (
        known.get("rulesets", {}).get(name) if known.get("scenario") == scenario.digest else None
    )
    return found


def what_to_choose(scenario: Scenario, name: str, form: Form | None = None) -> dict[str, Any]:
    """Return all options of a scenario under one ruleset, with the choices of a refused form."""
    form = form or Form([])
    book = load_rules(name).book
    kinds = [
        ME,
        FRIEND,
        "doctrine",
        *(kind for kind in listed_agent_names() if kind != "doctrine"),
        *([SOLO] if ruleset(name).solo else []),
    ]
    sides = []
    for number, (side, entry) in enumerate(scenario.sides.items()):
        sides.append(
            {
                "id": side,
                "number": number,
                "name": entry.name,
                "briefing": entry.briefing,
                "units": [
                    f"{unit.name}, {unit.figures}" for unit in scenario.units_of(side).values() if not unit.hidden
                ],
                "chosen": form.text(f"seat.{side}", ME if number == 0 else "doctrine"),
            }
        )
    settings = [
        {
            "name": setting_name,
            "summary": setting.summary,
            "rule": setting.rule,
            "default": text(setting.default),
            "chosen": form.text(f"set.{setting_name}", text(setting.default)),
            "values": [text(value) for value in setting.values],
            "described": setting.describe(),
        }
        for setting_name, setting in flat_settings(book.settings)
    ]
    return {
        "sides": sides,
        "kinds": [{"id": kind, "said": SAID.get(kind, f"AI: {kind}")} for kind in kinds],
        "settings": settings,
        "house_rules": list(_offered_rules(name)),
        "taken": form.all("house"),
        "pasted": form.text("rules"),
        "dice": form.text("dice", "seeded"),
        "seed": form.text("seed"),
        "clock": form.text("clock", "none"),
        "minutes": form.text("minutes", "30"),
        "system": next(one for one in systems() if one["id"] == name),
        "left_out": unsupported_notes(load_rules(name).game(scenario), scenario.sides),
        "expected": {one["id"]: expected_length(scenario, one["id"]) for one in systems()},
        "fine": "",
    }


def _offered_rules(name: str) -> Iterator[dict[str, str]]:
    """Yield the installed house rules for a ruleset by shortest name, with their effect and reason.

    A Python rule does not run for this list, so whether it applies to the ruleset shows only when the game starts.
    """
    named, lineage = house_rule_files(), set(ruleset(name).lineage)
    for known in sorted(named):
        if ":" in known and known.partition(":")[2] in named:
            continue
        path = named[known]
        try:
            if path.suffix not in (".yaml", ".yml") and not (path / "rule.yaml").is_file():
                code = path if path.is_file() else path / "rule.py"
                source = code.read_text("utf-8")
                if lineage.isdisjoint(systems_in(source) or lineage):
                    continue
                about = ast.get_docstring(ast.parse(source)) or ""
                yield {"id": known, "title": known.replace("_", " "), "about": about.split("\n\n")[0]}
                continue
            manifest = manifest_in(read_yaml(path / "rule.yaml" if path.is_dir() else path))
        except (ZarebaError, OSError, SyntaxError, ValueError):
            continue
        file = manifest.file
        if not lineage.isdisjoint(file.systems) or (path.is_dir() and not file.systems):
            changes = [change for one in lineage for patch in manifest.patches(one) for change in patch.changes]
            reasons = "; ".join(dict.fromkeys(filter(None, [file.why, *(change.why for change in changes)])))
            yield {"id": known, "title": file.title or known.replace("_", " "), "about": reasons}


def check_form(scenario: Scenario, form: Form) -> str:
    """Return the effect of a form's house rules and settings in a sentence. Raises ZarebaError with all errors."""
    name = _ruleset(form)
    rules = load_rules(name, _settings(name, form), _house_rules(form))
    named = ", ".join(rules.house_rules) or "no house rules"
    changed = [f"{key}: {value}" for key, value in _settings(name, form).items()]
    return f"Valid: {named}{'; ' if changed else ''}{', '.join(changed)}."


def _ruleset(form: Form) -> str:
    name = form.text("ruleset")
    if name not in ruleset_names():
        raise unknown_name("ruleset", name, ruleset_names())
    return name


def _settings(name: str, form: Form) -> dict[str, str]:
    """Return the settings that differ from their defaults."""
    usual = {key: text(setting.default) for key, setting in flat_settings(load_rules(name).book.settings)}
    return {key: value for key, value in form.beginning("set.").items() if value and value != usual.get(key)}


def begin(games: Games, scenario: Scenario, form: Form) -> StartedGame:
    """Start a new game from a form. Raises ZarebaError, with nothing started, for invalid options."""
    name = _ruleset(form)
    chosen = {side: form.text(f"seat.{side}", ME) for side in scenario.sides}
    seats = {side: HUMAN if kind in (ME, FRIEND) else kind for side, kind in chosen.items()}
    settings, house_rules = _settings(name, form), _house_rules(form)
    clock = clock_of(form.text("clock"), form.text("minutes"))
    seed = form.whole("seed") if form.text("seed") else secrets.randbelow(2**32)
    with games.new_path(scenario.id, name) as path:
        session = new_session(
            name,
            scenario,
            seats,
            seed=seed,
            settings=settings,
            house_rules=house_rules,
            physical=form.text("dice") == "physical",
            path=path,
        )
        game = games.add(path, session)
    if clock is not None:
        game.people.set_clock(clock)
    return StartedGame(game, links_for(game, chosen))


def links_for(game: OpenGame, chosen: Mapping[str, str]) -> dict[str, str]:
    """Create links: one for the owner's seats, one for each friend, and one for watchers."""
    mine = [side for side, kind in chosen.items() if kind == ME]
    friends = [side for side, kind in chosen.items() if kind == FRIEND]
    sides = game.game.scenario.sides
    links = {OWNER: game.links.grant(mine, OWNER)} if mine else {}
    links |= {sides[side].name: game.links.grant([side], sides[side].name) for side in friends}
    return {**links, WATCHERS: game.links.grant([])}


def _house_rules(form: Form) -> list[HouseRule]:
    """Return the installed house rules by name, and those sent as YAML text; a page cannot name a file."""
    named = form.all("house")
    for name in named:
        if name not in house_rule_files():
            raise unknown_name("house rule", name, house_rule_files())
    sent = form.text("rules")
    if len(sent) > MOST_TYPED:
        raise ZarebaError(f"typed house rules can have at most {MOST_TYPED} characters; install longer ones")
    typed = [part for part in _BETWEEN.split(sent) if part.strip()]
    if len(typed) > MOST_RULES:
        raise ZarebaError(f"at most {MOST_RULES} house rules can be typed; there are {len(typed)}")
    found = [find_house_rule(name) for name in dict.fromkeys(named)]
    return found + [house_rule_of(part, f"typed rule {place}") for place, part in enumerate(typed, start=1)]
