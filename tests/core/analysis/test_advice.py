"""Advice on the choice of a ruleset claims no more than the games show."""

from __future__ import annotations

from typing import Any

import pytest

from zareba.analysis.findings.advice import ASPECTS, advise, certainty_sentence, nothing_to_compare, picks
from zareba.analysis.findings.findings import of_sides
from zareba.analysis.statistics.estimates import Estimate
from zareba.report.first_screen import first_screen

SIDES = {"red": "The reds", "blue": "The blues"}
TITLES = {"a": "Alpha", "b": "Beta", "c": "Gamma"}


def number(value: float, reach: float, name: str = "mean", unit: str = "index") -> list[Estimate]:
    return [Estimate(name, "mean", unit, value, value - reach, value + reach, 100)]


def wins(red: float, reach: float = 0.02) -> list[Estimate]:
    shares = (("won by red", red), ("won by blue", 1 - red), ("drawn", 0.0))
    return [estimate for name, share in shares for estimate in number(share, reach if share else 0.0, name, "share")]


def system(red: float = 0.5, **values: float) -> dict[str, list[Estimate]]:
    """Return the estimates of a ruleset in which red wins the share `red`. Other metrics are as given, with intervals
    of 5 % on either side.
    """
    found = {"M1": wins(red), "M5": number(8, 0.2, unit="turns")}
    usual = {"M6": 60.0, "M10": 0.2, "M11": 0.2, "M7": 50.0, "M17": 100.0}
    return found | {metric: number(value, value / 20) for metric, value in {**usual, **values}.items()}


def words(found: dict[str, list[Estimate]]) -> dict[str, str]:
    (row,) = advise({"a": found}, TITLES, SIDES, {"a": 2})["rows"]
    return {"balance": row["balance"]["words"]} | {measure["aspect"]: measure["words"] for measure in row["measures"]}


def test_rows_have_their_measures_under_the_old_key_too() -> None:
    (row,) = advise({"a": system()}, TITLES, SIDES, {"a": 2})["rows"]
    assert row["gauges"] == row["measures"] and len(row["measures"]) == len(ASPECTS)


def test_words_between_declared_limits() -> None:
    assert words(system()) == {
        "balance": "balanced", "length": "short", "blood": "mild", "fortune": "steady", "choice": "few", "paper": "light",
    }  # fmt: skip
    assert words(system(0.95, M6=300, M10=0.8, M11=2, M7=400, M17=900)) == {
        "balance": "the reds almost certain to win", "length": "long", "blood": "very bloody", "fortune": "swingy",
        "choice": "many", "paper": "heavy",
    }  # fmt: skip


def test_interval_across_one_limit_gives_two_words_and_across_two_none() -> None:
    assert words(system(M6=89))["length"] == "short or medium"
    assert words({**system(), "M6": number(130, 60)})["length"] == "too few games to tell"
    assert words({**system(), "M1": wins(0.6)})["balance"] == "slight to moderate advantage for the reds"
    assert words({**system(), "M1": wins(0.55, 0.08)})["balance"] == "balanced to moderate advantage for the reds"


def test_too_few_games_is_said_only_if_every_word_is_possible() -> None:
    """Three of four possible words are still a finding: the games exclude the fourth."""
    three = words({**system(), "M1": wins(0.69, 0.12)})["balance"]
    assert three == "slight to strong advantage for the reds"
    assert words({**system(), "M1": wins(0.76, 0.12)})["balance"] == "at least a moderate advantage for the reds"
    assert words({**system(), "M1": wins(0.86, 0.06)})["balance"] == "at least a strong advantage for the reds"
    assert words({**system(), "M1": wins(0.72, 0.2)})["balance"] == "too few games to tell"


def even(found: dict[str, dict[str, list[Estimate]]], **more: Any) -> dict[str, Any]:
    return next(pick for pick in picks(found, TITLES, **more) if pick["wish"] == "Most even")


def listed(value: float, reach: float) -> dict[str, list[Estimate]]:
    return {"M3": number(value, reach, "won by the side listed first, minus the rest", "share")}


def test_even_contest_names_no_system_shown_to_be_uneven() -> None:
    """Sixty games: a result of 75 : 25 (63 to 84) is shown to be uneven; a wide interval around 55 : 45 is not."""
    found = {"a": {**system(), "M1": wins(0.55, 0.13)}, "b": {**system(), "M1": wins(0.75, 0.11)}}
    assert even(found)["titles"] == ["Alpha"]
    assert even({**found, "c": {**system(), "M1": wins(0.58, 0.12)}})["titles"] == ["Alpha", "Gamma"]
    alone = even({"a": system(0.7), "b": system(0.9)})
    assert alone["titles"] == [] and alone["note"] == "closest: Alpha, where a side wins 70\u00a0%"
    tie = even({"a": system(0.63), "b": system(0.37), "c": system(0.9)})
    assert tie["note"] == "closest: Alpha and Beta, where a side wins 63\u00a0%"


