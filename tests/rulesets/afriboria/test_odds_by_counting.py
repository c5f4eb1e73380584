"""Exact odds compared with a count of all rolls, written from the rulebook's tables without any code of the ruleset."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction as F
from itertools import product
from typing import Any, NamedTuple

import pytest

from zareba.base.errors import ZarebaError
from zareba.odds import odds
from zareba.registry import load_rules
from zareba_rulesets.afriboria.odds.battles import (
    AirAttackOdds,
    AntiAirOdds,
    BombardmentOdds,
    LadderOdds,
    ParkedFacts,
    WallFireFacts,
)
from zareba_rulesets.afriboria.odds.stage import BattleFacts, CommanderFacts

FACES = ("A", "AB", "ABC", "sabres", "shield", "flag")
FAST = ("off", "saves_only", "on")
SAVES = {1: {"sabres"}, 2: {"sabres", "shield"}}


class Fight(NamedTuple):
    """One situation as a player would describe it: dice counted by hand, faces read from the tables. With more than
    `above` men flags are ignored.
    """

    name: str
    facts: BattleFacts
    dice: int
    hits: frozenset[str]
    defence: int
    kills_by: frozenset[str]
    above: int | None
    jams: bool = False
    sandbags: bool = False
    cap: int = 99


ALL = frozenset({"A", "AB", "ABC"})
FIGHTS = [
    Fight(
        "rifles at warriors in a wood",
        BattleFacts("inf_a", 6, 3, ("wood",), defender="inf_b", defender_figures=5),
        1, ALL, 1, frozenset({"A"}), 6,
    ),
    Fight(
        "a few warriors storm a hill",
        BattleFacts("inf_b", 2, 1, ("hill",), defender="inf_a", defender_figures=6),
        3, frozenset({"AB", "ABC", "sabres"}), 2, frozenset({"A", "AB"}), 4, cap=2,
    ),
    Fight(
        "lancers with an officer at guns behind sandbags",
        BattleFacts("cav_a", 5, 1, ("sandbags",), lancers=True, officer=True, defender="art_field", defender_figures=4),
        4, ALL, 2, frozenset({"A"}), 3, sandbags=True,
    ),
    Fight(
        "a machine gun at horsemen",
        BattleFacts("mg_foot", 4, 2, defender="cav_b", defender_figures=5),
        4, ALL, 0, frozenset(), 5, jams=True,
    ),
    Fight(
        "spearmen at villagers",
        BattleFacts("inf_c", 8, 1, defender="civ_n", defender_figures=8),
        3, frozenset({"ABC", "sabres"}), 1, frozenset({"sabres"}), 8,
    ),
    Fight(
        "siege guns on a hilltop at a fieldwork",
        BattleFacts("art_heavy", 4, 5, ("fieldwork",), hilltop=True, defender="inf_c", defender_figures=3),
        1, ALL, 0, frozenset(), 8,
    ),
    Fight(
        "villagers at rifles with an officer in a river",
        BattleFacts("civ_n", 8, 1, ("river",), defender="inf_a", defender_figures=4, defender_officer=True),
        3, frozenset({"sabres"}), 1, ALL, 3,
    ),
    Fight(
        "ladders before a wooded hill",
        BattleFacts("inf_b", 8, 2, ("hill", "wood"), ladders=True, defender="inf_c", defender_figures=2),
        1, frozenset({"AB", "ABC"}), 1, frozenset({"A", "AB"}), 8,
    ),
]  # fmt: skip


def throws(dice: int, *groups: frozenset[str] | set[str]) -> dict[tuple[int, ...], F]:
    """Return the probabilities of the number of dice that show each group of faces, by counting all 6^dice rolls."""
    seen = Counter(
        tuple(sum(face in group for face in throw) for group in groups) for throw in product(FACES, repeat=dice)
    )
    return {counts: F(number, 6**dice) for counts, number in seen.items()}


def worked_by_hand(fight: Fight, fast: str) -> dict[tuple[Any, ...], F]:
    """P4 and P5 for a defender who holds, saves as much as possible, strikes back, and ignores flags if allowed."""
    close = fight.facts.range == 1
    saves = SAVES[1 if close else 2]
    men = fight.facts.defender_figures
    found: dict[tuple[Any, ...], F] = {}
    plain, sabres = fight.hits - {"sabres"}, fight.hits & {"sabres"}
    for (n, s, shields, flags), p in throws(fight.dice, plain, sabres, {"shield"}, {"flag"}).items():
        jammed = fight.jams and 2 * shields > fight.dice
        if jammed:
            n = s = 0
        hits, sure = n + s, 1 if n >= 2 else 0
        useful = min(hits, men)
        chances = useful - sure if fast == "off" else 0
        for (saved,), q in throws(chances, saves).items():
            kills = min(useful - saved, fight.cap, men)
            answers = fight.defence if fast != "on" and kills < men else 0
            for (struck,), r in throws(answers, fight.kills_by).items():
                lost = min(struck, men - kills, fight.facts.attacker_figures)
                for back, t in retreats(fight, men - kills, flags, saves, fast).items():
                    key = (hits, kills, lost, back, jammed)
                    found[key] = found.get(key, F(0)) + p * q * r * t
    return found


def retreats(fight: Fight, left: int, flags: int, saves: set[str], fast: str) -> dict[int, F]:
    if flags == 0 or left == 0 or (fight.above is not None and left > fight.above):
        return {0: F(1)}
    sure = 1 if flags >= 2 else 0
    if fight.sandbags:
        flags, sure = flags - 1, 0
    if fast != "off":
        return {flags: F(1)}
    return {flags - saved: p for (saved,), p in throws(flags - sure, saves).items()}


@pytest.mark.rule("AFR-182", "AFR-195", "AFR-197", "AFR-198", "AFR-211", "AFR-227", "AFR-016")
@pytest.mark.parametrize("fast", FAST)
@pytest.mark.parametrize("fight", FIGHTS, ids=lambda fight: fight.name)
def test_battles(fight: Fight, fast: str) -> None:
    rules = load_rules("afriboria", {"fastplay": fast})
    found = odds(rules, rules.ruleset.procedure("battle"), fight.facts)
    assert found.method == "exact"
    seen: dict[tuple[Any, ...], F] = {}
    for o, p in found.outcomes.items():
        key = (o.hits, o.kills, o.attackers_lost, o.retreat, o.jammed)
        seen[key] = seen.get(key, F(0)) + p
        assert o.destroyed is (o.kills == fight.facts.defender_figures)
    assert seen == worked_by_hand(fight, fast)


def ask(procedure: str, facts: Any, **settings: Any) -> dict[Any, F]:
    rules = load_rules("afriboria", settings)
    return dict(odds(rules, rules.ruleset.procedure(procedure), facts).outcomes)


@pytest.mark.rule("AFR-220", "AFR-222", "AFR-223")
@pytest.mark.setting("commander_save_count")
@pytest.mark.setting("commander_flags")
@pytest.mark.parametrize("count", ["one", "per_hit"])
@pytest.mark.parametrize("moves", ["retreat", "ignore"])
@pytest.mark.parametrize("fast", FAST)
@pytest.mark.parametrize("away", [1, 2])
def test_attacks_on_commanders(away: int, fast: str, moves: str, count: str) -> None:
    dice = {1: 3, 2: 2}[away]
    by_counting: dict[tuple[bool, int], F] = {}
    for (hits, flags), p in throws(dice, {"sabres"}, {"flag"}).items():
        chances = (1 if count == "one" else hits) if hits and fast == "off" else 0
        for (saved,), q in throws(chances, SAVES[away]).items():
            dead = hits > 0 and saved < max(1, chances)
            flags_now = 0 if moves == "ignore" or dead else flags
            sure = 1 if flags_now >= 2 else 0
            for (kept,), r in throws(flags_now - sure if fast == "off" else 0, SAVES[away]).items():
                key = (dead, flags_now - kept)
                by_counting[key] = by_counting.get(key, F(0)) + p * q * r
    facts = CommanderFacts("inf_c", 8, away)
    found = ask("attack_on_commander", facts, fastplay=fast, commander_flags=moves, commander_save_count=count)
    assert {(o.hit, o.retreat): p for o, p in found.items()} == by_counting


@pytest.mark.rule("AFR-247", "AFR-248")
@pytest.mark.parametrize(("barred", "rows"), [(0, 5), (1, 5), (2, 5), (1, 1), (2, 1), (20, 1)])
def test_blocked_retreats_cost_a_man_per_hex(barred: int, rows: int) -> None:
    """Units in the way cost a man for each hex; the edge of the map ends the retreat. The nearer one counts."""
    facts = BattleFacts("inf_a", 6, 1, defender="inf_c", defender_figures=5)
    wanted: dict[tuple[int, ...], F] = {}
    for o, p in ask("battle", facts).items():
        left, gone = 5 - o.kills, min(o.retreat, barred, rows)
        short = o.retreat - gone
        lost = min(short, left) if barred < rows else 0
        key = (o.kills, o.attackers_lost, gone, lost, left == lost or (short > 0 and barred >= rows))
        wanted[key] = wanted.get(key, F(0)) + p
    found: dict[tuple[int, ...], F] = {}
    for o, p in ask("battle", replace(facts, barred_behind=barred, rows_behind=rows)).items():
        key = (o.kills, o.attackers_lost, o.retreat, o.lost_to_flags, o.destroyed)
        found[key] = found.get(key, F(0)) + p
    assert found == wanted and (barred > 1 or any(key[3] or (key[4] and key[0] < 5) for key in found))


@pytest.mark.rule("AFR-247", "AFR-248", "AFR-225")
def test_a_commander_with_no_way_back() -> None:
    """If he is blocked or at the edge, every unsaved flag eliminates a commander. A character survives a hit."""
    free = ask("attack_on_commander", CommanderFacts("inf_a", 6, 1))
    driven = sum(p for o, p in free.items() if o.hit or o.retreat)
    for way in ("blocked", "at_edge"):
        stuck = ask("attack_on_commander", CommanderFacts("inf_a", 6, 1, **{way: True}))  # type: ignore[arg-type]  # a flag
        assert sum(p for o, p in stuck.items() if o.eliminated) == driven
    far = sum(p for o, p in free.items() if o.hit or o.retreat > 1)
    for way in ("barred_behind", "rows_behind"):
        stuck = ask("attack_on_commander", CommanderFacts("inf_a", 6, 1, **{way: 1}))  # type: ignore[arg-type]  # hexes
        assert sum(p for o, p in stuck.items() if o.eliminated) == far
    hero = ask("attack_on_commander", CommanderFacts("inf_a", 6, 1, character=True))
    assert sum(p for o, p in hero.items() if o.hit) == sum(p for o, p in free.items() if o.hit)
    assert not any(o.eliminated for o in hero) and any(o.hit and o.retreat for o in hero)


@pytest.mark.rule("AFR-308", "AFR-311", "AFR-313")
@pytest.mark.parametrize("fast", FAST)
@pytest.mark.parametrize(("kind", "faces"), [("wood", {"A", "AB"}), ("stone_fort", {"A"})])
def test_bombardments(kind: Any, faces: set[str], fast: str) -> None:
    """Horse guns on a hilltop at range 4: two dice and one. The wall has two points left."""
    by_counting: dict[int, F] = {}
    for (hits,), p in throws(3, faces).items():
        for (saved,), q in throws(hits if fast == "off" else 0, {"shield"}).items():
            left = max(0, 2 - (hits - saved))
            by_counting[left] = by_counting.get(left, F(0)) + p * q
    found = ask("bombardment", BombardmentOdds("art_horse", 4, kind, 2, hilltop=True), fastplay=fast)
    assert {o.value_left: p for o, p in found.items()} == by_counting
    assert all(o.rubble is (o.value_left == 0) for o in found)


@pytest.mark.rule("AFR-332", "AFR-016")
@pytest.mark.parametrize("fast", FAST)
def test_ladders(fast: str) -> None:
    sixth = F(1, 6)
    saved = sixth if fast == "off" else F(0)
    wanted = {
        ("stands", 0): 4 * sixth, ("broken", 1): sixth, ("falls", 1): sixth * (1 - saved), ("falls", 0): sixth * saved,
    }  # fmt: skip
    found = ask("ladder", LadderOdds(3), fastplay=fast)
    assert {(o.ladder, o.lost): p for o, p in found.items()} == {key: p for key, p in wanted.items() if p}


@pytest.mark.rule("AFR-269", "AFR-270", "AFR-281")
@pytest.mark.parametrize("fast", FAST)
@pytest.mark.parametrize(("away", "dice"), [(0, 3), (1, 3), (2, 3)])
def test_attacks_from_the_air(away: int, dice: int, fast: str) -> None:
    """Four dice less one for crops. Five spearmen are never steady, bombs do not jam, and nothing fires back."""
    facts = BattleFacts("inf_a", 99, 2, defender="inf_c", defender_figures=5)
    fight = Fight("air", facts, dice, ALL, 0, frozenset(), 8, jams=away > 0)
    wanted: dict[tuple[Any, ...], F] = {}
    for (hits, kills, _, back, jammed), p in worked_by_hand(fight, fast).items():
        wanted[hits, kills, back, jammed] = wanted.get((hits, kills, back, jammed), F(0)) + p
    found = ask("attack_from_air", AirAttackOdds(away, "inf_c", 5, ("field",)), fastplay=fast)
    seen: dict[tuple[Any, ...], F] = {}
    for o, p in found.items():
        key = (o.hits, o.kills, o.retreat, o.jammed)
        seen[key] = seen.get(key, F(0)) + p
    assert seen == wanted


@pytest.mark.rule("AFR-273", "AFR-274", "AFR-275", "AFR-290")
@pytest.mark.setting("air_save")
@pytest.mark.parametrize("save", ["idem", "normal", "none"])
@pytest.mark.parametrize("fast", ["off", "on"])
def test_fire_at_what_flies(fast: str, save: str) -> None:
    """Three dice. Two unsaved sabres bring an aircraft down; sabres and A-hits take an airship's last two points."""
    for kind, faces in (("aircraft", {"sabres"}), ("airship", {"sabres", "A"})):
        saving = {"idem": faces, "normal": {"sabres", "shield"}, "none": set()}[save]
        down = F(0)
        for (hits, shields), p in throws(3, faces, {"shield"}).items():
            if kind == "airship" and 2 * shields > 3:
                hits = 0
            for (saved,), q in throws(hits if fast == "off" else 0, saving).items():
                down += p * q * (hits - saved >= 2)
        found = ask("anti_aircraft", AntiAirOdds(kind, 3, 2), fastplay=fast, air_save=save)  # type: ignore[arg-type]  # a sort of flier
        assert sum(p for o, p in found.items() if o.down) == down


