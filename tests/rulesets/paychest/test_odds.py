"""The odds of every procedure equal a plain count of dice and cards that uses no rule code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction as F
from itertools import product
from math import comb
from typing import Any

import pytest
from tests.rulesets.paychest.stage import all_but, chances

from zareba.odds import Odds
from zareba.registry import ruleset


@pytest.mark.rule("PAY-026", "PAY-100")
@pytest.mark.parametrize(("weapon", "most"), [("musket", 3), ("rifle", 6)])
def test_the_odds_of_two_volleys_have_one_shot_of_each_musket(weapon: str, most: int) -> None:
    found = chances("volley", weapon=weapon, inches=5.0, firers=3, shots=2)
    assert max(outcome.hits for outcome in found.outcomes) == most


DIE = range(1, 7)
PACK = (
    ["killed"] * 12 + ["unconscious"] * 4 + ["crippled"] * 6 + ["leg"] * 6 + ["smashed"] * 6 + ["arm"] * 3
    + ["body"] * 8 + ["graze"] * 7
)  # fmt: skip
KINDS = tuple(Counter(PACK).items())


def spread(odds: Odds, value: Any) -> dict[Any, F]:
    assert odds.method == "exact"
    found: dict[Any, F] = {}
    for outcome, p in odds.outcomes.items():
        found[value(outcome)] = found.get(value(outcome), F(0)) + p
    return {key: p for key, p in found.items() if p}


def added(pairs: Iterator[tuple[Any, F]]) -> dict[Any, F]:
    found: dict[Any, F] = {}
    for key, p in pairs:
        found[key] = found.get(key, F(0)) + p
    return {key: p for key, p in found.items() if p}


def two_dice(at_most: int) -> F:
    return F(sum(a + b <= at_most for a, b in product(DIE, DIE)), 36)


def sums(dice: int) -> dict[int, F]:
    counts = Counter(sum(faces) for faces in product(DIE, repeat=dice))
    return {total: F(ways, 6**dice) for total, ways in counts.items()}


def hands(draws: int) -> Iterator[tuple[tuple[str, ...], F]]:
    """Yield every sequence of kinds of cards drawn, with its probability."""
    for cards in product([kind for kind, _ in KINDS], repeat=draws):
        p, left = F(1), dict(KINDS)
        for number, card in enumerate(cards):
            p *= F(left[card], 52 - number)
            left[card] -= 1
        if p:
            yield cards, p


def fate(cards: Sequence[str], before: Sequence[str] = ()) -> str:
    """Return a man's fate. The third wound knocks him out; a killing card also kills a man lying down."""
    wounds, now = list(before), "unconscious" if len(before) > 2 else "able"
    for card in cards:
        if card == "killed":
            return "killed"
        if now == "unconscious" or card == "graze":
            continue
        if card == "unconscious":
            now = card
            continue
        wounds.append(card)
        if len(wounds) >= 3:
            now = "unconscious"
    if now == "unconscious":
        return now
    if "crippled" in wounds or wounds.count("leg") >= 2:
        return "cannot walk"
    return "wounded" if wounds else "unhurt"


def counted_shot(skill: int, changes: int) -> F:
    best = skill + changes
    if best >= 1:
        return F(min(best, 6), 6)
    return F(1, 6) * F(skill, 6)


@pytest.mark.rule("PAY-111", "PAY-112")
@pytest.mark.parametrize("skill", [0, 2, 5, 6])
@pytest.mark.parametrize(("inches", "band"), [(8, 0), (8.5, -1), (16, -1), (24, -2)])
@pytest.mark.parametrize(("gait", "gait_change"), [("halt", 0), ("run", -3)])
@pytest.mark.parametrize(("cover", "cover_change"), [("none", 0), ("soft", -1)])
def test_to_hit(
    skill: int, inches: float, band: int, gait: str, gait_change: int, cover: str, cover_change: int
) -> None:
    odds = chances("to_hit", skill=skill, inches=inches, weapon="carbine", gait=gait, cover=cover, body_wounds=1)
    expected = counted_shot(skill, band + gait_change + cover_change - 1)
    assert odds.probability(lambda o: o.hit) == expected


