"""Which system for Friday: words that say no more than the games do."""

from __future__ import annotations

import pytest

from zareba.analysis.answers.advice import ASPECTS, advise, how_sure, nothing_to_compare, picks
from zareba.analysis.answers.verdicts import of_sides
from zareba.analysis.statistics.estimates import Estimate

SIDES = {"red": "The reds", "blue": "The blues"}
TITLES = {"a": "Alpha", "b": "Beta", "c": "Gamma"}


def number(value: float, reach: float, name: str = "mean", unit: str = "index") -> list[Estimate]:
    return [Estimate(name, "mean", unit, value, value - reach, value + reach, 100)]


def wins(red: float, reach: float = 0.02) -> list[Estimate]:
    shares = (("won by red", red), ("won by blue", 1 - red), ("drawn", 0.0))
    return [one for name, share in shares for one in number(share, reach if share else 0.0, name, "share")]


def system(red: float = 0.5, **values: float) -> dict[str, list[Estimate]]:
    """A system in which red wins so often; other metrics as given, with an interval of a twentieth either way."""
    found = {"M1": wins(red), "M5": number(8, 0.2, unit="turns")}
    usual = {"M6": 60.0, "M10": 0.2, "M11": 0.2, "M7": 5.0, "M17": 10.0}
    return found | {metric: number(value, value / 20) for metric, value in {**usual, **values}.items()}


def words(found: dict[str, list[Estimate]]) -> dict[str, str]:
    (row,) = advise({"a": found}, TITLES, SIDES, {"a": 2})["rows"]
    return {"balance": row["balance"]["words"]} | {gauge["aspect"]: gauge["words"] for gauge in row["gauges"]}


def test_words_between_declared_limits() -> None:
    assert words(system()) == {
        "balance": "balanced", "length": "short", "blood": "mild", "fortune": "steady", "choice": "little", "paper": "little",
    }  # fmt: skip
    assert words(system(0.95, M6=300, M10=0.8, M11=2, M7=40, M17=90)) == {
        "balance": "the reds all but certain", "length": "long", "blood": "very bloody", "fortune": "swingy",
        "choice": "much", "paper": "much",
    }  # fmt: skip


def test_where_an_interval_reaches_over_a_limit_both_words_are_said_and_over_two_none() -> None:
    assert words(system(M6=89))["length"] == "short or middling"
    assert words({**system(), "M6": number(130, 60)})["length"] == "too few games to tell"
    assert words({**system(), "M1": wins(0.6)})["balance"] == "balanced or leans to the reds"


@pytest.mark.parametrize("aspect", ASPECTS, ids=lambda aspect: aspect.id)
def test_a_number_that_no_game_tells_has_no_word(aspect: object) -> None:
    found = system()
    metric = aspect.metric  # type: ignore[attr-defined]  # an aspect
    found[metric] = [Estimate("mean", "mean", "index", None, None, None, 0)]
    assert words(found)[aspect.id] == "no game tells"  # type: ignore[attr-defined]  # as above


def test_it_is_said_first_when_there_is_nothing_to_compare() -> None:
    lost = {"a": system(0.95), "b": system(0.9), "c": system(0.5)}
    assert "more than 85\u00a0% of games go to the reds under 2 of 3" in nothing_to_compare(lost, SIDES)
    assert nothing_to_compare({"a": system(0.95), "b": system(0.6), "c": system(0.5)}, SIDES) == ""
    both = {"a": system(0.95), "b": system(0.05), "c": system(0.5)}
    assert all(f"go to the {side}s" in nothing_to_compare(both, SIDES) for side in SIDES)


def test_the_most_of_a_kind_is_named_with_those_that_games_do_not_tell_from_it() -> None:
    found = {"a": system(M6=60), "b": system(M6=61), "c": system(M6=100)}
    named = {pick["wish"]: pick["titles"] for pick in picks(found, TITLES)}
    assert named["a short evening"] == ["Alpha", "Beta"]
    assert named["much to decide"] == ["Alpha", "Beta", "Gamma"]
    bloody = {"a": system(M10=0.2), "b": system(M10=0.7), "c": system(0.9, M10=0.4)}
    named = {pick["wish"]: pick["titles"] for pick in picks(bloody, TITLES)}
    assert named["a bloody day"] == ["Beta"] and named["an even contest"] == ["Alpha", "Beta"]
    assert picks({"a": system()}, TITLES) == []


def test_of_three_sides_each_wins_a_third_where_all_is_even() -> None:
    def shares(*won: float) -> dict[str, list[Estimate]]:
        names = ("won by red", "won by blue", "won by green", "drawn")
        return {
            **system(),
            "M1": [one for name, share in zip(names, won, strict=True) for one in number(share, 0.02, name, "share")],
        }

    assert words(shares(0.34, 0.33, 0.33, 0))["balance"] == "balanced"
    assert words(shares(0.6, 0.2, 0.2, 0))["balance"] == "leans to the reds"
    assert words(shares(0.95, 0.03, 0.02, 0))["balance"] == "the reds all but certain"
    assert words(shares(0.67, 0.17, 0.16, 0))["balance"] == "leans to or favours the reds"


def test_how_sure_it_is_is_told_by_the_widest_interval() -> None:
    found = {"a": system(), "b": {**system(), "M1": wins(0.5, 0.05), "M10": number(0.2, 0.03)}}
    told = how_sure(found, [400, 400], [], looked=False)
    assert told.startswith(
        "400 games of each, which tell shares of wins to within 5 points, turns to within 0.2 and losses to within 3 points"
    )
    assert told.endswith("(--robust does)") and "--robust" not in how_sure(found, [400, 380], [], looked=True)
    robust = [{"holds": "holds under all"}, {"holds": "depends on the players"}]
    assert "Of 2 claims that one system differs from another 1 holds under all" in how_sure(
        found, [9, 8], robust, looked=True
    )
    assert how_sure(found, [9, 8], robust, looked=True).startswith("8 to 9 games of each")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("won by red", "won by the reds"),
        ("won by red minus won by others", "won by the reds minus won by others"),
        ("genuine choices of blue", "genuine choices of the blues"),
        ("losses by fire", "losses by fire"),
        ("lost of a side's strength", "lost of a side's strength"),
    ],
)
def test_numbers_are_called_by_what_people_call_their_side(name: str, told: str) -> None:
    assert of_sides(name, SIDES) == told
