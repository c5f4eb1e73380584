"""The worked examples of the catalogue, with their numbers."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction as F
from typing import Any

import pytest
from tests.rulesets.paychest.stage import chances

from zareba.odds import Odds

SIXTH = 5e-7


def share(odds: Odds, holds: Callable[[Any], bool]) -> F:
    assert odds.method == "exact"
    assert sum(odds.outcomes.values()) == 1
    return odds.probability(holds)


def equals(name: str, value: int) -> Callable[[Any], bool]:
    """Return a test that a field of an outcome has this value."""
    return lambda outcome: bool(getattr(outcome, name) == value)


def spread(odds: Odds, value: Callable[[Any], Any]) -> dict[Any, F]:
    found: dict[Any, F] = {}
    for outcome, p in odds.outcomes.items():
        found[value(outcome)] = found.get(value(outcome), F(0)) + p
    return found


@pytest.mark.rule("PAY-107", "PAY-108", "PAY-109", "PAY-110", "PAY-111", "PAY-112")
@pytest.mark.parametrize(
    ("skill", "inches", "gait", "cover", "hit"),
    [
        (4, 20, "halt", "none", F(1, 2)),
        (4, 20, "advance", "none", F(1, 6)),
        (4, 30, "run", "none", F(1, 9)),
        (3, 20, "halt", "hard", F(1, 12)),
        (3, 10, "halt", "hard", F(1, 6)),
    ],
)
def test_1_to_hit(skill: int, inches: float, gait: str, cover: str, hit: F) -> None:
    odds = chances("to_hit", skill=skill, inches=inches, gait=gait, cover=cover)
    assert share(odds, lambda o: o.hit) == hit


@pytest.mark.rule("PAY-024", "PAY-100")
def test_2_volleys() -> None:
    legion = chances("volley", firers=8, shots=2, skill=4, inches=20)
    assert legion.mean(lambda o: o.hits) == 8
    assert share(legion, lambda o: o.hits == 8) == F(6435, 32768)
    assert share(legion, lambda o: o.hits >= 10) == F(14893, 65536)
    arabs = chances("volley", firers=18, shots=1, skill=3, inches=20, cover="hard")
    assert arabs.mean(lambda o: o.hits) == F(3, 2)
    for hits, p in ((0, 0.208836), (1, 0.341732), (2, 0.264066)):
        assert float(share(arabs, equals("hits", hits))) == pytest.approx(p, abs=SIXTH)
    assert float(share(arabs, lambda o: o.hits >= 3)) == pytest.approx(0.185366, abs=SIXTH)


@pytest.mark.rule("PAY-115", "PAY-116", "PAY-118", "PAY-119", "PAY-124")
def test_3_casualty_cards_on_one_man() -> None:
    one = spread(chances("casualty", cards=1), lambda o: o.fate)
    assert one == {
        "killed": F(3, 13),
        "unconscious": F(1, 13),
        "cannot walk": F(3, 26),
        "wounded": F(23, 52),
        "unhurt": F(7, 52),
    }
    assert one["killed"] + one["unconscious"] + one["cannot walk"] == F(11, 26)
    assert spread(chances("casualty", cards=2), lambda o: o.fate) == {
        "killed": F(7, 17),
        "unconscious": F(25, 221),
        "cannot walk": F(35, 221),
        "wounded": F(133, 442),
        "unhurt": F(7, 442),
    }
    three = spread(chances("casualty", cards=3), lambda o: o.fate)
    assert (three["killed"], three["unconscious"], three["cannot walk"]) == (F(47, 85), F(3197, 11050), F(651, 11050))


@pytest.mark.rule("PAY-105", "PAY-106")
def test_4_three_hits_on_a_group_of_five() -> None:
    group = chances("group_casualties", hits=3, group=5)
    killed = [share(group, equals("killed", n)) for n in range(4)]
    assert killed == [F(38, 85), F(12371, 27625), F(2772, 27625), F(132, 27625)]
    assert group.mean(lambda o: o.killed) == F(18311, 27625)
    fallen = spread(group, lambda o: o.killed + o.unconscious)
    out = [float(fallen[n]) for n in range(4)]
    assert out == pytest.approx([0.316463, 0.502831, 0.168543, 0.012163], abs=SIXTH)


@pytest.mark.rule("PAY-138", "PAY-139", "PAY-140", "PAY-141")
def test_5_melee_one_to_one() -> None:
    excess = chances("melee", a_skill=4, b_skill=3)
    assert [share(excess, equals("on_a", n)) for n in range(4)] == [F(3, 4), F(1, 9), F(1, 12), F(1, 18)]
    assert [share(excess, equals("on_b", n)) for n in range(5)] == [
        F(1, 2), F(1, 6), F(5, 36), F(1, 9), F(1, 12),
    ]  # fmt: skip
    assert share(excess, lambda o: o.on_a == o.on_b == 0) == F(1, 4)
    cards = chances("melee_casualties", a_skill=4, b_skill=3)
    words = ("killed", "unconscious", "cannot walk", "wounded")
    a, b = spread(cards, lambda o: o.a), spread(cards, lambda o: o.b)
    assert [float(a[w]) for w in words] == pytest.approx([0.090674, 0.034047, 0.029291, 0.079623], abs=SIXTH)
    assert [float(b[w]) for w in words] == pytest.approx([0.212291, 0.085862, 0.048923, 0.128101], abs=SIXTH)


@pytest.mark.rule("PAY-138")
@pytest.mark.setting("two_to_one_dice")
def test_6_melee_one_against_two() -> None:
    each = chances("melee", a_skill=4, b_skill=3, b2_skill=3)
    assert [share(each, equals("on_a", n)) for n in range(7)] == [
        F(59, 108), F(4, 27), F(7, 54), F(11, 108), F(1, 24), F(5, 216), F(1, 108),
    ]  # fmt: skip
    assert [share(each, equals("on_b", n)) for n in range(5)] == [
        F(35, 54), F(5, 36), F(11, 108), F(5, 72), F(1, 24),
    ]  # fmt: skip
    assert share(each, lambda o: o.on_a == o.on_b == 0) == F(7, 36)
    single = chances("melee", {"two_to_one_dice": "single"}, a_skill=4, b_skill=3, b2_skill=3)
    assert single.outcomes == chances("melee", a_skill=4, b_skill=3).outcomes


@pytest.mark.rule("PAY-148", "PAY-149", "PAY-151", "PAY-155")
def test_7_morale() -> None:
    arabs = spread(chances("morale", kind="irregular", hits=7), lambda o: o.result)
    assert arabs.pop("passes") == F(5, 12)
    assert set(arabs.values()) == {F(7, 72)} and len(arabs) == 6
    regulars = spread(chances("morale", kind="regular", hits=3), lambda o: o.result)
    assert regulars.pop("passes") == F(11, 12)
    assert set(regulars.values()) == {F(1, 72)} and len(regulars) == 6
    running = spread(chances("stand_or_run", figures=6, at_most=2), lambda o: o.running)
    assert [running[n] for n in range(7)] == [
        F(64, 729), F(64, 243), F(80, 243), F(160, 729), F(20, 243), F(4, 243), F(1, 729),
    ]  # fmt: skip


@pytest.mark.rule("PAY-128", "PAY-129", "PAY-130")
def test_8_loss_of_leader() -> None:
    sheikh = chances("shots_at_leader", skill=5, inches=10, shots=2, kind="irregular")
    assert [share(sheikh, equals("hits", n)) for n in range(3)] == [F(1, 36), F(5, 18), F(25, 36)]
    assert share(sheikh, lambda o: o.lost) == F(785, 1326)
    assert share(sheikh, lambda o: o.result == "rout_4d6_off_board") == F(3925, 15912)
    sergeant = chances("shots_at_leader", skill=3, inches=20, shots=1, kind="regular")
    assert share(sergeant, lambda o: o.hits == 1) == F(1, 3)
    results = spread(sergeant, lambda o: o.result)
    assert 1 - results.pop("no roll") == F(11, 78)
    assert float(results.pop("passes")) == pytest.approx(0.082265, abs=SIXTH)
    assert set(results.values()) == {F(55, 5616)} and len(results) == 6


@pytest.mark.rule("PAY-130", "PAY-158", "PAY-167")
def test_9_routs() -> None:
    rout = chances("rout", inches=24, moves=12)
    assert share(rout, lambda o: (o.state, o.moves) == ("rallied", 1)) == F(7, 12)
    assert share(rout, lambda o: (o.state, o.moves) == ("off", 2)) == F(21725, 186624)
    assert share(rout, lambda o: (o.state, o.moves) == ("off", 3)) == F(41635975, 362797056)
    assert float(share(rout, lambda o: o.state == "off")) == pytest.approx(0.235459, abs=SIXTH)
    lost = chances("rout", inches=20, dice=4, rallies=False, moves=5)
    moves = spread(lost, lambda o: (o.state, o.moves))
    assert (moves["off", 1], moves["off", 2]) == (F(35, 648), F(1045, 1152))
    assert float(moves["off", 3]) == pytest.approx(0.038847, abs=SIXTH)
    assert float(moves["off", 4]) == pytest.approx(0.000023, abs=SIXTH)


@pytest.mark.rule("PAY-172", "PAY-173", "PAY-174", "PAY-175", "PAY-177")
def test_10_machine_gun() -> None:
    open_ground = chances("machine_gun", skill=4, inches=20, group=12, shots=2)
    assert share(open_ground, lambda o: o.hits == 0) == 0
    assert share(open_ground, lambda o: o.jammed) == F(71, 1296)
    assert open_ground.mean(lambda o: o.rounds) == F(497, 72)
    wall = chances("machine_gun", skill=4, inches=20, group=1, shots=1, gait="advance", cover="hard")
    assert share(wall, lambda o: o.hits == 0) == F(8, 9)
    assert share(wall, lambda o: o.hits == 1 and not o.jammed) == F(1, 12)
    assert share(wall, lambda o: o.hits == 1 and o.jammed) == F(1, 36)


@pytest.mark.rule("PAY-180", "PAY-181", "PAY-182", "PAY-187")
def test_11_shell_and_exposure() -> None:
    shell = chances("shell", skill=4, inches=30, group=12)
    assert float(shell.mean(lambda o: o.killed)) == pytest.approx(2.858027, abs=SIXTH)
    assert float(share(shell, lambda o: o.killed == 0)) == pytest.approx(0.025295, abs=SIXTH)
    assert float(share(shell, lambda o: o.killed >= 4)) == pytest.approx(0.303537, abs=SIXTH)
    parapet = chances("exposed_hits", hits=14, parapet=12)
    assert parapet.mean(lambda o: o.counted) == F(70, 13)
    likely = spread(parapet, lambda o: o.counted)
    assert max(likely, key=lambda n: likely[n]) == 5
    assert float(likely[5]) == pytest.approx(0.245832, abs=SIXTH)
    assert float(share(parapet, lambda o: o.counted <= 3)) == pytest.approx(0.111595, abs=SIXTH)
    mixed = spread(chances("exposed_hits", hits=3, low_wall=2, open=1), lambda o: o.counted)
    assert (mixed[0], mixed[3]) == (F(152, 9945), F(311, 765))
    assert [float(mixed[n]) for n in (1, 2)] == pytest.approx([0.145199, 0.432981], abs=SIXTH)


@pytest.mark.rule("PAY-059", "PAY-066", "PAY-069", "PAY-072", "PAY-189")
def test_12_shock_movement_and_cards() -> None:
    shock = spread(chances("cover_shock", hidden=7, kind="irregular"), lambda o: o.result)
    assert shock.pop("passes") == F(2, 3)
    assert set(shock.values()) == {F(1, 18)} and len(shock) == 6
    assert share(chances("move", run_inches=10), lambda o: o.run_reaches) == F(5, 8)
    both = chances("move", advance_inches=7, run_inches=12)
    assert share(both, lambda o: o.advance_reaches and o.run_reaches) == F(19, 54)
    assert share(chances("move", run_inches=5, loaded=True), lambda o: o.run_reaches) == F(5, 8)
    assert share(chances("move", mover="horse", run_inches=20), lambda o: o.run_reaches) == F(791, 2592)
    assert share(chances("card_order", ours=2, theirs=2), lambda o: o.ours_first == 2) == F(1, 6)