def test_to_hit_out_of_range() -> None:
    assert chances("to_hit", inches=12.1, weapon="pistol").probability(lambda o: o.hit) == 0


@pytest.mark.rule("PAY-094", "PAY-100")
def test_volley() -> None:
    p = counted_shot(3, -1 - 2)  # advancing with carbines, at 12 inches
    odds = chances("volley", firers=5, shots=2, skill=3, inches=12, weapon="carbine", gait="advance")
    assert spread(odds, lambda o: o.hits) == {h: comb(10, h) * p**h * (1 - p) ** (10 - h) for h in range(11)}


def group(hits: int, men: int) -> Iterator[tuple[tuple[int, int], F]]:
    """Yield the fates of a group over every distribution of hits and cards."""
    for cards, p in hands(hits):
        for falls in product(range(men), repeat=hits):
            fates = [
                fate([card for card, man in zip(cards, falls, strict=True) if man == number]) for number in range(men)
            ]
            yield (fates.count("killed"), fates.count("unconscious")), p / men**hits


@pytest.mark.rule("PAY-105", "PAY-106")
def test_group_casualties() -> None:
    odds = chances("group_casualties", hits=3, group=2)
    assert spread(odds, lambda o: (o.killed, o.unconscious)) == added(group(3, 2))


@pytest.mark.rule("PAY-105", "PAY-106")
def test_volley_losses() -> None:
    p = counted_shot(4, -2)
    odds = chances("volley_losses", firers=3, group=2, skill=4, inches=30)
    hits = {h: comb(3, h) * p**h * (1 - p) ** (3 - h) for h in range(4)}
    expected = added((key, q * hits[h]) for h in hits for key, q in group(h, 2))
    assert spread(odds, lambda o: (o.killed, o.unconscious)) == expected


def evenly(hits: int, men: int) -> Iterator[tuple[tuple[int, int], F]]:
    """Yield the same if hits are spread evenly: man 1, man 2, man 1 again."""
    for cards, p in hands(hits):
        fates = [fate([card for number, card in enumerate(cards) if number % men == one]) for one in range(men)]
        yield (fates.count("killed"), fates.count("unconscious")), p


@pytest.mark.rule("PAY-105")
@pytest.mark.setting("hit_spread")
def test_hits_spread_evenly() -> None:
    odds = chances("group_casualties", {"hit_spread": "even"}, hits=3, group=2)
    assert spread(odds, lambda o: (o.killed, o.unconscious)) == added(evenly(3, 2))
    p = counted_shot(4, -2)
    volley = chances("volley_losses", {"hit_spread": "even"}, firers=3, group=2, skill=4, inches=30)
    hits = {h: comb(3, h) * p**h * (1 - p) ** (3 - h) for h in range(4)}
    expected = added((key, q * hits[h]) for h in hits for key, q in evenly(h, 2))
    assert spread(volley, lambda o: (o.killed, o.unconscious)) == expected


@pytest.mark.rule("PAY-115", "PAY-118", "PAY-119", "PAY-120")
def test_casualty_cards_on_a_man_with_wounds() -> None:
    before = ("leg", "arm")
    odds = chances("casualty", cards=2, leg_wounds=1, arm_wounds=1)
    assert spread(odds, lambda o: o.fate) == added((fate(cards, before), p) for cards, p in hands(2))
    never = chances("casualty", {"collapse_at_wounds": 0}, cards=1, leg_wounds=1, arm_wounds=1)
    assert never.probability(lambda o: o.fate == "unconscious") == F(4, 52)
    assert never.probability(lambda o: o.fate == "cannot walk") == F(12, 52)


def melee_hits(skill: int, die: int) -> int:
    return max(0, skill - die + 1) if skill > 0 else 0


