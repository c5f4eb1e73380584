"""Starting a game: the options on the page, and the session that is made from them."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

from zareba.agents import listed_agent_names
from zareba.authoring.even_forces import even_forces, with_even_forces
from zareba.base.errors import ZarebaError, unknown_name
from zareba.base.grammar import in_a_sentence, percent
from zareba.base.yamlfile import read_yaml
from zareba.plugins.entry_points import house_rule_files
from zareba.plugins.listing_cache import cached_listing
from zareba.plugins.rule_files import python_title_in, systems_in, title_from_name
from zareba.registry import HouseRule, find_house_rule, house_rule_of, load_rules, ruleset, ruleset_names
from zareba.rules.patch import manifest_in
from zareba.rules.settings import flat_settings, text, value_in_words
from zareba.scenario import Scenario, known_scenarios, load_scenario
from zareba.session import new_session
from zareba.session.briefing import unsupported_notes
from zareba.session.session import HUMAN, SOLO
from zareba.web.form import FormData
from zareba.web.lobby.battles import Battles
from zareba.web.lobby.games import Games, OpenGame
from zareba.web.lobby.links import OWNER, WATCHERS
from zareba.web.lobby.people import read_clock

MOST_TYPED, MOST_RULES = 16_000, 8
"""Most characters of typed house rules, and most typed house rules."""
_SEPARATOR = re.compile(r"^---[ \t]*$", re.MULTILINE)
"""The line between two typed house rules."""
ME, FRIEND = "me", "friend"
"""The people who may play a side: the owner of the server, or a friend with a link."""
PLAYER_TEXTS = {
    ME: "me, on this computer",
    FRIEND: "a friend, with a link",
    "recruit": "AI: recruit, makes mistakes",
    "regular": "AI: regular, makes few mistakes",
    "doctrine": "AI: doctrine, plays sensibly at once",
    "veteran": "AI: veteran, thinks ahead a little",
    "general": "AI: general, the strongest; thinks for up to a second",
    "random": "AI: random, any legal choice",
    SOLO: "the ruleset's solo rules",
}
ACTIVATION_TEXTS = {
    "fixed_phases": "both sides follow fixed phases",
    "command_cards": "command cards from a hand decide which units act",
    "card_per_unit": "a playing card for each unit decides the order",
    "alternate_units": "the sides alternate, one unit at a time; each figure has a few actions to spend",
    "command_points": "charts decide what units do; command points buy orders",
}
TABLE_TEXTS = {"boxes": "boxes", "hexes": "hexes", "free": "an open table with measuring"}


@dataclass(frozen=True)
class StartedGame:
    """A new game and its links, by holder."""

    game: OpenGame
    links: Mapping[str, str]


def list_battles(battles: Battles) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """Return the available battles, the user's own first and then by size, and the errors of invalid files."""
    faults: dict[str, str] = {}
    listed = []
    for name in battles.own_names():
        try:
            listed.append(_overview(name, battles.scenario(name), made=True))
        except ZarebaError as error:
            faults[name] = str(error)
    known = _known_battles(known_scenarios())
    listed += known["battles"]
    listed.sort(key=lambda battle: (not battle["made"], battle["figures"]))
    return listed, {**faults, **known["faults"]}


@lru_cache(maxsize=1)
def _known_battles(names: tuple[str, ...]) -> dict[str, Any]:
    """Return the battles of zareba and of installed packages, and the errors of invalid files.

    They come from a cache on disk, because reading the files takes about a second of a new server.
    """

    def read() -> tuple[dict[str, Any], bool]:
        found, faults = [], {}
        for name in names:
            try:
                found.append(_overview(name, load_scenario(name), made=False))
            except ZarebaError as error:
                faults[name] = str(error)
        return {"battles": found, "faults": faults}, not faults

    answer: dict[str, Any] = cached_listing("battles of the page", compute=read)
    return answer


def _overview(name: str, scenario: Scenario, *, made: bool) -> dict[str, Any]:
    """Return what the start page shows of a battle. `made` is True for one of the user's own."""
    return {
        "id": name,
        "title": scenario.title,
        "where": f"{scenario.place}, {scenario.year}",
        "note": scenario.note,
        "turns": scenario.turns,
        "sides": " against ".join(side.name for side in scenario.sides.values()),
        "figures": sum(unit.figures for unit in scenario.units.values()),
        "units": len(scenario.units),
        "made": made,
    }


@lru_cache(maxsize=1)
def systems() -> list[dict[str, str]]:
    """Return the installed rulesets with a description; a ruleset that does not load is left out.

    They come from a cache on disk, because reading all rulesets takes seconds of a new server.
    """
    answer: list[dict[str, str]] = cached_listing("rulesets of the page", compute=_read_systems)
    return answer


