"""The owner's pages for making battles: from a seed, from another battle, and by drawing on the map.

The YAML file is the battle. Each edit changes its text in place, comments included, and is checked like `zareba
check`. A battle may be invalid during editing, but it can be played only when it is valid.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from zareba.authoring import SIZES, THEATRES, generate
from zareba.authoring.blank import blank_scenario
from zareba.authoring.forces import worth
from zareba.authoring.form_schema import SECTIONS
from zareba.authoring.scenario_yaml import remove_value, set_value
from zareba.base.errors import ZarebaError, unknown_name
from zareba.picture import ground, view_box
from zareba.registry import load_rules, ruleset_names
from zareba.scenario.placement import starting_positions
from zareba.scenario.vocabulary import AREA_KINDS, LINE_KINDS
from zareba.scenario.vocabulary.words import TERRAIN
from zareba.web.editor.elements import (
    BATTLE,
    BY_FORM,
    KIND_FIELD,
    OVERRIDES,
    ElementForm,
    data_of,
    data_or_empty,
    elements_of,
    faults_of_form,
    free_id,
    id_for,
    installed_systems,
    names_of,
    points_of,
    problem_for_page,
    problems_of,
)
from zareba.web.editor.placeholders import draw_forces, drawable
from zareba.web.form import FormData, read_form
from zareba.web.lobby.battles import Battles
from zareba.web.lobby.owner import Owner
from zareba.web.lobby.start import list_battles, systems
from zareba.web.responses import render

LONGEST_TEXT = 40_000
"""The largest number of characters of a battle's file."""
_MOST_UNDOS = 200

PRESETS: Mapping[str, Mapping[str, Any]] = {
    "a company of regulars": {"arm": "infantry", "kind": "european_regular", "figures": 16, "weapon": "breech_rifle", "close_weapon": "bayonet", "formation": "line", "traits": ["formed", "volley"]},
    "native infantry": {"arm": "infantry", "kind": "native_regular", "figures": 16, "weapon": "breech_rifle", "close_weapon": "bayonet", "formation": "line", "traits": ["formed", "volley"]},
    "tribal swordsmen": {"arm": "infantry", "kind": "tribal", "figures": 24, "close_weapon": "sword", "formation": "mass"},
    "tribal marksmen": {"arm": "infantry", "kind": "tribal", "figures": 18, "weapon": "jezail", "close_weapon": "knife", "formation": "open_order"},
    "warriors with spears": {"arm": "infantry", "kind": "own_led_regular", "figures": 24, "weapon": "throwing_spear", "close_weapon": "spear", "formation": "mass"},
    "settlers with rifles": {"arm": "infantry", "kind": "european_irregular", "figures": 14, "weapon": "breech_rifle", "formation": "open_order"},
    "lancers": {"arm": "cavalry", "kind": "native_regular", "figures": 8, "weapon": "breech_carbine", "close_weapon": "lance", "formation": "line", "traits": ["lancers"]},
    "horsemen": {"arm": "cavalry", "kind": "tribal", "figures": 10, "close_weapon": "sword", "formation": "mass"},
    "mounted rifles": {"arm": "mounted_infantry", "kind": "european_irregular", "figures": 10, "weapon": "breech_rifle", "formation": "open_order"},
    "a field gun": {"arm": "artillery", "kind": "european_regular", "figures": 5, "gun": {"kind": "field", "pieces": 1}, "draught": "horse", "formation": "limbered"},
    "a mountain gun": {"arm": "artillery", "kind": "native_regular", "figures": 5, "gun": {"kind": "mountain", "pieces": 1}, "draught": "pack", "formation": "limbered"},
    "a machine gun": {"arm": "machine_gun", "kind": "european_regular", "figures": 4, "draught": "hand", "formation": "limbered"},
    "wagons": {"arm": "wagon", "kind": "civilian", "figures": 4},
    "civilians": {"arm": "civilians", "kind": "civilian", "figures": 10},
}  # fmt: skip
"""Example units in the scenario vocabulary; every value can be changed in the form."""


_POSITIONED = ("units", "leaders", "objects")
"""The sections whose elements can have a position."""


