"""The odds equal play: closed calculations give the same result as the rules, and house rules affect them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.rulesets.risk_factor.battlefields import rules_with

from zareba.base.errors import ZarebaError
from zareba.odds import counted, odds
from zareba.table import Table
from zareba_rulesets.risk_factor.odds import PROCEDURES

SWORD, RAW = (False, False, 3, False, False), (True, False, 4, False, False)
STORMER, ROUTER = (False, True, 3, True, False), (False, False, 4, False, True)
HERO = ("pistol", "hero", "short")
SMALL: list[tuple[str, dict[str, Any]]] = [
    ("volley", {"shooters": 3, "unhurt": 2, "wounded": 1, "band": "short"}),
    ("volley", {"shooters": 5, "unhurt": 1, "commanded": False}),
    ("volley", {"mixed": (("rifle", "veteran", "medium"), HERO, HERO), "unhurt": 2, "wounded": 1}),
    ("volley_at_leader", {"shooters": 3, "unhurt": 2, "leader_wounded": True, "band": "short"}),
    ("melee", {"attackers": 2, "defenders": 2, "attackers_wounded": 1, "attackers_crossing": True}),
    ("melee", {"attackers": 3, "defenders": 2, "defenders_wounded": 1}),
    ("melee", {"attackers": 1, "defenders": 3, "defenders_routing": True}),
    ("melee", {"attackers": 2, "defenders": 3, "mixed": ((SWORD, (RAW, SWORD)), (STORMER, (ROUTER,)))}),
    ("melee", {"attackers": 3, "defenders": 2, "mixed": ((RAW, (SWORD, STORMER)), (ROUTER, (STORMER,)))}),
    ("side_beaten", {"risks": (9, 7, 2), "tables": ("melee", "missile", "missile")}),
    ("markers", {"markers": 3}),
]


@pytest.mark.rule("RSK-086", "RSK-104", "RSK-177", "RSK-183", "RSK-189")
@pytest.mark.parametrize(
    ("name", "facts", "allocation"),
    [(*case, "sequential") for case in SMALL] + [(*case, "fixed_pool") for case in SMALL if "volley" in case[0]],
)
def test_closed_calculations_come_to_what_is_run(name: str, facts: dict[str, Any], allocation: str) -> None:
    rules, procedure = rules_with(shooting_allocation=allocation), PROCEDURES[name]
    given = procedure.facts(**facts)
    assert procedure.closed is not None and procedure.situation is not None
    assert procedure.closed.found(rules, given) == counted(rules, procedure.situation(rules, given))


def never(run: Any, table: Table, *args: Any, **kwargs: Any) -> Any:
    return None


def spares_wounded(run: Any, table: Table, battle: Any, unit: Any, effects: Any, cause: str) -> None:
    run(table, battle, unit, {man: 1 for man in effects if not unit.hurt[man]}, cause)


WRAPS: list[tuple[str, str, dict[str, Any], Any]] = [
    ("hits.strike", "volley", {"shooters": 2, "unhurt": 2}, never),
    ("hits.all", "volley_at_leader", {"shooters": 2, "unhurt": 2}, never),
    ("hits.strike", "single_shot", {}, spares_wounded),
    ("hits.strike", "match", {"opponents": 2}, spares_wounded),
    ("hits.strike", "melee", {"attackers": 1, "defenders": 2}, spares_wounded),
    ("actions.die", "action", {}, lambda run, table, *args, **kwargs: 1),
    ("actions.side", "side_beaten", {}, never),
    ("charge.home", "charge_contact", {}, never),
    ("command.points", "command_points", {}, lambda run, table, *args: 1 + run(table, *args)),
    ("command.points", "command_chain", {"links": ("raw",)}, lambda run, table, *args: 1 + run(table, *args)),
    ("sight.dice", "sighting", {}, never),
    ("hidden.move", "markers", {}, never),
    ("prisoners.take", "surrender", {}, never),
    ("prisoners.escape", "prisoners", {}, never),
]


@pytest.mark.parametrize(("wrapped", "name", "facts", "wrap"), WRAPS)
def test_a_wrap_in_force_is_in_the_odds(wrapped: str, name: str, facts: dict[str, Any], wrap: Any) -> None:
    rules, procedure = rules_with(), PROCEDURES[name]
    assert wrapped in rules.ruleset.wrappable
    given = procedure.facts(**facts)
    changed = odds(replace(rules, wraps={wrapped: wrap}), procedure, given)
    assert changed.method == "exact"
    assert changed.outcomes != odds(rules, procedure, given).outcomes


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("match", {"opponents": 5}, "at most 4 with one"),
    ("match", {"factor": 7}, "no weapon has the melee factor 7"),
    ("melee", {"attackers": 2, "defenders": 4, "mixed": ((SWORD, (RAW,)), (SWORD, (RAW,) * 3))}, "matched evenly"),
    ("charge_contact", {"allowance": 31.0}, "allowance"),
    ("charge_contact", {"commanded": True}, "commanded"),
    ("sighting", {"distances": (45.0, 2.0)}, "stands in the same cover"),
]


@pytest.mark.rule("RSK-035", "RSK-066", "RSK-071", "RSK-153", "RSK-164", "RSK-165")
@pytest.mark.parametrize(("name", "facts", "why"), REFUSED)
def test_what_play_would_not_do_is_refused(name: str, facts: dict[str, Any], why: str) -> None:
    with pytest.raises(ZarebaError, match=why):
        odds(rules_with(), PROCEDURES[name], PROCEDURES[name].facts(**facts))


@pytest.mark.rule("RSK-029")
def test_a_range_that_a_weapon_does_not_have_is_refused() -> None:
    for name in ("volley", "single_shot"):
        facts = PROCEDURES[name].facts(weapon="bow", band="short")
        with pytest.raises(ZarebaError, match="the bow has no short range"):
            odds(_without_bows(), PROCEDURES[name], facts)


def _without_bows() -> Any:
    rules = rules_with()
    bow = rules.book.weapons["bow"].model_copy(update={"short": None, "medium": None, "long": None})  # type: ignore[attr-defined]
    return replace(rules, book=rules.book.model_copy(update={"weapons": {**rules.book.weapons, "bow": bow}}))  # type: ignore[attr-defined]