def _read_systems() -> tuple[list[dict[str, str]], bool]:
    """Return the installed rulesets with a description, and True if all load."""
    found, all_load = [], True
    for name in ruleset_names():
        try:
            book, definition = load_rules(name).book, ruleset(name)
        except ZarebaError:
            all_load = False
            continue
        readme = definition.folder / "README.md"
        about = readme.read_text(encoding="utf-8").split("\n\n")[1] if readme.is_file() else ""
        if not about and definition.parent is not None:
            about = f"Extends {load_rules(definition.parent.id).book.title}."
        found.append(
            {
                "id": name,
                "title": book.title,
                "table": TABLE_TEXTS.get(book.space, book.space),
                "activation": ACTIVATION_TEXTS.get(book.activation, book.activation.replace("_", " ")),
                "about": " ".join(re.sub("[*`]", "", about).split()),
            }
        )
    return found, all_load


@lru_cache(maxsize=1)
def _expected() -> dict[str, Any]:
    """Return the data that `make expected` measured for the shipped battles."""
    expected: dict[str, Any] = json.loads((resources.files("zareba.web.lobby") / "expected.json").read_text("utf-8"))
    return expected


def expected_length(scenario: Scenario, ruleset_id: str) -> dict[str, int] | None:
    """Return the expected table time, game turns and decisions of a battle under a ruleset; None if there is no
    data.
    """
    measured = _expected().get(scenario.id, {})
    if measured.get("scenario") != scenario.digest:  # the battle has changed since
        return None
    length: dict[str, int] | None = measured.get("rulesets", {}).get(ruleset_id)
    return length


def start_form_values(scenario: Scenario, name: str, form: FormData | None = None) -> dict[str, Any]:
    """Return the values of the start page: all options of a scenario under one ruleset, with the choices of a refused
    form.
    """
    form = form or FormData([])
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
            "words": {text(value): value_in_words(value) for value in setting.values},
            "described": setting.describe(),
        }
        for setting_name, setting in flat_settings(book.settings)
    ]
    return {
        "sides": sides,
        "kinds": [{"id": kind, "said": PLAYER_TEXTS.get(kind, f"AI: {kind}")} for kind in kinds],
        "settings": settings,
        "house_rules": list(_offered_rules(name)),
        "taken": form.all("house"),
        "pasted": form.text("rules"),
        "dice": form.text("dice", "seeded"),
        "seed": form.text("seed"),
        "clock": form.text("clock", "none"),
        "minutes": form.text("minutes", "30"),
        "system": next(system for system in systems() if system["id"] == name),
        "left_out": unsupported_notes(load_rules(name).game(scenario), scenario.sides),
        "expected": {system["id"]: expected_length(scenario, system["id"]) for system in systems()},
        "chances": _chances_to_win(scenario, name),
        "even": bool(form.text("even")),
    }


def _chances_to_win(scenario: Scenario, ruleset_id: str) -> dict[str, Any] | None:
    """Return each side's chance to win as the scenario is written and with even forces; None if not measured."""
    measured = even_forces(scenario, ruleset(ruleset_id).lineage)
    if measured is None:
        return None

    def of_sides(chances: Mapping[str, float]) -> str:
        names = [scenario.sides[side].name for side in chances]
        names[1:] = map(in_a_sentence, names[1:])
        return ", ".join(f"{name} {percent(share)}" for name, share in zip(names, chances.values(), strict=True))

    return {
        "now": of_sides(measured.chances),
        "even": of_sides(measured.even_chances),
        "can_change": measured.is_change,
        "left_out": ", ".join(scenario.units[key].name for key in measured.without),
        "games": measured.games,
    }


def _offered_rules(ruleset_id: str) -> Iterator[dict[str, str]]:
    """Yield the installed house rules for a ruleset by shortest name, with their effect and reason.

    A Python rule does not run for this list, so whether it applies to the ruleset shows only when the game starts.
    """
    files, lineage = house_rule_files(), set(ruleset(ruleset_id).lineage)
    for name in sorted(files):
        short_name = name.partition(":")[2]
        if short_name in files:
            continue
        path = files[name]
        has_yaml = path.suffix in (".yaml", ".yml") or (path / "rule.yaml").is_file()
        with suppress(ZarebaError, OSError, SyntaxError, ValueError):  # an invalid rule is not offered
            described = _yaml_rule(path, lineage) if has_yaml else _python_rule(path, lineage)
            if described is not None:
                title, about = described
                yield {"id": name, "title": title or title_from_name(name), "about": _capitalized(about)}


