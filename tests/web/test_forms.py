"""Every word of a scenario has a field in the editor, which writes it and shows its errors."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from html import unescape
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import pytest
from pydantic import BaseModel, Field
from tests.web.conftest import Club
from tests.web.test_making import do, filled, form, made, read, written

from zareba.authoring.form_schema import HEAD, SECTIONS, FieldSchema, group_of
from zareba.base.errors import ZarebaError
from zareba.base.yamlfile import Document, Id, YamlModel, parse_yaml
from zareba.picture import ground
from zareba.registry import ruleset, ruleset_names
from zareba.rules import RefersTo
from zareba.scenario import Scenario
from zareba.scenario.load import scenario_text
from zareba.scenario.model import Objective
from zareba.scenario.placement import starting_positions
from zareba.web.editor import elements, pages
from zareba.web.editor.elements import System
from zareba.web.editor.placeholders import draw_forces, drawable


def words_of(kind: Any, name: str = "it") -> Iterator[str]:
    """Yield the names of the fields a type should have, computed without the editor. Named entries are under `NEW`."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        yield from words_of(inner[0], name)
    elif origin in (Union, UnionType) and type(None) in inner and len(inner) == 2:
        yield from words_of(next(kind for kind in inner if kind is not type(None)), name)
    elif origin is dict:
        yield f"{name}.NEW:key"
        yield from words_of(inner[1], f"{name}.NEW")
    elif isinstance(kind, type) and issubclass(kind, BaseModel):
        for word, field in kind.model_fields.items():
            yield from words_of(field.annotation, f"{name}.{field.alias or word}")
    else:
        yield name


def models() -> dict[str, tuple[str, str, type[BaseModel]]]:
    """Return the models with a form, by the query that opens it: section, kind of objective, model."""
    found: dict[str, tuple[str, str, type[BaseModel]]] = {}
    for section, field in Scenario.model_fields.items():
        value = get_args(field.annotation)[1] if get_origin(field.annotation) is dict else None
        if isinstance(value, type) and issubclass(value, BaseModel):
            found[section] = section, "", value
    for model in get_args(get_args(Objective)[0]):
        (kind,) = get_args(model.model_fields["kind"].annotation)
        found[f"objectives/{kind}"] = "objectives", kind, model
    return found


def fields_in(html: str) -> set[str]:
    return {unescape(name) for name in re.findall(r'name="(it[^"]*)"', html)}


def key_for(section: str) -> str:
    """Return the key of an existing entry whose form can be opened, or "" if the form comes first."""
    return {"hidden": "first", "terrain": "", "units": ""}.get(section, "")


def opened(club: Club, address: str, section: str, kind: str = "") -> str:
    key = key_for(section)
    if section in ("terrain", "units"):
        data: dict[str, Any] = parse_yaml(club.client.get(f"{address}/parts").json()["text"], "made").data
        key = next(iter(data[section]))
    return form(club, address, section, key, kind)


def test_every_word_of_a_scenario_has_a_field(club: Club) -> None:
    address = made(club)
    known = {"overrides"}
    for section, kind, model in models().values():
        html = opened(club, address, section, kind)
        assert set(words_of(model)) <= fields_in(html), (section, kind)
        known.add(section)
    head = fields_in(form(club, address, "battle"))
    for word, field in Scenario.model_fields.items():
        if word not in known:
            assert set(words_of(field.annotation, f"it.{word}")) <= head, word
    assert {"it.night", "it.fog", "it.siege", "it.entrenched", "it.table.width", "it.traits.NEW:key"} <= head
    offered = {value for group in club.client.get(f"{address}/parts").json()["offers"] for value, _ in group["choices"]}
    begun = {"terrain", "units"}  # made on the map
    assert {name for name in models() if name not in begun} <= {field.partition("//")[0] for field in offered}


def test_words_of_installed_rulesets_have_fields(club: Club) -> None:
    address = made(club)
    for name in ruleset_names():
        model = ruleset(name).overrides
        assert model is not None
        html = form(club, address, "overrides", name)
        assert set(words_of(model)) <= fields_in(html), name
        offered = club.client.get(f"{address}/parts").json()["offers"]
        assert f"overrides//{name}" in {value for group in offered for value, _ in group["choices"]}


