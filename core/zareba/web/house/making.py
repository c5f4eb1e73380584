"""The owner's pages on which battles are made: from a seed, from another, and by drawing on the map.

The file is the battle: whatever is drawn changes its text in place, comments and all, and every change is checked as
`zareba check` does. A battle may be unsound while it is made; it is played when it is sound.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from zareba.base.errors import FileError, ZarebaError, unknown_name
from zareba.base.yamlfile import parse_yaml
from zareba.making import SIZES, THEATRES, generate
from zareba.making.edit import put, rewritten, taken_out
from zareba.making.forces import worth
from zareba.picture import ground, view_box
from zareba.registry import load_rules, ruleset_names
from zareba.scenario import Scenario, parse_scenario
from zareba.scenario.placing import starting_positions
from zareba.scenario.vocabulary import AREA_KINDS, LINE_KINDS
from zareba.web.door.forms import Form, read_form
from zareba.web.door.pages import render
from zareba.web.house.battles import Battles
from zareba.web.house.fields import GOALS, SECTIONS, fields_of, names_in, place_in, read_fields
from zareba.web.house.owner import Owner
from zareba.web.house.sketch import drawable, drawn_force
from zareba.web.house.start import systems, told_of

__all__ = ["MakingPages"]

MOST_TEXT = 40_000
MOST_BACK = 200

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
"""Units as the vocabulary has them, to begin from; every word of one can be changed in its form."""
BY_FORM = ("leaders", "objects", "objectives")
"""The sections whose things begin with their form."""
INSTEAD: Mapping[str, tuple[str, ...]] = {
    "units": ("arrival",),
    "leaders": ("unit", "arrival"),
    "objects": ("carrier",),
    "objectives": ("terrain", "edge"),
}
"""What else says where a thing is: it goes when the thing is placed on the map."""


class MakingPages:
    """Battles that are made here."""

    def __init__(self, battles: Battles, owner: Owner) -> None:
        self._battles = battles
        self._back: dict[str, list[str]] = {}
        self._forward: dict[str, list[str]] = {}
        only, one = owner.only, "/make/{name}"
        self.routes = [
            Route("/make", only(self.begin)),
            Route("/make", only(self.made), methods=["POST"]),
            Route(one, only(self.page)),
            Route(f"{one}/parts", only(self.parts)),
            Route(f"{one}/form", only(self.form)),
            Route(f"{one}/preview", only(self.preview)),
            Route(f"{one}/file", only(self.file)),
            Route(f"{one}/do", only(self.do), methods=["POST"]),
        ]

    # --- beginning ---------------------------------------------------------------------------------------------------

    async def begin(self, request: Request) -> Response:
        """From what a battle can be made."""
        return await run_in_threadpool(self._begin, "")

    def _begin(self, refused: str) -> Response:
        told, faults = told_of(self._battles)
        values = {"title": "Make a battle", "scenarios": told, "faults": faults, "sizes": list(SIZES), "theatres": {key: one.title for key, one in THEATRES.items()}, "refused": refused, "seed": secrets.randbelow(100_000)}  # fmt: skip
        return HTMLResponse(render("make.html.j2", values), 400 if refused else 200)

    async def made(self, request: Request) -> Response:
        """Make one, from a seed or from another."""
        form = await read_form(request)
        return await run_in_threadpool(self._made, form)

    def _made(self, form: Form) -> Response:
        try:
            if form.text("from"):
                name = self._battles.free(f"{form.text('from')}_mine")
                text = put(self._battles.source_text(form.text("from")), ["id"], name)
            else:
                text = generate(form.whole("seed"), form.text("size", "medium"), form.text("theatre"))
                name = self._battles.free(f"battle_{form.text('seed')}")
                text = put(text, ["id"], name)
            self._battles.keep(name, text)
        except ZarebaError as error:
            return self._begin(str(error))
        return RedirectResponse(f"/make/{name}", 303)

    # --- the editor --------------------------------------------------------------------------------------------------

    async def page(self, request: Request) -> Response:
        """The editor of a battle that was made here."""
        name = request.path_params["name"]
        text = await run_in_threadpool(self._battles.text, name)
        values = {
            "title": "Making a battle",
            "name": name,
            "areas": AREA_KINDS,
            "lines": LINE_KINDS,
            "goals": list(GOALS),
            "presets": list(PRESETS),
            "systems": systems(),
            "text": text,
        }
        return HTMLResponse(render("editor.html.j2", values))

    async def parts(self, request: Request) -> Response:
        """The map, the list of things, the faults and the text as they are now."""
        return JSONResponse(await run_in_threadpool(self._parts, request.path_params["name"]))

    def _parts(self, name: str) -> dict[str, Any]:
        text = self._battles.text(name)
        problems, scenario = _looked_through(text)
        told: dict[str, Any] = {
            "text": text,
            "problems": problems,
            "list": render("things.html.j2", _things(text)),
            "undo": len(self._back.get(name, [])),
            "redo": len(self._forward.get(name, [])),
            "sound": not problems,
        }
        if scenario is not None:
            scenario = drawable(scenario)
            told |= {
                "under": ground(scenario),
                "box": view_box(scenario),
                "depth": scenario.table.depth,
                "pieces": drawn_force(scenario, starting_positions(scenario)),
            }
        return told

    async def form(self, request: Request) -> Response:
        """The form of one thing, or of a new one; `kind` shows that of an objective as if it were of another kind."""
        section, key, kind = (request.query_params.get(one, "") for one in ("section", "key", "kind"))

        def told() -> str:
            data = _data(self._battles.text(request.path_params["name"]))
            now = _keyed(data, section).get(key) if key or section not in BY_FORM else {}
            if not isinstance(now, dict):
                raise ZarebaError("there is no such thing in this battle")
            if section == "objectives" and kind:
                if kind not in GOALS:
                    raise unknown_name("kind of objective", kind, GOALS)
                now = {**now, "kind": kind}
            fields = fields_of(section, now, names_in(data))
            return render(
                "thing.html.j2", {"section": section, "key": key, "fields": fields, "place": place_in(section, now)}
            )

        return JSONResponse({"html": await run_in_threadpool(told)})

    async def preview(self, request: Request) -> Response:
        """What a system makes of it."""
        name, ruleset = request.path_params["name"], request.query_params.get("ruleset", "")
        return JSONResponse(await run_in_threadpool(self._preview, name, ruleset))

    def _preview(self, name: str, ruleset: str) -> dict[str, Any]:
        if ruleset not in ruleset_names():
            raise unknown_name("ruleset", ruleset, ruleset_names())
        scenario = self._battles.scenario(name)
        rules = load_rules(ruleset)
        game = rules.game(scenario)
        board = game.drawn(game.start())
        data = scenario.model_dump(mode="json", exclude_defaults=True)
        sides = [
            {"name": side.name, "figures": sum(unit.figures for unit in scenario.units_of(key).values()), "worth": round(sum(worth(unit) for unit in data["units"].values() if unit["side"] == key))}
            for key, side in scenario.sides.items()
        ]  # fmt: skip
        html = render(
            "preview.html.j2",
            {"title": rules.book.title, "missing": game.untranslated, "headline": board.headline, "sides": sides},
        )
        force = drawn_force(scenario, starting_positions(scenario))
        return {"html": html, "under": ground(scenario, board), "box": view_box(scenario, board), "pieces": force}

    async def file(self, request: Request) -> Response:
        """The battle's file, to be kept or shared."""
        name = request.path_params["name"]
        text = await run_in_threadpool(self._battles.text, name)
        return Response(
            text, media_type="text/yaml", headers={"Content-Disposition": f'attachment; filename="{name}.yaml"'}
        )

    # --- changing it -------------------------------------------------------------------------------------------------

    async def do(self, request: Request) -> Response:
        """Change it; gives the parts as they are then."""
        form = await read_form(request)
        name = request.path_params["name"]

        def done() -> dict[str, Any]:
            added = self._do(name, form)
            return {**self._parts(name), "added": added} if form.text("what") != "drop" else {"gone": True}

        return JSONResponse(await run_in_threadpool(done))

    def _do(self, name: str, form: Form) -> str:
        """Do it; gives the id of what was added, "" where nothing was."""
        text, what = self._battles.text(name), form.text("what")
        if what == "drop":
            self._battles.drop(name)
            return ""
        if what in ("undo", "redo"):
            here, there = (self._back, self._forward) if what == "undo" else (self._forward, self._back)
            if not here.get(name):
                raise ZarebaError(f"there is nothing to {what}")
            there.setdefault(name, []).append(text)
            self._battles.keep(name, here[name].pop())
            return ""
        changed = _changed(text, what, form)
        if len(changed) > MOST_TEXT:
            raise ZarebaError(f"a battle that is made at the page has up to {MOST_TEXT} characters")
        parse_yaml(changed, f"{name}.yaml")
        self._battles.keep(name, changed)
        self._back.setdefault(name, []).append(text)
        del self._back[name][:-MOST_BACK]
        self._forward.pop(name, None)
        if what != "add":
            return ""
        before, now = (_keyed(_data(one), form.text("section")) for one in (text, changed))
        return next(key for key in now if key not in before)


