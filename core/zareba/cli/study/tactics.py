"""`zareba tactics`: test AI players on positions with a right and a wrong way to play."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from zareba.base.errors import ZarebaError, unknown_name
from zareba.base.grammar import amount
from zareba.cli.options import Json, existing_file
from zareba.cli.output import out, plain_table, print_json, talk
from zareba.cli.study.comparison_options import player_named
from zareba.registry import ruleset, ruleset_names
from zareba.tactics import Position, PositionResult, all_positions, play_position, read_position


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
    chosen = {name: _chosen(name, position or ()) for name in names}
    if not any(chosen.values()):
        raise ZarebaError("none of these positions is used under this ruleset; see 'rulesets' in their files")
    for name in names:
        if chosen[name]:
            results[name] = [play_position(one, name, player) for one in chosen[name]]
            talk(f"{name}: {_score(results[name])}")
    if as_json:
        print_json(_as_data(player, results))
    else:
        _print_tables(player, results, only_failed=failed)


def _chosen(name: str, wanted: Sequence[str]) -> list[Position]:
    """Return the positions of a ruleset, or those of them that are wanted; a wanted file is always used."""
    known = {one.id: one for one in all_positions(name)}
    if not wanted:
        return list(known.values())
    found: list[Position] = []
    for text in wanted:
        if Path(text).suffix in (".yaml", ".yml") or "/" in text:
            found.append(read_position(existing_file("position", text)))
        elif text in known:
            found.append(known[text])
        elif text not in _every_id():
            raise unknown_name("position", text, sorted(_every_id()))
    return found


def _every_id() -> set[str]:
    return {one.id for name in ruleset_names() for one in all_positions(name)}


def _score(results: Sequence[PositionResult]) -> str:
    passed = sum(one.passed for one in results)
    return f"{passed} of {amount(len(results), 'position')} passed ({passed / len(results):.0%})"


def _print_tables(player: str, results: dict[str, list[PositionResult]], *, only_failed: bool) -> None:
    console = out()
    for name, played in results.items():
        console.print(f"{name}, {player}", style="bold")
        rows = [
            [one.position.id, one.what, f"{one.good}/{len(one.seeds)}", "passed" if one.passed else "FAILED"]
            for one in played
            if not (only_failed and one.passed)
        ]
        if rows:
            console.print(plain_table(("position", "what the player did", "good", ""), rows, right=("good",)))
        console.print(f"{name}: {_score(played)}\n")
    everything = [one for played in results.values() for one in played]
    if len(results) > 1:
        console.print(f"all rulesets: {_score(everything)}")


def _as_data(player: str, results: dict[str, list[PositionResult]]) -> dict[str, object]:
    return {
        "player": player,
        "rulesets": {
            name: {
                "passed": sum(one.passed for one in played),
                "positions": [
                    {
                        "position": one.position.id, "title": one.position.file.title, "passed": one.passed,
                        "good": one.good, "games": len(one.seeds), "needed": one.position.file.needed,
                        "what": one.what,
                    }
                    for one in played
                ],
            }
            for name, played in results.items()
        },
    }  # fmt: skip