@pytest.mark.rule("PAY-138", "PAY-139", "PAY-140", "PAY-143")
@pytest.mark.setting("two_to_one_dice", "back_turned_melee")
def test_melee() -> None:
    """A man of skill 5 with a wound and his back turned fights two men of 4 and 2, the first of them lame."""

    def counted(a: int, b: int, b2: int, single: bool) -> dict[Any, F]:
        def pairs() -> Iterator[tuple[Any, F]]:
            for x, y, z in product(DIE, DIE, DIE):
                theirs = melee_hits(max(b, b2), y) if single else melee_hits(b, y) + melee_hits(b2, z)
                excess = theirs - melee_hits(a, x)
                yield (max(excess, 0), max(-excess, 0)), F(1, 216)

        return added(pairs())

    facts: dict[str, Any] = {"a_skill": 5, "b_skill": 4, "b2_skill": 2, "a_body_wounds": 1, "a_back_turned": True}
    for settings, a, single in (
        ({}, 2, False), ({"two_to_one_dice": "single"}, 2, True), ({"back_turned_melee": -4}, 0, False),
    ):  # fmt: skip
        odds = chances("melee", settings, **facts, b_lame=True)
        assert spread(odds, lambda o: (o.on_a, o.on_b)) == counted(a, 3, 2, single), settings


@pytest.mark.rule("PAY-138", "PAY-143")
def test_the_second_man_in_a_melee_has_wounds_of_his_own() -> None:
    def of(**facts: Any) -> dict[Any, F]:
        return spread(chances("melee", a_skill=3, b_skill=3, **facts), lambda o: (o.on_a, o.on_b))

    second = {"b2_body_wounds": 1, "b2_lame": True, "b2_back_turned": True}
    assert of(b2_skill=6, **second) == of(b2_skill=2) != of(b2_skill=6)


@pytest.mark.rule("PAY-119", "PAY-120")
def test_a_lame_man_has_a_wound_already_when_he_fights() -> None:
    """Two more wounds fell a lame man, not three."""
    lame = chances("melee_casualties", a_skill=0, b_skill=1, a_lame=True, a_body_wounds=1)
    hit = spread(lame, lambda o: o.a)
    assert hit["killed"] == F(1, 6) * F(12, 52) and hit["unconscious"] == F(1, 6) * F(4 + 29, 52)


@pytest.mark.rule("PAY-141", "PAY-144")
def test_melee_casualties() -> None:
    """Two men of 1 against one of 2: at most two cards on a side, each on either man with equal chance."""

    def pairs() -> Iterator[tuple[Any, F]]:
        for x, y, z in product(DIE, DIE, DIE):
            excess = melee_hits(1, y) + melee_hits(1, z) - melee_hits(2, x)
            for cards, p in hands(abs(excess)):
                if excess >= 0:
                    yield (fate(cards), "unhurt", "unhurt"), p / 216
                    continue
                for falls in product((0, 1), repeat=-excess):
                    hit = [fate([c for c, man in zip(cards, falls, strict=True) if man == number]) for number in (0, 1)]
                    yield ("unhurt", *hit), p / 216 / 2**-excess

    odds = chances("melee_casualties", a_skill=2, b_skill=1, b2_skill=1)
    assert spread(odds, lambda o: (o.a, o.b, o.b2)) == added(pairs())


@pytest.mark.rule("PAY-119", "PAY-120", "PAY-124")
@pytest.mark.parametrize(
    ("facts", "before"),
    [
        ({"leg_wounds": 2}, ("leg", "leg")),
        ({"crippled_legs": 1, "body_wounds": 1}, ("crippled", "body")),
        ({"body_wounds": 2, "arm_wounds": 1}, ("body", "body", "arm")),
    ],
)
def test_wounds_that_lame_or_fell_a_man_before_the_card(facts: dict[str, Any], before: tuple[str, ...]) -> None:
    odds = chances("casualty", cards=1, **facts)
    assert spread(odds, lambda o: o.fate) == added((fate(cards, before), p) for cards, p in hands(1))


