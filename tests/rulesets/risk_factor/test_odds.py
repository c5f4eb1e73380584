"""The odds equal play: closed calculations give the result of the rules, and a choice's odds run to the end of the
turn.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.rulesets.risk_factor.battlefields import row, rules_with
from tests.rulesets.risk_factor.skirmishes import game, order_options

from zareba.base.errors import ZarebaError
from zareba.chance import SUM
from zareba.odds import count_outcomes, odds, odds_of
from zareba.space.field.bodies import Body
from zareba.table import Choose, Roll, Table
from zareba.table.questions import Step
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
def test_closed_calculations_equal_simulated_play(name: str, facts: dict[str, Any], allocation: str) -> None:
    rules, procedure = rules_with(shooting_allocation=allocation), PROCEDURES[name]
    given = procedure.facts(**facts)
    assert procedure.closed is not None and procedure.situation is not None
    assert procedure.closed.compute(rules, given) == count_outcomes(rules, procedure.situation(rules, given))


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
def test_odds_include_a_wrap_in_force(wrapped: str, name: str, facts: dict[str, Any], wrap: Any) -> None:
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
def test_odds_reject_situations_that_play_cannot_reach(name: str, facts: dict[str, Any], why: str) -> None:
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


TURN = ("start", "command", "throw", "move", "charge", "settle", "dispatch", "shoot", "melee", "finish")


def belonging(before: Any, after: Any) -> set[str]:
    of = game()
    return {name for name in TURN if of.odds_horizon.includes(before, after, Step(name, after.turn, "red/rifles_1"))}


@pytest.mark.rule("RSK-037", "RSK-043")
def test_the_action_throws_belong_to_command() -> None:
    before = game().start()
    before.phase = "command"
    assert belonging(before, before) == {"command", "throw"}
    for change in ({"turn": 2}, {"active": 1}):
        after = before.copy()
        for name, value in change.items():
            setattr(after, name, value)
        assert belonging(before, after) == set()


@pytest.mark.rule("RSK-038", "RSK-040", "RSK-162")
def test_orders_include_all_events_until_their_own_melee_only_for_a_charge() -> None:
    before = game().start()
    before.phase, before.waiting = "move", ["rifles_1", "rifles_2"]
    after = before.copy()
    assert belonging(before, after) == set()
    after.units["rifles_1"].target, after.waiting = "spears_1", ["rifles_2"]
    assert belonging(before, after) == {"move", "charge", "settle", "dispatch", "shoot"}
    after.units["rifles_1"].target = ""
    after.units["rifles_1"].mark("charged")
    after.waiting = ["rifles_2+spears_2", "rifles_1+spears_1"]
    assert belonging(before, after) == {"move", "charge", "settle", "dispatch", "shoot", "melee"}
    after.waiting = ["rifles_2+spears_2"]
    assert "melee" not in belonging(before, after)
    before.phase = "shoot"
    assert belonging(before, after) == set()


@pytest.mark.rule("RSK-110", "RSK-144")
def test_changes_of_units_are_their_figures_wounded_leaders_and_flight() -> None:
    of = game()
    before = of.start()
    said = of.display.condition(before)["rifles"]
    assert (said["figures"], said["wounded"], said["leaders"], said["in contact"]) == (20, 0, 1, False)
    after = before.copy()
    squad, captain = after.units["rifles_2"], after.units["captain"]
    squad.hurt, squad.body, squad.status = (True, *squad.hurt[2:]), squad.body.without([0]), "routing"
    after.remove(captain, "killed")
    assert [of.narrator.describe_change(change) for change in of.display.changes(before, after)] == [
        "Rifles: 1 figure lost",
        "Rifles: 1 figure wounded",
        "Rifles: 1 leader lost",
        "Rifles: routing",
    ]
    hidden = before.copy()
    hidden.units["spears_1"].hurt = ()
    hidden.units["spears_1"].mark("hidden")
    assert of.display.changes(before, hidden) == (), "who is hidden or on his way is not lost"


@pytest.mark.rule("RSK-162", "RSK-164")
def test_the_odds_of_the_order_to_charge_tell_of_the_melee() -> None:
    of = game(
        units="""
      rifles: {name: Rifles, side: red, arm: infantry, kind: european_regular, figures: 4, weapon: none, close_weapon: sword},
      spears: {name: Spears, side: blue, arm: infantry, kind: tribal, figures: 4, weapon: none, close_weapon: spear}
    """,
        leaders="",
    )
    state = of.start()
    state.phase, state.waiting, state.begun = "move", ["rifles"], True
    for unit in state.units.values():
        if unit.spec.leader:
            state.remove(unit, "killed")
    for name, y in (("rifles", 50), ("spears", 60)):
        unit = state.units[name]
        unit.body, unit.marks = Body(tuple(row(unit.count, y)), 1.25), frozenset({"free"})
    order = Choose("order", "RSK-066", "rifles", "red", tuple(order_options(state, state.units["rifles"])), ())

    def lost(answer: Any) -> dict[Any, Any]:
        found = odds_of(
            of,
            state,
            [],
            order,
            answer,
            of.display.changes,
            seconds=0.01,
            then=0.3,
            policy=lambda q, s: of.odds_horizon.hold(q),
        )
        return {tuple(change.what for change in changes): p for changes, p in found.outcomes.items()}

    assert set(lost("hold")) == {()}
    assert any("figures" in what for what in lost(("charge", "spears")))


@pytest.mark.rule("RSK-127", "RSK-037")
def test_the_odds_of_a_command_leave_out_the_throws_of_other_groups() -> None:
    of = game()
    before = of.start()
    before.phase = "command"
    after = before.copy()
    after.units["rifles_1"].mark("commanded")

    def thrown(name: str, why: str = "action") -> object:
        return of.odds_horizon.neutral_answer(before, after, Roll(why, "RSK-127", name, 1, 6, SUM))

    assert thrown("rifles_1") is None
    assert thrown("rifles_2") == thrown("spears_1") == 6
    assert thrown("rifles_2", "command points") is None
    before.phase = "shoot"
    assert thrown("rifles_2") is None
