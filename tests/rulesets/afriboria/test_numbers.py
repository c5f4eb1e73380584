"""House rules can change every number of the ruleset, but only to possible values."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction as F
from typing import Any

import pytest
from tests.rulesets.afriboria.pieces import run

from zareba.odds import odds
from zareba.scenario import load_scenario
from zareba_rulesets.afriboria.book import AfrFile
from zareba_rulesets.afriboria.chapters.cards import turn_over
from zareba_rulesets.afriboria.chapters.combat import dice_facts
from zareba_rulesets.afriboria.chapters.exchange import Exchange, ExchangeFacts, answer_flags, attack
from zareba_rulesets.afriboria.chapters.movement import unit_options
from zareba_rulesets.afriboria.forces.battle import Plan, reachable
from zareba_rulesets.afriboria.ground import StructureSpec
from zareba_rulesets.afriboria.odds.battles import LadderOdds
from zareba_rulesets.afriboria.odds.stage import BattleFacts, bare_battle, unit_of
from zareba_rulesets.afriboria.translation import translate


def schemas(schema: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every whole number in a JSON schema, with its path."""
    if isinstance(schema, dict):
        if schema.get("type") == "integer":
            yield path, schema
        if any(variant.get("type") == "number" for variant in schema.get("anyOf", ())):
            return  # a share; its limits are not in the schema
        for key, inner in schema.items():
            yield from schemas(inner, f"{path}.{key}")
    elif isinstance(schema, list):
        for inner in schema:
            yield from schemas(inner, path)


SHARED = ("Setting", "SettingPart", "ModifierEntry", "TallyEntry")


def test_every_number_of_the_book_has_two_ends() -> None:
    own = {name: schema for name, schema in AfrFile.model_json_schema()["$defs"].items() if not name.startswith(SHARED)}
    found = list(schemas(own))
    assert len(found) > 40
    endless = [path for path, schema in found if not {"minimum", "exclusiveMinimum"} & schema.keys()]
    endless += [path for path, schema in found if "maximum" not in schema]
    assert not endless


# --- effects of single numbers ----------------------------------------------------------------------------------------


def course(book: Any, scripted: Any, script: Any, step: Any, flags: int = 0, **facts: Any) -> Exchange:
    given: dict[str, Any] = {"dice": 4, "hits": "modern", "close": False, "figures": 8, "strength": 8} | facts
    found = Exchange("us", "them", "blue", flags=flags, facts=ExchangeFacts(**given))
    with scripted(bare_battle(book), script) as table:
        step(table, book, found)
    return found


@pytest.mark.rule("AFR-186")
def test_the_share_of_shields_that_jams(book: Any, ruled: Any, scripted: Any) -> None:
    three = [("battle", [2, 2, 2, 6])]
    assert course(book(), scripted, three, attack, jams=True).jammed
    assert not course(book(), scripted, [("battle", [2, 2, 3, 3])], attack, jams=True).jammed, "half are not most"
    never = ruled({"jam.above": 1})
    assert not course(never, scripted, [("battle", [2, 2, 2, 2])], attack, jams=True).jammed
    quarter = ruled({"jam.above": 0.25})
    assert course(quarter, scripted, [("battle", [2, 2, 3, 3])], attack, jams=True).jammed


@pytest.mark.rule("AFR-197")
def test_the_hits_that_make_a_sure_kill(book: Any, ruled: Any, scripted: Any) -> None:
    two = [("battle", [6, 6, 2, 2])]
    assert course(book(), scripted, [*two, ("saving throws", [3])], attack).kills == 1
    late = ruled({"sure_kill.from_hits": 3})
    assert course(late, scripted, [*two, ("saving throws", [3, 3])], attack).kills == 0
    many = ruled({"sure_kill.kills": 2})
    assert course(many, scripted, two, attack).kills == 2
    assert course(many, scripted, two, attack, figures=1, strength=1).kills == 1, "no more than there are"


@pytest.mark.rule("AFR-228", "AFR-234")
def test_the_flags_that_make_a_sure_retreat(book: Any, ruled: Any, scripted: Any) -> None:
    saved = [("flags to save", 1), ("flag saves", [3])]
    assert course(book(), scripted, saved, answer_flags, flags=2).retreat == 1
    late = ruled({"sure_retreat.from_flags": 3})
    assert course(late, scripted, [("flags to save", 2), ("flag saves", [3, 3])], answer_flags, flags=2).retreat == 0
    many = ruled({"sure_retreat.flags": 2})
    assert course(many, scripted, [], answer_flags, flags=2).retreat == 2
    behind = [("first flag", "ignore the first flag"), *saved]
    assert course(many, scripted, behind, answer_flags, flags=3, sandbags=True).retreat == 1


@pytest.mark.rule("AFR-052")
def test_the_share_of_enemies_that_wins(ruled: Any, scenario: Any) -> None:
    quotas = [
        translate(ruled({"quota.share": share}, vp_quota="half_enemy"), scenario()).quotas["blue"]
        for share in (0.1, 0.4, 1)
    ]
    assert quotas == [1, 2, 3], "of two units and their NCO"