@pytest.mark.rule("PAY-119", "PAY-121", "PAY-128")
def test_a_third_wound_is_too_much_wherever_the_first_two_are() -> None:
    worn = spread(chances("casualty", cards=1, smashed_arms=2), lambda o: o.fate)
    assert worn == {"killed": F(12, 52), "unconscious": F(33, 52), "wounded": F(7, 52)}
    # at 5 inches skill 6 always hits; only a graze leaves him in command
    shot = chances("shots_at_leader", shots=1, skill=6, inches=5, kind="irregular", leader_other_wounds=2)
    assert spread(shot, lambda o: o.lost) == {True: F(45, 52), False: F(7, 52)}


@pytest.mark.rule("PAY-187", "PAY-188")
@pytest.mark.setting("exposure_check")
def test_head_and_arm_can_be_hit_behind_a_parapet() -> None:
    one = chances("group_casualties", {"exposure_check": "all_fire"}, hits=1, group=3, exposure="parapet")
    assert spread(one, lambda o: (o.killed, o.unconscious)) == {(0, 0): F(46, 52), (1, 0): F(4, 52), (0, 1): F(2, 52)}
    shell = chances("shell", skill=6, inches=24, group=1, exposure="wagon")  # head and leg: 4 cards kill
    spared = sum((p * F(comb(48, hits), comb(52, hits)) for hits, p in sums(4).items()), F(0))
    assert shell.probability(lambda o: o.killed == 1) == 1 - spared


SECOND = {
    "regular": ["rout_3d6_rally_7", "fall_back_3d6_backs_now", "fall_back_2d6_facing_next", "hold_figures_1_2",
                "hold_figures_1", "hold"],
    "irregular": ["rout_4d6_off_board", "rout_3d6_rally_7", "fall_back_2d6_backs_now", "fall_back_2d6_backs_next",
                  "fall_back_2d6_facing_next", "hold"],
}  # fmt: skip


@pytest.mark.rule("PAY-117", "PAY-187")
@pytest.mark.setting("casualty_reshuffle")
def test_all_cards_return_to_the_pile_after_the_last_is_drawn() -> None:
    last: dict[str, Any] = {"drawn": all_but({"head_graze": 1})}
    after = Counter(PACK)
    one = {
        "killed": F(after["killed"], 52),
        "unconscious": F(after["unconscious"], 52),
        "cannot walk": F(after["crippled"], 52),
        "wounded": F(sum(after[kind] for kind in ("leg", "smashed", "arm", "body")), 52),
        "unhurt": F(after["graze"], 52),
    }
    # the last card is discarded before the next draw, so the next comes from all 52
    assert spread(chances("casualty", cards=2, **last), lambda o: o.fate) == one
    found = spread(chances("shots_at_leader", shots=2, skill=6, inches=5, kind="irregular", **last), lambda o: o.lost)
    assert found == {True: F(22, 52), False: F(30, 52)}
    assert spread(chances("exposed_hits", hits=2, parapet=1, **last), lambda o: o.counted) == {
        1: F(32, 52),
        2: F(20, 52),
    }


@pytest.mark.rule("PAY-148", "PAY-149", "PAY-151", "PAY-189")
@pytest.mark.parametrize("kind", ["regular", "irregular"])
def test_morale_second_rolls_and_cover_shock(kind: str) -> None:
    for hits in (1, 2, 5, 11, 12, 13):
        fails = two_dice(hits)
        expected = {"passes": 1 - fails} | dict.fromkeys(SECOND[kind], fails / 6)
        assert spread(chances("morale", kind=kind, hits=hits), lambda o: o.result) == {
            k: p for k, p in expected.items() if p
        }
    assert spread(chances("second_morale", kind=kind), lambda o: o.result) == dict.fromkeys(SECOND[kind], F(1, 6))
    for hidden in (5, 6, 9, 11):
        shaken = F(sum(hidden + die >= 12 for die in DIE), 6)
        expected = {"passes": 1 - shaken} | dict.fromkeys(SECOND[kind], shaken / 6)
        odds = chances("cover_shock", hidden=hidden, kind=kind)
        assert spread(odds, lambda o: o.result) == {k: p for k, p in expected.items() if p}


