"""The picture of the table: drawn to scale, every object labelled, safe with any name, and reproducible."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any
from xml.etree import ElementTree

import pytest
from tests.systems import RULESETS

from zareba.agents import make_agent
from zareba.picture import picture, view_box
from zareba.presentation.board import Appearance, Board, BoardFigure, BoardPiece, row_length
from zareba.registry import load_rules
from zareba.scenario import Scenario, load_scenario, shipped_scenarios
from zareba.table import SeededTable

SVG = "{http://www.w3.org/2000/svg}"


@cache
def table(ruleset: str, scenario: str = "patrol_clash") -> tuple[Scenario, Board]:
    """Return the scenario and the board after doctrine has set up both sides."""
    found = load_scenario(scenario)
    game = load_rules(ruleset).game(found)
    state = game.start()
    play = SeededTable(game.rules, state, 1, {seat: make_agent("doctrine", game, seat, 1) for seat in game.seats})
    while (step := game.play.next_step(state)) is not None and (
        game.game_turn(state) < 1 or game.display.arriving_pieces(state)
    ):
        play.begin(step)
        game.play.perform(play, state, step)
    return found, game.display.labelled_board(state)


def parsed(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def titles(root: ElementTree.Element) -> list[str]:
    return [title.text or "" for title in root.iter(f"{SVG}title")]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_piece_is_drawn_with_the_words_of_the_terminal(ruleset: str) -> None:
    scenario, board = table(ruleset)
    root = parsed(picture(scenario, board))
    shown = {part.get("data-piece") for part in root.iter(f"{SVG}g")}
    assert {piece.id for piece in board.pieces} <= shown
    said = titles(root)
    assert all(f"{board.labels.get(piece.id, '')} {piece.text}".strip() in said for piece in board.pieces)


@pytest.mark.parametrize("scenario", shipped_scenarios())
def test_every_field_is_drawn_to_its_scale_with_all_its_ground(scenario: str) -> None:
    found = load_scenario(scenario)
    root = parsed(picture(found))
    left, _, width, _ = map(float, (root.get("viewBox") or "").split())
    assert left == -0.6 and width == pytest.approx(found.table.width + 1.2)
    drawn = {part.get("data-ground") for part in root.iter(f"{SVG}g")}
    assert set(found.terrain) <= drawn
    assert all(goal.name in " ".join(titles(root)) for goal in found.objectives.values() if goal.kind == "hold")


def test_figures_are_drawn_at_their_positions() -> None:
    scenario, board = table("risk_factor")
    unit = next(piece for piece in board.pieces if len(piece.look.men) > 3)
    man = unit.look.men[0]
    x, y = man.x * board.inches, scenario.table.depth - man.y * board.inches
    drawn = next(part for part in parsed(picture(scenario, board)).iter(f"{SVG}g") if part.get("data-piece") == unit.id)
    places = [use.get("transform", "") for use in drawn.iter(f"{SVG}use")]
    assert len(places) >= len(unit.look.men)
    west, north = (f"{value:.2f}".rstrip("0").rstrip(".") for value in (x, y))
    assert any(place.startswith(f"translate({west} {north})") for place in places)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_looks_describe_pieces_as_far_as_a_system_knows(ruleset: str) -> None:
    _, board = table(ruleset)
    looks = [piece.look for piece in board.pieces if piece.side]
    assert all(look.name for look in looks)
    assert any(look.strength for look in looks)
    assert {"foot", "horse"} <= {look.kind for look in looks}
    if board.space == "free":
        assert any(look.men for look in looks)


def test_cells_of_a_grid_can_be_clicked_by_their_number() -> None:
    scenario, board = table("afriboria")
    root = parsed(picture(scenario, board))
    cells = {part.get("data-cell") for part in root.iter(f"{SVG}g")} - {None}
    assert cells == {str(row * board.columns + x) for row in range(board.rows) for x in range(row_length(board, row))}
    left, top, width, depth = view_box(scenario, board)
    assert left <= board.origin[0] and top < 0 and width > scenario.table.width and depth > scenario.table.depth


@pytest.mark.parametrize("hostile", ["<script>alert(1)</script>", '" onload="x', "&lt;", "]]>", "'><svg/onload=1>"])
def test_names_are_escaped_everywhere(hostile: str) -> None:
    scenario, board = table("vcc")
    piece = BoardPiece(
        hostile, "patrol", hostile[:3], hostile, 1, 1, Appearance("foot", hostile, hostile, 3, 90, "", (hostile,))
    )
    for space in ("boxes", "free"):
        strange = replace(board, space=space, headline=hostile, pieces=(piece,), labels={hostile: hostile})
        root = parsed(picture(scenario, strange, classes=hostile))
        assert {part.tag.removeprefix(SVG) for part in root.iter()} <= {
            "svg", "title", "style", "defs", "pattern", "g", "path", "circle", "ellipse", "rect", "use", "text", "clipPath",
        }  # fmt: skip
        assert not any(name.startswith("on") for part in root.iter() for name in part.attrib)
        assert hostile in " ".join(titles(root))


def test_every_unit_has_its_own_tag() -> None:
    scenario, board = table("fixed_baynet", "battle_of_the_wells")
    tags = [
        part for part in parsed(picture(scenario, board)).iter(f"{SVG}g") if (part.get("class") or "").startswith("tag")
    ]
    units = {piece.look.unit or piece.id for piece in board.pieces if piece.side}
    places = {part.find(f"{SVG}g").get("transform") for part in tags}  # type: ignore[union-attr]
    assert {part.get("data-unit") for part in tags} == units and len(places) == len(tags) == len(units) > 9


@pytest.mark.parametrize("ruleset", ["vcc", "risk_factor"])
def test_smoke_is_drawn_only_in_front_of_units_that_fired(ruleset: str) -> None:
    scenario, board = table(ruleset)
    clear = picture(scenario, board)
    unit = next(piece for piece in board.pieces if piece.look.kind == "foot")
    smoky = picture(scenario, board, smoke={unit.look.unit or unit.id})
    assert 'href="#smoke"' not in clear and 'href="#smoke"' in smoky
    assert smoky.count("<use") - clear.count("<use") <= 5


def test_loose_objects_have_another_symbol_than_objectives() -> None:
    scenario, board = table("paychest", "paychest_raid")
    carried_object = next(iter(scenario.objects))
    lying = tuple(
        BoardPiece(name, "", "'", name, 9.0, 9.0, Appearance("thing", name=name))
        for name in (carried_object, "a rifle")
    )
    svg = picture(scenario, replace(board, pieces=lying))
    assert svg.count('href="#thing"') == svg.count('href="#dropped"') == 1


def test_pictures_of_two_tables_keep_their_edges_apart() -> None:
    small, large = (picture(load_scenario(name)) for name in ("patrol_clash", "battle_of_the_wells"))
    edges = [next(iter(parsed(svg).iter(f"{SVG}clipPath"))).get("id") for svg in (small, large)]
    assert edges[0] != edges[1] and f"url(#{edges[0]})" in small


def test_buildings_have_the_doors_and_windows_of_their_system() -> None:
    scenario, board = table("fixed_baynet", "mission_station")
    kinds = [(part.get("class") or "") for part in parsed(picture(scenario, board)).iter(f"{SVG}g")]
    assert board.openings and kinds.count("door") + kinds.count("window") == len(board.openings)
    assert kinds.count("door") == 2 * sum(piece.kind == "building" for piece in scenario.terrain.values())
    opened = replace(board, openings=tuple(opening._replace(open=opening.kind == "door") for opening in board.openings))
    assert picture(scenario, opened).count("door ajar") == kinds.count("door")


def test_the_same_table_gives_the_same_picture() -> None:
    scenario, board = table("vcc")
    assert picture(scenario, board) == picture(scenario, board)


@pytest.mark.parametrize("condition", ["lying", "wounded", "out"])
def test_a_man_who_is_not_fit_bears_the_sign_of_his_condition_and_sides_differ_by_shape(condition: Any) -> None:
    scenario, board = table("vcc")
    men = tuple(
        BoardPiece(
            side,
            side,
            "i",
            side,
            5,
            5 + 9 * number,
            Appearance(name=side, men=(BoardFigure(5, 5 + 9 * number, 0.0, condition if number else ""),)),
        )
        for number, side in enumerate(board.sides)
    )
    svg = picture(scenario, replace(board, space="free", inches=1.0, pieces=men))
    assert svg.count(f'href="#{condition}"') == 1
    assert 'href="#foot-0"' in svg and 'href="#foot-1"' in svg


def test_a_piece_unknown_to_the_drawing_is_shown_with_its_name() -> None:
    plain: Any = BoardPiece("x", "patrol", "?", "somebody", 3.0, 3.0)
    scenario, board = table("paychest")
    assert "somebody" in titles(parsed(picture(scenario, replace(board, pieces=(plain,)))))


def test_every_ruleset_says_how_large_its_units_of_length_are() -> None:
    for ruleset in RULESETS:
        scenario, board = table(ruleset)
        assert load_rules(ruleset).book
        across = board.columns * board.inches
        assert scenario.table.width - 6 <= across <= scenario.table.width + 6
