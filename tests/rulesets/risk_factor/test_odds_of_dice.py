"""The odds of command, Action throws, sighting and prisoners equal an independent count of all throws.

The tables are copied here and no rule code is called, so that an error there cannot hide here.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction as F
from itertools import product
from typing import Any

import pytest
from tests.rulesets.risk_factor.battlefields import rules_with

from zareba.base.errors import ZarebaError
from zareba.odds import odds
from zareba_rulesets.risk_factor.odds import PROCEDURES

CLASS_DICE = {"raw": 2, "veteran": 3, "hero": 4}
ROWS = {
    "missile": {0: "ccccct", 1: "HAAAAX", 5: "RHHAAA", 8: "FRHHHA", 99: "FFFRRH"},
    "melee": {0: "ccccct", 2: "HAAXXX", 6: "RHHAXX", 8: "FRRHHX", 99: "FFFRRH"},
}
WORDS = {
    "c": "continue", "t": "towards", "i": "halt_in_cover", "H": "halt", "A": "advance", "X": "attack", "R": "retreat",
    "F": "rout",
}  # fmt: skip


def ask(procedure: str, settings: dict[str, Any] | None = None, **facts: Any) -> dict[Any, F]:
    """Return the odds computed by the rules: probabilities by outcome."""
    rules = rules_with(**(settings or {}))
    found = odds(rules, PROCEDURES[procedure], PROCEDURES[procedure].facts(**facts))
    assert found.method == "exact"
    return dict(found.outcomes)


def share(procedure: str, outcome: dict[str, Any], settings: dict[str, Any] | None = None, **facts: Any) -> F:
    """Return the probability that an outcome has these values."""
    found = ask(procedure, settings, **facts)
    return sum((p for o, p in found.items() if all(getattr(o, k) == v for k, v in outcome.items())), F(0))


def sums(dice: int) -> dict[int, F]:
    """Return the distribution of the sum of some D6, counted throw by throw."""
    counted = Counter(map(sum, product(range(1, 7), repeat=dice)))
    return {total: F(count, 6**dice) for total, count in counted.items()}


def dice_of(leader: str, busy: bool, penalty: str = "all_leaders") -> int:
    return CLASS_DICE[leader] - (busy and (penalty == "all_leaders" or leader == "veteran"))


@pytest.mark.rule("RSK-050", "RSK-051", "RSK-052", "RSK-053", "RSK-056", "RSK-057", "RSK-058")
@pytest.mark.parametrize("leader", ["raw", "veteran", "hero"])
@pytest.mark.parametrize("busy", [False, True])
@pytest.mark.parametrize(("loyal", "routing"), [(True, False), (False, False), (True, True), (False, True)])
def test_points_for_a_group(leader: str, busy: bool, loyal: bool, routing: bool) -> None:
    for penalty, router in (("all_leaders", 2), ("veteran_only", 4)):
        settings = {"command_busy_penalty": penalty, "command_disloyal_router_cost": router}
        each = (2 if loyal else router) if routing else 1 if loyal else 2
        dice = dice_of(leader, busy, penalty)
        for figures in (4, 7):
            expected = {(points >= each * figures, points): p for points, p in sums(dice).items()}
            found = ask(
                "command_points", settings, leader=leader, busy=busy, loyal=loyal, routing=routing, figures=figures
            )
            assert {(o.commanded, o.points): p for o, p in found.items()} == expected


@pytest.mark.rule("RSK-054", "RSK-057", "RSK-059", "RSK-060", "RSK-061")
@pytest.mark.parametrize(("link_cost", "price"), [("own_cost", 1), ("free", 0)])
@pytest.mark.parametrize(
    ("officer", "busy", "links", "squads"),
    [
        ("hero", True, ("raw", "musician", "musician"), (8, 5, 9)),
        ("raw", True, ("veteran",), (12, 4)),
        ("veteran", False, ("none", "musician"), (10, 10)),
        ("veteran", False, ("disloyal_raw",), (9, 9)),
        ("raw", False, ("disloyal_musician", "raw"), (8, 8)),
    ],
)
def test_the_chain_of_command(
    officer: str, busy: bool, links: tuple[str, ...], squads: tuple[int, ...], link_cost: str, price: int
) -> None:
    throws = [dice_of(officer, busy)]
    paid, drums = 0, 0
    for link in links:
        disloyal, link = link.startswith("disloyal_"), link.removeprefix("disloyal_")
        if link != "none":
            paid += price * (2 if disloyal else 1)
            throws.append(CLASS_DICE.get(link, 1 if not drums else 0))
            drums += link == "musician"
    expected: Counter[int] = Counter()
    for faces in product(range(1, 7), repeat=sum(throws)):
        pool, bought = sum(faces) - paid, 0
        for squad in squads:
            if pool >= squad:
                pool, bought = pool - squad, bought + 1
        expected[bought] += 1
    found = ask(
        "command_chain", {"command_link_cost": link_cost}, officer=officer, busy=busy, links=links, squads=squads
    )
    assert {o.squads: p for o, p in found.items()} == {n: F(c, 6 ** sum(throws)) for n, c in expected.items()}


@pytest.mark.rule("RSK-056", "RSK-057", "RSK-059")
def test_disloyal_squads_cost_twice_as_much() -> None:
    """Two dice pay for six loyal men from 6 on. Three disloyal men need 12 after them, or 6 alone."""

    def bought(*squads: int, disloyal: tuple[bool, ...]) -> dict[int, F]:
        found = ask("command_chain", officer="raw", links=(), squads=squads, disloyal=disloyal)
        return {outcome.squads: p for outcome, p in found.items()}

    assert bought(6, 3, disloyal=(False, True)) == {0: F(10, 36), 1: F(25, 36), 2: F(1, 36)}
    assert bought(6, disloyal=(True,)) == {0: F(35, 36), 1: F(1, 36)}
    assert bought(6, disloyal=(False, True)) == bought(6, disloyal=()) == {0: F(10, 36), 1: F(26, 36)}


@pytest.mark.rule("RSK-057", "RSK-060")
def test_a_disloyal_leader_is_not_linked_with_too_few_points() -> None:
    """A busy raw officer throws one die. With a 1 he cannot pay for a disloyal NCO, and so gets no squad of six."""
    found = ask("command_chain", officer="raw", busy=True, links=("disloyal_raw",), squads=(6,))
    none = F(1, 6)
    for first in range(2, 7):
        none += F(1, 6) * sum((p for two, p in sums(2).items() if first - 2 + two < 6), F(0))
    assert {o.squads: p for o, p in found.items()} == {0: none, 1: 1 - none}


@pytest.mark.rule("RSK-054")
@pytest.mark.setting("command.musician")
def test_musicians_in_the_chain_who_throw_their_own_dice_too() -> None:
    """A busy raw officer and two raw musicians throw one, three and two dice, less two points for the links."""
    settings, links = {"command_musician": "class_dice"}, ("musician", "musician")
    found = ask("command_chain", settings, officer="raw", busy=True, links=links, squads=(19,), musicians="raw")
    expected = sum((p for points, p in sums(6).items() if points - 2 >= 19), F(0))
    assert {o.squads: p for o, p in found.items()} == {1: expected, 0: 1 - expected}


def result_of(table: str, risk: int, die: int, back: bool) -> str:
    if risk <= 0 and back:
        return WORDS["ccccii"[die - 1]]
    return WORDS[next(row for limit, row in ROWS[table].items() if risk <= limit)[die - 1]]


def risk_of(each: bool, **found: Any) -> int:
    """Return the Risk Factor by Table R. A line with two conditions counts once, or with `each` for each of them."""

    def line(worth: int, *names: str) -> int:
        held = sum(bool(found.get(name)) for name in names)
        return worth * (held if each else min(held, 1))

    return (
        line(-4, "nothing_in_view") + line(-1, "hero", "superior") + line(-1, "in_cover", "advancing")
        + line(1, "in_range") + line(1, "raw_in_range") + int(found.get("casualties", 0))
        + line(2, "flank", "friends") + line(2, "cavalry") + line(3, "routing", "worse")
    )  # fmt: skip


SITUATIONS: list[dict[str, Any]] = [
    {"nothing_in_view": True, "hero": True, "superior": True, "in_cover": True, "advancing": True},
    {"in_range": True, "raw_in_range": True, "casualties": 3},
    {"flank": True, "friends": True, "cavalry": True, "routing": True, "worse": True},
    {"flank": True}, {"friends": True}, {"cavalry": True}, {"routing": True}, {"worse": True}, {"in_cover": True},
    {"advancing": True}, {"hero": True}, {"superior": True, "in_range": True}, {"casualties": 7, "worse": True},
    {"raw_in_range": True}, {"casualties": 1}, {},
]  # fmt: skip


@pytest.mark.rule("RSK-113", "RSK-117", "RSK-125", "RSK-127", "RSK-131", "RSK-132", "RSK-133", "RSK-134", "RSK-136")
@pytest.mark.setting("rf.or_lines")
@pytest.mark.setting("actions.die_modifier")
@pytest.mark.parametrize("table", ["missile", "melee"])
@pytest.mark.parametrize(("or_lines", "modifier"), [("once", 0), ("each", 0), ("once", 2), ("once", -3)])
def test_risk_factors_and_action_throws(table: str, or_lines: str, modifier: int) -> None:
    settings = {"rf_or_lines": or_lines, "actions_die_modifier": modifier}
    for found in SITUATIONS:
        for back in (False, True):
            risk = risk_of(or_lines == "each", **found)
            dice = [min(6, max(1, die + modifier)) for die in range(1, 7)]
            expected = Counter((risk, result_of(table, risk, die, back)) for die in dice)
            seen = ask("action", settings, table=table, commanded=True, falling_back=back, **found)
            assert {(o.risk, o.result): p for o, p in seen.items()} == {k: F(n, 6) for k, n in expected.items()}
            assert all(o.bound is (o.result in ("retreat", "rout")) for o in seen)


@pytest.mark.rule("RSK-127", "RSK-131", "RSK-132")
@pytest.mark.parametrize("risk", range(-6, 13))
def test_every_row_of_both_tables(risk: int) -> None:
    for table in ROWS:
        expected = Counter(result_of(table, risk, die, False) for die in range(1, 7))
        found = ask("action", table=table, risk=risk)
        assert {o.result: p for o, p in found.items()} == {result: F(n, 6) for result, n in expected.items()}


@pytest.mark.rule("RSK-134", "RSK-135", "RSK-129")
@pytest.mark.setting("actions.fortified_hold")
@pytest.mark.parametrize(
    ("risk", "advancing", "commanded", "hold", "stays"),
    [
        (0, False, False, "rf0_only", {6: "halt"}),
        (0, True, False, "rf0_only", dict.fromkeys(range(1, 7), "halt")),
        (0, False, True, "rf0_only", {}),
        (1, False, False, "rf0_only", {}),
        (1, False, False, "always", dict.fromkeys(range(2, 7), "halt")),
        (7, False, False, "always", {6: "halt"}),
    ],
)
def test_defenders_of_works_stay_in_them(
    risk: int, advancing: bool, commanded: bool, hold: str, stays: dict[int, str]
) -> None:
    found = ask(
        "action",
        {"actions_fortified_hold": hold},
        table="melee",
        risk=risk,
        works=True,
        advancing=advancing,
        commanded=commanded,
    )
    expected = Counter(stays.get(die, result_of("melee", risk, die, False)) for die in range(1, 7))
    assert {o.result: p for o, p in found.items()} == {result: F(n, 6) for result, n in expected.items()}
    charge = ask("charge_contact", {"actions_fortified_hold": hold}, risk=risk, works=True, advancing=advancing)
    if not commanded and hold == "always":
        assert {o.attacks for o in charge} == {False}


@pytest.mark.rule("RSK-134")
def test_units_do_not_advance_on_unseen_enemies() -> None:
    assert {o.result: p for o, p in ask("action", risk=0, enemy_in_sight=False).items()} == {"continue": 1}


@pytest.mark.rule("RSK-137", "RSK-138")
@pytest.mark.parametrize("table", ["missile", "melee"])
@pytest.mark.parametrize(
    ("distance", "native", "advancing", "risk"),
    [(28.0, True, False, 1), (30.5, True, False, 4), (24.0, False, False, 7), (28.0, False, False, 2),
     (51.0, True, False, 1), (27.0, True, True, 0), (50.0, True, True, -3)],
)  # fmt: skip
def test_odds_that_a_charge_makes_contact(
    table: str, distance: float, native: bool, advancing: bool, risk: int
) -> None:
    expected: Counter[tuple[bool, bool]] = Counter()
    for die, bonus in product(range(1, 7), repeat=2):
        result = result_of(table, risk, die, False)
        if result == "continue" and advancing:
            result = "advance"
        attacks = result == "attack" or (result in ("advance", "towards") and table == "melee" and distance <= 50)
        expected[attacks, attacks and 25 + (bonus if native else 0) >= distance] += 1
    found = ask("charge_contact", table=table, distance=distance, native=native, advancing=advancing, risk=risk)
    assert {(o.attacks, o.contact): p for o, p in found.items()} == {k: F(n, 36) for k, n in expected.items()}


@pytest.mark.rule("RSK-134", "RSK-137", "RSK-116")
@pytest.mark.parametrize("table", ["missile", "melee"])
def test_an_attack_that_goes_on_is_an_attack_and_counts_as_advancing(table: str) -> None:
    """At Risk Factor 0 five of six faces continue the attack. For missile troops the six is an Advance."""
    facts: dict[str, Any] = {"table": table, "distance": 20.0, "in_range": True}
    assert share("charge_contact", {"contact": True}, attacking=True, **facts) == (1 if table == "melee" else F(5, 6))
    assert share("charge_contact", {"contact": True}, advancing=True, **facts) == (1 if table == "melee" else 0)


@pytest.mark.rule("RSK-183", "RSK-130")
def test_a_side_with_groups_of_both_tables() -> None:
    """At 7 missile troops go back on 1 or 2, close-combat troops on 1 to 3. At 2 missile troops do on a 1, close-combat
    troops never.
    """
    for risks, tables, chance in (
        ((7, 7), ("missile", "melee"), F(2, 6) * F(3, 6)),
        ((2, 9), ("missile", "melee"), F(1, 6) * F(5, 6)),
        ((2, 9), ("melee", "missile"), F(0)),
    ):
        assert share("side_beaten", {"beaten": True}, risks=risks, tables=tables) == chance
    with pytest.raises(ZarebaError, match="one table for each"):
        ask("side_beaten", risks=(7, 7), tables=("missile",))


@pytest.mark.rule("RSK-183", "RSK-184")
@pytest.mark.parametrize(("table", "risks"), [("missile", (2, 6, 9)), ("melee", (3, 8)), ("melee", (0,))])
def test_odds_that_a_side_is_beaten(table: str, risks: tuple[int, ...]) -> None:
    beaten = sum(
        all(result_of(table, risk, die, False) in ("retreat", "rout") for risk, die in zip(risks, dice, strict=True))
        for dice in product(range(1, 7), repeat=len(risks))
    )
    assert share("side_beaten", {"beaten": True}, table=table, risks=risks) == F(beaten, 6 ** len(risks))


@pytest.mark.rule("RSK-150", "RSK-151", "RSK-152", "RSK-154")
@pytest.mark.setting("visibility.fired")
@pytest.mark.parametrize("how", ["any_range", "d6"])
@pytest.mark.parametrize(("depth", "fired"), [(3.0, False), (3.0, True), (7.0, False), (7.0, True), (11.0, True)])
def test_odds_of_first_sighting_a_concealed_figure(how: str, depth: float, fired: bool) -> None:
    distances = (61.0, 30.0, 20.5)
    expected: Counter[int] = Counter()
    for dice in product(range(1, 7), repeat=3):
        turn = 0
        for number, (die, away) in enumerate(zip(dice, distances, strict=True), start=1):
            by_die = away <= 10 * die and (depth <= 5 or (fired and depth <= 10))
            plainly = fired and how == "any_range" and depth <= 10
            if not turn and (by_die or plainly):
                turn = number
        expected[turn] += 1
    found = ask("sighting", {"visibility_fired": how}, distances=distances, depth=depth, fired=fired)
    assert {o.turn: p for o, p in found.items()} == {turn: F(n, 216) for turn, n in expected.items()}


@pytest.mark.rule("RSK-189")
def test_odds_that_any_marker_moves() -> None:
    sixes = sum(6 in dice for dice in product(range(1, 7), repeat=4))
    assert share("markers", {"any_moves": True}, markers=4) == F(sixes, 6**4)
    assert share("markers", {"any_moves": True}, markers=0) == 0


@pytest.mark.rule("RSK-143")
@pytest.mark.setting("rout.escape_gap")
@pytest.mark.parametrize("bearings", [(0, 100, 200, 300), (10, 99, 188, 277), (5, 95, 185, 275), (40,), (0, 89, 180)])
@pytest.mark.parametrize("needed", [90, 120])
def test_routers_escape_through_a_free_arc(bearings: tuple[int, ...], needed: int) -> None:
    """A way out is a run of free degrees. The widest one is found by checking the whole circle."""
    runs = [next(n for n in range(1, 361) if (start + n) % 360 in bearings) for start in bearings]
    ((found, p),) = ask("surrender", {"rout_escape_gap": needed}, bearings=bearings).items()
    assert p == 1 and (found.surrenders, found.widest) == (max(runs) < needed, max(runs))


@pytest.mark.rule("RSK-157", "RSK-158", "RSK-159", "RSK-160")
@pytest.mark.parametrize("prisoners", [0, 1, 5, 6, 13])
@pytest.mark.parametrize(("guards", "killers", "group"), [(1, 0, 0), (2, 1, 0), (0, 3, 0), (0, 0, 4), (0, 0, 20)])
def test_fates_of_prisoners(prisoners: int, guards: int, killers: int, group: int) -> None:
    if group:
        killers = min(group, prisoners // 2 + prisoners % 2)
        guards = group - killers
    hands = [5] * (guards + killers)
    stay = min(prisoners, sum(hands))
    killed = sum(1 for _, _ in zip(range(stay), [blow for man in range(killers) for blow in (man, man)], strict=False))
    ((found, p),) = ask(
        "prisoners", prisoners=prisoners, guards=guards, killers=killers, no_quarter_group=group
    ).items()
    assert p == 1 and (found.escape, found.killed, found.left) == (prisoners - stay, killed, stay - killed)


def test_no_procedure_is_left_out() -> None:
    """Volleys, shots and melees are counted in test_odds_of_fights.py."""
    dice = {"command_points", "command_chain", "action", "charge_contact", "side_beaten", "sighting", "markers"}
    assert set(PROCEDURES) == dice | {
        "surrender",
        "prisoners",
        "volley",
        "volley_at_leader",
        "single_shot",
        "match",
        "melee",
    }


@pytest.mark.rule("RSK-150", "RSK-152")
@pytest.mark.setting("woods.look_depth")
def test_men_who_can_see_out_of_a_wood_can_be_seen() -> None:
    for look_depth, chance in ((5.0, 0), (30.0, F(1, 3))):
        found = ask("sighting", {"woods_look_depth": look_depth}, distances=(45.0,), depth=20.0)
        assert sum(p for outcome, p in found.items() if outcome.turn) == chance