def values_without_field(schema: FieldSchema, name: str) -> Iterator[str]:
    if schema.kind == "yaml":
        yield name
    for part in schema.fields:
        yield from values_without_field(part.schema, f"{name}.{part.name}")
    if schema.value is not None:
        yield from values_without_field(schema.value, f"{name}[]")


def test_every_nested_value_has_a_field_of_its_own() -> None:
    schemas = [HEAD, *(schema for section in SECTIONS.values() for schema in section.kinds.values())]
    schemas += [group_of(model) for name in ruleset_names() if (model := ruleset(name).overrides) is not None]
    assert [name for schema in schemas for name in values_without_field(schema, "")] == []


class Weather(YamlModel):
    """What `sky` there is."""

    sky: Literal["blue", "grey"] = "blue"
    winds: dict[Annotated[Id, RefersTo("sides")], dict[Id, int]] = Field(default_factory=dict)


class Wishes(YamlModel):
    """Any words a package can define."""

    weather: Weather | None = None
    odd: int | str | None = None
    pairs: dict[Id, list[Annotated[Id, RefersTo("units")]]] = Field(default_factory=dict)
    roads: list[tuple[float, float]] = Field(default_factory=list)
    marks: list[Annotated[Id, RefersTo("supported_words.traits", besides=("none",))]] = Field(default_factory=list)