def test_a_side_that_wins_a_little_more_than_half_of_very_many_games_is_no_uneven_contest() -> None:
    assert even({"a": {**system(), "M1": wins(0.52, 0.01)}, "b": system(0.9)})["titles"] == ["Alpha"]


def test_draws_do_not_make_an_uneven_contest_even() -> None:
    shares = (("won by red", 0.45), ("won by blue", 0.15), ("drawn", 0.4))
    drawn = {
        **system(),
        "M1": [estimate for name, share in shares for estimate in number(share, 0.06, name, "share")],
        "M2": number(0.3, 0.08, "won by red, minus the rest", "share"),
    }
    assert even({"a": drawn, "b": system(0.51)})["titles"] == ["Beta"]


def test_significantly_different_rulesets_are_not_called_equal_to_the_best() -> None:
    found = {"a": {**system(), "M10": number(0.5, 0.06)}, "b": {**system(), "M10": number(0.4, 0.06)}}

    def bloody(**more: Any) -> list[str]:
        found_picks = picks(found, TITLES, **more)
        return next(pick["titles"] for pick in found_picks if pick["wish"] == "Bloodiest")

    assert bloody() == ["Alpha", "Beta"]
    assert bloody(shown={("M10", "b", "a")}) == ["Alpha"]


def test_first_listed_bias_is_on_the_first_screen_and_is_no_even_contest() -> None:
    """The side listed first wins 53 of 60 mirrored games; each side is listed first in half of them."""
    found = {"a": {**system(), **listed(0.77, 0.17)}, "b": {**system(0.51), **listed(0.1, 0.25)}}
    rows = advise(found, TITLES, SIDES, {})["rows"]
    assert [row["balance"]["words"] for row in rows] == ["balanced", "balanced"]
    assert rows[0]["balance"]["listed"] == "the side listed first has an advantage of 77 points (60 to 94)"
    assert rows[1]["balance"]["listed"] == ""
    last = advise({"a": {**system(), **listed(-0.4, 0.1)}}, TITLES, SIDES, {})["rows"]
    assert last[0]["balance"]["listed"] == "the side listed last has an advantage of 40 points (30 to 50)"
    assert even(found)["titles"] == ["Beta"]


def test_decisions_and_lookups_are_given_per_battle_and_per_hour() -> None:
    """A long battle can have more decisions than a short one and yet fewer an hour."""

    def both(metric: str, battle: float, hour: float) -> dict[str, list[Estimate]]:
        return {metric: [*number(battle, 1, "a battle"), *number(hour, 1, "decisions per hour of table time")]}

    found = {"a": {**system(), **both("M7", 171, 118)}, "b": {**system(), **both("M7", 471, 85)}}
    pick = next(candidate for candidate in picks(found, TITLES) if candidate["wish"] == "Most decisions")
    assert (pick["titles"], pick["an_hour"]) == (["Beta"], ["Alpha"])
    rows = advise(found, TITLES, SIDES, {})["rows"]
    measures = [next(measure for measure in row["measures"] if measure["aspect"] == "choice") for row in rows]
    assert [(measure["words"], measure["hourly"]) for measure in measures] == [("moderate", 118), ("many", 85)]
    screen = first_screen({**advise(found, TITLES, SIDES, {}), "sure": ""})
    assert dict(screen.picks)["Most decisions"] == (
        "Beta, 471 (470 to 472) per battle; Alpha, 118 per hour of table time"
    )
    assert [line.measures[3].figures for line in screen.lines] == [
        "171 per battle (170 to 172), 118 per hour", "471 per battle (470 to 472), 85 per hour",
    ]  # fmt: skip


def test_wishes_without_a_clear_difference_share_one_answer() -> None:
    found = {"a": {**system(M11=2), "M10": number(0.5, 0.06)}, "b": {**system(M11=2), "M10": number(0.4, 0.06)}}
    answers = first_screen({**advise(found, TITLES, SIDES, {}), "sure": ""}).picks
    assert [wish for wish, answer in answers if "no statistically clear difference" in answer] == [
        "Shortest, most even, bloodiest, most lead changes, most decisions, least bookkeeping"
    ]


def test_lead_changes_are_not_compared_with_a_battle_of_far_fewer_turns() -> None:
    """The lead is read once a turn, so that a battle of 2.5 turns shows at most two changes."""

    def pick(*turns: float) -> dict[str, Any]:
        found = {name: {**system(M11=2 - at), "M5": number(turns[at], 0.1)} for at, name in enumerate("ab")}
        return next(candidate for candidate in picks(found, TITLES) if candidate["wish"] == "Most lead changes")

    assert pick(12, 2.5)["note"] == "not compared: Beta (2.5 turns), because the lead is read once a turn"
    assert pick(2.5, 12)["titles"] == ["Alpha"] and pick(2.5, 12)["note"] == "", "more changes in fewer readings"
    assert pick(12, 11)["note"] == ""


