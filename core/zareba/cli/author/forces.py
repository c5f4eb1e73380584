"""The units of a new scenario: those of the template file, or of a ruleset's organisation templates."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from zareba.base.errors import ZarebaError, unknown_name
from zareba.rules import Rules

__all__ = ["order_of_battle"]

Words = dict[str, dict[str, Any]]

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_. -]*")
_WORDS = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n"})

_INFANTRY = {"side": "column", "arm": "infantry", "kind": "european_regular", "figures": 16, "weapon": "breech_rifle"}
_TRIBAL = {"side": "hillmen", "arm": "infantry", "kind": "tribal", "figures": 24}
UNITS: Words = {
    "first_company": {"name": "First company", **_INFANTRY, "close_weapon": "bayonet"},
    "second_company": {"name": "Second company", **_INFANTRY, "close_weapon": "bayonet"},
    "swordsmen": {"name": "Swordsmen", **_TRIBAL, "close_weapon": "sword"},
    "marksmen": {"name": "Marksmen", **_TRIBAL, "weapon": "jezail", "close_weapon": "knife"},
}
LEADERS: Words = {
    "captain": {"name": "The captain", "side": "column", "rank": "commander", "unit": "first_company"},
    "khan": {"name": "The khan", "side": "hillmen", "rank": "commander", "unit": "swordsmen"},
}
SIDES = ("column", "hillmen")


def order_of_battle(rules: Rules, asked: Sequence[str]) -> dict[str, str]:
    """Return the texts for `$units`, `$leaders` and `$overrides`. `asked` holds SIDE=TEMPLATE; several add up.

    Raises ZarebaError for an unknown side, and for a ruleset without templates.
    """
    units, leaders, overrides = dict(UNITS), dict(LEADERS), dict[str, dict[str, Any]]()
    filled: set[str] = set()
    for text in asked:
        side, equals, template = text.partition("=")
        if not equals:
            raise ZarebaError(f"'{text}' is not a valid force; write SIDE=TEMPLATE, such as column=battalion")
        if side not in SIDES:
            raise unknown_name("side of a new scenario called", side, SIDES)
        make = rules.ruleset.force
        if make is None:
            raise ZarebaError(
                f"{rules.book.title} has no organisation templates; try --from paychest, or leave --force out"
            )
        if side not in filled:
            units = {key: unit for key, unit in units.items() if unit["side"] != side}
            leaders = {key: leader for key, leader in leaders.items() if leader["side"] != side}
        force = make(rules, template, side, commands=side not in filled)
        filled.add(side)
        taken = next((key for key in force.units if key in units), None)
        if taken is not None:
            raise ZarebaError(
                f"{side} has {template} twice; ask for more of it in one force, or change the file by hand"
            )
        units |= {key: dict(words) for key, words in force.units.items()}
        leaders |= {key: dict(words) for key, words in force.leaders.items()}
        for entry, more in force.overrides.items():
            overrides.setdefault(entry, {}).update(more)
    said = {rules.ruleset.id: overrides} if overrides else {}
    return {
        "units": _entries(units),
        "leaders": _entries(leaders),
        "overrides": f"\noverrides:\n{_entries(said)}\n" if said else "",
    }


def _entries(entries: Mapping[str, Mapping[str, Any]]) -> str:
    """Return YAML entries, one per line."""
    return "\n".join(f"  {key}: {_flow(words)}" for key, words in entries.items())


def _flow(value: Any) -> str:
    """Return a value as one line of YAML. Text that YAML could read as something else is quoted."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_flow(key)}: {_flow(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, str) and _PLAIN.fullmatch(value) and value.lower() not in _WORDS:
        return value
    return json.dumps(value)
