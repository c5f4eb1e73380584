"""The worked examples of the catalogue, with their exact numbers."""

from __future__ import annotations

from fractions import Fraction as F
from math import isclose

import pytest
from tests.rulesets.fixed_baynet.plain import ask, book

from zareba_rulesets.fixed_baynet.chapters.cavalry import reason_against_gait


@pytest.mark.rule("FBN-082", "FBN-058", "FBN-091", "FBN-092")
def test_example_1_a_rifle_volley_at_a_mass() -> None:
    volley = ask("volley", ds=4, formation="mass", shots=10, men=20)
    assert volley.mean(lambda o: o.down) == F(25, 3)
    assert volley.probability(lambda o: o.down == 10) == F(9765625, 60466176)
    assert volley.probability(lambda o: o.down >= 8) == F(1953125, 2519424)
    assert volley.mean(lambda o: o.bloody) == F(5, 6)


@pytest.mark.rule("FBN-084", "FBN-023")
def test_example_2_muskets_at_a_wall() -> None:
    volley = ask("volley", ds=5, cv=4, band="long", shots=19, men=10)
    assert volley.probability(lambda o: o.down == 0) == F(3, 4) ** 19
    assert isclose(volley.mean(lambda o: o.down), 4.747131, abs_tol=5e-7)
    assert isclose(volley.probability(lambda o: o.down >= 5), 0.534576, abs_tol=5e-7)


@pytest.mark.rule("FBN-125", "FBN-087", "FBN-126", "FBN-134", "FBN-135")
def test_example_3_a_hero_is_hit() -> None:
    hero = ask("hero_shot", ds=7)
    assert hero.probability(lambda o: o.location == "miss") == F(6, 12)
    assert hero.probability(lambda o: o.location == "critical") == F(1, 12)
    assert hero.probability(lambda o: o.location == "groin") == F(5, 144)
    assert hero.probability(lambda o: o.location == "chest_light") == F(5, 72)
    assert hero.probability(lambda o: o.location == "bloody_death") == F(5, 72)
    assert hero.probability(lambda o: not o.in_play) == F(2, 9)
    assert hero.probability(lambda o: o.in_play and o.location != "miss") == F(5, 18)


@pytest.mark.rule("FBN-104", "FBN-105", "FBN-106", "FBN-107", "FBN-108", "FBN-109", "FBN-113", "FBN-074")
def test_example_4_a_spear_against_a_bayonet_uphill() -> None:
    blow = ask("close_combat", attacker_cs=1, attacker_weapon=True, defender_uphill=True)

    def p(result: str, loser: str) -> F:
        return blow.probability(lambda o: (o.result, o.loser) == (result, loser))

    assert (p("critical", "defender"), p("wound", "defender"), p("capture", "defender")) == (
        F(11, 216),
        F(79, 216),
        F(35, 216),
    )
    assert p("miss", "") == F(1, 6)
    assert (p("capture", "attacker"), p("wound", "attacker"), p("critical", "attacker")) == (
        F(25, 216),
        F(29, 216),
        F(1, 216),
    )


@pytest.mark.rule("FBN-096", "FBN-097", "FBN-083")
def test_example_5_a_counter_attack() -> None:
    exchange = ask("exchange", ds=4, cs=-1, firer_ds=4, target_cs=2)

    def p(target: str, firer: str) -> F:
        return exchange.probability(lambda o: (o.target, o.firer) == (target, firer))

    assert exchange.probability(lambda o: o.target == "miss") == F(1, 3)
    assert exchange.probability(lambda o: o.target == "critical") == F(1, 12)
    assert (p("hit", "miss"), p("hit", "hit"), p("hit", "critical")) == (F(7, 144), F(35, 72), F(7, 144))


@pytest.mark.rule("FBN-146", "FBN-148", "FBN-149", "FBN-150", "FBN-151")
def test_example_6_glory_over_two_turns() -> None:
    first = ask("glory", printed=4, gl=4, events=2)
    assert (first.probability(lambda o: o.gl == 5), first.probability(lambda o: o.gl == 6)) == (F(1, 6), F(5, 6))
    second = ask("glory", printed=4, gl=4, events=2, later_events=1, turns=2)
    assert second.probability(lambda o: o.panicked) == F(5, 6)
    assert second.probability(lambda o: o.gl == 6) == F(5, 36)
    assert second.probability(lambda o: o.gl == 5) == F(1, 36)


