"""`zareba plugins`: list the installed plugins and what they provide."""

from __future__ import annotations

from typing import Any

from rich.padding import Padding

from zareba.cli.options import Json
from zareba.cli.output import out, print_json, print_to_stderr
from zareba.plugins.listing_cache import cached_listing


def plugins(as_json: Json = False) -> None:
    """List the installed plugins: rulesets, house rules, scenarios and more.

    A plugin that cannot be loaded is listed with the reason.

    Example: zareba plugins --json
    """
    rows = cached_listing("plugins", compute=_overviews)
    if as_json:
        print_json(rows)
        return
    console = out()
    for row in rows:
        console.print(f"{row['name']}   {row['kind']}, {row['distribution']} {row['version']}", style="bold")
        for what in ("hooks", "house_rules", "scenarios", "commands"):
            if names := row[what]:
                console.print(Padding(f"{what.replace('_', ' ')}: {', '.join(names)}", (0, 0, 0, 4)))
        if row["error"]:
            print_to_stderr(f"'{row['name']}' ({row['distribution']}) cannot be loaded: {row['error']}")


def _overviews() -> tuple[list[dict[str, Any]], bool]:
    """Return a row for each plugin. The answer may be cached if all can be loaded."""
    from zareba.plugins.entry_points import RULESETS, SCENARIOS
    from zareba.plugins.entry_points import plugins as installed

    kinds = {RULESETS: "ruleset", SCENARIOS: "scenarios"}

    found = installed()
    rows = [
        {
            "name": plugin.name,
            "kind": kinds.get(plugin.group, "house rules"),
            "distribution": plugin.distribution,
            "version": plugin.version,
            "hooks": list(plugin.hooks),
            "house_rules": list(plugin.house_rules),
            "scenarios": list(plugin.scenarios),
            "commands": list(plugin.commands),
            "error": plugin.error or None,
        }
        for plugin in found
    ]
    return rows, not any(plugin.error for plugin in found)