def _changed(text: str, what: str, form: Form) -> str:
    """The text as an act of the editor leaves it."""
    if what == "text":
        return form.text("text") + "\n"
    data, section = _data(text), form.text("section")
    if what == "head":
        found = text
        for key in ("title", "year", "place", "note", "turns", "first"):
            if form.text(key):
                found = put(found, [key], form.whole(key) if key in ("year", "turns") else form.text(key))
        return found
    if section not in SECTIONS:
        raise unknown_name("section", section, SECTIONS)
    known = _keyed(data, section)
    key = form.text("key")
    if what == "remove":
        return taken_out(text, [section, key])
    if what == "set":
        if key not in known:
            raise unknown_name("thing", key, known)
        words = read_fields(section, known[key], form)
        return rewritten(text, [section, key], _placed(section, words, form) if form.text("drawn") else words)
    if what == "zone":
        return put(
            text,
            ["sides", key, "deployment", form.text("zone") or _free("zone", known[key].get("deployment") or {})],
            _points(form),
        )
    if what == "add":
        entry = _entry(section, form, data)
        return put(
            text,
            [section, _free(str(entry["name"]), {**_keyed(data, "units"), **_keyed(data, "leaders"), **known})],
            entry,
        )
    raise unknown_name("act", what, ["text", "head", "remove", "set", "zone", "add"])


