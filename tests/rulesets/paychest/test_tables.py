"""The charts of the rulebook that the ruleset prepares for play; `golden/paychest_numbers.txt` lists every number."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.paychest.stage import rules_with

from zareba_rulesets.paychest.book.numbers import PaychestBook
from zareba_rulesets.paychest.chapters.movement import roll_allowance
from zareba_rulesets.paychest.chapters.to_hit import FireFacts

BOOK = PaychestBook(rules_with())
FILE = BOOK.file


@pytest.mark.rule("PAY-068")
def test_fixed_moves_are_three_and_a_half_inches_a_die_rounded_down() -> None:
    from tests.rulesets.paychest.stage import red, scene

    place = scene(red(1), movement_method="fixed")
    pairs = [place.play(roll_allowance, place.battle, mover, True, "red") for mover in FILE.movers]
    assert sorted({inches for pair in pairs for inches in pair}) == [0, 3, 7, 10, 14, 17, 21]


@pytest.mark.rule("PAY-085", "PAY-088", "PAY-089", "PAY-091")
def test_3_ground() -> None:
    def line(ground: Any) -> tuple[Any, ...]:
        hides = ground.exposure if ground.cover == "hard" else ground.cover
        return *(ground.cost(column) for column in ("foot", "mounted", "wheels")), ground.sight, hides

    areas = {name: line(ground) for name, ground in FILE.terrain.items()}
    assert areas == {
        "open": (1, 1, 1, "open", "none"),
        "road": (1, 1, 1, "open", "none"),
        "soft_sand": (1, 1, 2, "crest", "none"),
        "rocks": (2, 2, None, "open", "low_wall"),
        "brush": (1, 2, 2, "thick", "soft"),
        "rise": (1, 1, 1, "crest", "none"),
        "steep_slope": (2, 2, None, "crest", "none"),
        "building": (2, None, None, "blocks", "parapet"),
        "deep_water": (None, None, None, "open", "none"),
        "shallows": (2, 2, 2, "open", "none"),
    }
    lines = {name: line(ground) for name, ground in FILE.obstacles.items()}
    assert lines == {
        "low_wall": (3, 3, None, "open", "low_wall"),
        "high_wall": (None, None, None, "blocks", "parapet"),
        "shut_gate": (None, None, None, "blocks", "none"),
        "thorn_hedge": (3, None, None, "open", "soft"),
    }
    assert [name for name, ground in FILE.obstacles.items() if ground.climb] == ["high_wall"]
    assert [name for name, ground in FILE.terrain.items() if ground.way] == ["road"]
    assert all(ground.cost("air") in (None, 1) for ground in FILE.terrain.values())


@pytest.mark.rule("PAY-108", "PAY-109", "PAY-110", "PAY-121", "PAY-122", "PAY-124", "PAY-172", "PAY-173", "PAY-180")
def test_5_firing_modifiers() -> None:
    plain = FireFacts(5)
    base = rules_with().tallies["firearms"].total(plain)

    def change(**facts: Any) -> int:
        return rules_with().tallies["firearms"].total(FireFacts(5, **facts)) - base

    assert base == 5
    assert [change(gait=gait) for gait in ("halt", "advance", "run")] == [0, -2, -3]
    assert [change(band=band) for band in ("short", "medium", "long")] == [0, -1, -2]
    for weapon, changes in (("small_arm", [0, -1, -2]), ("machine_gun", [0, -1, -2]), ("shell", [0, 0, 0])):
        assert [change(weapon=weapon, cover=cover) for cover in ("none", "soft", "hard")] == changes
    assert [change(arm_wounds=n) for n in (1, 2)] == [change(body_wounds=n) for n in (1, 2)] == [-1, -2]
    assert (change(recovered=1), change(bonus=4)) == (-1, 4)
    ignored = rules_with(mg_cover_modifier="ignore").tallies["firearms"].total
    assert ignored(FireFacts(5, cover="hard", weapon="machine_gun")) == 5
    assert ignored(FireFacts(5, cover="hard")) == 3  # rifles are different


RANKS = {"head": "A K", "chest": "Q J 10", "belly": "9 8", "arm": "7 6 5", "leg": "4 3 2"}
# location: effects of spades, hearts, clubs and diamonds
TABLE_6 = {
    "head": ("killed", "killed", "unconscious", "graze"),
    "chest": ("killed", "killed", "body_wound", "body_wound"),
    "belly": ("killed", "unconscious", "body_wound", "graze"),
    "arm": ("smashed_arm", "smashed_arm", "arm_wound", "graze"),
    "leg": ("crippled_leg", "crippled_leg", "leg_wound", "leg_wound"),
}


@pytest.mark.rule("PAY-116")
def test_6_the_casualty_deck_card_by_card() -> None:
    pack: dict[tuple[str, str], list[str]] = {}
    for location, results in TABLE_6.items():
        for suit, result in zip(("spades", "hearts", "clubs", "diamonds"), results, strict=True):
            pack.setdefault((location, result), []).extend(f"{rank} of {suit}" for rank in RANKS[location].split())
    assert sum(map(len, pack.values())) == 52
    classes = {(card.location, card.result): card for card in FILE.casualty_cards.values()}
    assert {key: card.copies for key, card in classes.items()} == {key: len(cards) for key, cards in pack.items()}
    for key, card in classes.items():  # playing cards of a class
        ranks, suits = card.cards.replace(",", "").split(" of ")
        named = {f"{r} of {s}" for r in ranks.split() if r != "or" for s in suits.split() if s != "or"}
        assert named == set(pack[key]), key


@pytest.mark.rule("PAY-087", "PAY-186")
def test_7_exposure() -> None:
    assert {name: set(entry.locations) for name, entry in FILE.exposure.items()} == {
        "open": {"head", "chest", "belly", "arm", "leg"},
        "low_wall": {"head", "chest", "arm"},
        "parapet": {"head", "arm"},
        "wagon": {"head", "leg"},
    }
    copies = dict.fromkeys(FILE.exposure, 0)
    for name, entry in FILE.exposure.items():
        copies[name] = sum(card.copies for card in FILE.casualty_cards.values() if card.location in entry.locations)
    assert copies == {"open": 52, "low_wall": 32, "parapet": 20, "wagon": 20}


@pytest.mark.rule(
    "PAY-130", "PAY-152", "PAY-153", "PAY-154", "PAY-155", "PAY-156", "PAY-157", "PAY-158", "PAY-159", "PAY-160",
    "PAY-161", "PAY-162",
)  # fmt: skip
def test_8_the_second_morale_roll() -> None:
    assert [BOOK.second_morale["regular"][die] for die in range(1, 7)] == [
        "rout_3d6_rally_7", "fall_back_3d6_backs_now", "fall_back_2d6_facing_next", "hold_figures_1_2",
        "hold_figures_1", "hold",
    ]  # fmt: skip
    assert [BOOK.second_morale["irregular"][die] for die in range(1, 7)] == [
        "rout_4d6_off_board", "rout_3d6_rally_7", "fall_back_2d6_backs_now", "fall_back_2d6_backs_next",
        "fall_back_2d6_facing_next", "hold",
    ]  # fmt: skip
    found = {name: (r.dice, r.when, r.backs, r.rout, r.rallies, r.figures) for name, r in FILE.results.items()}
    assert found == {
        "rout_4d6_off_board": (4, "now", True, True, False, 0),
        "rout_3d6_rally_7": (3, "now", True, True, True, 0),
        "fall_back_3d6_backs_now": (3, "now", True, False, False, 0),
        "fall_back_2d6_backs_now": (2, "now", True, False, False, 0),
        "fall_back_2d6_backs_next": (2, "next", True, False, False, 0),
        "fall_back_2d6_facing_next": (2, "next", False, False, False, 0),
        "hold_figures_1_2": (1, "now", True, False, False, 2),
        "hold_figures_1": (1, "now", True, False, False, 1),
        "hold": (0, "now", False, False, False, 0),
    }


@pytest.mark.rule("PAY-035", "PAY-042", "PAY-045", "PAY-092", "PAY-093")
def test_11_ranks_highest_first() -> None:
    order = sorted(BOOK.rank_order, key=lambda rank: BOOK.rank_order[rank])
    assert order == [
        "general", "chief", "colonel", "sub_chief", "major", "native_general", "captain", "leader", "lieutenant",
        "sub_leader", "sergeant_major", "sergeant", "corporal", "acting_corporal", "acting_leader", "private",
        "warrior",
    ]  # fmt: skip
    assert [rank for rank in order if rank not in BOOK.leader_ranks] == ["private", "warrior"]
