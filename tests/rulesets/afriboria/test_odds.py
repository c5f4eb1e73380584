"""The odds run the functions of play: house rules count, and facts that play refuses have no odds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from fractions import Fraction as F
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from zareba.base.errors import ZarebaError
from zareba.odds import Odds, odds, odds_of
from zareba.plugins.ruleset import UnitChange
from zareba.registry import load_rules
from zareba.rules import Rules
from zareba.table import GivenAnswer, SeededTable
from zareba.table.questions import Step
from zareba_rulesets.afriboria.odds.battles import (
    AirAttackOdds,
    AntiAirOdds,
    BombardmentOdds,
    LadderOdds,
    ParkedFacts,
    WallFireFacts,
)
from zareba_rulesets.afriboria.odds.stage import BattleFacts, CommanderFacts

UNITS: dict[str, Any] = {"defender": "inf_c", "defender_figures": 8}


CLOSE = BattleFacts("inf_a", 6, 1, **UNITS)
FAR = BattleFacts("inf_a", 6, 2, **UNITS)
CHIEF = CommanderFacts("inf_a", 6, 1)
WALL = WallFireFacts("inf_a", 6, 2, **UNITS, sections=(2, 2), ranges=(2, 2), dice=(2, 1))
BOMB = AirAttackOdds(0, "inf_c", 8)
ASKED: list[tuple[str, Any, str]] = [
    *(("battle", CLOSE, name) for name in ("battle.fight", "battle.attack", "battle.defend", "battle.flags", "retreat.forced")),
    ("battle", CLOSE, "battle.breakthrough"),
    *(("double_fire", FAR, name) for name in ("battle.fight", "battle.attack")),
    *(("attack_on_commander", CHIEF, name) for name in ("battle.fight_commander", "battle.commander", "retreat.commander")),
    *(("fire_from_wall", WALL, name) for name in ("siege.sections", "battle.attack", "battle.flags", "retreat.forced")),
    *(("attack_from_air", BOMB, name) for name in ("air.attack", "battle.attack", "battle.flags", "retreat.forced")),
    ("anti_aircraft", AntiAirOdds("airship"), "air.hits"),
    ("attack_on_parked", ParkedFacts("inf_a", 6, 2), "air.parked"),
    ("bombardment", BombardmentOdds("art_field", 1, "wood", 3), "siege.bombard"),
    ("ladder", LadderOdds(3), "siege.ladder"),
]  # fmt: skip


def ask(rules: Rules, procedure: str, facts: Any) -> Odds:
    return odds(rules, rules.ruleset.procedure(procedure), facts)


@pytest.mark.parametrize(
    ("procedure", "facts", "name"), ASKED, ids=lambda value: value if isinstance(value, str) else ""
)
def test_every_procedure_that_an_attack_calls_is_in_its_odds(procedure: str, facts: Any, name: str) -> None:
    called: list[str] = []

    def watch(run: Callable[..., Any], table: Any, *args: Any, **more: Any) -> Any:
        called.append(type(table.state).__name__)
        return run(table, *args, **more)

    plain = load_rules("afriboria")
    found = ask(replace(plain, wraps={name: watch}), procedure, facts)
    assert set(called) == {"Battle"}, "a house rule sees the battle of these rules"
    assert found.outcomes == ask(plain, procedure, facts).outcomes


def never(run: Any, table: Any, *args: Any, **more: Any) -> None:
    return None


@pytest.mark.rule("AFR-208", "AFR-226", "AFR-229")
def test_odds_leave_out_what_a_house_rule_removes() -> None:
    plain = load_rules("afriboria")

    def mean(value: Callable[[Any], Any], *left_out: str) -> F:
        return ask(replace(plain, wraps=dict.fromkeys(left_out, never)), "battle", CLOSE).mean(value)

    assert mean(lambda o: o.attackers_lost) > 0 == mean(lambda o: o.attackers_lost, "battle.defend")
    assert (
        mean(lambda o: o.retreat)
        > 0
        == mean(lambda o: o.retreat, "battle.flags")
        == mean(lambda o: o.retreat, "retreat.forced")
    )
    assert mean(lambda o: o.kills) > 0 == mean(lambda o: o.kills + o.hits, "battle.fight")
    assert (
        ask(replace(plain, wraps={"battle.fight": never}), "double_fire", FAR).probability(lambda o: o.shots == 2) == 1
    )


def test_a_battle_that_is_fought_twice_kills_more() -> None:
    plain = load_rules("afriboria")

    def twice(run: Any, table: Any, battle: Any, unit: Any, *args: Any) -> Any:
        driven = run(table, battle, unit, *args)
        unit.battled = ()
        return run(table, battle, unit, *args) if driven is not None and driven.hex == args[0] else driven

    once = ask(plain, "battle", FAR)
    both = ask(replace(plain, wraps={"battle.fight": twice}), "battle", FAR)
    assert both.method == "exact" and sum(both.outcomes.values()) == 1
    assert both.mean(lambda o: o.kills) > once.mean(lambda o: o.kills)
    assert max(o.kills for o in both.outcomes) == 2 * max(o.kills for o in once.outcomes)


@pytest.mark.rule(
    "AFR-021", "AFR-026", "AFR-038", "AFR-151", "AFR-183", "AFR-239", "AFR-319", "AFR-321", "AFR-340", "AFR-342"
)
@pytest.mark.parametrize(
    ("wrong", "rule"),
    [
        ({"lancers": True}, "AFR-026"),
        ({"hilltop": True}, "AFR-151"),
        ({"attacker": "art_field", "attacker_figures": 4, "officer": True}, "AFR-183"),
        ({"firearms": 7}, "AFR-038"),
        ({"firearms": 3, "attacker_missile": False}, "AFR-038"),
        ({"officer_apart": True}, "AFR-183"),
        ({"stubborn": True}, "AFR-319"),
        ({"voluntary": True, "blocked": True}, "AFR-239"),
        ({"voluntary": True, "at_edge": True}, "AFR-239"),
        ({"voluntary": True, "defender_section": 2}, "AFR-239"),
        ({"defender_section": 8}, "AFR-321"),
        ({"card": 3}, "AFR-342"),
        ({"card": -1}, "AFR-340"),
    ],
)
def test_facts_that_play_does_not_know_are_refused(wrong: dict[str, Any], rule: str) -> None:
    with pytest.raises(ZarebaError, match=rule):
        ask(load_rules("afriboria"), "battle", replace(CLOSE, **wrong))


@pytest.mark.rule("AFR-340", "AFR-342")
def test_dice_by_cards_are_those_of_cards_and_events() -> None:
    """A card adds a die, fresh ammunition another; rain removes one beyond the adjacent hex."""
    rules = load_rules("afriboria")

    def hits(facts: Any, procedure: str = "battle") -> int:
        return max(int(o.hits) for o in ask(rules, procedure, facts).outcomes)

    assert [hits(replace(CLOSE, card=card)) for card in (0, 1, 2)] == [4, 5, 6]
    assert [hits(replace(FAR, card=card)) for card in (-1, 0, 1, 2)] == [2, 3, 4, 5]
    assert [hits(AirAttackOdds(2, "inf_c", 8, card=card), "attack_from_air") for card in (-1, 0)] == [3, 4]
    with pytest.raises(ZarebaError, match="AFR-342"):
        hits(AirAttackOdds(1, "inf_c", 8, card=1), "attack_from_air")
    twice = ask(rules, "double_fire", replace(FAR, card=2, defender_missile=False))
    assert max(o.kills for o in twice.outcomes) == 8, "five dice, then three: cards are for the first shot"


@pytest.mark.rule("AFR-183", "AFR-326", "AFR-327")
def test_odds_of_a_unit_on_a_wall_use_one_section() -> None:
    facts = replace(CLOSE, defender="inf_a", defender_figures=6, defender_officer=True)
    rules = load_rules("afriboria", {"officer_die_in_defence": True})
    whole, part = ask(rules, "battle", facts), ask(rules, "battle", replace(facts, defender_section=1))
    assert max(o.kills for o in part.outcomes) == 1 < max(o.kills for o in whole.outcomes)
    apart = ask(rules, "battle", replace(facts, defender_section=1, officer_apart=True))
    assert max(o.attackers_lost for o in part.outcomes) == 1
    assert apart.mean(lambda o: o.attackers_lost) < part.mean(lambda o: o.attackers_lost)


@pytest.mark.rule("AFR-153", "AFR-165")
def test_a_second_shot_does_not_go_through_the_ground_that_the_target_has_left() -> None:
    facts = replace(FAR, officer=True, defender_missile=False)
    rules = load_rules("afriboria")
    for ground, most in (("wood", 0), ("hill", 0), ("fence", 2)):  # four hexes is the range of rifles
        there: Any = replace(facts, terrain=(ground,))  # type: ignore[arg-type]  # features of a hex
        outcomes = ask(rules, "battle", there).outcomes.items()
        out_of_sight = sum(p for outcome, p in outcomes if outcome.retreat > most)
        assert ask(rules, "double_fire", there).probability(lambda o: o.shots == 1) == out_of_sight > 0


def asked(book: Any, name: str, facts: Any) -> Any:
    return odds(book.rules, book.rules.ruleset.procedure(name), facts)


def explained(book: Any, name: str, facts: Any) -> list[str]:
    tallies = book.rules.ruleset.procedure(name).explain(book.rules, facts).tallies
    return [tally.rule.name for tally in tallies]


@pytest.mark.rule("AFR-134")
@pytest.mark.parametrize(
    ("attacker", "distance", "refused"),
    [
        ("inf_a", 1, False), ("inf_a", 3, True), ("cav_a", 1, True), ("cav_a_foot", 1, False), ("cav_a_foot", 2, True),
        ("art_field", 3, False), ("mg_foot", 3, False), ("vehicle_gun", 3, True),
    ],
)  # fmt: skip
def test_a_depression_shelters_in_the_odds_as_in_play(book: Any, attacker: Any, distance: int, refused: bool) -> None:
    men = book().profiles[attacker].figures
    situations = [
        ("battle", BattleFacts(attacker, men, distance, ("depression",), defender="inf_c", defender_figures=8)),
        ("attack_on_parked", ParkedFacts(attacker, men, distance, ("depression",))),
    ]
    if book().profiles[attacker].storms:
        situations.append(("attack_on_commander", CommanderFacts(attacker, men, distance, ("depression",))))
    for name, facts in situations:
        if refused:
            with pytest.raises(ZarebaError, match="AFR-134"):
                asked(book(), name, facts)
        elif not (name == "attack_on_parked" and attacker == "mg_foot"):
            assert asked(book(), name, facts).outcomes
    if refused and attacker == "inf_a":
        twice = BattleFacts(attacker, men, distance, ("depression",), defender="inf_c", defender_figures=8)
        with pytest.raises(ZarebaError, match="AFR-134"):
            asked(book(), "double_fire", twice)


@pytest.mark.rule("AFR-134", "AFR-035")
def test_machine_guns_reach_into_a_depression_by_their_privilege(book: Any) -> None:
    facts = BattleFacts("mg_foot", 4, 2, ("depression",), defender="inf_c", defender_figures=8)
    assert asked(book(), "battle", facts).outcomes
    with pytest.raises(ZarebaError, match="AFR-134"):
        asked(book(mg_counts_as_artillery=False), "battle", facts)


@pytest.mark.rule("AFR-016", "AFR-208")
def test_fast_play_explains_no_defence_that_is_never_thrown(book: Any) -> None:
    facts = BattleFacts("inf_a", 6, 1, defender="inf_a", defender_figures=6)
    for fastplay, told in (
        ("off", ["battle_dice", "defence_dice"]), ("saves_only", ["battle_dice", "defence_dice"]), ("on", ["battle_dice"]),
    ):  # fmt: skip
        assert explained(book(fastplay=fastplay), "battle", facts) == told


@pytest.mark.rule("AFR-278")
def test_machine_guns_do_not_attack_what_is_parked(book: Any) -> None:
    guns: Any = ("mg_foot", "mg_horse", "aa_gun", "vehicle_mg")
    for key in guns:
        with pytest.raises(ZarebaError, match="AFR-278"):
            asked(book(), "attack_on_parked", ParkedFacts(key, 4, 1))
    assert asked(book(), "attack_on_parked", ParkedFacts("art_field", 4, 1)).outcomes


def share(result: Any, wanted: Any) -> F:
    return sum((p for outcome, p in result.outcomes.items() if wanted(outcome)), F(0))


@pytest.mark.rule("AFR-165", "AFR-247", "AFR-248")
def test_the_way_back_counts_in_a_double_fire(book: Any) -> None:
    """Three dice at spearmen at range 2, then the dice left at the range to which they retreated."""
    plain = BattleFacts("inf_a", 6, 2, defender="inf_c", defender_figures=8, defender_missile=False)
    free = asked(book(), "double_fire", plain)
    assert share(free, lambda o: o.retreat > 0) > 0 and share(free, lambda o: o.lost_to_flags) == 0
    blocked = asked(book(), "double_fire", replace(plain, blocked=True))
    assert share(blocked, lambda o: o.retreat > 0) == 0
    assert share(blocked, lambda o: o.lost_to_flags > 0) > 0
    one_hex = asked(book(), "double_fire", replace(plain, barred_behind=1))
    assert max(o.retreat for o in one_hex.outcomes) == 1 and share(one_hex, lambda o: o.lost_to_flags > 0) > 0
    edge = asked(book(), "double_fire", replace(plain, at_edge=True))
    first = asked(book(), "battle", replace(plain, at_edge=True))
    assert share(edge, lambda o: o.destroyed) > share(first, lambda o: o.destroyed) > 0
    assert all(o.shots == 1 for o in edge.outcomes if o.destroyed and o.kills < 3 and o.shots < 2)
    row = asked(book(), "double_fire", replace(plain, rows_behind=1))
    assert 0 < share(row, lambda o: o.destroyed) < share(edge, lambda o: o.destroyed)


@pytest.mark.rule("AFR-165", "AFR-319")
def test_retreated_unit_has_left_its_structure(book: Any) -> None:
    """Behind walls a unit may accept any number of flags. The odds assume none."""
    facts = BattleFacts(
        "inf_a",
        6,
        2,
        ("building",),
        officer=True,
        defender="inf_c",
        defender_figures=8,
        defender_missile=False,
        stubborn=True,
    )
    assert share(asked(book(), "double_fire", facts), lambda o: o.retreat > 0) == 0


def wall(**more: Any) -> WallFireFacts:
    values: dict[str, Any] = {
        "attacker": "inf_a", "attacker_figures": 6, "range": 1, "defender": "inf_c", "defender_figures": 8,
        "sections": (2, 2), "ranges": (1, 1), "dice": (2, 3), "officer": True,
    }  # fmt: skip
    return WallFireFacts(**(values | more))


@pytest.mark.rule("AFR-318", "AFR-321", "AFR-322", "AFR-323")
def test_odds_reject_impossible_fire_from_a_wall(book: Any) -> None:
    assert asked(book(), "fire_from_wall", wall()).outcomes
    for wrong, said in (
        ({"officer": False}, "dice"),  # five dice; the row has four
        ({"dice": (3, 3)}, "dice"),
        ({"dice": (0, 5), "officer": False}, "dice"),
        ({"dice": (6, 0)}, "dice"),
        ({"sections": (4, 4)}, "men"),
        ({"sections": (5, 1)}, "4"),
        ({"ranges": (1, 5)}, "range"),
        ({"ranges": (2, 2)}, "nearest"),
        ({"attacker": "cav_a", "attacker_figures": 5}, "foot"),
        ({"attacker": "art_field", "attacker_figures": 4}, "foot"),
        ({"sections": (2,)}, "each section"),
    ):
        with pytest.raises(ZarebaError, match=said):
            asked(book(), "fire_from_wall", wall(**wrong))
    with pytest.raises(ZarebaError, match="2"):
        asked(book(hex_cm=10), "fire_from_wall", wall(sections=(3, 2)))


@pytest.mark.rule("AFR-322", "AFR-326")
def test_fire_from_a_wall_is_explained(book: Any) -> None:
    assert explained(book(), "fire_from_wall", wall()) == ["battle_dice", "battle_dice", "defence_dice"]


@pytest.mark.rule("AFR-342")
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("anti_aircraft", {"target": "aircraft"}),
        ("attack_from_air", {"range": 1, "defender": "inf_c", "defender_figures": 8}),
        ("bombardment", {"gun": "art_field", "range": 1, "structure": "wood", "value": 3}),
    ],
)
def test_odds_refuse_more_dice_than_cards_give(book: Any, name: str, words: dict[str, Any]) -> None:
    facts = TypeAdapter(book().rules.ruleset.procedure(name).facts)
    assert facts.validate_python({**words, "card": 1}).card == 1
    with pytest.raises(ValidationError, match="card"):
        facts.validate_python({**words, "card": 9})


@pytest.mark.rule("AFR-182")
@pytest.mark.parametrize(
    ("name", "facts"),
    [
        ("battle", BattleFacts("inf_c", 8, 3, ("building",), defender="inf_a", defender_figures=6)),
        ("double_fire", BattleFacts("inf_a", 6, 4, ("wood",), defender="inf_c", defender_figures=8)),
        ("attack_on_commander", CommanderFacts("inf_c", 8, 3, ("building",))),
        ("bombardment", BombardmentOdds("art_field", 6, "wood", 3, card=-1)),
        ("attack_from_air", AirAttackOdds(1, "inf_c", 8, ("fieldwork", "hill", "orchard"))),
    ],
)
def test_odds_without_dice_are_refused_as_in_play(book: Any, name: str, facts: Any) -> None:
    rules = book(terrain_stack="sum").rules
    with pytest.raises(ZarebaError, match="no dice are left"):
        odds(rules, rules.ruleset.procedure(name), facts)


def meeting(game: Any, **parts: Any) -> tuple[Any, Any]:
    """A game in the battle stage: the first red unit, ordered, is next to the first blue one."""
    play = game(**parts)
    battle = play.start()
    red, blue = (next(unit for unit in battle.units.values() if unit.spec.side == side) for side in ("red", "blue"))
    here = play.plan.field.grid.columns * 3 + 3
    battle.move(red, here)
    battle.move(blue, play.plan.field.neighbours[here][0])
    battle.active, battle.stage, battle.turn = "red", "battles", 1
    red.mark("ordered", "battle")
    return play, battle


def questions_up_to(play: Any, battle: Any, why: str) -> tuple[list[GivenAnswer], Any]:
    """Return the questions of the next step up to a given one, answered with their first options."""
    given: list[GivenAnswer] = []

    def agent(question: Any, state: Any) -> Any:
        given.append(GivenAnswer(question, question.options[0]))
        return question.options[0]

    draft = battle.copy()
    step = play.next_step(draft)
    table = SeededTable(play.rules, draft, 1, dict.fromkeys(play.seats, agent))
    table.begin(step)
    play.perform(table, draft, step)
    at = next(place for place, answered in enumerate(given) if answered.question.why == why)
    return given[:at], given[at]


@pytest.mark.rule("AFR-163", "AFR-170")
def test_the_odds_of_a_battle_that_is_under_way_are_those_of_its_facts(game: Any) -> None:
    play, battle = meeting(game)
    before, (question, target) = questions_up_to(play, battle, "battle against")
    facts = BattleFacts("inf_a", 6, 1, rows_behind=2, defender="inf_c", defender_figures=8, defender_missile=False)
    (loser,) = [unit.spec.id for unit in battle.units_in(target[1])]

    def lost(was: Any, now: Any) -> Any:
        changed = {(change.unit, change.what): change for change in play.changes(was, now)}
        figures = changed.get((loser, "figures"))
        return 0 if figures is None else figures.was - figures.now

    found = odds_of(
        play, battle, before, question, target, lost, policy=lambda asked, state: play.hold(asked), seconds=20
    )  # fmt: skip
    by_facts: Counter[int] = Counter()
    men = battle.units[loser].figures
    for outcome, p in odds(play.rules, play.rules.ruleset.procedure("battle"), facts).outcomes.items():
        by_facts[men if outcome.destroyed else outcome.kills + outcome.lost_to_flags] += p  # type: ignore[assignment]  # a share
    assert found.method == "exact" and len(by_facts) > 2
    assert {n: p for n, p in found.outcomes.items() if p} == dict(by_facts)
    assert sum(by_facts.values()) == Fraction(1)
    after = battle.copy()
    assert not any(play.consequences(battle, after, Step(stage, 1, "")) for stage in play.policy.steps)


def test_changes_are_reported_of_every_piece(game: Any) -> None:
    plane = "{name: Plane, side: red, arm: aircraft, kind: european_regular, figures: 1, armament: [machine_gun], position: [20, 5]}"
    ship = plane.replace("Plane", "Ship").replace("aircraft", "airship")
    foot = "{name: Foot, side: red, arm: infantry, kind: european_regular, figures: 12, weapon: breech_rifle}"
    spears = "{name: Spears, side: blue, arm: infantry, kind: tribal, figures: 16}"
    boss = "boss: {name: Boss, side: red, rank: officer, unit: rifles}"
    play, battle = meeting(game, units=f"rifles: {foot}, spears: {spears}, plane: {plane}, ship: {ship}", leaders=boss)
    after = battle.copy()
    first, second = [unit for unit in after.units.values() if unit.spec.side == "red"]
    first.figures -= 2
    first.mark("defended", "battle")
    after.gone[second.spec.id] = "left the field"
    after.gone["boss"] = "killed"
    after.gone["plane"] = "shot down"
    after.fliers["ship"].strength -= 2
    changes = play.changes(battle, after)
    assert changes == (
        UnitChange(first.spec.id, "figures", 6, 4),
        UnitChange(first.spec.id, "defended", 0, True),
        UnitChange(second.spec.id, "figures", 6, 0),
        UnitChange("boss", "figures", 1, 0),
        UnitChange("plane", "figures", 1, 0),
        UnitChange("ship", "strength", 6, 4),
    )
    assert [play.describe_change(change).split(": ")[1] for change in changes] == [
        "2 figures lost", "defended", "6 figures lost", "1 figure lost", "1 figure lost", "strength from 6 to 4"
    ]  # fmt: skip
    assert play.describe_change(changes[3]).startswith("Boss: ")
