"""`zareba generate`: generate a scenario from a seed."""

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
        str, typer.Option("--theatre", help="frontier, zulu, sudan or transvaal (default: random).")
    ] = "",
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="File to write (default: print on the screen).")
    ] = None,
) -> None:
    """Generate a roughly balanced battle from a seed: terrain, forces and objectives.

    The result is an ordinary scenario file. Every ruleset can play it, and you can edit it.

    Example: zareba generate 7 --size small
    """
    from zareba.authoring import generate as made

    text = made(seed, size, theatre)
    if out is None:
        typer.echo(text, nl=False)
        return
    try:
        with check_output(out).open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise ZarebaError(f"{out} already exists; choose another --out, or remove it") from None
    except OSError as error:
        raise ZarebaError(f"cannot write {out}: {error.strerror}; choose another --out") from error
    talk(f"written: {out}; play it with: zareba play {out} --ruleset vcc")