@pytest.mark.rule("AFR-278")
@pytest.mark.parametrize("fast", ["off", "on"])
def test_attacks_on_parked_aircraft(fast: str) -> None:
    """Warriors at range 2 with an officer: three dice and one. Any unsaved A/B or A/B/C sign destroys the aircraft."""
    missed = F(0)
    for (hits,), p in throws(4, {"AB", "ABC"}).items():
        for (saved,), q in throws(hits if fast == "off" else 0, SAVES[2]).items():
            missed += p * q * (saved == hits or hits == 0)
    found = ask("attack_on_parked", ParkedFacts("inf_b", 8, 2, officer=True), fastplay=fast)
    assert sum(p for o, p in found.items() if not o.destroyed) == missed


@pytest.mark.rule("AFR-322", "AFR-324")
@pytest.mark.parametrize("fast", FAST)
def test_fire_from_a_wall(fast: str) -> None:
    """Two sections of two men at range 2, with two dice and one. Each kills two at most; four warriors answer once."""
    facts = WallFireFacts(
        "inf_a", 4, 2, attacker_terrain=("building",), defender="inf_b", defender_figures=4, sections=(2, 2), ranges=(2, 2),
        dice=(2, 1),
    )  # fmt: skip
    rolls: dict[tuple[int, int, int], F] = {(4, 0, 0): F(1)}
    for dice in (2, 1):
        after: dict[tuple[int, int, int], F] = {}
        for (left, flags, hits), p in rolls.items():
            for (n, more), q in throws(dice if left else 0, ALL, {"flag"}).items():
                sure, useful = 1 if n >= 2 else 0, min(n, left)
                for (saved,), r in throws(useful - sure if fast == "off" else 0, SAVES[2]).items():
                    key = (left - min(useful - saved, 2, left), flags + more, hits + n)
                    after[key] = after.get(key, F(0)) + p * q * r
        rolls = after
    wanted: dict[tuple[int, int, int], F] = {}
    fight = Fight("wall", facts, 0, ALL, 0, frozenset(), 6)
    for (left, flags, hits), p in rolls.items():
        for back, q in retreats(fight, left, flags, SAVES[2], fast).items():
            wanted[hits, 4 - left, back] = wanted.get((hits, 4 - left, back), F(0)) + p * q
    found: dict[tuple[int, int, int], F] = {}
    for o, p in ask("fire_from_wall", facts, fastplay=fast).items():
        assert o.attackers_lost == 0, "a building takes the only defence die"
        found[o.hits, o.kills, o.retreat] = found.get((o.hits, o.kills, o.retreat), F(0)) + p
    assert found == wanted


