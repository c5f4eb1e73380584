"""Short battles, for tests that need a whole game but no particular one."""

from __future__ import annotations

import re
from pathlib import Path

from zareba.scenario import Scenario, parse_scenario
from zareba.scenario.load import scenario_text

LEFT_OUT = ("sikhs", "mountain_gun", "young_men", "horsemen", "jemadar", "khan", "elder")
"""The units and leaders of the patrol clash that the small battle leaves out."""


def small_battle_text(name: str = "skirmish", turns: int = 3, figures: int = 8) -> str:
    """Return the file of a patrol clash with two small units a side."""
    text = re.sub(rf"(?m)^  ({'|'.join(LEFT_OUT)}):\n(    .*\n)+", "", scenario_text("patrol_clash"))
    for key, value in (("id", name), ("turns", turns)):
        text = re.sub(rf"(?m)^{key}: .*", f"{key}: {value}", text)
    return re.sub(r"\bfigures: \d+", f"figures: {figures}", text)


def small_battle() -> Scenario:
    """Return the small battle, of three turns."""
    return parse_scenario(small_battle_text(), "skirmish.yaml")


def small_battle_file(folder: Path, turns: int = 3) -> str:
    """Write the small battle into a folder; return the path of its file."""
    path = folder / "skirmish.yaml"
    path.write_text(small_battle_text(turns=turns), encoding="utf-8")
    return str(path)


def shortened(name: str, turns: int) -> Scenario:
    """Return a shipped battle that ends earlier."""
    text = re.sub(r"(?m)^turns: .*", f"turns: {turns}", scenario_text(name))
    return parse_scenario(text, f"{name}.yaml")
