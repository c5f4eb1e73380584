"""A whole game under these rules runs to its end, and the same seed repeats it."""

from zareba.analysis.games.records import GameTask, Variant
from zareba.analysis.games.simulate import run_games

TASK = GameTask(
    variant=Variant("vcc_club", "vcc_club"),
    scenario="patrol_clash",
    first=0,
    count=1,
    seed=1,
    agents=(("patrol", "random"), ("tribesmen", "random")),
)


def test_a_game_runs_to_its_end_and_repeats():
    (game,) = run_games(TASK)
    assert game.ending != "act_limit"
    assert sum(effort.decisions for effort in game.effort.values()) > 20
    assert run_games(TASK) == [game]
