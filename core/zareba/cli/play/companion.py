"""`zareba companion`: keep the book of a battle with figures on a real table."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from zareba.base.errors import ZarebaError, unknown_name
from zareba.cli.options import HouseRules, Set, assignments, existing_file, house_rules_of, scenario_name
from zareba.cli.output import out, print_to_stderr
from zareba.cli.prompt.companion_prompt import CompanionPrompt
from zareba.cli.trusted_rules import python_files, remember
from zareba.companion import (
    Evening,
    crew_of,
    evening_path,
    house_rules_of_evening,
    new_evening,
    open_evening,
    saved_evenings,
    side_named,
)
from zareba.companion.evening import SUFFIX
from zareba.companion.typed_forces import EXAMPLE, check_list, scenario_of_list
from zareba.scenario import Scenario, load_scenario


def companion(
    ruleset: Annotated[str | None, typer.Argument(metavar="[RULESET]", help="A ruleset's id, such as 'vcc'.")] = None,
    battle: Annotated[
        str | None,
        typer.Option("--battle", metavar="SCENARIO", help="Take the forces of a scenario: a name or a file."),
    ] = None,
    forces: Annotated[
        str | None,
        typer.Option(
            "--forces",
            metavar="FILE",
            help="Take the forces of a list, one unit a line, such as '12 rifles, veteran'; '-': type it.",
        ),
    ] = None,
    changed: Set = None,
    house_rule: HouseRules = None,
    solo: Annotated[
        list[str] | None,
        typer.Option("--solo", metavar="SIDE", help="A side without a player, which the charts of the rules run."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="NUMBER", min=0, help="The same seed gives the same dice.")
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--file", metavar="FILE", help="File of the evening (default: in the data folder).")
    ] = None,
    resumed: Annotated[
        str | None,
        typer.Option("--continue", metavar="NAME|FILE", help="Continue a saved evening; 'last' is the last one."),
    ] = None,
) -> None:
    """Keep the book of a battle with figures on a real table.

    You move and measure. The companion knows the sequence of play, asks what only the table knows (range, cover,
    flank), shows modifiers and odds, rolls or takes your own dice, and writes down losses, marks and leaders. Every
    answer is saved at once.

    Example: zareba companion vcc --battle patrol_clash
    """
    if resumed is not None:
        rules = house_rules_of(house_rule)
        path = _saved(resumed)
        remembered = python_files(None, house_rules_of_evening(path))
        evening = open_evening(path, [*(rule.file for rule in rules), *remembered])
        remember(rules)
    else:
        if ruleset is None:
            raise ZarebaError("name a ruleset, as in 'zareba companion vcc --battle patrol_clash'")
        crew = crew_of(ruleset)
        if (battle is None) is (forces is None):
            raise ZarebaError(
                "name the forces: --battle SCENARIO ('zareba scenarios' lists them), or --forces FILE with a list; "
                "--forces - lets you type it"
            )
        rules = house_rules_of(house_rule)
        scenario = load_scenario(scenario_name(battle)) if battle is not None else _typed_forces(str(forces), crew)
        path = file or evening_path(scenario, ruleset)
        evening = new_evening(
            ruleset,
            scenario,
            seed=secrets.randbelow(2**32) if seed is None else seed,
            settings=assignments("setting", changed),
            house_rules=rules,
            solo=[side_named(scenario, side) for side in solo or ()],
            path=path,
        )
        remember(rules)
    _run(evening, path)


def _typed_forces(name: str, crew: Mapping[str, int]) -> Scenario:
    """Return the forces of a list in a file, or typed now; `crew` tells how many figures serve a gun of each arm."""
    if name != "-":
        return scenario_of_list(existing_file("list", name).read_text(encoding="utf-8"), crew=crew)
    print_to_stderr(f"Type the forces, one unit a line; an empty line ends the list. For example:\n\n{EXAMPLE}\n")
    lines: list[str] = []
    with suppress(EOFError):
        while line := input("> ").strip():
            lines.append(line)
            if not sys.stdin.isatty():
                continue
            try:  # a person types only the wrong line again, not the whole list
                check_list("\n".join(lines), crew)
            except ZarebaError as error:
                print_to_stderr(f"{error}; type this line again")
                lines.pop()
    return scenario_of_list("\n".join(lines), crew=crew)


def _saved(name: str) -> Path:
    """Return the file of a saved evening by its name or path. Raises ZarebaError if there is none."""
    saved = saved_evenings()
    if name == "last":
        if not saved:
            raise ZarebaError("there is no saved evening; start one with 'zareba companion RULESET --battle SCENARIO'")
        return saved[0]
    found = next((path for path in saved if path.stem == name), None)
    if found is not None:
        return found
    if "/" in name or name.endswith(SUFFIX) or Path(name).exists():
        return existing_file("evening", name)
    raise unknown_name("evening", name, [path.stem for path in saved])


def _run(evening: Evening[object], path: Path) -> None:  # type: ignore[type-var]  # any ruleset's evening
    with suppress(ImportError):
        # Importing it enables line editing and history.
        import readline  # noqa: F401
    print_to_stderr(f"evening: {path}")
    try:
        over = CompanionPrompt(evening, out()).run()
    finally:
        evening.close()
    if not over:
        name = path.stem if path in saved_evenings() else path
        print_to_stderr(f"saved; continue with: zareba companion --continue {name}")
