"""`zareba plugins`: which installed packages bring rulesets or house rules."""

from __future__ import annotations

from typing import Any

from rich.padding import Padding

from zareba.cli.kept import kept
from zareba.cli.options import Json
from zareba.cli.output import out, print_json, talk

__all__ = ["plugins"]


def plugins(as_json: Json = False) -> None:
    """List the installed packages of rulesets and house rules.

    A package that cannot be loaded is listed with the reason.

    Example: zareba plugins --json
    """
    rows = kept("plugins", work_out=_overviews)
    if as_json:
        print_json(rows)
        return
    console = out()
    for row in rows:
        console.print(f"{row['name']}   {row['kind']}, {row['distribution']} {row['version']}", style="bold")
        for what, names in (("hooks", row["hooks"]), ("house rules", row["house_rules"])):
            if names:
                console.print(Padding(f"{what}: {', '.join(names)}", (0, 0, 0, 4)))
        if row["error"]:
            talk(f"'{row['name']}' ({row['distribution']}) cannot be loaded: {row['error']}")


def _overviews() -> tuple[list[dict[str, Any]], bool]:
    """A row for each package; kept when all can be loaded."""
    from zareba.brought import RULESETS
    from zareba.brought import plugins as installed

    found = installed()
    rows = [
        {
            "name": plugin.name,
            "kind": "ruleset" if plugin.group == RULESETS else "house rules",
            "distribution": plugin.distribution,
            "version": plugin.version,
            "hooks": list(plugin.hooks),
            "house_rules": list(plugin.house_rules),
            "error": plugin.error or None,
        }
        for plugin in found
    ]
    return rows, not any(plugin.error for plugin in found)
