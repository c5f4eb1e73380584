"""Boards as text: readable in 80 columns and without colour on each kind of table."""

from __future__ import annotations

from dataclasses import replace

import pytest

from zareba.cli.prompt.render import BoardView, in_columns, map_lines
from zareba.presentation.board import (
    Appearance,
    ArrivingPiece,
    Board,
    BoardCell,
    BoardPiece,
    assign_labels,
    mark_objectives,
    part_around,
    place_name,
    row_length,
)
from zareba.scenario import load_scenario, shipped_scenarios
from zareba.session import new_session

SMALL = Board(
    space="boxes",
    columns=4,
    rows=3,
    length="boxes",
    headline="Turn 2 of 9 · Melee",
    cells=(BoardCell(0, 0, "♣", "wood"), BoardCell(3, 2, "▲", "rocks, road", 2), BoardCell(2, 1, "", "", 1)),
    pieces=(
        BoardPiece("lancers", "red", "C↑", "Lancers at A1, 4 bases", 0, 0, Appearance("horse")),
        BoardPiece("guns", "red", "A→", "Guns at A1, 4 bases", 0, 0, Appearance("gun")),
        BoardPiece("swords", "blue", "F↓", "Swordsmen at D3, 6 bases", 3, 2),
        BoardPiece("chest", "", "◆", "the paychest", 1, 1, Appearance("thing")),
    ),
    sides={"red": "Red (attacker)", "blue": "Blue"},
    labels=assign_labels({"red": ["lancers", "guns", "rifles", "squad", "far"], "blue": ["swords", "bows", "band"]}),
)


def _drawn(board: Board, width: int = 80) -> list[str]:
    view = BoardView(board)
    return [line.plain for line in [*view.lines(width), *view.legend(width)]]


def test_boxes_show_ground_levels_and_stacks() -> None:
    assert _drawn(SMALL) == [
        "Turn 2 of 9 · Melee",
        "  A     B     C     D",
        "3 ·     ·     ·     ▲²aF↓",
        "2 ·     · ◆   ·¹    ·",
        "1 ♣ 1C↑ ·     ·     ·",
        "    2A→",
        "Red (attacker)",
        "  1 C↑ Lancers at A1, 4 bases  2 A→ Guns at A1, 4 bases",
        "Blue",
        "  a F↓ Swordsmen at D3, 6 bases",
        "On the ground",
        "  ◆ the paychest",
        "♣ wood                    C horse                   F foot",
        "▲ rocks, road             ↑ facing                  ◆ object",
        "¹ ² levels of the ground  A gun                     +1: one more unit there",
    ]


def test_a_long_entry_of_the_list_continues_on_a_spare_line() -> None:
    long = replace(
        SMALL, pieces=(replace(SMALL.pieces[0], text="Lancers at A1, 4 bases, 3 hits, leader with 1 wound, prone"),)
    )
    lists = [line.plain[23:] for line in map_lines(long, 60)]
    assert " ".join(" ".join(lists).split()).endswith("1 Lancers at A1, 4 bases, 3 hits, leader with 1 wound, prone")


def test_a_list_of_many_units_goes_on_below_a_low_map_on_a_tall_screen() -> None:
    names = [f"u{number}" for number in range(9)]
    pieces = tuple(BoardPiece(name, "red", "F", f"{name} at A1, 6 bases", 0, 0) for name in names)
    crowd = replace(SMALL, pieces=pieces, labels=assign_labels({"red": names}))
    low, tall = map_lines(crowd, 80), map_lines(crowd, 80, long_list=True)
    assert len(low) < len(names) < len(tall)
    assert sum(", 6 bases" in line.plain for line in tall) == len(names)


def test_odd_rows_of_hexes_are_pushed_half_a_hex_east() -> None:
    lines = _drawn(replace(SMALL, space="hexes"))
    assert lines[2:5] == ["3 ·     ·     ·     ▲²aF↓", "2    ·     · ◆   ·¹    ·", "1 ♣ 1C↑ ·     ·     ·"]


def test_a_free_table_is_a_map_in_its_proportions() -> None:
    pieces = (
        BoardPiece("lancers", "red", "C", "Lancers", 0.5, 0.5),
        BoardPiece("guns", "red", "A", "Guns", 0.6, 0.6),
        BoardPiece("swords", "blue", "F", "Swordsmen", 47.0, 35.0),
    )
    cells = tuple(BoardCell(x, y, "♣", "wood") for x in range(20, 26) for y in range(10, 14))
    lines = _drawn(Board("free", 48, 36, "inches", "Turn 1", cells, pieces, SMALL.sides, SMALL.labels))
    table = lines[2:21]
    assert table[0].endswith("aF")
    assert table[-1].startswith(" 0 1C")
    # Two pieces in one place are both shown.
    assert "2A" in table[-2]
    assert sum(line.count("♣") for line in table) >= 10
    assert "  a F Swordsmen (47, 35)" in lines


