"""The odds agree with play: facts that play refuses have no odds, and every accepted fact has an effect."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction as F
from typing import Any

import pytest

from zareba.base.errors import ZarebaError
from zareba.odds import odds
from zareba_rulesets.afriboria.odds.air import ParkedFacts
from zareba_rulesets.afriboria.odds.facts import BattleFacts, CommanderFacts
from zareba_rulesets.afriboria.odds.walls import WallFireFacts


def asked(book: Any, name: str, facts: Any) -> Any:
    return odds(book.rules, book.rules.ruleset.procedure(name), facts)


def explained(book: Any, name: str, facts: Any) -> list[str]:
    tallies = book.rules.ruleset.procedure(name).reckoned(book.rules, facts).tallies
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
def test_who_has_gone_back_is_no_longer_in_his_structure(book: Any) -> None:
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
def test_fire_from_a_wall_is_refused_as_it_would_be_dealt(book: Any) -> None:
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
