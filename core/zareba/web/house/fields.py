"""The forms of a scenario's things, made from the very model that checks them: what has a list of words gets that list."""

from __future__ import annotations

import types
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from zareba.base.errors import ZarebaError, unknown_name
from zareba.base.yamlfile import parse_yaml
from zareba.making.written import flow
from zareba.scenario.model import (
    CaptureLeader,
    CarryOff,
    Destroy,
    Escort,
    Hold,
    Leader,
    Object,
    Side,
    Survive,
    Terrain,
    Unit,
)
from zareba.web.door.forms import Form

__all__ = ["GOALS", "SECTIONS", "fields_of", "names_in", "place_in", "read_fields"]

GOALS: Mapping[str, type[BaseModel]] = {
    "hold": Hold,
    "destroy": Destroy,
    "carry_off": CarryOff,
    "escort": Escort,
    "capture_leader": CaptureLeader,
    "survive": Survive,
}
"""The kinds of objectives, each with its model."""
SECTIONS: Mapping[str, Any] = {
    "terrain": Terrain,
    "sides": Side,
    "units": Unit,
    "leaders": Leader,
    "objects": Object,
    "objectives": GOALS,
}
"""The sections whose things have forms, each with its model; objectives have one for each kind."""
REFERS: Mapping[str, str] = {
    "side": "sides", "by": "sides", "unit": "units", "units": "units", "carrier": "units", "terrain": "terrain", "inside": "terrain",
    "object": "objects", "leader": "leaders", "zone": "zones",
}  # fmt: skip
"""The fields that name something else of the battle, each with the section in which that is; zones are those of all sides."""
ON_MAP = ("units", "leaders", "objects", "terrain")
"""The sections whose things are pointed at on the map."""


def _model(section: str, now: Mapping[str, Any]) -> type[BaseModel]:
    model = SECTIONS[section]
    found: type[BaseModel] = model.get(str(now.get("kind")), Hold) if isinstance(model, Mapping) else model
    return found


def place_in(section: str, now: Mapping[str, Any]) -> str:
    """The field that says where a thing stands; "" for what stands nowhere."""
    return next((name for name in ("position", "at") if name in _model(section, now).model_fields), "")


def names_in(data: Mapping[str, Any]) -> dict[str, list[str]]:
    """What the fields of a battle's things may name, by section."""
    found = {section: list(_keys(data.get(section))) for section in SECTIONS}
    zones = [zone for side in _keys(data.get("sides")).values() for zone in _keys(_keys(side).get("deployment"))]
    return {**found, "zones": list(dict.fromkeys(zones))}


def _keys(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _bare(annotation: Any) -> tuple[Any, bool]:
    """A type without what limits it, and whether there may be none."""
    if get_origin(annotation) is Annotated:
        return _bare(get_args(annotation)[0])
    if get_origin(annotation) in (Union, types.UnionType):
        left = [one for one in get_args(annotation) if one is not type(None)]
        return (_bare(left[0])[0] if len(left) == 1 else annotation), True
    return annotation, False


def fields_of(section: str, now: Mapping[str, Any], names: Mapping[str, list[str]]) -> list[dict[str, Any]]:
    """The fields of a thing as a form shows them. `names` are what a field may refer to: sides, units, terrain and the like.

    Each has `kind`: choice, many, yes_no, number, words or line (what has parts of its own, written in brackets); `on_map` is
    the section of what can be pointed at for it.
    """
    found = []
    for name, field in _model(section, now).model_fields.items():
        bare, _ = _bare(field.annotation)
        value = now.get(name)
        told: dict[str, Any] = {
            "name": name,
            "words": name.replace("_", " "),
            "value": "" if value is None else value,
            "needed": field.is_required(),
            "on_map": REFERS[name] if REFERS.get(name) in ON_MAP else "",
        }
        of_many = _bare(get_args(bare)[0])[0] if get_origin(bare) is tuple else None
        if section == "objectives" and name == "kind":
            told |= {"kind": "choice", "choices": list(GOALS)}
        elif name in REFERS and bare is str:
            told |= {"kind": "choice", "choices": _with(names.get(REFERS[name], []), [value] if value else [])}
        elif name in REFERS and of_many is str:
            told |= {
                "kind": "many",
                "choices": _with(names.get(REFERS[name], []), value or []),
                "value": list(value or ()),
            }
        elif get_origin(bare) is Literal:
            told |= {"kind": "choice", "choices": [str(one) for one in get_args(bare)]}
        elif bare is bool:
            told |= {"kind": "yes_no", "value": "" if value is None else "yes" if value else "no"}
        elif bare in (int, float):
            told |= {"kind": "number", "step": "1" if bare is int else "any"}
        elif get_origin(of_many) is Literal:
            told |= {"kind": "many", "choices": list(get_args(of_many)), "value": list(value or ())}
        elif bare is str:
            told["kind"] = "words"
        else:
            told |= {"kind": "line", "value": "" if value in (None, {}, [], ()) else flow(value)}
        found.append(told)
    return found


def _with(known: list[str], said: Any) -> list[str]:
    """What may be named, and what is named though it is not there: a form changes only what is changed in it."""
    return list(dict.fromkeys([*known, *map(str, said)]))


def read_fields(section: str, now: Mapping[str, Any], form: Form) -> dict[str, Any]:
    """The thing as a form has it, in the order of its model; what was left empty is left out.

    Raises ZarebaError for a line in brackets that is no YAML, and for an objective of no kind that there is; all else the check
    of the scenario tells.
    """
    if section == "objectives" and form.text("kind"):
        if form.text("kind") not in GOALS:
            raise unknown_name("kind of objective", form.text("kind"), GOALS)
        now = {**now, "kind": form.text("kind")}
    kinds = {field["name"]: field for field in fields_of(section, now, {})}
    found: dict[str, Any] = {}
    for name, field in kinds.items():
        written = form.text(name)
        if field["kind"] == "many":
            chosen = [one for one in form.all(name) if one]
            if chosen:
                found[name] = chosen
        elif not written:
            continue
        elif field["kind"] == "yes_no":
            found[name] = written == "yes"
        elif field["kind"] == "number":
            found[name] = _number(name, written)
        elif field["kind"] == "line":
            found[name] = parse_yaml(f"value: {written}", name).data["value"]
        else:
            found[name] = written
    return found


def _number(name: str, written: str) -> float:
    try:
        value = float(written)
    except ValueError:
        raise ZarebaError(f"'{name}' is a number, not '{written[:40]}'") from None
    if not -1e6 < value < 1e6:
        raise ZarebaError(f"'{name}' is a number of a size that a table has")
    return int(value) if value == int(value) else value