@pytest.mark.rule("PAY-156", "PAY-166")
def test_stand_or_run() -> None:
    odds = chances("stand_or_run", figures=5, at_most=1)
    assert spread(odds, lambda o: o.running) == {n: comb(5, n) * F(1, 6) ** n * F(5, 6) ** (5 - n) for n in range(6)}
    assert spread(chances("stand_or_run", figures=200, at_most=1), lambda o: o.running)[0] == F(5, 6) ** 200
    assert spread(chances("stand_or_run", figures=3, at_most=0), lambda o: o.running) == {0: 1}
    assert spread(chances("stand_or_run", figures=3, at_most=6), lambda o: o.running) == {3: 1}


@pytest.mark.rule("PAY-128", "PAY-129", "PAY-130")
@pytest.mark.setting("leader_loss_regulars")
def test_leader_loss() -> None:
    fails = two_dice(6)
    lost = chances("leader_loss", kind="irregular")
    assert spread(lost, lambda o: o.result) == {"passes": 1 - fails, "rout_4d6_off_board": fails}
    table = spread(chances("leader_loss", kind="regular"), lambda o: o.result)
    assert table == {"passes": 1 - fails} | dict.fromkeys(SECOND["regular"], fails / 6)
    for setting, result in (("fall_back", "fall_back_2d6_facing_next"), ("inactive", "inactive")):
        odds = chances("leader_loss", {"leader_loss_regulars": setting}, kind="regular")
        assert spread(odds, lambda o: o.result) == {"passes": 1 - fails, result: fails}


@pytest.mark.rule("PAY-092", "PAY-128", "PAY-112")
def test_shots_at_leader() -> None:
    """Two shots that need the double roll, at a regular sergeant: skill 3, advancing, long range."""
    p, fails = counted_shot(3, -4), two_dice(6)
    gone = ("killed", "unconscious", "cannot walk")

    def pairs() -> Iterator[tuple[Any, F]]:
        for hits in range(3):
            chance = comb(2, hits) * p**hits * (1 - p) ** (2 - hits)
            for cards, q in hands(hits):
                if fate(cards) not in gone:
                    yield (hits, False, "no roll"), chance * q
                    continue
                yield (hits, True, "passes"), chance * q * (1 - fails)
                for result in SECOND["regular"]:
                    yield (hits, True, result), chance * q * fails / 6

    odds = chances("shots_at_leader", skill=3, inches=30, gait="advance", shots=2, kind="regular")
    assert spread(odds, lambda o: (o.hits, o.lost, o.result)) == added(pairs())


@pytest.mark.rule("PAY-130", "PAY-158", "PAY-167")
@pytest.mark.parametrize(("inches", "dice", "rallies"), [(10, 3, True), (17, 3, True), (12, 4, False)])
def test_rout(inches: int, dice: int, rallies: bool) -> None:
    stays = two_dice(6) if rallies else F(1)
    run = sums(dice)
    running, found = {inches: F(1)}, dict[tuple[str, int], F]()
    for number in (1, 2, 3):
        following: dict[int, F] = {}
        for left, p in running.items():
            if number > 1 and rallies:
                found["rallied", number - 1] = found.get(("rallied", number - 1), F(0)) + p * (1 - stays)
                p *= stays
            for total, q in run.items():
                if total >= left:
                    found["off", number] = found.get(("off", number), F(0)) + p * q
                else:
                    following[left - total] = following.get(left - total, F(0)) + p * q
        running = following
    if running:
        found["running", 3] = sum(running.values(), F(0))
    odds = chances("rout", inches=inches, dice=dice, rallies=rallies, moves=3)
    assert spread(odds, lambda o: (o.state, o.moves)) == {key: p for key, p in found.items() if p}


def bursts(skill: int, changes: int, jam: str, effect: str) -> Iterator[tuple[tuple[int, int, bool], F]]:
    """Yield two shots of a machine gun, die by die: hits, rounds, jammed."""
    best = skill + changes

    def shot() -> Iterator[tuple[bool, bool, bool, F]]:
        for first, second in product(DIE, DIE):
            hit = first <= best if best >= 1 else first == 1 and second <= skill
            jams = jam == "same_shot" and first == second == 1
            yield hit and not (jams and effect == "burst_lost"), jams, first == 1, F(1, 36)

    for hit, jams, one, p in shot():
        for rounds in DIE if hit else (0,):
            share = p / 6 if hit else p
            if jams:
                yield (int(hit), rounds, True), share
                continue
            for again, jams_again, other, q in shot():
                jammed = jams_again or (jam == "consecutive_shots" and one and other)
                for more in DIE if again else (0,):
                    yield (hit + again, rounds + more, jammed), share * (q / 6 if again else q)