def _capitalized(text: str) -> str:
    """Return a text with a capital first letter."""
    return text[:1].upper() + text[1:]


def _python_rule(path: Path, lineage: Collection[str]) -> tuple[str, str] | None:
    """Return the title ("" for none) and description of a Python rule; None if it is for other rulesets."""
    source = (path if path.is_file() else path / "rule.py").read_text("utf-8")
    systems = systems_in(source)
    if systems and set(systems).isdisjoint(lineage):
        return None
    return python_title_in(source)


def _yaml_rule(path: Path, lineage: Collection[str]) -> tuple[str, str] | None:
    """Return the title and the reasons of a YAML rule; None if it is for other rulesets."""
    manifest = manifest_in(read_yaml(path / "rule.yaml" if path.is_dir() else path))
    file = manifest.file
    is_for_all = path.is_dir() and not file.systems
    if not is_for_all and set(file.systems).isdisjoint(lineage):
        return None
    changes = [change for system in lineage for patch in manifest.patches(system) for change in patch.changes]
    reasons = dict.fromkeys(filter(None, [file.why, *(change.why for change in changes)]))
    return file.title, "; ".join(reasons)


def check_form(scenario: Scenario, form: FormData) -> str:
    """Return the effect of a form's house rules and settings in a sentence. Raises ZarebaError with all errors."""
    name = _ruleset_id(form)
    rules = load_rules(name, _changed_settings(name, form), _house_rules(form))
    settings = dict(flat_settings(rules.switches))
    changed = [settings[key].change_in_words(rules.settings[key]) for key in _changed_settings(name, form)]
    house_rules = (
        f"House rules: {', '.join(rules.house_rule_titles)}." if rules.house_rule_titles else "No house rules."
    )
    return f"Valid. {house_rules} " + (
        f"Changed settings: {'; '.join(changed)}." if changed else "No changed settings."
    )


def _ruleset_id(form: FormData) -> str:
    name = form.text("ruleset")
    if name not in ruleset_names():
        raise unknown_name("ruleset", name, ruleset_names())
    return name


def _changed_settings(ruleset_id: str, form: FormData) -> dict[str, str]:
    """Return the settings that differ from their defaults."""
    defaults = {key: text(setting.default) for key, setting in flat_settings(load_rules(ruleset_id).book.settings)}
    return {key: value for key, value in form.beginning("set.").items() if value and value != defaults.get(key)}


def start_game(games: Games, scenario: Scenario, form: FormData) -> StartedGame:
    """Start a new game from a form. Raises ZarebaError, with nothing started, for invalid options."""
    name = _ruleset_id(form)
    players = {side: form.text(f"seat.{side}", ME) for side in scenario.sides}
    seats = {side: HUMAN if player in (ME, FRIEND) else player for side, player in players.items()}
    settings, house_rules = _changed_settings(name, form), _house_rules(form)
    clock = read_clock(form.text("clock"), form.text("minutes"))
    seed = form.integer("seed") if form.text("seed") else secrets.randbelow(2**32)
    if form.text("even"):
        scenario = with_even_forces(scenario, ruleset(name).lineage)
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
    return StartedGame(game, grant_links(game, players))


def grant_links(game: OpenGame, players: Mapping[str, str]) -> dict[str, str]:
    """Create links: one for the owner's seats, one for each friend, and one for watchers. Return the tokens by holder.

    `players` says for each side whether ME, FRIEND or an AI player plays it.
    """
    mine = [side for side, player in players.items() if player == ME]
    friends = [side for side, player in players.items() if player == FRIEND]
    sides = game.game.scenario.sides
    tokens = {OWNER: game.links.grant(mine, OWNER)} if mine else {}
    tokens |= {sides[side].name: game.links.grant([side], sides[side].name) for side in friends}
    return {**tokens, WATCHERS: game.links.grant([])}


def _house_rules(form: FormData) -> list[HouseRule]:
    """Return the installed house rules by name, and those sent as YAML text; a page cannot name a file."""
    names = form.all("house")
    for name in names:
        if name not in house_rule_files():
            raise unknown_name("house rule", name, house_rule_files())
    text_field = form.text("rules")
    if len(text_field) > MOST_TYPED:
        raise ZarebaError(f"typed house rules can have at most {MOST_TYPED} characters; install longer ones")
    typed = [part for part in _SEPARATOR.split(text_field) if part.strip()]
    if len(typed) > MOST_RULES:
        raise ZarebaError(f"at most {MOST_RULES} house rules can be typed; there are {len(typed)}")
    installed = [find_house_rule(name) for name in dict.fromkeys(names)]
    return installed + [house_rule_of(part, f"typed rule {number}") for number, part in enumerate(typed, start=1)]