@pytest.mark.rule("FBN-152", "FBN-154", "FBN-155", "FBN-156", "FBN-163")
def test_example_7_panic_and_recovery() -> None:
    panic = ask("panic", column="green", men=10)
    assert panic.mean(lambda o: o.flee) == panic.mean(lambda o: o.freeze) == panic.mean(lambda o: o.berserk) == F(10, 6)
    assert panic.mean(lambda o: o.onwards) == 5
    assert panic.probability(lambda o: o.flee == 0) == F(9765625, 60466176)

    def recovered(phases: int, leader: bool = False) -> F:
        return ask("recovery", gl=5, phases=phases, leader=leader).probability(lambda o: o.recovered)

    assert [recovered(n) for n in (1, 2, 3)] == [F(1, 3), F(1, 3), F(5, 9)]
    assert recovered(3, leader=True) == F(19, 27)


@pytest.mark.rule("FBN-212", "FBN-215", "FBN-216", "FBN-217", "FBN-218", "FBN-219", "FBN-220", "FBN-221")
def test_example_8_a_light_gun_at_a_mass() -> None:
    shell = ask("artillery_direct")
    assert shell.mean(lambda o: o.down) == F(4201, 648)
    assert isclose(shell.probability(lambda o: o.down == 0), 0.053294, abs_tol=5e-7)
    assert shell.probability(lambda o: o.down == 9) == F(390625, 2239488)
    ball = ask("artillery_direct", ammunition="shot")
    assert ball.probability(lambda o: o.down == 1) == F(43, 54)


@pytest.mark.rule("FBN-222", "FBN-223", "FBN-219", "FBN-221")
def test_example_9_indirect_fire() -> None:
    exact, long = ask("artillery_indirect"), ask("artillery_indirect", guess=26)
    assert exact.probability(lambda o: o.covered) == F(23, 36)
    assert long.probability(lambda o: o.covered) == F(25, 72)
    assert exact.probability(lambda o: (o.right, o.beyond) == (1.732051, 1.0)) > 0


@pytest.mark.rule("FBN-229", "FBN-232")
def test_example_10_a_machine_gun() -> None:
    gun = ask("machine_gun", ds=4, cs=-1, salvos=3, men=20)
    assert gun.mean(lambda o: o.down) == 10
    assert isclose(gun.probability(lambda o: o.down == 0), 0.166667, abs_tol=5e-7)
    assert isclose(gun.probability(lambda o: o.down >= 10), 0.743665, abs_tol=5e-7)
    assert gun.probability(lambda o: o.jammed) == F(1, 6)


@pytest.mark.rule("FBN-247", "FBN-248", "FBN-249", "FBN-254")
def test_example_11_a_house_and_its_door() -> None:
    rifles = ask("building", sections=2, shots=10)
    assert rifles.probability(lambda o: o.points == 0) == F(9921875, 10077696)
    assert isclose(rifles.mean(lambda o: o.pierced), 0.598181, abs_tol=5e-7)
    shells = ask("building", sections=2, shots=2, damage=4, shell=True, cs=-1)
    assert [shells.probability(lambda o, n=n: o.points == n) for n in (0, 2, 6)] == [F(9, 16), F(3, 8), F(1, 16)]  # type: ignore[misc]  # a bound default
    assert ask("door").probability(lambda o: o.opened) == F(9, 12)
    assert ask("door", attempts=3).probability(lambda o: o.opened) == F(63, 64)


@pytest.mark.rule("FBN-236", "FBN-239", "FBN-174", "FBN-175", "FBN-176", "FBN-178")
def test_example_12_night_and_mounts() -> None:
    shot = ask("shot", ds=4, cs=2, dark=True)
    assert shot.probability(lambda o: o.result == "hit") == F(9, 12)
    assert shot.probability(lambda o: o.result == "critical") == F(1, 12)
    assert ask("night_notice", gl=4).probability(lambda o: not o.fell) == F(1, 2)
    walk, canter, gallop = 1, 2, 3
    numbers = book()
    assert reason_against_gait(numbers, walk, 0, 5, []) is None
    assert reason_against_gait(numbers, canter, walk, 9, []) is None
    assert reason_against_gait(numbers, gallop, canter, 17, []) is None
    assert "FBN-176" in (reason_against_gait(numbers, canter, 0, 9, []) or "")
    assert reason_against_gait(numbers, gallop, canter, 15, [45]) is None
    assert "FBN-175" in (reason_against_gait(numbers, gallop, canter, 16, [45]) or "")
    assert "FBN-174" in (reason_against_gait(numbers, gallop, canter, 11, []) or "")
    assert reason_against_gait(numbers, walk, gallop, 4, []) is None