class EditorPages:
    """The pages of the battle editor."""

    def __init__(self, battles: Battles, owner: Owner) -> None:
        self._battles = battles
        self._undo: dict[str, list[str]] = {}
        """The earlier texts of each battle, the last one last."""
        self._redo: dict[str, list[str]] = {}
        only, battle = owner.restricted, "/make/{name}"
        self.routes = [
            Route("/make", only(self.begin)),
            Route("/make", only(self.make), methods=["POST"]),
            Route(battle, only(self.page)),
            Route(f"{battle}/parts", only(self.parts)),
            Route(f"{battle}/form", only(self.form)),
            Route(f"{battle}/check", only(self.check), methods=["POST"]),
            Route(f"{battle}/preview", only(self.preview)),
            Route(f"{battle}/file", only(self.file)),
            Route(f"{battle}/do", only(self.do), methods=["POST"]),
        ]

    # --- new battles -------------------------------------------------------------------------------------------------

    async def begin(self, request: Request) -> Response:
        """Show the ways to make a battle."""
        return await run_in_threadpool(self._begin_page, "")

    def _begin_page(self, refused: str) -> Response:
        """Return the page with the ways to make a battle, and the reason why the last attempt was refused, or ""."""
        battles, faults = list_battles(self._battles)
        values = {
            "title": "Make a battle",
            "scenarios": battles,
            "faults": faults,
            "sizes": list(SIZES),
            "theatres": {key: theatre.title for key, theatre in THEATRES.items()},
            "refused": refused,
            "seed": secrets.randbelow(100_000),
        }
        return HTMLResponse(render("make.html.j2", values), 400 if refused else 200)

    async def make(self, request: Request) -> Response:
        """Make a battle from a seed, from another battle, or from nothing, and go to its editor."""
        form = await read_form(request)
        return await run_in_threadpool(self._make, form)

    def _make(self, form: FormData) -> Response:
        try:
            with self._battles.naming_lock:  # simultaneous requests must get different names
                name = self._save_new_battle(form)
        except ZarebaError as error:
            return self._begin_page(str(error))
        return RedirectResponse(f"/make/{name}", 303)

    def _save_new_battle(self, form: FormData) -> str:
        """Save the battle that a form asks for; return its name."""
        if form.text("title"):
            name = self._battles.free_name(form.text("title"))
            sides = [form.text("first") or "The first side", form.text("second") or "The second side"]
            text = blank_scenario(name, form.text("title"), form.integer("width"), form.integer("depth"), sides)
        elif form.text("from"):
            name = self._battles.free_name(f"{form.text('from')}_mine")
            text = set_value(self._battles.file_text(form.text("from")), ["id"], name)
        else:
            text = generate(form.integer("seed"), form.text("size", "medium"), form.text("theatre"))
            name = self._battles.free_name(f"battle_{form.text('seed')}")
            text = set_value(text, ["id"], name)
        self._battles.save(name, text)
        return name

    # --- the editor --------------------------------------------------------------------------------------------------

    async def page(self, request: Request) -> Response:
        """Show the editor of a battle."""
        name = request.path_params["name"]
        text = await run_in_threadpool(self._battles.own_text, name)
        values = {
            "title": "Battle editor",
            "name": name,
            "battle_title": _title_in(text, name),
            "areas": AREA_KINDS,
            "lines": LINE_KINDS,
            "presets": list(PRESETS),
            "systems": systems(),
            "text": text,
        }
        return HTMLResponse(render("editor.html.j2", values))

    async def parts(self, request: Request) -> Response:
        """Return the map, the list of elements, the problems and the text."""
        return JSONResponse(await run_in_threadpool(self._parts, request.path_params["name"]))

    def _parts(self, name: str) -> dict[str, Any]:
        text = self._battles.own_text(name)
        problems = problems_of(text)
        data = data_or_empty(text)
        names = names_of(data)
        parts: dict[str, Any] = {
            "title": _title_in(text, name),
            "text": text,
            "problems": [problem_for_page(problem, names) for problem in problems],
            "list": render("things.html.j2", {"sections": _elements_by_section(data)}),
            "offers": [{"group": group, "choices": choices} for group, choices in _possible_new_elements(data)],
            "undo": len(self._undo.get(name, [])),
            "redo": len(self._redo.get(name, [])),
            "sound": not problems,
        }
        if data:
            scenario = drawable(data)
            parts |= {
                "ground_svg": ground(scenario),
                "box": view_box(scenario),
                "width": scenario.table.width,
                "depth": scenario.table.depth,
                "pieces": draw_forces(scenario, starting_positions(scenario)),
            }
        return parts

    async def form(self, request: Request) -> Response:
        """Return the form of an element, or of a new one. `kind` shows an objective as if it were of that kind."""
        section, key, kind = (request.query_params.get(name, "") for name in ("section", "key", "kind"))

        def render_form() -> str:
            element = ElementForm(data_of(self._battles.own_text(request.path_params["name"])), section, key, kind)
            return render("thing.html.j2", {"thing": element, "whole": element.field()})

        return JSONResponse({"html": await run_in_threadpool(render_form)})

    async def check(self, request: Request) -> Response:
        """Return the problems that a form's values would cause, field by field, and change nothing."""
        form = await read_form(request)
        text = await run_in_threadpool(self._battles.own_text, request.path_params["name"])
        return JSONResponse({"faults": await run_in_threadpool(faults_of_form, text, form)})

    async def preview(self, request: Request) -> Response:
        """Return the battle as a ruleset shows it."""
        name, ruleset = request.path_params["name"], request.query_params.get("ruleset", "")
        return JSONResponse(await run_in_threadpool(self._preview, name, ruleset))

    def _preview(self, name: str, ruleset: str) -> dict[str, Any]:
        if ruleset not in ruleset_names():
            raise unknown_name("ruleset", ruleset, ruleset_names())
        scenario = self._battles.scenario(name)
        rules = load_rules(ruleset)
        game = rules.game(scenario)
        board = game.display.labelled_board(game.start())
        data = scenario.model_dump(mode="json", exclude_defaults=True)
        sides = [
            {
                "name": side.name,
                "figures": sum(unit.figures for unit in scenario.units_of(key).values()),
                "worth": round(sum(worth(unit) for unit in data["units"].values() if unit["side"] == key)),
            }
            for key, side in scenario.sides.items()
        ]
        html = render(
            "preview.html.j2",
            {"title": rules.book.title, "missing": game.untranslated, "headline": board.headline, "sides": sides},
        )
        return {
            "html": html,
            "ground_svg": ground(scenario, board),
            "box": view_box(scenario, board),
            "pieces": draw_forces(scenario, starting_positions(scenario)),
        }

    async def file(self, request: Request) -> Response:
        """Return the battle's file as a download."""
        name = request.path_params["name"]
        text = await run_in_threadpool(self._battles.own_text, name)
        return Response(
            text, media_type="text/yaml", headers={"Content-Disposition": f'attachment; filename="{name}.yaml"'}
        )

    # --- edits -------------------------------------------------------------------------------------------------------

    async def do(self, request: Request) -> Response:
        """Carry out an edit and return the updated parts."""
        form = await read_form(request)
        name = request.path_params["name"]

        def edit_and_show() -> dict[str, Any]:
            added = self._edit(name, form)
            return {**self._parts(name), "added": added} if form.text("what") != "drop" else {"gone": True}

        return JSONResponse(await run_in_threadpool(edit_and_show))

    def _edit(self, name: str, form: FormData) -> str:
        """Carry out an edit, or delete the battle ("drop"). Return the id of the added element, or ""."""
        text, what = self._battles.own_text(name), form.text("what")
        if what == "drop":
            self._battles.delete(name)
            return ""
        if what in ("undo", "redo"):
            source, target = (self._undo, self._redo) if what == "undo" else (self._redo, self._undo)
            if not source.get(name):
                raise ZarebaError(f"there is nothing to {what}")
            target.setdefault(name, []).append(text)
            self._battles.save(name, source[name].pop())
            return ""
        changed = _text_after_edit(text, what, form)
        if len(changed) > LONGEST_TEXT:
            raise ZarebaError(f"the editor accepts battles of at most {LONGEST_TEXT} characters")
        data_of(changed)  # raises an error if the text is not YAML
        self._battles.save(name, changed)
        self._undo.setdefault(name, []).append(text)
        del self._undo[name][:-_MOST_UNDOS]
        self._redo.pop(name, None)
        if what != "add":
            return ""
        section = form.text("section")
        before = elements_of(data_of(text), section)
        return next(key for key in elements_of(data_of(changed), section) if key not in before)


