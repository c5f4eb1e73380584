"""Options shared by several commands, and functions that interpret them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from zareba.base.errors import ZarebaError, nearest, unknown_name

if TYPE_CHECKING:
    from zareba.registry import HouseRule


Json = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
RulesetName = Annotated[str, typer.Argument(metavar="RULESET", help="A ruleset's id, such as 'vcc'.")]
Set = Annotated[list[str] | None, typer.Option("--set", metavar="SETTING=VALUE", help="Change a setting; repeatable.")]
HouseRules = Annotated[
    list[str] | None,
    typer.Option("--house-rule", metavar="NAME|FILE", help="Add a house rule; repeatable, in order."),
]

Seats = Annotated[
    list[str] | None,
    typer.Option(
        "--seat",
        metavar="SIDE=PLAYER",
        help="human (default), solo (Risk-Factor: its charts play the side), or an AI player: random, recruit (makes"
        " mistakes), regular (few mistakes), doctrine (plays sensibly at once), veteran (thinks ahead a little), general"
        " (thinks ahead, the strongest) or one of a package.",
    ),
]
Think = Annotated[
    float | None,
    typer.Option(
        "--think", metavar="SECONDS", min=0.1, help="Longest time an AI may think about a choice (default 1)."
    ),
]
PythonRules = Annotated[
    list[str] | None,
    typer.Option("--house-rule", metavar="FILE", help="Python file of a house rule of the game; it is executed."),
]


def assignments(what: str, written: Sequence[str] | None) -> dict[str, str]:
    """Return `NAME=VALUE` texts as a mapping. Raises ZarebaError for a text without '=' and for a repeated name."""
    found: dict[str, str] = {}
    for text in written or ():
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise ZarebaError(
                f"'{text}' is not a valid {what}; write {'SIDE=PLAYER' if what == 'seat' else 'NAME=VALUE'}"
            )
        if name.strip() in found:
            raise ZarebaError(f"the {what} '{name.strip()}' is given twice; keep one")
        found[name.strip()] = value.strip()
    return found


def existing_file(what: str, name: str) -> Path:
    """Return the path of an existing file. The ZarebaError for a missing one suggests the most similar name in its
    folder.
    """
    path = Path(name)
    if path.is_file():
        return path
    if path.is_dir():
        raise ZarebaError(f"{path} is a folder; name a {what} file in it")
    if path.exists():
        raise ZarebaError(f"{path} is a device or a pipe; name a {what} file")
    if path.is_symlink():
        raise ZarebaError(f"{path} is a broken link to a {what} file; check its target")
    neighbours = sorted(other for other in _listed(path.parent) if other.is_file())
    guess = nearest(path.stem, (other.stem for other in neighbours))
    found = next((other for other in neighbours if other.stem == guess), None)
    hint = f"did you mean '{found}'?" if found else "check the path"
    raise ZarebaError(f"there is no {what} file {path}; {hint}")


def _listed(folder: Path) -> list[Path]:
    """Return the entries of a folder; empty if it cannot be read."""
    try:
        return list(folder.iterdir())
    except OSError:
        return []


def house_rules_of(named: Sequence[str] | None) -> list[HouseRule]:
    """Return the house rules named in a command, in order. The ZarebaError for an unknown one suggests the nearest name
    or file.
    """
    from zareba.registry import find_house_rule

    found: list[HouseRule] = []
    for name in named or ():
        if Path(name).suffix in (".yaml", ".yml", ".py"):
            existing_file("house rule", name)
        rule = find_house_rule(name)
        if any(rule.name == other.name for other in found):
            raise ZarebaError(f"the house rule '{rule.name}' is given twice; keep one")
        found.append(rule)
    return found


def scenario_name(name: str) -> str:
    """Return the name or path of a scenario. The ZarebaError for an unknown one suggests the nearest."""
    from zareba.scenario import known_scenarios
    from zareba.scenario.load import packed_scenarios

    if name in known_scenarios() or name in packed_scenarios():
        return name
    if Path(name).suffix in (".yaml", ".yml") or "/" in name or "\\" in name:
        return str(existing_file("scenario", name))
    raise unknown_name("scenario", name, known_scenarios())
