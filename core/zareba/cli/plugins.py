"""`zareba plugins`: which installed packages bring rulesets or house rules."""

from __future__ import annotations

from rich.padding import Padding

from zareba.cli.options import Json
from zareba.cli.output import out, print_json, talk
from zareba.registry import RULESETS, Plugin
from zareba.registry import plugins as installed

__all__ = ["plugins"]


def plugins(as_json: Json = False) -> None:
    """List the installed packages of rulesets and house rules.

    A package that cannot be loaded is listed with the reason.

    Example: zareba plugins --json
    """
    found = installed()
    if as_json:
        print_json(
            [
                {
                    "name": plugin.name,
                    "kind": _kind(plugin),
                    "distribution": plugin.distribution,
                    "version": plugin.version,
                    "hooks": list(plugin.hooks),
                    "house_rules": list(plugin.house_rules),
                    "error": plugin.error or None,
                }
                for plugin in found
            ]
        )
        return
    console = out()
    for plugin in found:
        console.print(f"{plugin.name}   {_kind(plugin)}, {plugin.distribution} {plugin.version}", style="bold")
        for what, names in (("hooks", plugin.hooks), ("house rules", plugin.house_rules)):
            if names:
                console.print(Padding(f"{what}: {', '.join(names)}", (0, 0, 0, 4)))
        if plugin.error:
            talk(f"'{plugin.name}' ({plugin.distribution}) cannot be loaded: {plugin.error}")


def _kind(plugin: Plugin) -> str:
    return "ruleset" if plugin.group == RULESETS else "house rules"