def _text_after_edit(text: str, what: str, form: FormData) -> str:
    """Return the text of a battle after an edit."""
    if what == "text":
        return form.text("text") + "\n"
    data, section, key = data_of(text), form.text("section"), form.text("key")
    if what == "set" or (what == "add" and section in BY_FORM):
        element = ElementForm(data, section, key, form.text(KIND_FIELD))
        if element.is_new is not (what == "add"):
            raise ZarebaError("a new element must have no key; an existing one needs its key")
        return element.text_with_values(text, form)
    if section not in SECTIONS and section != OVERRIDES:
        raise unknown_name("section", section, [*SECTIONS, OVERRIDES])
    if what == "remove":
        return remove_value(text, [section, key])
    if what == "zone":
        side = ElementForm(data, "sides", key)
        zone = form.text("zone") or free_id("zone", side.values.get("deployment") or {})
        return set_value(text, [*side.path, "deployment", zone], points_of(form))
    if what == "move":
        return _text_after_move(text, section, key, form)
    if what == "add":
        element_values = _values_of_drawn_element(section, form, data)
        return set_value(text, [section, id_for(data, section, element_values)], element_values)
    raise unknown_name("act", what, ["text", "remove", "set", "zone", "move", "add"])


def _text_after_move(text: str, section: str, key: str, form: FormData) -> str:
    """Return the text after a unit, leader, object or objective, or a corner of terrain, was dragged to a point."""
    values = elements_of(data_of(text), section).get(key)
    if values is None:
        raise ZarebaError(f"there is no '{key[:80]}' in {section}")
    point = points_of(form)[0]
    if section != "terrain":
        if section == "objectives" and "at" not in values:
            raise ZarebaError("this objective is at a piece of terrain or a unit; move that")
        if section not in (*_POSITIONED, "objectives"):
            raise ZarebaError(f"{section} have no place on the map")
        return set_value(text, [section, key, "at" if section == "objectives" else "position"], point)
    shape = next((field for field in ("area", "line") if isinstance(values.get(field), list)), "")
    corners, index = list(values.get(shape, ())), form.integer("corner")
    if index >= len(corners):
        raise ZarebaError(f"'{key[:80]}' has no corner {index + 1}")
    corners[index] = point
    return set_value(text, [section, key, shape], corners)