def test_terrain_sampled_at_points_shows_on_a_coarse_map() -> None:
    cells = tuple(BoardCell(x, y, "▲", "rocks") for x in range(2, 60, 5) for y in range(2, 40, 5))
    table = _drawn(Board("free", 120, 90, "cm", "Turn 1", cells, (), SMALL.sides))[2:-1]
    assert sum(line.count("▲") for line in table) == len(cells)


def test_a_number_for_terrain_is_separated_from_the_key_of_a_unit() -> None:
    pieces = (BoardPiece("squad", "red", "6↑", "Squad", 1, 1), BoardPiece("band", "blue", "24↓", "Band", 2, 2))
    lines = _drawn(replace(SMALL, pieces=pieces))
    assert [line for line in lines if "4:6↑" in line]
    assert [line for line in lines if "c24↓" in line]


def test_a_piece_keeps_its_key_when_others_leave() -> None:
    assert "  2 A→ Guns at A1, 4 bases" in _drawn(replace(SMALL, pieces=SMALL.pieces[1:]))


def test_reserves_are_listed_with_their_side() -> None:
    awaited = (
        ArrivingPiece("rifles", "red", "Rifles", "to be set up"),
        ArrivingPiece("bows", "blue", "Bows", "due in turn 3"),
    )
    lines = _drawn(replace(SMALL, pieces=SMALL.pieces[:2], awaited=awaited))
    assert "  1 C↑ Lancers at A1, 4 bases  3 Rifles, to be set up" in lines
    assert lines[lines.index("Blue") + 1] == "  b Bows, due in turn 3"


def test_labels_follow_the_order_of_the_roster() -> None:
    sides = {"red": [f"r{n}" for n in range(30)], "blue": [f"b{n}" for n in range(30)], "x": ["x0"], "y": ["y0"]}
    labels = assign_labels(sides)
    assert [labels[name] for name in ("r0", "r29", "b0", "b25", "b26", "b29")] == ["1", "30", "a", "z", "aa", "ad"]
    assert [labels["x0"], labels["y0"]] == ["A", "B"]
    assert len(set(labels.values())) == len(labels)


def test_a_level_is_separated_from_the_number_of_figures() -> None:
    pieces = (BoardPiece("guns", "red", "A→", "Guns", 2, 1),)
    assert "2 ·     ·     ·¹2A→ ·" in _drawn(replace(SMALL, pieces=pieces))
    hill = tuple(BoardCell(x, y, "", "hill", 2) for x in range(2, 8) for y in range(2, 8))
    free = replace(
        SMALL, space="free", columns=20, rows=12, cells=hill, pieces=(BoardPiece("guns", "red", "A", "Guns", 5, 5),)
    )
    assert [line for line in _drawn(free) if "²2A²" in line]


def test_long_entries_of_the_legend_are_indented() -> None:
    words = " ".join(["word"] * 30)
    lines = _drawn(replace(SMALL, pieces=(BoardPiece("guns", "red", "A", words, 2, 1),)))
    first = next(number for number, line in enumerate(lines) if line.startswith("  2 A word"))
    assert lines[first + 1].startswith("      word") and max(map(len, lines)) <= 80


def test_the_legend_lists_each_objective_with_its_cells() -> None:
    cells = (
        BoardCell(0, 0, "◎", "ford, objective: The drift"),
        BoardCell(1, 0, "◎", "objective: The drift"),
        BoardCell(3, 2, "◎", "objective: The mill"),
        BoardCell(2, 2, "≈", "ford"),
    )
    legend = "\n".join(_drawn(replace(SMALL, cells=cells)))
    for entry in ("◎ objectives: The drift (A1, B1), The mill (D3)", "≈ ford"):
        assert entry in legend


def test_a_broad_table_is_drawn_in_bands() -> None:
    lines = _drawn(replace(SMALL, columns=60, pieces=(BoardPiece("far", "red", "F↑", "Far", 59, 0),)))
    heads = [line for line in lines if line.strip().startswith(("A ", "Z ", "AA", "AY")) or " BH" in line]
    assert len(heads) >= 2
    assert any(line.rstrip().endswith("5") and "BH" not in line for line in lines)


def test_hostile_names_are_shown_as_text() -> None:
    board = replace(
        SMALL,
        headline="\x1b[31mred[/bold]",
        pieces=(BoardPiece("x", "red", "\x1b]", "[blink]Name\x1b[2J\u202e:smile:", 0, 0),),
        sides={"red": "[red]Side\x07"},
    )
    shown = "\n".join(_drawn(board))
    assert "\x1b" not in shown and "\x07" not in shown and "\u202e" not in shown
    assert "?[31mred[/bold]" in shown
    assert "[blink]Name?[2J?:smile:" in shown
    assert "[red]Side?" in shown


