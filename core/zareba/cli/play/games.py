"""`zareba games` and `zareba continue`: list the user's saved games, and continue one."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from zareba.base.errors import ZarebaError, unknown_name
from zareba.cli.options import Json, PythonRules, Seats, Think, existing_file
from zareba.cli.output import out, plain_table, print_json, talk
from zareba.journal import games_folder
from zareba.renamed import with_old_json_keys
from zareba.session.saved_games import GameIndex, SavedGame

__all__ = ["continue_", "games", "saved_games"]


def _told(kept: SavedGame) -> dict[str, str | bool]:
    """Return a game as listed. The keys are a stable interface for programs."""
    return {
        "name": kept.name,
        "file": kept.file,
        "scenario": kept.scenario,
        "ruleset": kept.ruleset,
        "seats": kept.players,
        "progress": kept.progress,
        "over": kept.over,
        "when": time.strftime("%Y-%m-%d %H:%M", time.localtime(kept.when)),
    }


def saved_games() -> Iterator[SavedGame]:
    """Yield the saved games, the last played first. An unreadable file is reported and skipped."""
    files = sorted(games_folder().glob("*.jsonl"), key=lambda path: path.stat().st_mtime, reverse=True)
    for one in GameIndex(games_folder()).games(files).values():
        if isinstance(one, SavedGame):
            yield one
        else:
            talk(one)


def games(as_json: Json = False) -> None:
    """List your saved games: scenario, ruleset, seats, progress and date.

    Example: zareba games
    """
    found = list(saved_games())
    if as_json:
        print_json([with_old_json_keys("games", _told(one)) for one in found])
        return
    if not found:
        talk("there are no saved games; start one with 'zareba play'")
        return
    heads = ["game", "scenario", "rules", "seats", "progress", "last played"]
    told = [_told(one) for one in found]
    keys = ("name", "scenario", "ruleset", "seats", "progress", "when")
    out().print(plain_table(heads, [[str(one[key]) for key in keys] for one in told]))
    talk("zareba continue resumes the first unfinished game; zareba continue GAME resumes another")


def continue_(
    name: Annotated[
        str, typer.Argument(metavar="[GAME]", help="A name from 'zareba games' (default: the last game).")
    ] = "",
    seat: Seats = None,
    house_rule: PythonRules = None,
    think: Think = None,
) -> None:
    """Continue the last unfinished game, or the one named.

    Example: zareba continue
    """
    from zareba.cli.play.play import resume

    if name and ("/" in name or name.endswith(".jsonl")):
        path = existing_file("journal", name)
    else:
        found = list(saved_games())
        chosen = next((one for one in found if one.name == name or (not name and not one.over)), None)
        if chosen is None and name:
            raise unknown_name("game", name, [one.name for one in found])
        if chosen is None:
            raise ZarebaError("there is no unfinished game; start one with 'zareba play', or see 'zareba games'")
        path = Path(chosen.file)
    resume(str(path), seat=seat, house_rule=house_rule, verbose=False, think=think)
