"""The report shows the most typical game of each ruleset on the board of that ruleset."""

from __future__ import annotations

from base64 import b64decode

from zareba.analysis.compare import compare
from zareba.analysis.findings.findings import summarise
from zareba.analysis.games.records import Variant
from zareba.analysis.games.simulate import game_for, run_games
from zareba.report import sample_game
from zareba.report.page import render
from zareba.report.sample_game import MOST_SAMPLE_GAMES, sample_games
from zareba.scenario import load_scenario
from zareba.session.score import ScoreChange

SCENARIO = "patrol_clash"


def test_sample_game_uses_the_field_of_its_system() -> None:
    variants = [Variant("vcc", "vcc"), Variant("afriboria", "afriboria")]
    scenario = load_scenario(SCENARIO)
    header = {
        "scenario_digest": scenario.digest,
        "rules_digests": {variant.name: game_for(variant, SCENARIO).rules.digest for variant in variants},
        "titles": {"vcc": "Boxes", "afriboria": "Hexes"},
    }
    agents = tuple((side, "doctrine") for side in scenario.sides)
    comparison = compare(SCENARIO, variants, 3, 5, 1, agents, run_games, header=header)
    summary = summarise(comparison)
    told = sample_games(summary, comparison.records)
    assert [sample.variant for sample in told] == ["vcc", "afriboria"]
    for sample in told:
        record = next(r for r in comparison.records if (r.variant, r.game) == (sample.variant, sample.game))
        assert record.listed == record.sides[0], "sides have the same colours as on the first screen"
        kind, _, data = sample.field.partition(",")
        svg = b64decode(data).decode()
        assert kind == "data:image/svg+xml;base64" and svg.startswith("<svg") and scenario.title in svg
        turns = [turn.turn for turn in sample.turns]
        assert turns == sorted(set(turns)) and set(turns) <= set(range(record.turns + 1))
        assert all(turn.acts and all(turn.acts) for turn in sample.turns) and sample.turns
        assert ("wins" in sample.ending) is (record.winner is not None)
        assert f"--ruleset={sample.variant} --seed={record.seed}" in sample.replay_command
    html = render(summary, comparison.records).html
    for words in (
        "The battlefield and a typical game",
        told[1].field,
        told[0].address.replace("&", "&amp;"),
        "Watch it on the table",
    ):
        assert words in html
    many = [{**summary["variants"][0], "name": str(number)} for number in range(MOST_SAMPLE_GAMES + 1)]
    assert sample_games({**summary, "variants": many}, comparison.records) == [], (
        "a table of all of them would be too long to read"
    )


def test_games_that_cannot_be_replayed_are_not_reported() -> None:
    assert sample_games({"header": {}, "variants": []}, ()) == []


def test_a_name_with_an_article_is_in_lower_case_inside_the_acts_of_a_turn() -> None:
    """The sentences of a step are joined, so only the first may begin with "The"."""
    game = game_for(Variant("vcc", "vcc"), SCENARIO)
    change = ScoreChange(1, dict.fromkeys(game.seats, 0.0), 0.5, ("The next ward fell back", "The next ward rallied"))
    (turn,) = sample_game._turns(game, [change])
    assert turn.acts == ("The next ward fell back; the next ward rallied",)
