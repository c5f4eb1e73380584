"""The map under every ruleset: the reach and the holder of each objective, and the reason why a place is no option."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.systems import each_battle

from zareba.agents import make_agent
from zareba.base.exact import dist
from zareba.game import Game
from zareba.presentation.objectives import placed_objectives
from zareba.registry import load_rules
from zareba.scenario import load_scenario
from zareba.scenario.objective_area import ObjectiveArea
from zareba.space.geometry import Point, distance_to_path, distance_to_polygon
from zareba.table import Choose, SeededTable

SHIPPED = ("afriboria", "fixed_baynet", "paychest", "risk_factor", "vcc")


def states(ruleset: str, scenario: str, turns: int, ask: Any = None) -> Iterator[tuple[Game[Any], Any]]:
    """Yield the game and its state after each step; `ask` looks at every choice before it is answered."""
    game: Game[Any] = load_rules(ruleset).game(load_scenario(scenario))
    state = game.start()

    def watched(seat: str) -> Any:
        agent = make_agent("doctrine", game, seat, 1)

        def answer(question: Any, state: Any) -> Any:
            if ask is not None and isinstance(question, Choose):
                ask(game, state, question)
            return agent(question, state)

        return answer

    table = SeededTable(game.rules, state, 1, {seat: watched(seat) for seat in game.seats})
    while (step := game.play.next_step(state)) is not None and game.game_turn(state) <= turns:
        table.begin(step)
        game.play.perform(table, state, step)
        yield game, state


def is_inside(reach: ObjectiveArea, spot: Point, margin: float) -> bool:
    """Return True if a point of a free table is in the reach of an objective, with a margin for the base of a
    figure.
    """
    if reach.at is not None:
        return dist(reach.at, spot) <= reach.within + margin
    measure = distance_to_polygon if reach.is_area else distance_to_path
    return any(measure(spot, outline) <= reach.within + margin for outline in reach.outlines)


@pytest.mark.parametrize("ruleset", SHIPPED)
@pytest.mark.parametrize(
    "scenario", each_battle("patrol_clash", among=("patrol_clash", "river_ford", "battle_of_the_wells"))
)
def test_the_reach_that_is_drawn_is_the_reach_that_counts(ruleset: str, scenario: str) -> None:
    """Troops are at an objective exactly if they are in its drawn reach."""
    inside = outside = 0
    for number, (game, state) in enumerate(states(ruleset, scenario, 4)):
        if number % 20:
            continue
        scoreboard = game.scoreboard(state)
        for key, goal in game.scenario.objectives.items():
            if goal.kind not in ("hold", "escort") or (reach := scoreboard.objective_area(key, goal)) is None:
                continue
            for men in scoreboard.men:
                if men.fate not in ("ready", "going back", "broken") or not men.number:
                    continue
                if reach.cells:
                    places = men.position if isinstance(men.position, tuple) else (men.position,)
                    drawn = any(cell in reach.cells for cell in places)
                else:
                    radius = getattr(men.position, "radius", 0.0) if goal.kind == "hold" else 0.0
                    spots = [spot[0] if isinstance(spot[0], tuple) else spot for spot in scoreboard.spots(men)]
                    drawn = any(is_inside(reach, spot, radius + 1e-6) for spot in spots)
                assert drawn is scoreboard.is_at(men, key, goal), (key, men)
                inside, outside = inside + drawn, outside + (not drawn)
    assert outside
    assert inside or scenario == "river_ford"


@pytest.mark.parametrize("ruleset", SHIPPED)
def test_a_held_place_names_its_holder_and_the_troops_that_decide_it(ruleset: str) -> None:
    held = 0
    for game, state in states(ruleset, "patrol_clash", 6):
        scoreboard, name_of = game.scoreboard(state), game.narrator.name_of
        for objective in placed_objectives(game.scenario, scoreboard, state.achieved, name_of):
            goal = game.scenario.objectives[objective.id]
            assert objective.holder == (scoreboard.owner(objective.id, goal) or "")  # type: ignore[arg-type]  # both are places to hold
            assert objective.words.startswith(f"{goal.name}: {goal.points} point") and objective.why.endswith(".")
            if objective.holder:
                held += 1
                assert name_of(objective.holder).removeprefix("The ") in objective.why
            else:
                assert objective.why.startswith("Held by neither side")
    assert held


@pytest.mark.parametrize("ruleset", SHIPPED)
def test_every_piece_and_place_that_is_not_an_option_gets_a_reason(ruleset: str) -> None:
    """One sentence that names the piece or the cell; Afriboria and Victorian Colonial Combat name the rule."""
    asked: list[str] = []

    def ask(game: Game[Any], state: Any, question: Choose) -> None:
        if len(asked) > 600 or len(asked) % 7 == 6:
            asked.append("")
            return
        board = game.display.labelled_board(state)
        narrator, display = game.narrator, game.display
        for piece in board.pieces[:: max(1, len(board.pieces) // 6)]:
            name = piece.look.unit or piece.id
            if piece.side and name not in str(question.options):
                said = narrator.why_not(state, question, piece=name)
                assert said.endswith(".") and "_" not in said.replace("_ ", ""), said
                asked.append(said)
        lit = {display.cell_of(state, question, option) for option in question.options}
        if board.space != "free" and lit != {None}:
            for cell in range(0, board.columns * board.rows, 5):
                if cell not in lit:
                    said = narrator.why_not(state, question, cell=cell)
                    assert said.endswith("."), said
                    assert {"vcc": "VCC-", "afriboria": "AFR-"}[ruleset] in said or "already" in said, said
                    asked.append(said)

    for _ in states(ruleset, "patrol_clash", 4, ask):
        pass
    assert len(set(asked)) > 10
