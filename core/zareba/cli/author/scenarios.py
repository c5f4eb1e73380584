"""`zareba scenarios`: list the scenarios of zareba and of installed plugins."""

from __future__ import annotations

from typing import Any

from zareba.base.errors import ZarebaError
from zareba.cli.listing_cache import cached_listing
from zareba.cli.options import Json
from zareba.cli.output import out, plain_table, print_json

__all__ = ["scenarios"]


def scenarios(as_json: Json = False) -> None:
    """List the scenarios of zareba and of installed plugins.

    Every command that takes a scenario also accepts the path of your own file.

    Example: zareba scenarios --json
    """
    rows = cached_listing("scenarios", work_out=_overviews)
    if as_json:
        print_json(rows)
        return
    heads = ("id", "title", "year", "turns", "table", "units", "sides")
    shown = (
        [
            *(row[head] for head in heads[:4]),
            " x ".join(f"{length:g}" for length in row["table"]),
            row["units"],
            " against ".join(row["sides"]),
        ]
        for row in rows
    )
    out().print(plain_table(heads, shown, right=("year", "turns", "units")))


def _overviews() -> tuple[list[dict[str, Any]], bool]:
    """Return a row for each scenario. An unreadable one of a plugin gives a warning."""
    from zareba.plugins.entry_points import warn
    from zareba.scenario import known_scenarios

    rows, sound = [], True
    for name in known_scenarios():
        try:
            rows.append(_overview(name))
        except ZarebaError as error:
            warn(f"the scenario '{name}' is left out: {error}")
            sound = False
    return rows, sound


def _overview(name: str) -> dict[str, Any]:
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
