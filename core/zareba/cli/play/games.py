"""`zareba games` and `zareba continue`: the games that are kept in this user's folder, and the last of them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer

from zareba.cli.options import Json, PythonRules, Seats, Think, existing_file
from zareba.cli.output import out, plain_table, print_json, talk
from zareba.errors import ZarebaError, unknown_name
from zareba.journal import games_folder, read_journal

__all__ = ["continue_", "games", "kept_games"]


@dataclass(frozen=True)
class Kept:
    """A game as its journal tells of it: its name, what is played by whom, how far it has come, and when."""

    name: str
    file: str
    scenario: str
    ruleset: str
    seats: str
    stands: str
    over: bool
    when: str


def kept_games() -> Iterator[Kept]:
    """The games of the folder, the last played first; a file that cannot be read is told of and left out."""
    files = sorted(games_folder().glob("*.jsonl"), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in files:
        try:
            yield _kept(path)
        except ZarebaError as error:
            talk(str(error))


def _kept(path: Path) -> Kept:
    file = read_journal(path)
    header = file.header
    steps = [str(steps[-1][0]) for entry in file.entries if (steps := entry.get("steps"))]
    over = bool(file.entries) and bool(file.entries[-1].get("over"))
    seats = dict(header["seats"])
    for entry in file.entries:
        if isinstance(entry.get("seats"), dict):
            seats |= entry["seats"]
    return Kept(
        path.stem,
        str(path),
        str(header["scenario"].get("id", "")),
        header["ruleset"],
        ", ".join(f"{side} {player}" for side, player in seats.items()),
        "over" if over else _stands(steps[-1]) if steps else "not begun",
        over,
        time.strftime("%Y-%m-%d %H:%M", time.localtime(path.stat().st_mtime)),
    )


def _stands(key: str) -> str:
    """The key of the last step in words: `3/british_moves/move.units` is turn 3, british moves."""
    turn, _, rest = key.partition("/")
    about = rest.rpartition("/")[0]
    return f"turn {turn}, {about.replace('_', ' ')}".rstrip(", ")


def games(as_json: Json = False) -> None:
    """List the games that are kept: scenario, system, seats, how far they have come, and when.

    Example: zareba games
    """
    found = list(kept_games())
    if as_json:
        print_json([asdict(one) for one in found])
        return
    if not found:
        talk("no game is kept yet; begin one with 'zareba play'")
        return
    heads = ["game", "scenario", "rules", "seats", "stands", "when"]
    out().print(plain_table(heads, [[g.name, g.scenario, g.ruleset, g.seats, g.stands, g.when] for g in found]))
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