@pytest.mark.rule("AFR-317", "AFR-131")
def test_the_share_of_a_hex_that_terrain_takes(book: Any, ruled: Any, scenario: Any) -> None:
    wood = scenario(terrain="copse: {kind: dense_wood, area: [[0, 12], [9, 12], [9, 22], [0, 22]]}")
    brook = scenario(terrain="brook: {kind: stream, line: [[0, 14], [48, 24]]}")

    def hexes(rules: Any, place: Any, kind: str) -> int:
        return sum(kind in ground.kinds for ground in translate(rules, place).field.ground)

    counts = [hexes(book(), wood, "wood"), hexes(book(), brook, "river")]
    more = ruled({"mapping.shares.area": 0.1, "mapping.shares.line": 0.01})
    fewer = ruled({"mapping.shares.area": 0.9, "mapping.shares.line": 0.9})
    assert hexes(fewer, wood, "wood") < counts[0] < hexes(more, wood, "wood")
    assert hexes(fewer, brook, "river") < counts[1] <= hexes(more, brook, "river")


def wall(book: Any, at: Any, **more: Any) -> tuple[Any, Any]:
    us = unit_of(book, "us", "red", "inf_b", at(4, 4), **more)
    us.mark("ordered", "move", "battle")
    return bare_battle(book, [us], structures={at(4, 5): StructureSpec("stone", 5, "blue")}), us


@pytest.mark.rule("AFR-330", "AFR-331", "AFR-335")
def test_hexes_that_ladders_take(book: Any, ruled: Any, at: Any) -> None:
    for changes, puts_up, goes_up in (
        ({}, True, 1), ({"ladder_moves.put_up": 3}, False, 1), ({"ladder_moves.climb": 2}, True, 2),
        ({"ladder_moves.climb": 3}, True, None),
    ):  # fmt: skip
        rules = ruled(changes) if changes else book()
        battle, us = wall(rules, at, ladders=True)
        nothing = Plan(battle.field, {}, {}, {})
        assert (("ladder", at(4, 5)) in unit_options(battle, us, nothing)) is puts_up
        battle.ladders = [(at(4, 5), at(4, 4))]
        assert reachable(battle, at(4, 4), 2, "red", True, room=2).get(at(4, 5)) == goes_up


@pytest.mark.rule("AFR-332")
def test_the_repulse_of_a_ladder(book: Any, ruled: Any) -> None:
    def fares(rules: Any) -> Any:
        return odds(rules.rules, rules.rules.ruleset.procedure("ladder"), LadderOdds(6))

    assert fares(book()).probability(lambda o: o.ladder == "stands") == F(4, 6)
    assert fares(ruled({"ladder.dice": 2})).probability(lambda o: o.ladder == "stands") == F(16, 36)
    assert fares(ruled({"ladder.dice": 0})).probability(lambda o: o.ladder == "stands") == 1
    harder = fares(ruled({"ladder.figures": 2}))
    assert harder.probability(lambda o: o.ladder == "broken" and o.lost == 2) == F(1, 6)
    assert harder.probability(lambda o: o.ladder == "falls" and o.lost == 2) == F(1, 6) * F(25, 36)


@pytest.mark.rule("AFR-340", "AFR-342")
def test_the_numbers_of_events_and_of_cards(ruled: Any, at: Any) -> None:
    rules = ruled(
        {
            "events.ev_rain.dice": 2, "events.ev_ammunition.dice": 3, "events.ev_fever.least": 7, "events.ev_sandstorm.turns": 3,
            "events.ev_second_wind.orders": 2, "cards.sp_volley.dice": 2,
        }
    )  # fmt: skip
    us = unit_of(rules, "us", "red", "inf_b", at(4, 4))
    weak = unit_of(rules, "weak", "red", "inf_b", at(2, 4), 6)
    battle = bare_battle(rules, [us, weak, unit_of(rules, "them", "blue", "inf_c", at(4, 7))])
    battle.card = "sp_volley"

    def happen(name: str, script: Any = ()) -> None:
        battle.event_deck.pile = {name: 1}
        run(turn_over, battle, "red", script=[("event card", name), *script])

    def dice(row: int) -> int:
        return dice_facts(battle, us, at(4, 4), at(4, row)).card

    us.mark("far")
    assert (dice(5), dice(7)) == (0, 2)
    us.mark("first")
    assert (dice(5), dice(7)) == (3, 5)
    happen("ev_rain")
    assert (dice(5), dice(7)) == (3, 3)
    happen("ev_fever")
    assert (us.figures, weak.figures) == (7, 6), "of six none is sick"
    happen("ev_sandstorm")
    assert battle.effects["ev_sandstorm"] == battle.turn + 3
    happen("ev_second_wind", [("ev_second_wind", ("unit", "us")), ("ev_second_wind", ("unit", "weak"))])
    assert {"ordered", "battle"} <= us.marks & weak.marks


@pytest.mark.rule("AFR-197", "AFR-228")
def test_odds_follow_the_numbers(book: Any, ruled: Any) -> None:
    facts = BattleFacts("inf_a", 6, 2, defender="inf_c", defender_figures=8)

    def kills(rules: Any) -> Any:
        return odds(rules.rules, rules.rules.ruleset.procedure("battle"), facts).mean(lambda o: o.kills)

    assert kills(ruled({"sure_kill.from_hits": 4})) < kills(book()) < kills(ruled({"sure_kill.from_hits": 1}))


def test_half_of_the_enemy_is_a_quota_in_shipped_scenarios(book: Any) -> None:
    plan = translate(book(vp_quota="half_enemy"), load_scenario("river_ford"))
    assert all(quota is not None and quota > 0 for quota in plan.quotas.values())
