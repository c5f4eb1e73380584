"""`zareba games` and `zareba continue`: the games that are kept in this user's folder, and the last of them."""

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
from zareba.session.saved import GameIndex, Kept

__all__ = ["continue_", "games", "kept_games"]


def _told(kept: Kept) -> dict[str, str | bool]:
    """A game as it is listed; these keys are a promise to programs."""
    return {
        "name": kept.name,
        "file": kept.file,
        "scenario": kept.scenario,
        "ruleset": kept.ruleset,
        "seats": ", ".join(f"{side} {player}" for side, player in kept.seats.items()),
        "stands": kept.stands,
        "over": kept.over,
        "when": time.strftime("%Y-%m-%d %H:%M", time.localtime(kept.when)),
    }


def kept_games() -> Iterator[Kept]:
    """The games of the folder, the last played first; a file that cannot be read is told of and left out."""
    files = sorted(games_folder().glob("*.jsonl"), key=lambda path: path.stat().st_mtime, reverse=True)
    for one in GameIndex(games_folder()).games(files).values():
        if isinstance(one, Kept):
            yield one
        else:
            talk(one)


def games(as_json: Json = False) -> None:
    """List the games that are kept: scenario, system, seats, how far they have come, and when.

    Example: zareba games
    """
    found = list(kept_games())
    if as_json:
        print_json([_told(one) for one in found])
        return
    if not found:
        talk("no game is kept yet; begin one with 'zareba play'")
        return
    heads = ["game", "scenario", "rules", "seats", "stands", "when"]
    told = [_told(one) for one in found]
    keys = ("name", "scenario", "ruleset", "seats", "stands", "when")
    out().print(plain_table(heads, [[str(one[key]) for key in keys] for one in told]))
    talk("zareba continue goes on with the first that is not over; zareba continue GAME with another")


def continue_(
    name: Annotated[
        str, typer.Argument(metavar="[GAME]", help="A name from 'zareba games'; the last unless told.")
    ] = "",
    seat: Seats = None,
    house_rule: PythonRules = None,
    think: Think = None,
) -> None:
    """Go on with the last game that is not over, or with the one named.

    Example: zareba continue
    """
    from zareba.cli.play.play import resume

    if name and ("/" in name or name.endswith(".jsonl")):
        path = existing_file("journal", name)
    else:
        found = list(kept_games())
        chosen = next((one for one in found if one.name == name or (not name and not one.over)), None)
        if chosen is None and name:
            raise unknown_name("game", name, [one.name for one in found])
        if chosen is None:
            raise ZarebaError("no game is under way; begin one with 'zareba play', or see 'zareba games'")
        path = Path(chosen.file)
    resume(str(path), seat=seat, house_rule=house_rule, verbose=False, think=think)
