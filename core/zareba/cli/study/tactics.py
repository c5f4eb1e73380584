"""`zareba tactics`: test AI players on positions with a right and a wrong way to play."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import Annotated

import typer

from zareba.base.errors import ZarebaError, unknown_name
from zareba.base.grammar import amount, percent
from zareba.cli.options import Json, existing_file
from zareba.cli.output import out, plain_table, print_json, print_to_stderr
from zareba.cli.study.comparison_options import player_named
from zareba.registry import ruleset, ruleset_names
from zareba.tactics import Position, PositionResult, all_positions, play_position, read_position

_SILENT = 10.0
"""The seconds without output after which a line of progress appears, for players that think long."""


def tactics(
    ruleset_name: Annotated[
        str | None, typer.Argument(metavar="[RULESET]", help="A ruleset's id (default: all rulesets).")
    ] = None,
    player: Annotated[str, typer.Option("--player", metavar="NAME", help="The AI player to test.")] = "doctrine",
    position: Annotated[
        list[str] | None,
        typer.Option("--position", metavar="NAME|FILE", help="Only this position; repeatable. A file may be your own."),
    ] = None,
    failed: Annotated[bool, typer.Option("--failed", help="Show only the positions that are not passed.")] = False,
    as_json: Json = False,
) -> None:
    """Test an AI player on tactical positions.

    Each position is a small battle with a right and a wrong way to play it: hold the wall, cross at the bridge, use the
    last turn. It is played a few times with fixed dice, and passed if enough games were good. How to add a position:
    docs/how-to/tactics.md.

    Example: zareba tactics vcc --player bold
    """
    names = [ruleset_name] if ruleset_name is not None else ruleset_names()
    for name in names:
        ruleset(name)
    player = player_named(player)
    results: dict[str, list[PositionResult]] = {}
    positions = {name: _positions(name, position or ()) for name in names}
    if not any(positions.values()):
        raise ZarebaError("none of these positions is used under this ruleset; see 'rulesets' in their files")
    for name in names:
        if positions[name]:
            results[name] = _play_all(positions[name], name, player)
            if len(names) > 1:  # a line of progress; the tables follow at the end
                print_to_stderr(f"{name}: {_score(results[name])}")
    if as_json:
        print_json(_as_data(player, results))
    else:
        _print_tables(player, results, only_failed=failed)


def _play_all(positions: Sequence[Position], name: str, player: str) -> list[PositionResult]:
    """Return the results of all positions of a ruleset. If they take long, report progress."""
    results: list[PositionResult] = []
    reported = monotonic()
    for position in positions:
        results.append(play_position(position, name, player))
        if len(results) < len(positions) and monotonic() - reported >= _SILENT:
            reported = monotonic()
            print_to_stderr(f"{name}: {len(results)} of {amount(len(positions), 'position')} played")
    return results


def _positions(name: str, wanted: Sequence[str]) -> list[Position]:
    """Return the positions of a ruleset, or those of them that are wanted; a wanted file is always used."""
    known = {position.id: position for position in all_positions(name)}
    if not wanted:
        return list(known.values())
    chosen: list[Position] = []
    for text in wanted:
        if Path(text).suffix in (".yaml", ".yml") or "/" in text:
            chosen.append(read_position(existing_file("position", text)))
        elif text in known:
            chosen.append(known[text])
        elif text not in _ids_of_all_rulesets():
            raise unknown_name("position", text, sorted(_ids_of_all_rulesets()))
    return chosen


def _ids_of_all_rulesets() -> set[str]:
    return {position.id for name in ruleset_names() for position in all_positions(name)}


def _score(results: Sequence[PositionResult]) -> str:
    """Return the number and share of the positions that were passed."""
    passed = sum(result.passed for result in results)
    return f"{passed} of {amount(len(results), 'position')} passed ({percent(passed / len(results))})"


def _print_tables(player: str, results: dict[str, list[PositionResult]], *, only_failed: bool) -> None:
    console = out()
    for name, own_results in results.items():
        console.print(f"{name}, {player}", style="bold")
        rows = [
            [
                result.position.id,
                result.what,
                f"{result.good}/{len(result.seeds)}",
                "passed" if result.passed else "FAILED",
            ]
            for result in own_results
            if not (only_failed and result.passed)
        ]
        if rows:
            console.print(plain_table(("position", "what the player did", "good", ""), rows, right=("good",)))
        console.print(f"{name}: {_score(own_results)}\n")
    if len(results) > 1:
        all_results = [result for own_results in results.values() for result in own_results]
        console.print(f"all rulesets: {_score(all_results)}")


def _as_data(player: str, results: dict[str, list[PositionResult]]) -> dict[str, object]:
    """Return the results as JSON-ready data."""
    rulesets = {}
    for name, own_results in results.items():
        positions = [
            {
                "position": result.position.id,
                "title": result.position.file.title,
                "passed": result.passed,
                "good": result.good,
                "games": len(result.seeds),
                "needed": result.position.file.needed,
                "what": result.what,
            }
            for result in own_results
        ]
        rulesets[name] = {"passed": sum(result.passed for result in own_results), "positions": positions}
    return {"player": player, "rulesets": rulesets}