@pytest.mark.rule("PAY-172", "PAY-173", "PAY-174", "PAY-175")
@pytest.mark.setting("jam_test", "jam_effect")
@pytest.mark.parametrize("jam", ["same_shot", "consecutive_shots"])
@pytest.mark.parametrize("effect", ["hit_stands", "burst_lost"])
@pytest.mark.parametrize(
    ("facts", "changes"), [({"inches": 12, "group": 5}, 1), ({"inches": 30, "group": 2, "cover": "hard"}, -4)]
)
def test_machine_gun(jam: str, effect: str, facts: dict[str, Any], changes: int) -> None:
    odds = chances("machine_gun", {"jam_test": jam, "jam_effect": effect}, skill=3, shots=2, **facts)
    expected = added(bursts(3, changes, jam, effect))
    assert spread(odds, lambda o: (o.hits, o.rounds, o.jammed)) == expected


@pytest.mark.rule("PAY-173", "PAY-180", "PAY-182")
def test_shell() -> None:
    """Long range at four men: 2 - 2 + 1 hits on a 1, then 4 to 24 splinters. Checks the mean and the men spared."""
    odds = chances("shell", skill=2, inches=72, group=4)
    p, splinters = F(1, 6), sums(4)
    spared = sum((q * sum((F(comb(12, k) * comb(40, h - k), comb(52, h)) * F(3, 4) ** k for k in range(min(h, 12) + 1)), F(0))
                  for h, q in splinters.items()), F(0))  # fmt: skip
    assert odds.mean(lambda o: o.killed) == p * 4 * (1 - spared)
    nobody = sum((q * F(comb(40, h), comb(52, h)) for h, q in splinters.items()), F(0))
    assert odds.probability(lambda o: o.killed == 0) == 1 - p + p * nobody
    assert chances("shell", skill=2, inches=72.5, group=4).probability(lambda o: o.killed > 0) == 0
    hits = spread(chances("shell_hits", skill=2, inches=72, group=4), lambda o: o.hits)
    assert hits[0] == F(5, 6) and hits[24] == F(1, 6) * F(1, 6) ** 4 and set(hits) == {0, *range(4, 25)}


@pytest.mark.rule("PAY-112", "PAY-173", "PAY-175", "PAY-181")
@pytest.mark.setting("group_bonus_counts", "jam_test")
def test_wounds_of_the_crew_hidden_men_and_a_one_thrown_before() -> None:
    def hits(facts: dict[str, Any], **settings: Any) -> F:
        odds = chances("machine_gun", settings, skill=4, shots=1, **facts)
        return odds.probability(lambda o: o.hits == 1)

    shot = {"inches": 30, "group": 2}
    assert hits(shot) == F(2, 6) and hits(shot | {"hidden": 4, "arm_wounds": 1}) == F(1, 6)
    assert hits(shot | {"hidden": 4, "body_wounds": 1}, group_bonus_counts="all") == F(3, 6)
    # at zero or less the second die uses the skill without wounds
    assert hits(shot | {"cover": "hard", "arm_wounds": 1}) == F(1, 6) * F(4, 6)
    shell: dict[str, Any] = {"skill": 2, "inches": 72, "group": 2, "hidden": 1}
    kills = [
        chances("shell", {"group_bonus_counts": setting}, **shell).probability(lambda o: o.killed > 0)
        for setting in ("exposed", "all")
    ]
    assert 0 < kills[1] == 3 * kills[0]  # a 1 and then 2 or less, compared with a 1
    for setting, jam in (("same_shot", F(1, 36)), ("consecutive_shots", F(1, 6))):
        odds = chances("machine_gun", {"jam_test": setting}, skill=4, shots=1, first_one=True, **shot)
        assert odds.probability(lambda o: o.jammed) == jam


