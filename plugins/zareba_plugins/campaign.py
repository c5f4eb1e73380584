"""The command `zareba campaign`: write the next battle with the survivors of the last one."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Annotated

import typer

from zareba.api.commands import ZarebaError, campaign_result, parse_scenario, scenario_text, set_value

_GRADES = ("raw", "regular", "veteran", "elite")


def campaign(
    journal: Annotated[Path, typer.Argument(metavar="JOURNAL", help="The journal of a finished battle.")],
    battle: Annotated[str, typer.Argument(metavar="NEXT", help="The scenario of the next battle: a name or a file.")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE.yaml", help="The file to write the changed scenario to.")],
    back: Annotated[
        float,
        typer.Option(
            "--back",
            metavar="NUMBER",
            min=0,
            max=1,
            help="The share of the losses that returns to the ranks, from 0 to 1.",
        ),
    ] = 0.5,
    veterans: Annotated[
        bool, typer.Option("--veterans", help="Raise the winner's units by one quality grade.")
    ] = False,
) -> None:
    """Write the next battle of a campaign with the survivors of the last one.

    Units are matched by id. A unit keeps the share of its figures that was left at the end of the last battle, plus
    part of its losses (`--back`), and always has at least one figure. Everything else in the file stays as it is.

    Example: zareba campaign friday.jsonl battle_of_the_wells --out saturday.yaml --veterans
    """
    if out.exists():
        raise ZarebaError(f"{out} already exists; choose another --out")
    result = campaign_result(journal)
    text = Path(battle).read_text(encoding="utf-8") if Path(battle).suffix == ".yaml" else scenario_text(battle)
    next_battle = parse_scenario(text, battle)
    known_units = [name for name in next_battle.units if name in result.left]
    if not known_units:
        raise ZarebaError(
            f"no unit of {battle} was in {result.scenario.title}; give the units the same ids in both scenarios"
        )
    for name in known_units:
        unit, left = next_battle.units[name], result.left[name]
        share = left + (1 - left) * Fraction(str(back))
        if (men := max(1, round(unit.figures * share))) != unit.figures:
            text = set_value(text, ("units", name, "figures"), men)
            print(f"{unit.name}: {men} of {unit.figures}")
        if veterans and unit.side == result.outcome.winner and unit.quality != _GRADES[-1]:
            better_quality = _GRADES[_GRADES.index(unit.quality) + 1]
            text = set_value(text, ("units", name, "quality"), better_quality)
            print(f"{unit.name}: now {better_quality}")
    parse_scenario(text, str(out))
    out.write_text(text, encoding="utf-8")
    print(f"written: {out}")