def test_words_of_a_package_have_forms(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (elements, pages):
        monkeypatch.setattr(module, "installed_systems", lambda: {"vcc": System("Whist", Wishes)})
    address = made(club)
    html = form(club, address, "overrides", "vcc")
    assert set(words_of(Wishes)) - {"it.weather.winds.NEW.NEW:key", "it.weather.winds.NEW.NEW"} <= fields_in(html)
    assert 'value="none"' in html and "What sky there is." in html
    data = filled(html, odd="[1, two]", roads="1, 2  3,4", marks=["none"]) | {
        "it.weather.sky": ["grey"],
        "it.weather.winds.0:key": ["first"],
        "it.weather.winds.0.0:key": ["Strong one"],
        "it.weather.winds.0.0": ["3"],
        "it.pairs.0:key": ["a"],
    }
    told = club.client.post(f"{address}/do", data={"what": ["set"], **data}).json()
    assert parse_yaml(told["text"], "made").data["overrides"] == {
        "vcc": {
            "weather": {"sky": "grey", "winds": {"first": {"strong_one": 3}}},
            "odd": [1, "two"],
            "pairs": {"a": []},
            "roads": [[1, 2], [3, 4]],
            "marks": ["none"],
        }
    }
    assert not told["sound"] and any("odd" in problem["words"] for problem in told["problems"])


# --- writing each field -----------------------------------------------------------------------------------------------


def everything(html: str) -> dict[str, list[str]]:
    """Return a valid value for each field found in a form; mappings get one row."""
    html = re.sub(r"</?template>", "", html.replace(".NEW", ".7"))
    said: dict[str, list[str]] = {}
    for before, name, value, after in re.findall(r'<input([^>]*) name="(it[^"]*)" value="([^"]*)"([^>]*)>', html):
        if "checkbox" in before:
            said.setdefault(name, []).append(unescape(value))
        elif "number" in before:
            said[name] = [
                "12"
                if "it.table" in name
                else "1800"
                if name == "it.year"
                else "2"
                if "die" in name or "least" in name
                else "1"
            ]
        elif "x, y" in after:
            said[name] = ["1, 2" if "…" not in after else "1,1 5,1 5.5,4"]
        else:
            said[name] = [value or "word"]
    for name, options in re.findall(r'<select name="(it[^"]*)"[^>]*>(.*?)</select>', html, re.S):
        said[name] = [unescape(re.findall(r'<option(?: value="([^"]+)")', options)[-1])]
    for name in re.findall(r'<textarea name="(it[^"]*)"', html):
        said[name] = ["word"]
    return said


def at(data: Any, name: str) -> Any:
    """Return the value at the path of a field's name. A row has the key it was given."""
    for step in name.split(".")[1:]:
        data = next(iter(data.values())) if step == "7" else data[step]
    return data


@pytest.mark.parametrize("what", [*models(), "battle", *(f"overrides/{name}" for name in ruleset_names())])
def test_a_value_typed_into_a_form_is_written_to_the_file_as_the_model_defines(club: Club, what: str) -> None:
    address = made(club)
    section, _, kind = what.partition("/")
    html = form(club, address, section, kind) if section == "overrides" else opened(club, address, section, kind)
    said = everything(html)
    if kind and section != "overrides":
        said["it.kind"] = [kind]
    hidden = {name: [value] for name, value in re.findall(r'type="hidden" name="([a-z]+)" value="([^"]*)"', html)}
    act = re.findall(r'data-tool="(add|set)"', html)[0]
    told = club.client.post(f"{address}/do", data={"what": [act], **hidden, **said})
    assert told.status_code == 200, told.text
    document = parse_yaml(told.json()["text"], "made")
    key = kind if section == "overrides" else hidden["key"][0] or told.json()["added"]
    thing: Any = document.data if section == "battle" else document.data[section][key]  # type: ignore[index]
    for name, values in said.items():
        if not name.endswith(":key"):
            found = at(thing, name)
            assert found not in (None, "", []), name
            assert (
                not isinstance(found, list)
                or len(found) == max(len(values), 2 if "," in values[0] else 1)
                or "5.5" in values[0]
            )
    if section == "overrides":
        model = ruleset(kind).overrides
        assert model is not None
        model.model_validate(thing)
    else:
        document.validate(Scenario)


def test_night_fog_siege_weather_and_hidden_forces_are_set_in_forms(club: Club) -> None:
    address = made(club)
    told = written(
        club, address, "set", form(club, address, "battle"), night="yes", siege="yes", title="The night attack"
    )
    told = written(
        club,
        address,
        "add",
        form(club, address, "events"),
        turn="3",
        text="The moon rises.",
        night="no",
        die="6",
        at_least="4",
    )
    assert told["added"] == "the_moon_rises"
    unit = next(iter(read(told).units_of("second")))
    told = written(club, address, "set", form(club, address, "units", unit), hidden="yes")
    wood = next(iter(read(told).terrain))
    told = written(club, address, "set", form(club, address, "hidden", "second"), dummies="2", terrain=[wood])
    scenario = read(told)
    assert (scenario.night, scenario.fog, scenario.siege, scenario.title) == (True, False, True, "The night attack")
    event = scenario.events["the_moon_rises"]
    assert (event.turn, event.night, event.die, event.at_least) == (3, False, 6, 4)
    assert (scenario.hidden["second"].dummies, scenario.hidden["second"].terrain) == (2, (wood,))
    told = do(club, address, what="remove", section="hidden", key="second")
    assert not read(told).hidden and "hidden:" not in told["text"].replace("hidden: true", "")
    told = written(club, address, "set", form(club, address, "battle"), night="")
    assert not read(told).night and "\nnight:" not in told["text"], "empty fields are not written"


def test_arrivals_guns_gates_and_loyalty_have_fields(club: Club) -> None:
    address = made(club)
    do(club, address, what="add", section="units", preset="a field gun", side="first", name="Battery", drawn="20,3")
    html = form(club, address, "units", "battery")
    assert 'name="it.gun.kind"' in html and ">limbered<" in html
    told = written(club, address, "set", html, **{"gun.ammunition": ["shot", "case"], "gun.pieces": "2", "position": "", "arrival.turn": "2", "arrival.edge": "south", "arrival.at": "20, 0", "traits": ["no_quarter"]})  # fmt: skip
    battery = read(told).units["battery"]
    assert battery.gun is not None and (battery.gun.pieces, battery.gun.ammunition) == (2, ("shot", "case"))
    assert battery.arrival is not None and (battery.arrival.edge, battery.arrival.at) == ("south", (20, 0))
    told = written(
        club,
        address,
        "set",
        form(club, address, "units", "battery"),
        **{"arrival.turn": "", "arrival.edge": "", "arrival.at": "", "position": "20 3"},
    )
    assert read(told).units["battery"].arrival is None
    leader = next(iter(read(told).leaders_of("first")))
    html = form(club, address, "leaders", leader)
    told = do(club, address, **{key: value[0] for key, value in filled(html).items()}, what="set", **{"it.loyalty.0:key": "battery", "it.loyalty.0": "disloyal"})  # fmt: skip
    assert read(told).leaders[leader].loyalty == {"battery": "disloyal"}
    assert 'name="it.loyalty.0:key"' in form(club, address, "leaders", leader)


# --- comments ---------------------------------------------------------------------------------------------------------


def test_a_form_keeps_comments_inside_its_part_of_the_file(club: Club) -> None:
    address = made(club)
    text = club.client.get(f"{address}/parts").json()["text"]
    text = text.replace(
        "\nterrain:", "\nnight: false # for now\ntraits:\n  # who saw it\n  seasick: cannot stand # at all\n\nterrain:"
    )
    text = (
        text.rstrip("\n") + "\n\nevents:\n  fog: # off the river\n    turn: 2 # early\n    text: Fog.\n    fog: true\n"
    )
    do(club, address, what="text", text=text.rstrip("\n"))
    told = written(
        club, address, "set", form(club, address, "battle"), **{"night": "yes", "traits.0": "cannot stand up"}
    )
    expected = text.replace("night: false # for", "night: true # for").replace("cannot stand #", "cannot stand up #")
    assert re.sub(" +#", " #", told["text"]) == re.sub(" +#", " #", expected)
    told = written(club, address, "set", form(club, address, "events", "fog"), turn="4", die="6", at_least="5")
    assert (
        "  fog: # off the river\n    turn: 4 # early\n    text: Fog.\n    fog: true\n    die: 6\n    at_least: 5\n"
        in told["text"]
    )
    assert "# who saw it" in told["text"] and told["sound"]


@pytest.mark.parametrize("most", [1, pytest.param(99, marks=pytest.mark.deep)], ids=["first", "all"])
def test_saving_an_unchanged_form_changes_nothing_in_the_file(most: int, club: Club) -> None:
    for shipped in ("hill_fort", "paychest_raid", "column_ambushed")[:most]:
        address = made(club, **{"from": shipped})
        text = club.client.get(f"{address}/parts").json()["text"]
        data: dict[str, Any] = parse_yaml(text, shipped).data
        names = [(section, key) for section in (*SECTIONS, "overrides") for key in list(data.get(section) or {})[:most]]
        for section, key in [("battle", ""), *names]:
            told = written(club, address, "set", form(club, address, section, key))
            assert told["text"] == text, (shipped, section, key)


# --- live checks ------------------------------------------------------------------------------------------------------


def faults(club: Club, address: str, html: str, **fields: Any) -> dict[str, str]:
    before = club.client.get(f"{address}/parts").json()
    data = {**filled(html), **{f"it.{name}": value for name, value in fields.items()}}
    answer = club.client.post(f"{address}/check", data=data)
    assert answer.status_code == 200, answer.text
    assert club.client.get(f"{address}/parts").json() == before, "opening a form changes nothing"
    found: dict[str, str] = answer.json()["faults"]
    return found


def test_a_problem_is_shown_next_to_its_field(club: Club) -> None:
    address = made(club)
    scenario = read(club.client.get(f"{address}/parts").json())
    unit = next(iter(scenario.units_of("first")))
    html = form(club, address, "units", unit)
    assert faults(club, address, html) == {}
    assert "whole number" in faults(club, address, html, figures="12.5")["it.figures"]
    assert "is not known" in faults(club, address, html, arm="infantrie")["it.arm"]
    told = faults(club, address, html, **{"arrival.turn": "99"})
    assert "after the last turn" in told.get("it.arrival.turn", "") or "missing" in told["it.arrival.edge"]
    assert (
        "needed" in faults(club, address, html, side="nobody").get("it.side", "")
        or "there is no side" in faults(club, address, html, side="nobody")["it.side"]
    )
    html = form(club, address, "leaders")
    told = faults(club, address, html, name="Captain", side="first", rank="officer", **{"loyalty.0:key": unit, "loyalty.3:key": unit})  # fmt: skip
    assert "keep only one" in told["it.loyalty.3:key"]
    told = faults(club, address, html, name="Captain", rank="officer", **{"loyalty.3:key": unit, "loyalty.3": "cross"})
    assert "missing" in told["it.side"] and "is not known" in told["it.loyalty.3"]
    told = faults(club, address, form(club, address, "hidden", "second"), dummies="many")
    assert "whole number" in told["it.dummies"]
    told = faults(club, address, form(club, address, "hidden", "second"), dummies="2")
    assert "no unit of this side is hidden" in told["it"]
    told = faults(club, address, form(club, address, "battle"), turns="0", first="nobody")
    assert "at least 1" in told["it.turns"]
    told = faults(
        club,
        address,
        form(club, address, "overrides", "risk_factor"),
        **{"units.0:key": unit, "units.0.skirts": "sideways"},
    )
    assert "is not known" in told["it.units.0.skirts"]
    told = faults(club, address, form(club, address, "overrides", "paychest"), legion=["nobody"])
    assert "there is no 'nobody'" in told["it.legion"]


def test_a_problem_links_to_the_form_that_corrects_it(club: Club) -> None:
    address = made(club)
    scenario = read(club.client.get(f"{address}/parts").json())
    unit = next(iter(scenario.units_of("first")))
    told = written(club, address, "set", form(club, address, "units", unit), position="400, 3")
    (fault,) = (problem for problem in told["problems"] if "position" in problem["words"])
    assert (fault["section"], fault["key"]) == ("units", unit) and scenario.units[unit].name in fault["words"]
    do(club, address, what="undo")
    told = written(club, address, "set", form(club, address, "battle"), turns="0")
    assert [(problem["section"], problem["key"]) for problem in told["problems"]] == [("battle", "")]
    told = do(club, address, what="text", text="id: [1, 2]\nmoons: 3")
    assert told["problems"] and all(problem["line"] for problem in told["problems"])


def test_terrain_without_an_area_is_reported_and_left_off_the_map(club: Club) -> None:
    address = made(club)
    key = next(key for key, piece in read(club.client.get(f"{address}/parts").json()).terrain.items() if piece.area)
    told = written(club, address, "set", form(club, address, "terrain", key), area="")
    assert f'data-ground="{key}"' not in told["ground_svg"] and "<path" in told["ground_svg"]
    assert any("is an area" in problem["words"] and problem["key"] == key for problem in told["problems"])


ODD: list[Any] = [None, 3, -1, 1e6, "x", "", [], {}, [1, 2], {"a": 1}, True, [[0, 0], [1, 1], [2, 0]], "hold", {"name": [1]}, [{}]]  # fmt: skip


def nodes(data: Any) -> Iterator[tuple[Any, Any]]:
    for key in list(data) if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ():
        yield data, key
        yield from nodes(data[key])


@pytest.mark.parametrize("most", [8, pytest.param(1500, marks=pytest.mark.deep)])
def test_random_files_are_drawn_checked_and_shown_in_forms(most: int) -> None:
    luck = random.Random(5)
    for _ in range(most):
        data: dict[str, Any] = parse_yaml(scenario_text(luck.choice(("patrol_clash", "paychest_raid"))), "made").data
        for _ in range(luck.randint(1, 5)):
            holder, key = luck.choice(list(nodes(data))) if luck.random() < 0.6 else (data, luck.choice(list(data)))
            if isinstance(holder, dict) and luck.random() < 0.3:
                del holder[key]
            else:
                holder[key if luck.random() < 0.9 or isinstance(holder, list) else "moons"] = deepcopy(luck.choice(ODD))
        scenario = drawable(data)
        assert ground(scenario) and draw_forces(scenario, starting_positions(scenario)) is not None
        names = elements.names_of(data)
        for problem in elements.problems_in(Document("made", data, {(): (1, 1)})):
            assert elements.problem_for_page(problem, names)["words"]
        for section in (*SECTIONS, "battle"):
            for key in [*elements.elements_of(data, section)][:2] if section != "battle" else [""]:
                with suppress(ZarebaError):
                    assert elements.ElementForm(data, section, key).field()["fields"]
