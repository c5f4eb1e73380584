"""Labels of pieces under every ruleset: each stays with its piece, and pieces to come are listed with their arrival."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from tests.systems import RULESETS, each_ruleset

from zareba.agents import make_agent
from zareba.plugins.ruleset import Game
from zareba.registry import load_rules
from zareba.scenario import load_scenario
from zareba.table import SeededTable


def states(
    ruleset: str, scenario: str, settings: dict[str, Any] | None = None, *, steps: int, every: int, seed: int = 3
) -> Iterator[tuple[Game[Any], Any]]:
    """Yield a game between random players at the start and after every so many steps."""
    rules = load_rules(ruleset, settings)
    game = rules.game(load_scenario(scenario))
    state = game.start()
    table = SeededTable(rules, state, seed, {side: make_agent("random", game, side, seed) for side in game.seats})
    yield game, state
    for number in range(1, steps + 1):
        step = game.play.next_step(state)
        if step is None:
            return
        table.begin(step)
        game.play.perform(table, state, step)
        if number % every == 0:
            yield game, state


@pytest.mark.parametrize("scenario", ["column_ambushed", "square_attacked"])
@pytest.mark.parametrize("ruleset", each_ruleset("afriboria", "vcc"))
def test_a_label_stays_with_its_piece_for_the_game(ruleset: str, scenario: str) -> None:
    known: dict[str, str] = {}
    drawn = 0
    for game, state in states(ruleset, scenario, steps=120, every=15):
        for seat in game.seats:
            seen = game.sight.view(state, seat)
            board = game.display.labelled_board(seen)
            listed = {piece for own in game.display.pieces(seen).values() for piece in own}
            assert [piece.id for piece in board.pieces if piece.side and piece.id not in listed] == []
            assert len(set(board.labels.values())) == len(board.labels)
            assert {piece: label for piece, label in board.labels.items() if known.get(piece, label) != label} == {}
            known |= board.labels
            drawn += len(board.pieces)
    assert drawn


@pytest.mark.parametrize("ruleset", each_ruleset("afriboria", "vcc"))
def test_every_unit_is_on_the_board_or_expected_until_it_is_lost(ruleset: str) -> None:
    game, start = next(states(ruleset, "river_ford", steps=0, every=1))
    board = game.display.labelled_board(start)
    there, awaited = {piece.id for piece in board.pieces}, {expected.id for expected in board.awaited}
    assert not there & awaited
    late = {key: unit for key, unit in game.scenario.units.items() if unit.arrival is not None}
    told = {expected.name: expected.when for expected in board.awaited}
    for unit in late.values():
        assert unit.arrival is not None
        due = [when for name, when in told.items() if name.startswith(unit.name)]
        assert due and all(f"due in turn {unit.arrival.turn} over the {unit.arrival.edge} edge" in when for when in due)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_arrived_units_are_no_longer_expected(ruleset: str) -> None:
    before: set[str] = set()
    for game, state in states(ruleset, "river_ford", steps=400, every=40):
        board = game.display.labelled_board(state)
        now = {expected.id for expected in board.awaited}
        # A unit on the board or lost is never awaited again.
        assert not before or now <= before
        assert not now & {piece.id for piece in board.pieces}
        before = now or before
    assert now < before or not now


@pytest.mark.parametrize("ruleset", RULESETS)
def test_hidden_units_are_shown_to_their_own_side_only(ruleset: str) -> None:
    settings = {"hidden.use": "on"} if ruleset == "risk_factor" else {}
    for number, (game, state) in enumerate(states(ruleset, "column_ambushed", settings, steps=60, every=20)):
        hidden = {key for key, unit in game.scenario.units.items() if unit.hidden}
        for seat in game.seats:
            board = game.display.labelled_board(game.sight.view(state, seat))
            shown = {piece.id for piece in board.pieces} | {expected.id for expected in board.awaited}
            assert not shown & game.sight.hidden_pieces(state, seat)
            if number == 0:  # later some are lost, others found
                hides = seat == "column" and ruleset in ("fixed_baynet", "risk_factor")  # other rulesets hide nothing
                assert hidden & {re.sub(r"[._]\d+$", "", name) for name in shown} == (set() if hides else hidden)
