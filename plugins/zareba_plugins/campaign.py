"""`zareba campaign`: the next battle, with those who are left of the last one."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Annotated

import typer

from zareba.api.commands import ZarebaError, campaign_result, parse_scenario, scenario_text, set_value

__all__ = ["campaign"]

GRADES = ("raw", "regular", "veteran", "elite")


def campaign(
    journal: Annotated[Path, typer.Argument(metavar="JOURNAL", help="The journal of a battle that is over.")],
    battle: Annotated[str, typer.Argument(metavar="NEXT", help="The next battle: a scenario's name, or its file.")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE.yaml", help="Where the changed battle is written.")],
    back: Annotated[
        float, typer.Option("--back", min=0, max=1, help="The share of the lost that has come back.")
    ] = 0.5,
    veterans: Annotated[
        bool, typer.Option("--veterans", help="Units of the winner are one grade better than in the file.")
    ] = False,
) -> None:
    """Write the next battle of a campaign, with those who are left of the last one.

    Units are known again by their ids. A unit has the share of its figures that stood at the end of the last battle, and
    of those who were lost so many as came back; at least one man rejoins. All else in the file stays as it is.

    Example: zareba campaign friday.jsonl river_ford --out saturday.yaml --veterans
    """
    if out.exists():
        raise ZarebaError(f"{out} is there already; choose another --out")
    fought = campaign_result(journal)
    text = Path(battle).read_text(encoding="utf-8") if Path(battle).suffix == ".yaml" else scenario_text(battle)
    following = parse_scenario(text, battle)
    known = [name for name in following.units if name in fought.left]
    if not known:
        raise ZarebaError(f"no unit of {battle} was at {fought.scenario.title}; give both the same ids")
    for name in known:
        unit, left = following.units[name], fought.left[name]
        share = left + (1 - left) * Fraction(str(back))
        if (men := max(1, round(unit.figures * share))) != unit.figures:
            text = set_value(text, ("units", name, "figures"), men)
            print(f"{unit.name}: {men} of {unit.figures}")
        if veterans and unit.side == fought.outcome.winner and unit.quality != GRADES[-1]:
            better = GRADES[GRADES.index(unit.quality) + 1]
            text = set_value(text, ("units", name, "quality"), better)
            print(f"{unit.name}: now {better}")
    parse_scenario(text, str(out))
    out.write_text(text, encoding="utf-8")
    print(f"written: {out}")