@pytest.mark.rule("AFR-182")
def test_without_dice_there_is_no_battle_and_no_odds() -> None:
    rules = load_rules("afriboria")
    hidden = BattleFacts("inf_a", 3, 3, ("building",), defender="inf_a", defender_figures=8)
    with pytest.raises(ZarebaError, match="no dice are left to the attacker"):
        odds(rules, rules.ruleset.procedure("battle"), hidden)


@pytest.mark.rule("AFR-248")
@pytest.mark.parametrize("rows", [0, 1, 2])
def test_unit_that_retreats_beyond_the_edge_is_lost(rows: int) -> None:
    """Compared with the same attack in the middle of the map: a unit driven beyond the last hex is lost."""
    ground = {"at_edge": True} if rows == 0 else {"rows_behind": rows}
    battle = ("battle", BattleFacts("inf_a", 6, 1, defender="inf_c", defender_figures=4))
    is_alone = ("attack_on_commander", CommanderFacts("inf_a", 6, 1))
    bombed = ("attack_from_air", AirAttackOdds(0, "inf_c", 4))
    for name, facts in (battle, is_alone, bombed):
        free, near = ask(name, facts), ask(name, replace(facts, **ground))
        gone = sum(p for o, p in free.items() if is_gone(o) or o.retreat > rows)
        assert sum(p for o, p in near.items() if is_gone(o)) == gone > sum(p for o, p in free.items() if is_gone(o))
        assert max(o.retreat for o in near) <= rows


def is_gone(outcome: Any) -> bool:
    return bool(outcome.eliminated if hasattr(outcome, "eliminated") else outcome.destroyed)