@pytest.mark.rule("PAY-087", "PAY-187")
def test_exposed_hits() -> None:
    """Four hits on one man in a wagon, two behind a low wall and one in the open, over all men and hit locations."""
    places = {"head": 8, "chest": 12, "belly": 8, "arm": 12, "leg": 12}
    shows = [{"head", "leg"}, {"head", "chest", "arm"}, {"head", "chest", "arm"}, set(places)]

    def pairs() -> Iterator[tuple[int, F]]:
        for cards in product(places, repeat=4):
            left, p = dict(places), F(1)
            for number, card in enumerate(cards):
                p *= F(left[card], 52 - number)
                left[card] -= 1
            for men in product(range(4), repeat=4):
                yield sum(card in shows[man] for card, man in zip(cards, men, strict=True)), p / 4**4

    odds = chances("exposed_hits", hits=4, wagon=1, low_wall=2, open=1)
    assert spread(odds, lambda o: o.counted) == added(pairs())


@pytest.mark.rule("PAY-066", "PAY-069", "PAY-072", "PAY-075", "PAY-123")
@pytest.mark.parametrize(
    ("mover", "advance", "run", "times", "facts"),
    [
        ("camel", 3, 4, F(1), {"advance_inches": 11, "run_inches": 15}),
        ("foot", 2, 3, F(1, 2), {"advance_inches": 4, "run_inches": 5, "loaded": True}),
        ("horse", 3, 5, F(1), {"advance_inches": 11, "run_inches": 18, "leg_wound": True}),  # a rider is not slowed
        ("wagon", 2, 3, F(1), {"run_inches": 9}),
    ],
)
def test_move(mover: str, advance: int, run: int, times: F, facts: dict[str, Any]) -> None:
    def pairs() -> Iterator[tuple[Any, F]]:
        for faces in product(DIE, repeat=run):
            near = sum(faces[:advance]) * times >= facts.get("advance_inches", 0)
            yield (near, sum(faces) * times >= facts["run_inches"]), F(1, 6**run)

    odds = chances("move", mover=mover, **facts)
    assert spread(odds, lambda o: (o.advance_reaches, o.run_reaches)) == added(pairs())


@pytest.mark.rule("PAY-066", "PAY-075", "PAY-123")
@pytest.mark.parametrize(
    ("facts", "reaches"),
    [
        ({"mover": "foot", "advance_inches": 2, "loaded": True, "leg_wound": True}, 1 - two_dice(7)),
        ({"mover": "tractor", "advance_inches": 9}, 1 - two_dice(8)),
        ({"mover": "gun_by_hand", "advance_inches": 4}, F(1, 2)),
    ],
)
def test_odds_of_a_run_are_zero_for_units_that_may_not_run(facts: dict[str, Any], reaches: F) -> None:
    odds = chances("move", **facts, run_inches=1)
    assert odds.probability(lambda o: o.run_reaches) == 0
    assert odds.probability(lambda o: o.advance_reaches) == reaches


@pytest.mark.rule("PAY-059")
def test_card_order() -> None:
    """Three of our cards and two of theirs: the number of the ten orders that begin with exactly n of ours."""
    odds = chances("card_order", ours=3, theirs=2)
    assert spread(odds, lambda o: o.ours_first) == {n: F(comb(4 - n, 1), comb(5, 2)) for n in range(4)}


def test_every_procedure_of_the_system_is_tested_here() -> None:
    names = set(ruleset("paychest").procedures)
    asked = {
        "to_hit", "volley", "volley_losses", "casualty", "group_casualties", "melee", "melee_casualties", "morale",
        "second_morale", "stand_or_run", "leader_loss", "shots_at_leader", "rout", "machine_gun", "shell",
        "shell_hits", "exposed_hits", "cover_shock", "move", "card_order",
    }  # fmt: skip
    elsewhere = {"machine_gun_losses", "mixed_volleys", "gun_fire"}  # tested in test_odds_of_mixed_targets.py
    assert names == asked | elsewhere
