"""The worked examples of the rules, with their exact numbers."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction as F
from typing import Any

import pytest

from zareba.odds import Odds, odds
from zareba.registry import load_rules
from zareba_rulesets.afriboria.odds.battles import AntiAirOdds, BombardmentOdds, LadderOdds
from zareba_rulesets.afriboria.odds.stage import BattleFacts, CommanderFacts


def ask(procedure: str, facts: Any, **settings: Any) -> Odds:
    rules = load_rules("afriboria", settings)
    found = odds(rules, rules.ruleset.procedure(procedure), facts)
    assert found.method == "exact"
    assert sum(found.outcomes.values()) == 1
    return found


def spread(found: Odds, value: Callable[[Any], Any]) -> dict[Any, F]:
    """Return the distribution of one number of the outcome."""
    totals: dict[Any, F] = {}
    for outcome, p in found.outcomes.items():
        totals[value(outcome)] = totals.get(value(outcome), F(0)) + p
    return dict(sorted(totals.items()))


@pytest.mark.rule("AFR-189", "AFR-197", "AFR-198", "AFR-200", "AFR-227", "AFR-228", "AFR-195")
def test_volley_with_an_automatic_kill() -> None:
    found = ask("battle", BattleFacts("inf_a", 6, 2, defender="inf_c", defender_figures=8))
    assert spread(found, lambda o: o.kills) == {0: F(1, 4), 1: F(7, 18), 2: F(11, 36), 3: F(1, 18)}
    assert found.mean(lambda o: o.kills) == F(7, 6)
    assert spread(found, lambda o: o.attackers_lost) == {0: F(5, 6), 1: F(1, 6)}
    assert spread(found, lambda o: o.retreat) == {0: F(25, 36), 1: F(62, 243), 2: F(47, 972), 3: F(1, 486)}


@pytest.mark.rule("AFR-191", "AFR-192", "AFR-199", "AFR-208", "AFR-211", "AFR-229", "AFR-141")
def test_close_combat_with_sabres_and_terrain() -> None:
    found = ask("battle", BattleFacts("inf_c", 8, 1, defender="inf_a", defender_figures=5, terrain=("fence",)))
    assert spread(found, lambda o: o.kills) == {0: F(25, 48), 1: F(43, 108), 2: F(35, 432)}
    assert found.mean(lambda o: o.kills) == F(121, 216)
    assert spread(found, lambda o: o.attackers_lost) == {0: F(1, 4), 1: F(1, 2), 2: F(1, 4)}
    assert spread(found, lambda o: o.retreat) == {0: 1 - F(25, 324), 1: F(25, 324)}


@pytest.mark.rule("AFR-186", "AFR-176", "AFR-231")
def test_machine_gun_jam() -> None:
    facts = BattleFacts("mg_foot", 4, 3, defender="inf_b", defender_figures=8)
    found = ask("battle", facts)
    assert found.probability(lambda o: o.jammed) == F(2, 27)
    assert spread(found, lambda o: o.kills) == {0: F(5, 18), 1: F(13, 36), 2: F(11, 36), 3: F(1, 18)}
    assert found.mean(lambda o: o.kills) == F(41, 36)
    assert spread(found, lambda o: o.retreat)[1] == F(1, 18)
    without_jam = ask("battle", BattleFacts("inf_a", 6, 2, defender="inf_b", defender_figures=8))
    assert without_jam.mean(lambda o: o.kills) == F(7, 6)


@pytest.mark.rule("AFR-151", "AFR-127", "AFR-173", "AFR-177")
def test_gun_on_a_hilltop_at_a_wood() -> None:
    found = ask(
        "battle", BattleFacts("art_field", 4, 4, defender="inf_c", defender_figures=6, terrain=("wood",), hilltop=True)
    )
    assert spread(found, lambda o: o.kills) == {0: F(5, 12), 1: F(5, 12), 2: F(1, 6)}
    assert found.mean(lambda o: o.kills) == F(3, 4)
    assert spread(found, lambda o: o.attackers_lost) == {0: 1}
    assert spread(found, lambda o: o.retreat) == {0: F(85, 108), 1: F(7, 36), 2: F(1, 54)}


@pytest.mark.rule("AFR-026", "AFR-174")
def test_lancers() -> None:
    found = ask("battle", BattleFacts("cav_a", 5, 1, defender="inf_b", defender_figures=8, lancers=True))
    assert spread(found, lambda o: o.kills) == {
        0: F(5, 48),
        1: F(961, 3456),
        2: F(445, 1152),
        3: F(25, 128),
        4: F(125, 3456),
    }
    assert found.mean(lambda o: o.kills) == F(57, 32)
    assert found.probability(lambda o: o.attackers_lost == 1) == F(1, 6)
    by_retreat = spread(found, lambda o: o.retreat)
    assert (by_retreat[1], by_retreat[2]) == (F(245, 1296), F(25, 864))


@pytest.mark.rule("AFR-202", "AFR-216", "AFR-239")
def test_voluntary_retreat_and_excess_hits() -> None:
    found = ask("battle", BattleFacts("inf_a", 6, 1, defender="inf_c", defender_figures=3, voluntary=True))
    assert spread(found, lambda o: o.kills) == {0: F(5, 48), 1: F(161, 576), 2: F(115, 288), 3: F(125, 576)}
    assert spread(found, lambda o: o.attackers_lost) == {0: 1}
    assert spread(found, lambda o: o.retreat)[1] == F(451, 576)


@pytest.mark.rule("AFR-190", "AFR-247", "AFR-213")
def test_blocked_retreat() -> None:
    found = ask("battle", BattleFacts("inf_b", 8, 1, defender="inf_b", defender_figures=4, blocked=True))
    assert spread(found, lambda o: o.kills) == {
        0: F(6859, 62208),
        1: F(14183, 46656),
        2: F(3755, 10368),
        3: F(325, 1728),
        4: F(6625, 186624),
    }
    lost = spread(found, lambda o: o.lost_to_flags)
    assert (lost[1], lost[2]) == (F(95521, 279936), F(1045, 10368))
    assert float(sum(p for n, p in lost.items() if n >= 3)) == pytest.approx(0.0114, abs=5e-5)
    assert found.probability(lambda o: o.destroyed) == F(190975, 1679616)


@pytest.mark.rule("AFR-221", "AFR-222", "AFR-223")
def test_attack_on_a_commander() -> None:
    found = ask("attack_on_commander", CommanderFacts("inf_a", 6, range=2))
    assert found.probability(lambda o: o.eliminated) == F(91, 324)
    by_retreat = spread(found, lambda o: o.retreat)
    assert (by_retreat[1], by_retreat[2], by_retreat[3]) == (F(191, 972), F(41, 972), F(1, 486))


@pytest.mark.rule("AFR-165", "AFR-021", "AFR-250")
def test_double_fire_follows_the_target_back() -> None:
    found = ask("double_fire", BattleFacts("inf_a", 6, 2, defender="inf_c", defender_figures=8, defender_missile=False))
    assert spread(found, lambda o: o.kills) == {
        0: F(133, 1458),
        1: F(143, 648),
        2: F(3421, 11664),
        3: F(155, 648),
        4: F(473, 3888),
        5: F(5, 162),
        6: F(1, 324),
    }
    assert found.mean(lambda o: o.kills) == F(12739, 5832)


@pytest.mark.rule("AFR-308", "AFR-312")
def test_bombardment_of_a_stone_wall() -> None:
    found = ask("bombardment", BombardmentOdds("art_field", 1, "stone", 5))
    assert spread(found, lambda o: o.value_left) == {
        5: F(923521, 1679616),
        4: F(148955, 419904),
        3: F(24025, 279936),
        2: F(3875, 419904),
        1: F(625, 1679616),
    }


@pytest.mark.rule("AFR-274", "AFR-275", "AFR-290", "AFR-332")
def test_air_and_ladder() -> None:
    airship = ask("anti_aircraft", AntiAirOdds("airship", 1, 6))
    assert spread(airship, lambda o: o.strength_lost) == {
        0: F(2428, 6561),
        1: F(2717, 6561),
        2: F(392, 2187),
        3: F(224, 6561),
        4: F(16, 6561),
    }
    aircraft = ask("anti_aircraft", AntiAirOdds("aircraft", 1))
    assert aircraft.probability(lambda o: o.down) == F(53425, 559872)
    ladder = ask("ladder", LadderOdds())
    assert spread(ladder, lambda o: (o.ladder, o.lost)) == {
        ("broken", 1): F(1, 6),
        ("falls", 0): F(1, 36),
        ("falls", 1): F(5, 36),
        ("stands", 0): F(4, 6),
    }


@pytest.mark.rule("AFR-016")
@pytest.mark.setting("fastplay")
def test_fast_play_volley() -> None:
    facts = BattleFacts("inf_b", 8, 2, defender="inf_c", defender_figures=8)
    found = ask("battle", facts, fastplay="on")
    assert spread(found, lambda o: o.kills) == {0: F(8, 27), 1: F(4, 9), 2: F(2, 9), 3: F(1, 27)}
    assert found.mean(lambda o: o.kills) == 1
    assert spread(found, lambda o: o.attackers_lost) == {0: 1}
    assert spread(found, lambda o: o.retreat) == {0: F(125, 216), 1: F(25, 72), 2: F(5, 72), 3: F(1, 216)}
    saves_only = ask("battle", facts, fastplay="saves_only")
    assert saves_only.mean(lambda o: o.kills) == 1
    assert saves_only.mean(lambda o: o.attackers_lost) > 0
    with_saves = ask("battle", facts)
    assert with_saves.mean(lambda o: o.kills) < 1
