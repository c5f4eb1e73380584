"""Every number of the twelve charts, line by line: any changed value fails here."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.paychest.stage import rules_with

from zareba_rulesets.paychest.book.numbers import PaychestBook
from zareba_rulesets.paychest.chapters.movement.allowances import roll_allowance
from zareba_rulesets.paychest.chapters.to_hit import FireFacts

BOOK = PaychestBook(rules_with())
FILE = BOOK.file

# profile: kind, rank, Firearms, Melee, shots, firearm or "", blade or ""
TABLE_1 = {
    "legion_officer": ("regular", "lieutenant", 4, 5, 2, "pistol", "sword"),
    "legion_nco": ("regular", "sergeant", 5, 4, 2, "rifle", "bayonet"),
    "legionnaire": ("regular", "private", 4, 4, 2, "rifle", "bayonet"),
    "recruit": ("regular", "private", 3, 3, 2, "rifle", "bayonet"),
    "cavalry_officer": ("regular", "lieutenant", 4, 5, 2, "pistol", "sword"),
    "cavalry_nco": ("regular", "sergeant", 4, 4, 2, "carbine", "sword"),
    "trooper": ("regular", "private", 3, 4, 2, "carbine", "sword"),
    "gun_nco": ("regular", "sergeant", 4, 4, 2, "carbine", ""),
    "gunner": ("regular", "private", 4, 3, 2, "carbine", ""),
    "arab_chief": ("irregular", "chief", 4, 5, 1, "rifle", "sword"),
    "arab_leader": ("irregular", "leader", 3, 5, 1, "rifle", "sword"),
    "arab_subleader": ("irregular", "sub_leader", 3, 4, 1, "rifle", "sword"),
    "arab_rifleman": ("irregular", "warrior", 3, 3, 1, "rifle", "knife"),
    "arab_swordsman": ("irregular", "warrior", 2, 4, 1, "", "sword"),
    "arab_rider": ("irregular", "warrior", 2, 4, 1, "carbine", "sword"),
    "arab_gunner": ("irregular", "private", 2, 3, 1, "", "knife"),
    "civilian": ("irregular", "private", 2, 2, 1, "pistol", ""),
    "driver": ("irregular", "private", 2, 2, 1, "", ""),
}


@pytest.mark.rule("PAY-017", "PAY-024")
def test_1_skills_and_armament() -> None:
    found = {
        name: (
            line.kind, line.rank, line.firearms, line.melee, line.shots,
            "".join(w for w in line.weapons if w in BOOK.bands), "".join(w for w in line.weapons if w in BOOK.blades),
        )
        for name, line in FILE.profiles.items()
    }  # fmt: skip
    assert found == TABLE_1
    assert FILE.legion_profiles.profiles == ["legion_officer", "legion_nco", "legionnaire", "recruit"]


@pytest.mark.rule("PAY-016", "PAY-020")
def test_quality_and_bounds_of_skills() -> None:
    changes = {name: (line.firearms, line.melee) for name, line in FILE.quality.items()}
    assert changes == {"raw": (-1, -1), "regular": (0, 0), "veteran": (1, 0), "elite": (1, 1)}
    assert (FILE.quality_bounds.least, FILE.quality_bounds.most) == (1, 5)
    assert (FILE.skill_bounds.least, FILE.skill_bounds.most) == (0, 6)


@pytest.mark.rule("PAY-066", "PAY-072", "PAY-123", "PAY-078", "PAY-080")
def test_2_movement_dice() -> None:
    assert {name: (line.advance, line.run) for name, line in FILE.movers.items()} == {
        "foot": (2, 3), "horse": (3, 5), "camel": (3, 4), "pack": (2, 3), "gun_by_hand": (1, 0),
        "gun_limbered": (2, 3), "wagon": (2, 3), "carriage": (2, 3), "tractor": (2, 0), "flyer": (4, 6),
    }  # fmt: skip
    grounds = {name: line.ground for name, line in FILE.movers.items()}
    assert [grounds[name] for name in ("foot", "horse", "camel", "pack")] == ["foot", "mounted", "mounted", "mounted"]
    assert grounds["flyer"] == "air" and grounds["wagon"] == grounds["gun_limbered"] == "wheels"
    halvings = FILE.halved_by_load, FILE.halved_by_leg_wound, FILE.saddling, FILE.getting_off
    assert [halving.times for halving in halvings] == [0.5] * 4
    room = {name: (c.figures, c.guns, c.machine_guns, c.loads, c.either) for name, c in FILE.conveyances.items()}
    assert room == {
        "wagon": (8, 0, 1, 1, True), "carriage": (4, 0, 1, 1, True), "tractor": (3, 0, 1, 1, True),
        "flyer": (10, 1, 2, 0, False),
    }  # fmt: skip
    assert (FILE.mounts_led.most, FILE.altitude.most, FILE.altitude.inches_a_step) == (2, 3, 6)


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
        return *(ground.price(column) for column in ("foot", "mounted", "wheels")), ground.sight, hides

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
    assert all(ground.price("air") in (None, 1) for ground in FILE.terrain.values())


@pytest.mark.rule("PAY-026", "PAY-172", "PAY-180")
def test_4_ranges() -> None:
    found = {name: (w.short, w.medium, w.long, w.hands, w.shots_at_most) for name, w in FILE.weapons.items()}
    assert found == {
        "rifle": (12, 24, 36, 2, None),
        "carbine": (8, 16, 24, 2, None),
        "musket": (6, 12, 18, 2, 1),
        "bow": (5, 10, 15, 2, None),
        "pistol": (4, 8, 12, 1, None),
        "thrown_spear": (3, 6, None, 1, None),
        "machine_gun": (12, 24, 36, 0, None),
        "shell": (24, 48, 72, 0, None),
    }


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


@pytest.mark.rule("PAY-128", "PAY-149", "PAY-158", "PAY-189")
def test_9_loss_of_leader_and_the_other_totals() -> None:
    assert (FILE.leader_loss.dice, FILE.leader_loss.passes_at) == (2, 7)
    assert FILE.leader_loss_irregular.result == "rout_4d6_off_board"
    assert (FILE.rally.dice, FILE.rally.passes_at, FILE.morale.dice, FILE.cover_shock.total) == (2, 7, 2, 12)


# formation: ranks of its figures, and its component formations
TABLE_10: dict[str, tuple[dict[str, int], dict[str, tuple[int, int | None]]]] = {
    "infantry_company": ({"captain": 1, "lieutenant": 1, "sergeant": 2, "private": 16}, {}),
    "platoon": ({"lieutenant": 1, "sergeant": 1, "private": 8}, {}),
    "battalion": (
        {"colonel": 1, "major": 1, "lieutenant": 1, "private": 2, "sergeant_major": 1},
        {"infantry_company": (4, 4)},
    ),
    "brigade": ({"general": 1, "private": 2}, {"battalion": (2, None)}),
    "cavalry_squadron": ({"lieutenant": 1, "sergeant": 1, "private": 10}, {}),
    "troop": ({"lieutenant": 1, "private": 5}, {}),
    "second_troop": ({"sergeant": 1, "private": 5}, {}),
    "cavalry_regiment": (
        {"colonel": 1, "lieutenant": 1, "private": 1, "sergeant_major": 1},
        {"cavalry_squadron": (2, None)},
    ),
    "artillery_section": ({"sergeant": 1, "private": 3}, {}),
    "battery": ({"lieutenant": 1, "sergeant": 1}, {"artillery_section": (3, 3)}),
    "machine_gun_section": ({"sergeant": 1, "private": 3}, {}),
    "native_warband": ({"leader": 1, "sub_leader": 1, "warrior": 18}, {}),
    "native_regiment": ({"native_general": 1, "warrior": 2}, {"native_warband": (2, 6)}),
    "native_army": ({"chief": 1, "sub_chief": 1, "warrior": 2}, {"native_regiment": (2, None)}),
    "native_cavalry_warband": ({"leader": 1, "warrior": 11}, {}),
    "native_artillery_section": ({"sub_leader": 1, "private": 3}, {}),
}


@pytest.mark.rule(
    "PAY-198", "PAY-199", "PAY-200", "PAY-201", "PAY-202", "PAY-203", "PAY-204", "PAY-206", "PAY-207", "PAY-208",
    "PAY-211", "PAY-212",
)  # fmt: skip
def test_10_organisation_rank_by_rank() -> None:
    found = {
        name: (dict(f.staff), {part: (share.least, share.most) for part, share in f.of.items()})
        for name, f in FILE.organisation.items()
    }
    assert found == TABLE_10
    guns = {name: f.guns for name, f in FILE.organisation.items() if f.guns}
    assert guns == {"artillery_section": 1, "machine_gun_section": 1, "native_artillery_section": 1}
    natives = [name for name, f in FILE.organisation.items() if f.kind == "irregular"]
    assert natives == [name for name in FILE.organisation if name.startswith("native")]
    assert FILE.unit_size.most == 40


@pytest.mark.rule("PAY-035", "PAY-042", "PAY-045", "PAY-092", "PAY-093")
def test_11_ranks_highest_first() -> None:
    order = sorted(BOOK.rank_order, key=lambda rank: BOOK.rank_order[rank])
    assert order == [
        "general", "chief", "colonel", "sub_chief", "major", "native_general", "captain", "leader", "lieutenant",
        "sub_leader", "sergeant_major", "sergeant", "corporal", "acting_corporal", "acting_leader", "private",
        "warrior",
    ]  # fmt: skip
    assert [rank for rank in order if rank not in BOOK.leader_ranks] == ["private", "warrior"]


TABLE_12: dict[str, tuple[Any, ...]] = {
    "double_fire": ("PAY-025", "regulars", "legion_only", "none"),
    "commander_card": ("PAY-032", "own", "attached"),
    "acting_corporal_choice": ("PAY-039", "bravest", "owner"),
    "gait_scope": ("PAY-067", "figure", "unit"),
    "movement_method": ("PAY-068", "dice", "fixed"),
    "melee_lock": ("PAY-076", "off", "on"),
    "flyers": ("PAY-081", "off", "on"),
    "los_figures_block": ("PAY-090", "none", "friends"),
    "group_gap_in": ("PAY-097", 2.0),
    "second_shot_target": ("PAY-102", "free", "same"),
    "fire_in_contact": ("PAY-103", "no", "leaders_only"),
    "hit_spread": ("PAY-105", "random", "even"),
    "six_misses": ("PAY-111", False, True),
    "casualty_reshuffle": ("PAY-117", "when_empty", "every_card", "every_turn"),
    "collapse_at_wounds": ("PAY-119", 3),
    "unconscious_recovery": ("PAY-124", "never", "six"),
    "remove_irregular_casualties": ("PAY-125", True, False),
    "morale_counts": ("PAY-127", "hits", "wounds"),
    "leader_loss_regulars": ("PAY-129", "second_table", "fall_back", "inactive"),
    "leader_loss_scope": ("PAY-132", "current", "any"),
    "two_to_one_dice": ("PAY-138", "per_man", "single"),
    "back_turned_melee": ("PAY-143", -2),
    "melee_excess_spread": ("PAY-144", "random", "winner"),
    "retreat_direction": ("PAY-163", "home_edge", "away_from_enemy"),
    "rally_may_act": ("PAY-167", "fire_only", "free", "nothing"),
    "routers_test": ("PAY-168", False, True),
    "single_figure_morale": ("PAY-170", "exempt", "test"),
    "mg_cover_modifier": ("PAY-172", "apply", "ignore"),
    "group_bonus_counts": ("PAY-173", "exposed", "all"),
    "jam_test": ("PAY-175", "same_shot", "consecutive_shots"),
    "jam_effect": ("PAY-175", "hit_stands", "burst_lost"),
    "jam_clear": ("PAY-176", "activation", "one_shot"),
    "mg_shots_regular": ("PAY-177", 2, 1),
    "artillery_shots_regular": ("PAY-184", 1, 2),
    "exposure_check": ("PAY-188", "guns_only", "all_fire"),
    "shock_trigger": ("PAY-190", "on_hit", "on_fire"),
    "recycle_irregulars": ("PAY-195", "off", "on"),
    "own_victory": ("PAY-215", "in_order", "common"),
    "taken_when": ("PAY-194", "carried_or_guarded", "carried"),
}


@pytest.mark.rule("PAY-013")
def test_12_settings_and_their_defaults() -> None:
    found = {
        name: (s.rule, s.default, *(v for v in s.values or () if v != s.default)) for name, s in FILE.settings.items()
    }
    assert found == TABLE_12


@pytest.mark.rule(
    "PAY-007", "PAY-048", "PAY-089", "PAY-090", "PAY-091", "PAY-098", "PAY-112", "PAY-120", "PAY-163", "PAY-173",
    "PAY-174", "PAY-178", "PAY-182", "PAY-184", "PAY-185", "PAY-194", "PAY-196", "PAY-044", "PAY-124",
)  # fmt: skip
def test_the_single_numbers() -> None:
    assert {name: base.inches for name, base in FILE.bases.items()} == {
        "foot": 1.0, "mounted": 1.5, "gun": 2.0, "conveyance": 3.0,
    }  # fmt: skip
    assert (FILE.contact.inches, FILE.cohesion_at_start.inches, FILE.short_of_enemies.inches) == (0.05, 6, 1)
    assert (FILE.sight.inches_through_growth, FILE.friends_block_beyond.inches, FILE.climb_contact.inches) == (6, 1, 1)
    assert (FILE.target_stretch.inches, FILE.gun_stretch.inches, FILE.held_within.inches) == (1, 4, 2)
    guns = {k: (g.crew, g.pushers, g.irregular_shots, g.figures_a_bonus, g.hit_dice) for k, g in FILE.guns.items()}
    assert guns == {"machine_gun": (1, 1, 1, 3, 1), "shell": (2, 2, 1, 3, 4)}
    assert (FILE.leg_wounds_that_lame.wounds, FILE.recovery.least, FILE.double_roll.first) == (2, 6, 1)
    assert (FILE.jam.first, FILE.jam.second, FILE.jam.in_a_row) == (1, 1, 2)
    assert (FILE.mixed_cover.share, FILE.led_off.share, FILE.most_against_one.most) == (0.5, 0.5, 2)
    assert FILE.bearers_apart.inches == 2
    assert (FILE.brave_deeds.inches_carried, FILE.most_appearances.most, FILE.guns_that_warn.most) == (3, 2, 2)