def _entry(section: str, form: Form, data: Mapping[str, Any]) -> dict[str, Any]:
    """A new thing, as it is drawn."""
    if section == "terrain":
        kind = form.text("kind")
        if kind not in (*AREA_KINDS, *LINE_KINDS):
            raise unknown_name("kind of ground", kind, [*AREA_KINDS, *LINE_KINDS])
        name = form.text("name") or kind.replace("_", " ").capitalize()
        return {"kind": kind, "name": name, "area" if kind in AREA_KINDS and kind != "road" else "line": _points(form)}
    if section == "units":
        preset = PRESETS.get(form.text("preset"))
        if preset is None:
            raise unknown_name("kind of unit", form.text("preset"), PRESETS)
        side = form.text("side") or next(iter(data.get("sides") or {"": None}))
        entry = {
            "name": form.text("name") or form.text("preset").removeprefix("a ").capitalize(),
            "side": side,
            **preset,
        }
        return {**entry, "position": _points(form)[0]} if form.text("drawn") else entry
    if section in BY_FORM:
        if section == "objectives" and form.text("kind") not in GOALS:
            raise unknown_name("kind of objective", form.text("kind"), GOALS)
        said = read_fields(section, {}, form)
        said.setdefault("name", form.text("kind", section.removesuffix("s")).replace("_", " ").capitalize())
        return _placed(section, said, form) if form.text("drawn") else said
    raise ZarebaError("a battle is made with its sides; change one in its form")


def _placed(section: str, now: Mapping[str, Any], form: Form) -> dict[str, Any]:
    """A thing at the place that was pointed at, without what would have it elsewhere."""
    field = place_in(section, now)
    if not field:
        raise ZarebaError("this stands at no place of its own")
    return {**{key: value for key, value in now.items() if key not in INSTEAD[section]}, field: _points(form)[0]}


def _free(name: str, known: Mapping[str, Any]) -> str:
    stem = (
        "".join(letter if letter.isascii() and letter.isalnum() else "_" for letter in name.lower()).strip("_")
        or "thing"
    )
    stem = stem if stem[0].isalpha() else f"n_{stem}"
    return next(one for one in (stem[:60], *(f"{stem[:56]}_{number}" for number in range(2, 999))) if one not in known)


def _points(form: Form) -> list[list[float]]:
    """Points as a page sends them: `x,y x,y`, in inches."""
    found = []
    for pair in form.text("drawn").split():
        x, _, y = pair.partition(",")
        point = Form([("x", x), ("y", y)])
        found.append([round(point.number("x"), 1), round(point.number("y"), 1)])
    if not 1 <= len(found) <= 100:
        raise ZarebaError("draw at least one point, and at most 100")
    return found


def _keyed(data: Mapping[str, Any], section: str) -> dict[str, Any]:
    """The things of a section by their ids; none where the file has something else there."""
    found = data.get(section) if section in SECTIONS else None
    return found if isinstance(found, dict) else {}


def _data(text: str) -> dict[str, Any]:
    return dict(parse_yaml(text, "the battle").data)


def _looked_through(text: str) -> tuple[list[dict[str, Any]], Scenario | None]:
    """All faults with their lines, and the battle as far as it can be drawn: its model may be sound where its check is not."""
    try:
        return [], parse_scenario(text, "the battle")
    except FileError as error:
        problems = [
            {"line": one.line, "words": f"{one.path}: {one.message}" if one.path else one.message}
            for one in error.problems
        ]
    except ZarebaError as error:
        problems = [{"line": 1, "words": str(error)}]
    try:
        return problems, parse_yaml(text, "the battle").validate(Scenario)
    except ZarebaError:
        return problems, None


def _things(text: str) -> dict[str, Any]:
    """Everything that has a form, by section."""
    try:
        data = _data(text)
    except ZarebaError:
        return {"sections": []}
    found = []
    for section in SECTIONS:
        entries = data.get(section)
        if isinstance(entries, dict):
            found.append(
                (
                    section,
                    [
                        (key, str(one.get("name", key)) if isinstance(one, dict) else key)
                        for key, one in entries.items()
                    ],
                )
            )
    return {"sections": found}
