"""A finished game leaves no reference cycles, so its memory is freed at once."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest
from tests.small_battle import small_battle_file
from tests.systems import each_ruleset

from zareba.analysis.games.records import GameTask, Variant
from zareba.analysis.games.simulate import run_games
from zareba.scenario import load_scenario


@pytest.mark.deep
@pytest.mark.parametrize("agent", ["random", "doctrine"])
@pytest.mark.parametrize("ruleset", each_ruleset("vcc"))
def test_games_leave_no_circles(ruleset: str, agent: str, tmp_path: Path) -> None:
    """Cycles would cost simulations up to a tenth of their time (`zareba.analysis.games.simulate`)."""
    battle = small_battle_file(tmp_path)
    agents = tuple((side, agent) for side in load_scenario(battle).sides)

    def play() -> int:
        return len(run_games(GameTask(Variant(ruleset, ruleset), battle, 0, 2, 1, agents, swap=True)))

    assert play() == 2  # fills the caches that are kept between games
    gc.collect()
    before = gc.get_threshold()
    gc.set_threshold(0)
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        assert play() == 2
        gc.collect()
        left = {type(one).__name__ for one in gc.garbage}
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.set_threshold(*before)
    assert not left