def test_remarks_follow_the_answer_without_brackets_in_brackets() -> None:
    found = {name: {**system(M11=2 - at), "M5": number((12, 2.5)[at], 0.1)} for at, name in enumerate("ab")}
    screen = first_screen({**advise(found, TITLES, SIDES, {}), "sure": ""})
    answer = dict(screen.picks)["Most lead changes"]
    assert answer.endswith("; not compared: Beta (2.5 turns), because the lead is read once a turn")


@pytest.mark.parametrize("aspect", ASPECTS, ids=lambda aspect: aspect.id)
def test_a_number_without_data_has_no_word(aspect: object) -> None:
    found = system()
    metric = aspect.metric  # type: ignore[attr-defined]  # an aspect
    found[metric] = [Estimate("mean", "mean", "index", None, None, None, 0)]
    assert words(found)[aspect.id] == "no data"  # type: ignore[attr-defined]  # as above


def test_one_sided_battles_are_reported_as_nothing_to_compare() -> None:
    lost = {"a": system(0.95), "b": system(0.9), "c": system(0.5)}
    assert "more than 85\u00a0% of games go to the reds under 2 of 3" in nothing_to_compare(lost, SIDES)
    assert nothing_to_compare({"a": system(0.95), "b": system(0.6), "c": system(0.5)}, SIDES) == ""
    both = {"a": system(0.95), "b": system(0.05), "c": system(0.5)}
    assert all(f"go to the {side}s" in nothing_to_compare(both, SIDES) for side in SIDES)


def test_the_extreme_ruleset_is_named_with_those_not_clearly_different() -> None:
    found = {"a": system(M6=60), "b": system(M6=61), "c": system(M6=100)}
    named = {pick["wish"]: pick["titles"] for pick in picks(found, TITLES)}
    assert named["Shortest"] == ["Alpha", "Beta"]
    assert named["Most decisions"] == ["Alpha", "Beta", "Gamma"]
    bloody = {"a": system(M10=0.2), "b": system(M10=0.7), "c": system(0.9, M10=0.4)}
    named = {pick["wish"]: pick["titles"] for pick in picks(bloody, TITLES)}
    assert named["Bloodiest"] == ["Beta"] and named["Most even"] == ["Alpha", "Beta"]
    assert picks({"a": system()}, TITLES) == []


def test_three_sides_are_balanced_at_a_third_each() -> None:
    def shares(*won: float) -> dict[str, list[Estimate]]:
        names = ("won by red", "won by blue", "won by green", "drawn")
        return {
            **system(),
            "M1": [
                estimate
                for name, share in zip(names, won, strict=True)
                for estimate in number(share, 0.02, name, "share")
            ],
        }

    assert words(shares(0.34, 0.33, 0.33, 0))["balance"] == "balanced"
    assert words(shares(0.6, 0.2, 0.2, 0))["balance"] == "moderate advantage for the reds"
    assert words(shares(0.95, 0.03, 0.02, 0))["balance"] == "the reds almost certain to win"
    assert words(shares(0.67, 0.17, 0.16, 0))["balance"] == "moderate to strong advantage for the reds"


def test_certainty_is_given_by_the_widest_interval() -> None:
    found = {"a": system(), "b": {**system(), "M1": wins(0.5, 0.05), "M10": number(0.2, 0.03)}}
    told = certainty_sentence(found, [400, 400], [], tested=False)
    assert told.startswith(
        "400 games of each; win shares are accurate to 5 percentage points, turns to 0.2 and losses to 3 percentage points"
    )
    assert told.endswith("other readings (use --robust)") and "--robust" not in certainty_sentence(
        found, [400, 380], [], tested=True
    )
    assert "Our reading of an unclear rule ended 28 of 60 games under Beta" in certainty_sentence(
        found, [60, 60], [], {"Beta": (28, 60)}, tested=False
    )
    robust = [{"holds": "holds under all"}, {"holds": "depends on the players"}]
    assert "1 of 2 claimed differences holds under all" in certainty_sentence(found, [9, 8], robust, tested=True)
    assert certainty_sentence(found, [9, 8], robust, tested=True).startswith("8 to 9 games of each")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("won by red", "won by the reds"),
        ("won by red, minus the rest", "won by the reds, minus the rest"),
        ("genuine choices of blue", "genuine choices of the blues"),
        ("losses by fire", "losses by fire"),
        ("strength lost per side", "strength lost per side"),
    ],
)
def test_numbers_use_the_display_name_of_their_side(name: str, told: str) -> None:
    assert of_sides(name, SIDES) == told
