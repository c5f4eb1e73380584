"""The reasons of AI players name numbers of the rules, and follow them when a house rule changes them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.rulesets.paychest.stage import blue, red, scene

from zareba.agents import make_agent
from zareba.registry import find_house_rule, load_rules
from zareba.rules import Rules
from zareba.scenario import load_scenario
from zareba.table import Agent, Answer, Choose, Confirm, SeededTable
from zareba_rulesets.paychest.evaluation import evaluate
from zareba_rulesets.paychest.forces.battle import Engine, Goal
from zareba_rulesets.paychest.forces.things import Thing

Reasons = Callable[[Rules], list[str]]


def changed(folder: Path, ruleset: str, change: str, **settings: Any) -> Rules:
    """Return the rules of a ruleset after one change, written as in a list of changes."""
    patch = folder / "ours.yaml"
    patch.write_text(
        f"house_rule: ours\ntitle: Ours\nruleset: {ruleset}\nchanges:\n  - {{{change}}}\n", encoding="utf-8"
    )
    return load_rules(ruleset, settings, house_rules=[find_house_rule(str(patch))])


def texts(evaluations: Any) -> list[str]:
    return [one.reason() if callable(one.reason) else one.reason for one in evaluations]


def asked(question: Callable[[Any], Choose | Confirm]) -> Reasons:
    """Return the reasons for the options of a question at the start of a shipped scenario."""

    def reasons(rules: Rules) -> list[str]:
        game = rules.game(load_scenario("patrol_clash"))
        state = game.start()
        return texts(game.advisor.evaluate(state, question(state)))

    return reasons


# --- Paychest ---------------------------------------------------------------------------------------------------------


def pay_load(rules: Rules) -> list[str]:
    things = {"chest": Thing("load", "chest", "", (20.0, 10.0))}
    battle = scene(red(4), things=things, rules=rules).battle
    return texts(evaluate(battle, Choose("handle", "PAY-073", "red", "red", (("pick up", "red.1", "chest"),), ())))


def pay_weapon(rules: Rules) -> list[str]:
    battle = scene(red(4), rules=rules).battle
    option = ("take", "red.1", "red.2", "rifle")
    return texts(evaluate(battle, Choose("handle", "PAY-023", "red", "red", (option,), ())))


def pay_drive(rules: Rules) -> list[str]:
    gun = Engine("gun", "gun", "red", "red", (22.0, 10.0), limbered=True)
    battle = scene(red(4), engines={"gun": gun}, rules=rules).battle
    battle.goals = (Goal("hill", "hold", ("red",), 3, (50.0, 40.0), 6.0, due=12),)
    options = (("drive", "gun", "advance"), ("drive", "gun", "run"))
    return texts(evaluate(battle, Choose("move", "PAY-067", "red", "red", options, ())))


def pay_dismount(rules: Rules) -> list[str]:
    riders = red(4)
    for figure in riders.figures.values():
        figure.mount = "horse"
    house = {"house": ("building", [(18.0, 14.0), (28.0, 14.0), (28.0, 20.0), (18.0, 20.0)])}
    battle = scene(riders, areas=house, rules=rules).battle
    battle.goals = (Goal("house", "hold", ("red",), 3, (22.0, 17.0), 2.0, due=12),)
    return texts(evaluate(battle, Choose("move", "PAY-067", "red", "red", (("mount", "down"),), ())))


def pay_leader(rules: Rules) -> list[str]:
    place = scene(red(6, leader="corporal"), blue(6, y=22.0, leader="leader"), rules=rules)
    aimed = Choose("fire at", "PAY-092", "red.1", "red", (place.unit("blue").leader,), ())
    fires = Choose("fire", "PAY-104", "red", "red", ("volley with leaders",), ())
    return [*texts(evaluate(place.battle, aimed)), *texts(evaluate(place.battle, fires))]


# --- VCC, Afriboria, Risk-Factor ----------------------------------------------------------------------------------------


def vcc_commander(state: Any) -> Choose:
    unit = state.unit("fusiliers")
    state.move(unit, 3)
    return Choose("commander to", "VCC-056", unit.spec.side, unit.spec.side, (3,), ())


def vcc_support(state: Any) -> Choose:
    return Choose("support", "VCC-126", "fusiliers", state.unit("fusiliers").spec.side, ("nobody",), ())


def vcc_rocket(state: Any) -> Choose:
    return Choose("rocket at", "VCC-098", "fusiliers", state.unit("fusiliers").spec.side, (3,), ())


def afr_card(state: Any) -> Choose:
    return Choose("card to discard", "AFR-064", "", next(iter(state.sides)), ("red_2",), ())


def rsk_unit(state: Any, *, leader: bool) -> Any:
    return next(
        unit for unit in state.units.values() if bool(unit.spec.leader) is leader and not state.is_commander(unit)
    )


def rsk_question(why: str, option: str, *, leader: bool = False) -> Callable[[Any], Choose]:
    def question(state: Any) -> Choose:
        unit = rsk_unit(state, leader=leader)
        return Choose(why, "RSK-141", unit.spec.id, unit.spec.side, (option,), ())

    return question


def rsk_combine(state: Any) -> Confirm:
    unit = rsk_unit(state, leader=False)
    return Confirm("combine", "RSK-047", unit.spec.id, unit.spec.side, ())


@pytest.mark.parametrize(
    ("ruleset", "reasons", "before", "change", "after"),
    [
        ("paychest", pay_load, "50% of his move", "at: halved_by_load.times, was: 0.5, to: 0.25", "25% of his move"),
        ("paychest", pay_weapon, "reaches 36 inches", "at: weapons.rifle.long, was: 36, to: 40", "reaches 40 inches"),
        ("paychest", pay_drive, "2 dice a turn", "at: movers.gun_limbered.advance, was: 2, to: 1", "1 die a turn"),
        ("paychest", pay_drive, "3 dice a turn", "at: movers.gun_limbered.run, was: 3, to: 5", "5 dice a turn"),
        ("paychest", pay_dismount, "10.5 inches", "at: movers.foot.run, was: 3, to: 4", "14 inches"),
        # 22 of 52 cards, then 26 of 56; the roll fails on 15 of 36, then on 26 of 36
        ("paychest", pay_leader, "42% of the hits", "at: casualty_cards.head_killed.copies, was: 4, to: 8", "46% of the hits"),
        ("paychest", pay_leader, "18% of the hits", "at: leader_loss.passes_at, was: 7, to: 9", "31% of the hits"),
        ("vcc", asked(vcc_commander), "get +2 morale", "at: tallies.morale.modifiers.commander.add, was: 2, to: 3", "+3 morale"),
        ("vcc", asked(vcc_support), "50% of its dice", "at: tallies.melee_dice.modifiers.supporting.times, was: 1/2, to: 1/4", "25%"),
        ("vcc", asked(vcc_rocket), "33% of rockets", "at: rocket.on_target, was: 5, to: 4", "50% of rockets"),
        ("afriboria", asked(afr_card), "it gives 2 orders", "at: cards.red_2.orders.red, was: 2, to: 3", "it gives 3 orders"),
        ("risk_factor", asked(rsk_question("retreat", "cover")), "improves the Risk Factor by 1",
         "at: tallies.risk_factor.modifiers.cover_or_advancing.add, was: -1, to: -2", "improves the Risk Factor by 2"),
        ("risk_factor", asked(rsk_question("will load or fire", "one shot")), "a shot costs 1 command die",
         "at: tallies.command_dice.modifiers.busy.add, was: -1, to: -2", "a shot costs 2 command dice"),
        ("risk_factor", asked(rsk_question("order", "hold", leader=True)), "within 5 cm of a group",
         "at: lengths.with_group.cm, was: 5.0, to: 7.5", "within 7.5 cm of a group"),
    ],
)  # fmt: skip
def test_a_reason_follows_the_number_that_a_house_rule_changes(
    tmp_path: Path, ruleset: str, reasons: Reasons, before: str, change: str, after: str
) -> None:
    assert any(before in text for text in reasons(load_rules(ruleset))), reasons(load_rules(ruleset))
    told = reasons(changed(tmp_path, ruleset, change))
    assert any(after in text for text in told) and not any(before in text for text in told), told


def test_groups_that_combine_name_the_size_at_which_men_run(tmp_path: Path) -> None:
    fresh = {"groups.merge_strength": "fresh"}
    assert asked(rsk_combine)(load_rules("risk_factor", fresh))[1] == "3 men alone run (RSK-047)"
    rules = changed(tmp_path, "risk_factor", "at: counts.combine_at.count, was: 3, to: 2", **fresh)
    assert asked(rsk_combine)(rules)[1] == "2 men alone run (RSK-047)"


@pytest.mark.parametrize("name", ["vcc", "afriboria"])
def test_a_reason_holds_at_most_one_number(name: str) -> None:
    """A player reads reasons as sentences, not as sums. Rule ids and distances of house rules do not count."""
    game = load_rules(name).game(load_scenario("patrol_clash"))
    state = game.start()
    said: set[str] = set()

    def watched(seat: str) -> Agent:
        agent = make_agent("doctrine", game, seat, 1)

        def answer(question: Any, state: Any) -> Answer:
            found = agent(question, state)
            if isinstance(question, Choose):
                said.update(texts(game.advisor.evaluate(game.sight.view(state, seat), question)))
            return found

        return answer

    table = SeededTable(game.rules, state, 1, {seat: watched(seat) for seat in game.seats})
    while (step := game.play.next_step(state)) is not None and game.game_turn(state) < 5:
        table.begin(step)
        game.play.perform(table, state, step)
    assert len(said) > 10
    for reason in said:
        numbers = re.findall(r"\d+", re.sub(r"\b[A-Z]{3}-\d+|\b[A-J]\d\b", "", reason))
        assert len(numbers) <= 1, reason
