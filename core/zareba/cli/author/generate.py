"""`zareba generate`: a battle out of a seed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from zareba.base.errors import ZarebaError
from zareba.base.filenames import check_output
from zareba.cli.output import talk

__all__ = ["generate"]


def generate(
    seed: Annotated[int, typer.Argument(metavar="SEED", min=0, help="The same seed gives the same battle.")],
    size: Annotated[str, typer.Option("--size", help="small, medium or large.")] = "medium",
    theatre: Annotated[
        str, typer.Option("--theatre", help="frontier, zulu, sudan or transvaal; by lot unless told.")
    ] = "",
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Where it is written; on the screen unless told.")
    ] = None,
) -> None:
    """Make a battle from a seed: ground, forces, aims, roughly balanced.

    What comes of it is a scenario file like any other, that every system can play and that can be changed by hand.

    Example: zareba generate 7 --size small
    """
    from zareba.making import generate as made

    text = made(seed, size, theatre)
    if out is None:
        typer.echo(text, nl=False)
        return
    try:
        with check_output(out).open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise ZarebaError(f"{out} is there already; give another --out, or remove it") from None
    except OSError as error:
        raise ZarebaError(f"cannot write {out}: {error.strerror}; choose another --out") from error
    talk(f"written: {out}; play it with: zareba play {out} --ruleset vcc")
