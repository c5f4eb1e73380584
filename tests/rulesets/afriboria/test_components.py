"""Chapter 1: the document, the hexes, the die, the cards, fast play."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from zareba.base.errors import ZarebaError
from zareba.chance import counts, distribution
from zareba.odds import odds
from zareba.registry import load_rules
from zareba.space import HexGrid
from zareba.table import Draw, Event, Roll
from zareba_rulesets.afriboria.odds.stage import BattleFacts, bare_battle, unit_of
from zareba_rulesets.afriboria.presentation.words import question_sentence


@pytest.mark.rule("AFR-001")
def test_head(book: Any) -> None:
    file = book().file
    assert (file.title, file.authors, file.space) == ("Afriboria", ["Rudi Geudens"], "hexes")


@pytest.mark.rule("AFR-002", "AFR-056", "AFR-057", "AFR-080", "AFR-236")
def test_a_turn_goes_from_card_to_draw(book: Any) -> None:
    assert book().file.sequence["turn"].stages == [
        "begin", "card", "orders", "event", "moves", "battles", "mounting", "draw", "close",
    ]  # fmt: skip


@pytest.mark.rule("AFR-003", "AFR-296")
@pytest.mark.setting("hex_cm")
def test_hexes_of_15_or_10_centimetres(game: Any) -> None:
    large, small = game().plan.field.grid, game({"hex_cm": 10}).plan.field.grid
    assert (large.columns, large.rows) == (8, 7)
    assert (small.columns, small.rows) == (12, 11), "an odd number of rows"
    assert game({"hex_cm": 10}).book.room == 2


@pytest.mark.rule("AFR-004", "AFR-180")
def test_hexes_stand_on_a_corner_in_rows(at: Any) -> None:
    grid = HexGrid(9, 11)
    assert set(grid.neighbours(at(4, 4))) == {at(5, 4), at(3, 4), at(4, 5), at(3, 5), at(4, 3), at(3, 3)}
    assert set(grid.neighbours(at(4, 5))) == {at(5, 5), at(3, 5), at(5, 6), at(4, 6), at(5, 4), at(4, 4)}
    assert grid.distance(at(4, 4), at(4, 8)) == 4


@pytest.mark.rule("AFR-005", "AFR-238")
def test_nearer_is_measured_at_right_angles_to_the_own_edge(book: Any, at: Any) -> None:
    battle = bare_battle(book(), homes={"red": "south", "blue": "east"})
    assert set(battle.field.hexes_behind["red"][at(4, 4)]) == {at(4, 3), at(3, 3)}
    assert set(battle.field.hexes_behind["blue"][at(4, 4)]) == {at(5, 4), at(4, 5), at(4, 3)}


@pytest.mark.rule("AFR-006")
def test_figures_are_men_at_no_ratio(game: Any) -> None:
    plan = game().plan
    assert sum(spec.figures for spec in plan.units.values() if spec.side == "red") == 12


@pytest.mark.rule("AFR-007", "AFR-193", "AFR-194")
def test_each_face_is_there_once(book: Any) -> None:
    file = book().file
    assert sorted(face.number for face in file.faces.values()) == [1, 2, 3, 4, 5, 6]
    read = book().reading_of(["hit_a"], ["hit_ab"], ["hit_abc"], ["sabres"], ["shield"], ["flag"])
    assert all(weight == 1 and sum(faces) == 1 for faces, weight in distribution(1, 6, read).items())
    assert all("shield" not in entry.far + entry.close and "flag" not in entry.close for entry in file.hits.values())


@pytest.mark.rule("AFR-008")
@pytest.mark.setting("die_display")
def test_dice_are_shown_as_symbols_or_numbers(book: Any) -> None:
    def sentence(display: str) -> str:
        rules = book(die_display=display)
        battle = bare_battle(rules, [unit_of(rules, "guards", "red", "inf_a", 0)])
        reading_of = rules.reading_of(["hit_a", "sabres"], ["flag"])
        return question_sentence(
            battle, Roll("battle", "AFR-007", "guards", 3, 6, reading_of, counts("hits", "flags")), {}
        )

    assert sentence("symbols").endswith(": throw 3d6: hits on A (6) or sabres (3); flags on flag (1)")
    assert sentence("d6").endswith(": throw 3d6: hits on 6 or 3; flags on 1")


@pytest.mark.rule("AFR-009")
def test_normal_dice_show_what_a_small_die_can(book: Any) -> None:
    settings, file = book().settings, book().file
    assert file.air["aircraft"].turns == 6
    assert all(1 <= value <= 6 for value in settings.siege_values.values())


@pytest.mark.rule("AFR-010", "AFR-011", "AFR-014", "AFR-338", "AFR-339", "AFR-340")
def test_decks(game: Any) -> None:
    battle = game({"event_cards": "on"}).start()
    cards = battle.book.cards
    standard = {name: n for name, n in battle.deck.pile.items() if not name.startswith("sp_")}
    assert sum(standard.values()) == 36
    assert sum(battle.deck.pile.values()) == 36 + 16
    assert sum(battle.event_deck.pile.values()) == 20
    by_colour = Counter(next(iter(cards[name].orders)) for name in standard)
    assert by_colour == {"red": 4, "blue": 4, "green": 4}
    events = battle.book.file.events
    assert sum(n for name, n in battle.event_deck.pile.items() if "animal" in events[name].tags) == 5


@pytest.mark.rule("AFR-012", "AFR-013")
@pytest.mark.setting("event_cards")
def test_event_cards_are_optional_and_can_be_picked_over(game: Any) -> None:
    assert game().start().event_deck.pile == {}
    assert sum(game({"event_cards": "on"}).start().event_deck.pile.values()) == 20
    scenario_wants = game(overrides="afriboria: {event_cards: 'on', without: [animal]}").start()
    assert sum(scenario_wants.event_deck.pile.values()) == 15
    assert "ev_lions" not in scenario_wants.event_deck.pile


@pytest.mark.rule("AFR-015")
def test_colours_are_dealt_in_turn(game: Any) -> None:
    specs = game().plan.units
    assert [specs[name].colour for name in ("rifles", "rifles_2")] == ["red", "blue"]
    assert [specs[name].colour for name in ("spears", "spears_2")] == ["red", "blue"]


@pytest.mark.rule("AFR-016")
@pytest.mark.setting("fastplay_flag_saves")
def test_flags_in_fast_play_are_saved_only_if_wanted() -> None:
    facts = BattleFacts("inf_b", 8, 2, defender="inf_c", defender_figures=8)

    def stands(**settings: str) -> float:
        rules = load_rules("afriboria", settings)
        found = odds(rules, rules.ruleset.procedure("battle"), facts)
        return float(found.probability(lambda outcome: outcome.retreat == 0))

    assert stands(fastplay="on", fastplay_flag_saves="keep") > stands(fastplay="on")


@pytest.mark.rule("AFR-018")
def test_two_sides_only(scenario: Any) -> None:
    two = scenario()
    three = two.model_copy(update={"sides": {**two.sides, "green": next(iter(two.sides.values()))}})
    with pytest.raises(ZarebaError, match="has 3 sides; Afriboria is for 2"):
        load_rules("afriboria").game(three)


@pytest.mark.rule("AFR-113", "AFR-186")
def test_the_log_names_companies_by_their_officers_and_the_flags_of_a_jam(game: Any) -> None:
    leaders = "carr: {name: Colonel Carr, side: red, rank: officer, unit: rifles}"
    play = game(leaders=leaders)

    def told(kind: str, **data: Any) -> str:
        return str(play.narrator.describe_event(Event(kind, "AFR-062", data)))

    assert told("order", order=("company", "company of carr"), side="red") == "Colonel Carr's company received an order"
    assert told("order", order=("disband", "company of carr"), side="red") == (
        "Colonel Carr's company was ordered to disband"
    )
    jam = told("battle", unit="rifles", target="spears", hex=0, dice=4, hits=0, kills=0, flags=1, jammed=True)
    assert jam.endswith("the gun jammed, 1 flag"), "what drives the target back is told"


@pytest.mark.rule("AFR-009")
@pytest.mark.parametrize(
    ("number", "dice", "hits", "points"), [(1, "1 die", "1 hit", "1 point"), (2, "2 dice", "2 hits", "2 points")]
)
def test_the_log_speaks_of_one_and_of_many(game: Any, number: int, dice: str, hits: str, points: str) -> None:
    play = game({"vp_quota": 5})

    def told(kind: str, **data: Any) -> str:
        return str(
            play.narrator.describe_event(Event(kind, "AFR-062", {"unit": "rifles", "hex": 0, "dice": number} | data))
        )

    battle = {"target": "spears", "jammed": False}
    assert told("battle", hits=0, kills=0, flags=0, **battle).endswith(f" with {dice}: no hits")
    assert told("battle", hits=number, kills=0, flags=0, **battle).endswith(f": {hits}, none killed")
    assert told("battle", hits=number, kills=1, flags=1, **battle).endswith(f": {hits}, 1 killed, 1 flag")
    assert f" with {dice}: " in told("bombardment", lost=1, left=2)
    assert told("anti-aircraft fire", target="spears", hits=number).endswith(f" fired {dice} at Spears: {hits}")
    assert told("points", side="red", points=1, total=number, why="Spears") == f"Red +1 for Spears, total {points}"


@pytest.mark.rule("AFR-040", "AFR-246", "AFR-251")
def test_the_log_says_which_commander_goes_with_a_unit(game: Any) -> None:
    play = game(leaders="carr: {name: Colonel Carr, side: red, rank: officer, unit: rifles}")
    for data, told in (
        ({"unit": "rifles", "chief": "carr"}, "Rifles fell back to A1 with Colonel Carr"),
        ({"unit": "rifles", "chief": ""}, "Rifles fell back to A1"),
        ({"unit": "carr"}, "Colonel Carr fell back to A1"),
    ):
        assert play.narrator.describe_event(Event("retreat", "AFR-238", {"hex": 0} | data)) == told
        for kind, verb in (("move", "moved"), ("breakthrough", "broke through")):
            assert play.narrator.describe_event(Event(kind, "AFR-078", {"hex": 0} | data)) == told.replace(
                "fell back", verb
            )


@pytest.mark.rule("AFR-335")
def test_the_log_says_who_throws_a_ladder_down(game: Any) -> None:
    play = game()
    for result, told in (
        ("stands", "Spears put a ladder against A1: stands"),
        ("thrown down", "Spears threw down the ladder at A1"),
    ):
        event = Event("ladder", "AFR-335", {"unit": "spears", "hex": 0, "result": result})
        assert play.narrator.describe_event(event) == told


@pytest.mark.rule("AFR-069")
def test_cards_are_reported_by_their_titles(game: Any) -> None:
    drawn = Draw("event card", "AFR-069", "red", None, (("ev_rain", 1),))
    assert game().narrator.describe_card(drawn, "ev_rain") == "rain"
    command = next(iter(game().book.cards))
    assert game().narrator.describe_card(drawn, command) == game().book.cards[command].title
