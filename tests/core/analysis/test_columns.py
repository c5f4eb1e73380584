"""Games can be selected by the columns of their rows; no claims are made about selected games."""

from __future__ import annotations

import re

import pytest
from tests.core.analysis.fabricated import run_games
from tests.core.analysis.hand_made import draw, reversal, walkover

from zareba.analysis.compare import compare
from zareba.analysis.findings.findings import summarise
from zareba.analysis.games.records import Variant
from zareba.analysis.games.samples import as_columns, check_conditions, matching_games
from zareba.base.errors import ZarebaError
from zareba.report import render

GAMES = (draw(), walkover(), reversal())


@pytest.mark.parametrize(
    ("where", "numbers"),
    [
        (("winner=red",), [1, 2]),
        (("winner=none",), [0]),
        (("winner != none", "turns>2"), [2]),
        (("turns<=2",), [1]),
        (("ending=Turn_Limit",), [0]),
        (("lost_blue_melee>=0.4",), [1, 2]),
        (("swapped=false", "listed=blue"), [2]),
        (("first_loss!=none",), [0, 1, 2]),
        (("first_loss<=1", "turns!=none"), [0, 1, 2]),
    ],
)
def test_games_are_picked_by_their_rows(where: tuple[str, ...], numbers: list[int]) -> None:
    assert [record.game for record in matching_games(GAMES, where)] == numbers


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("winer=red", "did you mean 'winner'"),
        ("turns=long", "is a number, but 'long' is not"),
        ("ending<collapse", "can only be compared with = or !="),
        ("strength_red>1", "is a list"),
        ("turns", "is not a condition"),
        ("turns<<6", "is not a condition"),
        ("turns>99", "no game has turns>99; turns is from 2 to 4"),
        ("ending=colapse", "no game has ending=colapse; ending is turn_limit in 1, collapse in 1 and objectives in 1"),
        ("winner=green", "no game has winner=green; winner is red in 2 and none in 1"),
    ],
)
def test_invalid_conditions_are_rejected(where: str, said: str) -> None:
    with pytest.raises(ZarebaError, match=said):
        matching_games(GAMES, (where,))


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("winer=red", "did you mean 'winner'"),
        ("lost_green_fire>0", "did you mean 'lost_red_fire'"),
        ("turns=long", "is a number, but 'long' is not"),
        ("ending<collapse", "can only be compared with = or !="),
        ("score_blue>1", "is a list"),
        ("winner<red", "can only be compared with = or !="),
    ],
)
def test_invalid_selection_is_rejected_before_the_first_game(where: str, said: str) -> None:
    with pytest.raises(ZarebaError, match=said):
        check_conditions((where,), ("red", "blue"))


def test_columns_are_known_before_there_is_a_game() -> None:
    some = {name: value for name, value in as_columns(reversal()).items() if not isinstance(value, list)}
    check_conditions([f"{name}={'none' if value is None else value}" for name, value in some.items()], ("red", "blue"))
    check_conditions(("first_loss=none", "winner=none", "turns<=6", "lost_blue_melee>=0.4"), ("red", "blue"))


def test_a_row_has_single_values_and_lists_of_numbers() -> None:
    assert all(
        isinstance(value, (str, int, float, bool, list, type(None))) for value in as_columns(walkover()).values()
    )


def test_games_picked_by_a_filter_give_no_claims() -> None:
    agents = (("british", "x"), ("zulu", "x"))
    whole = compare("s", [Variant("a", "mild"), Variant("b", "fierce")], 60, 5, 1, agents, run_games)
    assert any(difference["shown"] for difference in summarise(whole)["differences"])
    picked = whole.filtered(("winner=british",))
    summary = summarise(picked)
    assert 0 < len(picked.records) < len(whole.records) and {record.winner for record in picked.records} == {"british"}
    assert not any(difference["shown"] or difference["alike"] for difference in summary["differences"])
    assert not any(
        re.search("(is|are) statistically clear", verdict["text"].lower()) for verdict in summary["verdicts"]
    )
    assert any("Only games with winner=british" in note for note in summary["method"])
    html = render(summary, picked.records).html
    assert "only those with winner=british" in html and "not claimed" in html
    advice = summarise(picked)["advice"]
    assert advice["sure"].startswith(
        f"based on the {len(picked.records)} of {len(whole.records)} games with winner=british"
    )
    assert not advice["nothing_to_compare"] and not advice["picks"], (
        "selecting games by winner says nothing about who wins"
    )
    assert whole.filtered(()) is whole