def _values_of_drawn_element(section: str, form: FormData, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return a new piece of terrain or unit as drawn; its form can then change every value."""
    if section == "terrain":
        kind = form.text("kind")
        if kind not in (*AREA_KINDS, *LINE_KINDS):
            raise unknown_name("kind of ground", kind, [*AREA_KINDS, *LINE_KINDS])
        name = form.text("name") or kind.replace("_", " ").capitalize()
        return {
            "kind": kind,
            "name": name,
            "area" if TERRAIN[kind].shape == "area" else "line": points_of(form),
        }
    if section == "units":
        preset = PRESETS.get(form.text("preset"))
        if preset is None:
            raise unknown_name("kind of unit", form.text("preset"), PRESETS)
        side = form.text("side") or next(iter(elements_of(data, "sides")), "")
        name = form.text("name") or form.text("preset").removeprefix("a ").capitalize()
        values = {"name": name, "side": side, **preset}
        return {**values, "position": points_of(form)[0]} if form.text("drawn") else values
    raise ZarebaError(f"{section} cannot be drawn; use the form")


def _title_in(text: str, name: str) -> str:
    """Return the title of a battle's file; its name if it has none."""
    title = data_or_empty(text).get("title")
    return title if isinstance(title, str) and title else name.replace("_", " ")


def _elements_by_section(data: Mapping[str, Any]) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the key and name of every element with a form, by section; empty sections are left out."""
    names = names_of(data)
    sections = [(BATTLE, [("", "title, turns, light and more")])]
    for section in (*SECTIONS, OVERRIDES):
        if elements := [(key, names[f"{section}.{key}"]) for key in elements_of(data, section)]:
            sections.append((section, elements))
    return sections


def _possible_new_elements(data: Mapping[str, Any]) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the elements that can be started with a form, in groups of addresses and names.

    An address is `section`, `section/kind`, or `section//key`.
    """
    names = names_of(data)
    without_kinds, of_kinds = [], []
    for section in BY_FORM:
        for kind in SECTIONS[section].kinds:
            if kind:
                of_kinds.append((f"{section}/{kind}", kind.replace("_", " ")))
            else:
                singular = section.removesuffix("s")
                without_kinds.append((section, f"{'an' if singular[0] in 'aeio' else 'a'} {singular}"))
    hidden = [(f"hidden//{side}", names[f"hidden.{side}"]) for side in elements_of(data, "sides")]
    overrides = [
        (f"{OVERRIDES}//{key}", names[f"{OVERRIDES}.{key}"])
        for key, system in installed_systems().items()
        if system.overrides is not None
    ]
    return [
        ("", without_kinds),
        ("objectives", of_kinds),
        ("hidden forces", hidden),
        ("for one ruleset only", overrides),
    ]
