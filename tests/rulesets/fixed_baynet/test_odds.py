"""The odds equal an independent calculation, to the exact fraction."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction as F
from itertools import product
from math import atan2, comb, cos, hypot, radians, sin
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from tests.rulesets.fixed_baynet.plain import ask

D6, D12 = range(1, 7), range(1, 13)


def has(**values: Any) -> Any:
    """Return True if an outcome has these values."""
    return lambda outcome: all(getattr(outcome, name) == value for name, value in values.items())


BAND = {"short": -1, "medium": 0, "long": 1}


def need(facts: dict[str, Any]) -> int:
    """Return the number of Table 10-A, computed independently, in the default reading."""
    total = facts["ds"] + facts.get("cv", 0) + BAND[facts.get("band", "medium")] - facts.get("cs", 0)
    mass = facts.get("formation") == "mass"
    total -= mass or (facts.get("formation") == "closed" and facts.get("charging", False))
    total += facts.get("crew", False) + facts.get("saddle", False) + facts.get("dark", False)
    return int(total - facts.get("chest", False) - facts.get("sniper", False))


def shot(score: int, wanted: int) -> str:
    return "critical" if score == 12 else "miss" if score == 1 or score < wanted else "hit"


def of_shot(facts: dict[str, Any]) -> Counter[str]:
    return Counter(shot(score, need(facts)) for score in D12)


shots = st.fixed_dictionaries(
    {"ds": st.integers(0, 9)},
    optional={
        "formation": st.sampled_from(["open", "closed", "mass", "square"]),
        "cv": st.integers(0, 5),
        "band": st.sampled_from(list(BAND)),
        "cs": st.integers(-2, 3),
        **{name: st.booleans() for name in ("charging", "crew", "chest", "saddle", "dark", "sniper")},
    },
)


@pytest.mark.rule("FBN-082", "FBN-084", "FBN-085", "FBN-086", "FBN-201", "FBN-236", "FBN-237")
@hypothesis_settings(max_examples=60, deadline=None)
@given(shots)
def test_any_shot_is_that_of_table_10_b(facts: dict[str, Any]) -> None:
    found = ask("shot", **facts)
    assert {o.result: p for o, p in found.outcomes.items()} == {name: F(n, 12) for name, n in of_shot(facts).items()}


@pytest.mark.rule("FBN-091", "FBN-092")
@hypothesis_settings(max_examples=20, deadline=None)
@given(shots, st.integers(1, 6), st.integers(1, 5))
def test_a_volley_is_binomial_and_stops_when_all_are_down(facts: dict[str, Any], fired: int, men: int) -> None:
    p = F(12 - of_shot(facts)["miss"], 12)
    plain = [comb(fired, k) * p**k * (1 - p) ** (fired - k) for k in range(fired + 1)]
    expected = [*plain[:men], sum(plain[men:], F(0))]
    found = ask("volley", **facts, shots=fired, men=men)
    assert [found.probability(has(down=k)) for k in range(men + 1)] == (expected + [F(0)] * men)[: men + 1]


@pytest.mark.rule("FBN-125", "FBN-126", "FBN-135")
@pytest.mark.parametrize("ds", [2, 5, 11])
def test_a_hero_shot_by_two_dice(ds: int) -> None:
    rows = ["arm_light", "leg_light", "groin", "chest_light", "chest_light", "head_light", "arm_heavy", "leg_heavy"]
    rows += ["chest_heavy", "head_heavy", "bloody_death", "bloody_death"]
    seen: Counter[str] = Counter()
    for score, place in product(D12, D12):
        result = shot(score, ds)
        seen[rows[place - 1] if result == "hit" else result] += 1
    found = ask("hero_shot", ds=ds)
    assert {o.location: p for o, p in found.outcomes.items()} == {name: F(n, 144) for name, n in seen.items()}


@pytest.mark.rule("FBN-096", "FBN-097")
@pytest.mark.parametrize(("facts", "firer_ds", "skill"), [({"ds": 5}, 3, 1), ({"ds": 4, "cv": 3, "cs": 1}, 5, -1)])
def test_an_exchange_by_two_dice(facts: dict[str, Any], firer_ds: int, skill: int) -> None:
    seen: Counter[tuple[str, str]] = Counter()
    for one, other in product(D12, D12):
        target = shot(one, need(facts))
        seen[target, shot(other, firer_ds - skill) if target == "hit" else "miss"] += 1
    found = ask("exchange", **facts, firer_ds=firer_ds, target_cs=skill)
    assert {(o.target, o.firer): p for o, p in found.outcomes.items()} == {key: F(n, 144) for key, n in seen.items()}
    answer = ask("counter_attack", cs=skill, ds=firer_ds)
    expected = Counter(shot(score, firer_ds - skill) for score in D12)
    assert {o.result: p for o, p in answer.outcomes.items()} == {name: F(n, 12) for name, n in expected.items()}


def worked_by_hand(attacker: int, defender: int, own: bool, foe: bool, harmless: bool) -> Counter[tuple[str, str]]:
    """Count one blow over all faces of two dice a side; `own` and `foe` keep the better of two dice."""
    seen: Counter[tuple[str, str]] = Counter()
    for a, b, c, d in product(D6, D6, D6, D6):
        gap = (max(a, b) if own else a) + attacker - (max(c, d) if foe else c) - defender
        name = "critical" if abs(gap) >= 5 else "wound" if abs(gap) >= 2 else "capture" if gap else "miss"
        loser = "defender" if gap > 0 else "attacker"
        if name == "miss" or (harmless and loser == "attacker"):
            name, loser = "miss", ""
        seen[name, loser] += 1
    return seen


FIGHTS: list[tuple[dict[str, Any], int, int, bool, bool, bool]] = [
    ({"attacker_cs": 2, "defender_cs": -1, "attacker_weapon": True}, 2, -1, True, False, False),
    ({"attacker_cs": 1, "trench": True, "defender_cover": True, "defender_weapon": True}, 0, 1, False, True, False),
    ({"doorway": True, "defender_cs": 1, "attacker_rider": True}, 1, 3, False, False, False),
    ({"attacker_rear": True, "defender_square": True, "defender_uphill": True}, -1, 2, False, False, False),
    ({"defender_harmless": True, "attacker_cover": True, "attacker_chest": True}, 0, 0, False, False, True),
]


@pytest.mark.rule("FBN-104", "FBN-113", "FBN-115", "FBN-116", "FBN-118", "FBN-119", "FBN-121", "FBN-256")
@pytest.mark.parametrize(("facts", "attacker", "defender", "own", "foe", "harmless"), FIGHTS)
def test_blows_by_all_faces(
    facts: dict[str, Any], attacker: int, defender: int, own: bool, foe: bool, harmless: bool
) -> None:
    seen = worked_by_hand(attacker, defender, own, foe, harmless)
    one = {key: F(n, 6**4) for key, n in seen.items()}
    found = ask("close_combat", **facts)
    assert {(o.result, o.loser): p for o, p in found.outcomes.items()} == one
    still = one.get(("miss", ""), F(0))
    three = ask("close_combat", **facts, blows=3)
    for key, p in one.items():
        expected = still**3 if key == ("miss", "") else p * (1 + still + still**2)
        assert three.probability(has(result=key[0], loser=key[1])) == expected


@pytest.mark.rule("FBN-146", "FBN-148", "FBN-150", "FBN-151")
@pytest.mark.parametrize(
    ("printed", "gl", "first", "later", "turns"), [(3, 3, 1, 1, 4), (5, 6, 0, 1, 3), (4, 5, 2, 0, 2)]
)
def test_a_run_of_turns_of_glory_step_by_step(printed: int, gl: int, first: int, later: int, turns: int) -> None:
    states: dict[int, F] = {gl: F(1)}
    for turn in range(turns):
        following: dict[int, F] = {}
        for value, p in states.items():
            events = first if turn == 0 else later
            worse = min(7, value + events) if value < 7 else 7
            for score in D6 if worse < 7 and events else [0]:
                better = worse - 1 if score >= worse > printed else worse
                following[better] = following.get(better, F(0)) + p / (6 if worse < 7 and events else 1)
        states = following
    found = ask("glory", printed=printed, gl=gl, events=first, later_events=later, turns=turns)
    assert {o.gl: p for o, p in found.outcomes.items()} == states
    assert found.probability(lambda o: o.panicked) == states.get(7, F(0))


@pytest.mark.rule("FBN-036", "FBN-163", "FBN-239", "FBN-254")
def test_checks_panic_noticing_and_doors() -> None:
    for gl in (5, 6):
        assert ask("glory_check", printed=4, gl=gl).probability(has(gl=gl - 1)) == F(7 - gl, 6)
    assert ask("glory_check", printed=5, gl=5).probability(lambda o: o.gl == 5) == 1
    columns = {
        "regular": ["flee", "onwards", "onwards", "prone", "take_cover", "berserk"],
        "elite": ["flee", "prone", "prone", "take_cover", "take_cover", "berserk"],
    }
    for column, rows in columns.items():
        pairs = Counter(tuple(sorted(pair)) for pair in product(rows, rows))
        found = ask("panic", column=column, men=2)
        for pair, n in pairs.items():
            told = Counter(pair)
            assert found.probability(has(**told)) == F(n, 36)
    assert ask("night_notice", gl=5, features=3).probability(lambda o: not o.fell) == F(1, 3) ** 3
    for cs, least in ((-1, 5), (0, 4), (2, 2), (5, 2)):
        fails = F(least - 1, 12)
        assert ask("door", cs=cs, attempts=2).probability(lambda o: not o.opened) == fails**2
    assert ask("door", {"bash_die": "d6"}, cs=0).probability(lambda o: o.opened) == F(3, 6)


@pytest.mark.rule("FBN-154", "FBN-155", "FBN-156")
@pytest.mark.parametrize(("gl", "leader", "phases", "tries"), [(4, False, 4, 2), (3, True, 2, 2), (5, False, 5, 3)])
def test_recoveries(gl: int, leader: bool, phases: int, tries: int) -> None:
    found = ask("recovery", gl=gl, leader=leader, phases=phases)
    assert found.probability(lambda o: not o.recovered) == F(gl - 1, 6) ** tries


@pytest.mark.rule("FBN-219", "FBN-220", "FBN-221")
@pytest.mark.parametrize(
    ("ammunition", "critical"), [("shot", False), ("shot", True), ("shell", False), ("shell", True)]
)
def test_deviation_is_a_die_and_a_clock(ammunition: str, critical: bool) -> None:
    found = ask("deviation", ammunition=ammunition, critical=critical)
    faces, plus = (
        (3, 0) if ammunition == "shell" and not critical else (6, 3 if ammunition == "shot" and critical else 0)
    )
    expected = {(plus + inches, hour): F(1, 12 * faces) for inches in range(1, faces + 1) for hour in D12}
    assert {(o.inches, o.hour): p for o, p in found.outcomes.items()} == expected


def blast_by_hand(ranks: int, files: int, apart: float, away: float, wanted: int, blast: int, radius: float) -> list[F]:
    """Return the losses from a shell at the middle man of a block: every deviation, then a die for each man hit."""
    places = [
        ((f - (files - 1) / 2) * apart, (r - (ranks - 1) / 2) * apart) for r in range(ranks) for f in range(files)
    ]
    middle = places[(ranks // 2) * files + files // 2]
    onwards = atan2(middle[0], middle[1] + away)  # the gun is south of the block's middle
    p = F(12 - sum(shot(score, blast) == "miss" for score in D12), 12)
    losses = [F(0)] * (len(places) + 1)

    def spread(at: tuple[float, float], weight: F, direct: int) -> None:
        under = sum(hypot(x - at[0], y - at[1]) <= radius + 1e-6 for x, y in places if not direct or (x, y) != middle)
        for k in range(under + 1):
            losses[k + direct] += weight * comb(under, k) * p**k * (1 - p) ** (under - k)

    for score in D12:
        if score == 12 or (score > 1 and score >= wanted):
            spread(middle, F(1, 12), 1)
            continue
        far = 6 if score == 1 else 3
        for inches, hour in product(range(1, far + 1), D12):
            angle = onwards + radians(30 * hour)
            at = middle[0] + inches * sin(angle), middle[1] + inches * cos(angle)
            spread(at, F(1, 12 * far * 12), 0)
    return losses


@pytest.mark.rule("FBN-215", "FBN-216", "FBN-217", "FBN-219")
@pytest.mark.parametrize(
    ("gun", "distance", "ranks", "files", "apart", "band", "radius"),
    [
        ("light_howitzer", 7.0, 2, 2, 1.0, -1, 1.0),
        ("medium_gun", 60.0, 1, 5, 1.5, 1, 3.0),
        ("light_gun", 20.0, 3, 2, 2.0, 0, 2.0),
    ],
)
def test_a_shell_at_other_blocks(
    gun: str, distance: float, ranks: int, files: int, apart: float, band: int, radius: float
) -> None:
    found = ask(
        "artillery_direct",
        gun=gun,
        distance=distance,
        ranks=ranks,
        files=files,
        apart=apart,
        formation="open",
        cs=0,
        ds=5,
    )
    losses = blast_by_hand(ranks, files, apart, distance + 1.5, 5 + band, 5, radius)
    assert [found.probability(has(down=k)) for k in range(ranks * files + 1)] == losses


@pytest.mark.rule("FBN-215", "FBN-217", "FBN-220")
def test_the_aim_of_a_piece_and_a_burst() -> None:
    found = ask("gun_aim", ds=5, cv=2, band="long", cs=-1)
    assert {o.result: p for o, p in found.outcomes.items()} == {
        "critical miss": F(1, 12), "miss": F(7, 12), "hit": F(3, 12), "critical": F(1, 12)
    }  # fmt: skip
    burst = ask("burst", ds=4, cv=1, men=3)
    assert burst.probability(lambda o: o.down == 3) == F(8, 12) ** 3
    assert ask("burst", {"blast_hits": "auto"}, ds=9, men=4).probability(lambda o: o.down == 4) == 1


@pytest.mark.rule("FBN-222", "FBN-223")
@pytest.mark.parametrize(("gun", "guess", "radius"), [("light_howitzer", 25.0, 1.0), ("heavy_howitzer", 21.0, 3.0)])
def test_a_guessed_round_by_its_geometry(gun: str, guess: float, radius: float) -> None:
    covered = F(0)
    for far, weight in ((6, F(1, 12)), (3, F(11, 12))):
        for inches, hour in product(range(1, far + 1), D12):
            angle = radians(30 * hour)
            if hypot(inches * sin(angle), guess - 24 + inches * cos(angle)) <= radius + 1e-6:
                covered += weight / (12 * far)
    assert ask("artillery_indirect", gun=gun, guess=guess).probability(lambda o: o.covered) == covered


@pytest.mark.rule("FBN-229", "FBN-232")
@pytest.mark.parametrize(("salvos", "men", "jam_die"), [(1, 4, True), (2, 20, False)])
def test_salvos_are_binomial_after_the_jam_die(salvos: int, men: int, jam_die: bool) -> None:
    found = ask("machine_gun", ds=3, band="long", cs=0, salvos=salvos, men=men, jam_die=jam_die)
    n, p, clear = 6 * salvos, F(9, 12), F(5, 6) if jam_die else F(1)
    plain = [clear * comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]
    if n > men:
        plain = [*plain[:men], sum(plain[men:], F(0))]
    assert [found.probability(has(down=k, jammed=False)) for k in range(len(plain))] == plain
    assert found.probability(lambda o: o.jammed) == 1 - clear


@pytest.mark.rule("FBN-247", "FBN-248", "FBN-249")
@pytest.mark.parametrize(
    ("material", "sections", "lost", "damage", "cv"), [("stone_building", 1, 0, 1, 4), ("wooden_building", 2, 3, 2, 3)]
)
def test_a_wall_is_worn_down_shot_by_shot(material: str, sections: int, lost: int, damage: int, cv: int) -> None:
    points, wanted, fired = cv - 1 + 2 * sections - lost, cv + 1, 4
    states: dict[tuple[int, int], F] = {(points, 0): F(1)}
    for _ in range(fired):
        following: dict[tuple[int, int], F] = {}
        for (left, inside), p in states.items():
            for score in D12 if left else [0]:
                result = shot(score, wanted) if left else "miss"
                key = (left if result == "miss" else max(0, left - damage), inside + (result == "critical"))
                following[key] = following.get(key, F(0)) + p / (12 if left else 1)
        states = following
    found = ask(
        "building", material=material, sections=sections, lost=lost, damage=damage, shots=fired, band="long", cs=0
    )
    assert {(o.points, o.pierced): p for o, p in found.outcomes.items()} == states
