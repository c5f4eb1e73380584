"""Places named in words, along roads and over fords; impossible places are explained."""

from __future__ import annotations

import re
from functools import cache

import pytest

from zareba.base.errors import ZarebaError
from zareba.base.exact import dist
from zareba.cli.prompt.piece_names import describe_spot, find_piece, read_path, read_place
from zareba.cli.prompt.render import unit_board
from zareba.game.parts.play import sets_up
from zareba.presentation.board import describe_position, place_name
from zareba.registry import load_rules, ruleset_names
from zareba.scenario import load_scenario
from zareba.session import Session, new_session


@cache
def at_the_river(ruleset: str) -> Session:
    """Return a game of the river ford after set-up; the British face north and the Boers south."""
    session = new_session(ruleset, load_scenario("river_ford"), {"boers": "doctrine"}, seed=8)
    session.drive()
    while (now := session.history.now) is not None and sets_up(now.step):
        session.answer(session.suggestion()[0])
        session.drive()
    return session


def named(ruleset: str, unit: str, typed: str) -> str:
    """Return the map name of the place that `typed` means for a unit."""
    session = at_the_river(ruleset)
    board = unit_board(session.game, session.state)
    piece = find_piece(session.game, session.state, unit)
    return place_name(board, read_place(session.game, board, typed, describe_position(board)[piece]))


def test_up_a_road_is_away_from_ones_own_edge_and_down_is_home() -> None:
    # The road runs from (26, 0) by the drift at (29, 22) to (34, 48).
    assert named("fixed_baynet", "grenadiers", "up the road") == "34 48"
    assert named("fixed_baynet", "grenadiers", "down the road") == "26 0"
    assert named("fixed_baynet", "roodt", "up the road") == "26 0"
    assert named("fixed_baynet", "roodt", "down the road") == "34 48"
    assert named("vcc", "grenadiers", "up the road") == "F8"
    assert named("vcc", "grenadiers", "2 up the road") == "E3"


def test_over_a_ford_leads_to_its_other_end() -> None:
    assert named("fixed_baynet", "grenadiers", "over the wagon drift") == "29 27"
    assert named("fixed_baynet", "roodt", "across wagon drift") == "29 22"
    assert named("fixed_baynet", "grenadiers", "up the upper drift") == "49 27"
    assert named("vcc", "grenadiers", "through the wagon drift") == "E5"


def test_ground_is_found_by_its_kind_and_with_words_between() -> None:
    wall = named("fixed_baynet", "grenadiers", "the wall of the kraal")
    assert wall == named("fixed_baynet", "grenadiers", "Kraal wall")
    assert named("fixed_baynet", "grenadiers", "behind the wall of the kraal") != wall
    assert named("fixed_baynet", "grenadiers", "over the main ford") == "29 27"
    with pytest.raises(ZarebaError, match="'ford' may mean several: Wagon drift; Upper drift"):
        named("fixed_baynet", "grenadiers", "up the ford")


def test_a_distance_along_a_road_is_measured_from_the_unit() -> None:
    session = at_the_river("fixed_baynet")
    board = unit_board(session.game, session.state)
    start = read_place(session.game, board, "3 up the road", describe_position(board)["grenadiers"])
    on_the_way = [read_place(session.game, board, f"{length} up the road", start) for length in (3, 8, 12, 20)]
    assert [round(dist(start, point), 1) for point in on_the_way[:2]] == [3.0, 8.0]
    assert on_the_way[2][1] < on_the_way[3][1] < 48


@pytest.mark.parametrize("ruleset", ruleset_names())
def test_every_named_ground_may_be_followed_on_every_kind_of_table(ruleset: str) -> None:
    session = at_the_river(ruleset)
    board = unit_board(session.game, session.state)
    start = next(iter(describe_position(board).values()))
    for terrain in session.game.scenario.terrain.values():
        for word in ("up", "down", "along"):
            for x, y in read_path(session.game, board, f"{word} {terrain.name}", start):
                assert -1 <= x <= board.columns + 1 and -1 <= y <= board.rows + 1


def test_unknown_ground_is_reported_with_the_nearest_name() -> None:
    session = at_the_river("vcc")
    board = unit_board(session.game, session.state)
    for typed, sentence in (
        ("up the raod", "did you mean"),
        ("up the drift", "'drift' may mean several: Wagon drift; Upper drift"),
        ("on", "there is no place 'on'"),
        ("op", "there is no place 'op'"),
    ):
        with pytest.raises(ZarebaError) as told:
            read_place(session.game, board, typed, (5, 1))
        assert sentence in str(told.value)
    with pytest.raises(ZarebaError, match="cannot follow a line"):
        read_place(session.game, board, "up the road", None)


def test_map_keys_name_whole_units_and_stay_when_others_leave() -> None:
    session = new_session("paychest", load_scenario("patrol_clash"), {"tribesmen": "doctrine"}, seed=8)
    session.drive()
    while (now := session.history.now) is not None and sets_up(now.step):
        session.answer(session.suggestion()[0])
        session.drive()
    board = unit_board(session.game, session.state)
    keys = {key: piece for piece, key in board.labels.items()}
    assert find_piece(session.game, session.state, "2") == keys["2"] == "sikhs"
    assert find_piece(session.game, session.state, "a") == keys["a"] == "swordsmen"
    from zareba.session import Correction

    session.correct(Correction("remove", "fusiliers"))
    after = unit_board(session.game, session.state)
    assert "fusiliers" not in describe_position(after)
    assert after.labels["sikhs"] == "2"


def test_a_suggested_point_has_its_landmark() -> None:
    session = at_the_river("fixed_baynet")
    board = unit_board(session.game, session.state)
    x, y = describe_position(board)["grenadiers"]
    spot = describe_spot(session.game, board, (29.0, 25.5), "grenadiers")
    assert re.fullmatch(r"at the Wagon drift, [0-9]+ inches from here \(29 25.5\)", spot)
    assert describe_spot(session.game, board, (x, y), "grenadiers") == f"where it stands ({place_name(board, (x, y))})"
    assert "a step from here" in describe_spot(session.game, board, (x + 0.2, y), "grenadiers")
    boxes = at_the_river("vcc")
    assert describe_spot(boxes.game, unit_board(boxes.game, boxes.state), (2, 3), "grenadiers") == "C4"


def test_a_point_on_a_long_road_is_near_the_road_but_not_near_its_middle() -> None:
    game = load_rules("paychest").game(load_scenario("patrol_clash"))
    board = unit_board(game, game.start())
    assert describe_spot(game, board, (24.5, 7.0), "fusiliers") == "at the Track (24.5 7)"
