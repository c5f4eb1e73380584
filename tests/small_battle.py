"""Short battles, for tests that need a whole game but no particular one."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from zareba.authoring.scenario_yaml import remove_value, set_value
from zareba.scenario import Scenario, parse_scenario
from zareba.scenario.load import scenario_text

UNITS = ("fusiliers", "lancers", "swordsmen", "jezails")
LEFT_OUT = (
    *(("units", unit) for unit in ("sikhs", "mountain_gun", "young_men", "horsemen")),
    *(("leaders", leader) for leader in ("jemadar", "khan", "elder")),
)


@cache
def small_battle_text(name: str = "skirmish", turns: int = 3, figures: int = 8) -> str:
    """Return the file of a patrol clash with two small units a side."""
    text = set_value(set_value(scenario_text("patrol_clash"), ["id"], name), ["turns"], turns)
    for unit in UNITS:
        text = set_value(text, ["units", unit, "figures"], figures)
    for path in LEFT_OUT:
        text = remove_value(text, path)
    return text


def small_battle() -> Scenario:
    """Return the small battle, of three turns."""
    return parse_scenario(small_battle_text(), "skirmish.yaml")


def small_battle_file(folder: Path, turns: int = 3) -> str:
    """Write the small battle into a folder; return the path of its file."""
    path = folder / "skirmish.yaml"
    path.write_text(small_battle_text(turns=turns), encoding="utf-8")
    return str(path)


@cache
def shortened(name: str, turns: int) -> Scenario:
    """Return a shipped battle that ends earlier."""
    return parse_scenario(set_value(scenario_text(name), ["turns"], turns), f"{name}.yaml")
