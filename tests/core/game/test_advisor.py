"""The advisor of a game: it calls house rules once per option, around the evaluation of the ruleset."""

from __future__ import annotations

from tests.core.toy import ToyGame, bare_rules, hook_of

from zareba.battle.fallbacks import Fallback
from zareba.plugins.ruleset import Evaluation
from zareba.table import Choose

CHOICE = Choose("act", "T-1", "patrol", "patrol", ("raid", "camp", "sing"), (), added=("sing",))


def test_each_hook_is_asked_once_per_option() -> None:
    asked: list[str] = []

    def evaluate(option: str) -> Evaluation | None:
        asked.append(option)
        return Evaluation(reason="club") if option == "camp" else None

    game = ToyGame(bare_rules(game_hooks={"zareba_evaluate": (hook_of("zareba_evaluate", evaluate, "option"),)}))
    state = game.start()
    assert [evaluation.reason for evaluation in game.advisor.evaluate(state, CHOICE)] == ["option 0", "club", "3 of 3"]
    assert asked == ["raid", "camp", "sing"]
    asked.clear()
    found = game.advisor.best_options(state, CHOICE)
    assert list(found) == asked == ["raid", "camp", "sing"]
    assert isinstance(found["sing"], Fallback), "the ruleset does not know an option that a house rule brings"
