"""`zareba scenarios`, `forces` and `generate`."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zareba.base.errors import ZarebaError, unknown_name
from zareba.base.filenames import check_output
from zareba.cli.options import Json
from zareba.cli.output import out, plain_table, print_json, print_to_stderr
from zareba.plugins.listing_cache import cached_listing

if TYPE_CHECKING:
    from zareba.rules import Rules

# --- `zareba scenarios`: list the scenarios of zareba and of installed plugins ----------------------------------------


def scenarios(as_json: Json = False) -> None:
    """List the scenarios of zareba and of installed plugins.

    Every command that takes a scenario also accepts the path of your own file.

    Example: zareba scenarios --json
    """
    rows = cached_listing("scenarios", compute=_overviews)
    if as_json:
        print_json(rows)
        return
    columns = ("id", "title", "year", "turns", "table", "units", "sides")
    cells = (
        [
            *(row[column] for column in ("id", "title", "year", "turns")),
            " x ".join(f"{length:g}" for length in row["table"]),
            row["units"],
            " against ".join(row["sides"]),
        ]
        for row in rows
    )
    out().print(plain_table(columns, cells, right=("year", "turns", "units")))


def _overviews() -> tuple[list[dict[str, Any]], bool]:
    """Return a row for each scenario, and True if all could be read. An unreadable one of a plugin gives a warning."""
    from zareba.plugins.entry_points import warn
    from zareba.scenario import known_scenarios

    rows, all_readable = [], True
    for name in known_scenarios():
        try:
            rows.append(_overview(name))
        except ZarebaError as error:
            warn(f"the scenario '{name}' is left out: {error}")
            all_readable = False
    return rows, all_readable


def _overview(name: str) -> dict[str, Any]:
    """Return what the list says about a scenario."""
    from zareba.scenario import load_scenario

    scenario = load_scenario(name)
    return {
        "id": name,
        "title": scenario.title,
        "year": scenario.year,
        "place": scenario.place,
        "turns": scenario.turns,
        "table": [scenario.table.width, scenario.table.depth],
        "sides": {side: entry.name for side, entry in scenario.sides.items()},
        "units": len(scenario.units),
        "tests": scenario.tests,
    }


# --- The units of a new scenario: those of the template file, or of a ruleset's organisation templates ----------------


Entries = dict[str, dict[str, Any]]
"""Entries of a section of a scenario file, by id."""

_PLAIN_TEXT = re.compile(r"[A-Za-z][A-Za-z0-9_. -]*")
_SPECIAL_WORDS = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n"})
"""Words that YAML reads as something other than text."""

_INFANTRY = {"side": "column", "arm": "infantry", "kind": "european_regular", "figures": 16, "weapon": "breech_rifle"}
_TRIBAL = {"side": "hillmen", "arm": "infantry", "kind": "tribal", "figures": 24}
UNITS: Entries = {
    "first_company": {"name": "First company", **_INFANTRY, "close_weapon": "bayonet"},
    "second_company": {"name": "Second company", **_INFANTRY, "close_weapon": "bayonet"},
    "swordsmen": {"name": "Swordsmen", **_TRIBAL, "close_weapon": "sword"},
    "marksmen": {"name": "Marksmen", **_TRIBAL, "weapon": "jezail", "close_weapon": "knife"},
}
LEADERS: Entries = {
    "captain": {"name": "The captain", "side": "column", "rank": "commander", "unit": "first_company"},
    "khan": {"name": "The khan", "side": "hillmen", "rank": "commander", "unit": "swordsmen"},
}
_SIDES = ("column", "hillmen")


def order_of_battle(rules: Rules, forces: Sequence[str]) -> dict[str, str]:
    """Return the texts for `$units`, `$leaders` and `$overrides`. `forces` holds SIDE=TEMPLATE; several add up.

    Raises ZarebaError for an unknown side, and for a ruleset without templates.
    """
    units, leaders, overrides = dict(UNITS), dict(LEADERS), dict[str, dict[str, Any]]()
    replaced_sides: set[str] = set()
    for text in forces:
        side, equals, template = text.partition("=")
        if not equals:
            raise ZarebaError(f"'{text}' is not a valid force; write SIDE=TEMPLATE, such as column=battalion")
        if side not in _SIDES:
            raise unknown_name("side of a new scenario called", side, _SIDES)
        make = rules.ruleset.force
        if make is None:
            raise ZarebaError(
                f"{rules.book.title} has no organisation templates; try --from paychest, or leave --force out"
            )
        is_first_of_side = side not in replaced_sides
        if is_first_of_side:  # it replaces the example units
            units = {key: unit for key, unit in units.items() if unit["side"] != side}
            leaders = {key: leader for key, leader in leaders.items() if leader["side"] != side}
        force = make(rules, template, side, commands=is_first_of_side)
        replaced_sides.add(side)
        if any(key in units for key in force.units):
            raise ZarebaError(
                f"{side} has {template} twice; ask for more of it in one force, or change the file by hand"
            )
        units |= {key: dict(entry) for key, entry in force.units.items()}
        leaders |= {key: dict(entry) for key, entry in force.leaders.items()}
        for section, entries in force.overrides.items():
            overrides.setdefault(section, {}).update(entries)
    overrides_of_ruleset = {rules.ruleset.id: overrides}
    return {
        "units": _yaml_lines(units),
        "leaders": _yaml_lines(leaders),
        "overrides": f"\noverrides:\n{_yaml_lines(overrides_of_ruleset)}\n" if overrides else "",
    }


def _yaml_lines(entries: Mapping[str, Mapping[str, Any]]) -> str:
    """Return YAML entries, one per line."""
    return "\n".join(f"  {key}: {_yaml_flow(entry)}" for key, entry in entries.items())


def _yaml_flow(value: Any) -> str:
    """Return a value as one line of YAML. Text that YAML could read as something else is quoted."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_yaml_flow(key)}: {_yaml_flow(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, str) and _PLAIN_TEXT.fullmatch(value) and value.lower() not in _SPECIAL_WORDS:
        return value
    return json.dumps(value)


# --- `zareba generate`: generate a scenario from a seed ---------------------------------------------------------------


def generate(
    seed: Annotated[int, typer.Argument(metavar="SEED", min=0, help="The same seed gives the same battle.")],
    size: Annotated[str, typer.Option("--size", metavar="SIZE", help="small, medium or large.")] = "medium",
    theatre: Annotated[
        str, typer.Option("--theatre", metavar="THEATRE", help="frontier, zulu, sudan or transvaal (default: random).")
    ] = "",
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="File to write (default: print on the screen).")
    ] = None,
) -> None:
    """Generate a roughly balanced battle from a seed: terrain, forces and objectives.

    The result is an ordinary scenario file. Every ruleset can play it, and you can edit it.

    Example: zareba generate 7 --size small
    """
    from zareba.authoring import generate as generate_text

    text = generate_text(seed, size, theatre)
    if out is None:
        typer.echo(text, nl=False)
        return
    try:
        with check_output(out).open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise ZarebaError(f"{out} already exists; choose another --out, or remove it") from None
    except OSError as error:
        raise ZarebaError(f"cannot write {out}: {error.strerror}; choose another --out") from error
    print_to_stderr(f"written: {out}; play it with: zareba play {out} --ruleset vcc")