@pytest.mark.parametrize("name", shipped_scenarios())
def test_every_shipped_scenario_fits_80_columns(name: str) -> None:
    scenario = load_scenario(name)
    session = new_session("vcc", scenario, dict.fromkeys(scenario.sides, "random"), seed=1)
    answers = 0

    class Enough(Exception):
        pass

    def count(_: object) -> None:
        nonlocal answers
        answers += 1
        if answers == 60:
            raise Enough

    with pytest.raises(Enough):
        session.drive(count)
    board = session.game.display.labelled_board(session.state)
    assert board.pieces
    lines = _drawn(board)
    assert max(map(len, lines)) <= 80
    shown = "\n".join(lines)
    assert [piece.text for piece in board.pieces if piece.text not in shown] == []


def test_columns_hold_every_entry_once_in_reading_order() -> None:
    entries = [f"entry {n}" for n in range(10)]
    lines = in_columns(entries, 40)
    assert lines[0].split("  ") == ["entry 0", "entry 3", "entry 6", "entry 9"]
    assert sorted(word for line in lines for word in line.split("  ")) == entries
    assert in_columns(["x" * 50, "y"], 40) == ["x" * 50, "y"]
    assert in_columns([], 40) == []


def test_on_a_table_with_short_rows_each_second_row_ends_a_cell_earlier() -> None:
    board = Board("hexes", 4, 3, "hexes", "", short_rows=True)
    assert [row_length(board, row) for row in range(3)] == [4, 3, 4]
    assert part_around(board, (3, 1), 1).short_rows and not part_around(board, (0, 1), 1).short_rows
    lines = [line.plain for line in BoardView(board).lines(80)]
    assert [line.count("·") for line in lines if "·" in line] == [4, 3, 4]


def test_the_surroundings_of_a_unit_keep_the_names_of_columns_and_rows() -> None:
    boxes = Board("boxes", 8, 6, "boxes", "", pieces=(BoardPiece("guns", "red", "A", "Guns", 5, 3),))
    part = part_around(boxes, (5, 3), 2)
    head, *rows = [line.plain.split() for line in BoardView(part).table(80)]
    assert head == ["D", "E", "F", "G", "H"] and [row[0] for row in rows] == ["6", "5", "4", "3", "2"]
    assert place_name(part, (2, 2)) == place_name(boxes, (5, 3)) == "F4"


def test_the_surroundings_of_a_unit_keep_the_scales_of_an_open_table() -> None:
    table = Board("free", 48, 36, "inches", "", pieces=(BoardPiece("guns", "red", "A", "Guns", 24, 20),))
    part = part_around(table, (24, 20), 6)
    head, *rows = [line.plain.split() for line in BoardView(part).table(80)]
    assert head == ["20", "25", "30"] and part.headline == "x 18 to 30, y 14 to 26 (inches)"
    numbers = [row[0] for row in rows if row and row[0].isdecimal()]
    assert numbers == [str(number) for number in range(26, 13, -1)]
    assert any("(24, 20)" in line.plain for line in BoardView(replace(part, sides={"red": "Red"})).legend(80))


def test_the_legend_explains_every_mark_that_is_on_the_map() -> None:
    cells = (
        BoardCell(0, 0, "=", "road"),
        BoardCell(1, 0, "=", "building, road"),
        BoardCell(2, 0, "▣", "building, objective: The village, objective: The well, old"),
        BoardCell(3, 2, "", "", 1),
    )
    pieces = (
        BoardPiece("lancers", "red", "C↑", "Lancers", 0, 0, Appearance("horse")),
        BoardPiece("sikhs", "red", "14→", "Sikhs", 1, 0),
        BoardPiece("chief", "blue", "★", "The chief", 2, 2, Appearance("horse")),
    )
    board = mark_objectives(replace(SMALL, cells=cells, pieces=pieces), {})
    assert list(BoardView(board).marks().values()) == [
        "= road",
        "◎ objectives: The village (C1), The well, old (C1)",
        "¹ level of the ground",
        "C horse",
        "↑ facing",
        "number: figures",
        "★ leader",
    ]


def test_an_open_table_shows_the_places_of_objectives() -> None:
    table = Board("free", 48, 36, "inches", "", cells=(BoardCell(3, 3, "", "low hill"),))
    board = mark_objectives(table, {"The knoll": (24.0, 20.0)})
    view = BoardView(board)
    assert any("◎" in line.plain for line in view.table(80))
    assert list(view.marks().values()) == ["· low hill", "◎ objective: The knoll"]
