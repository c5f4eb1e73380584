"""The common victory rules: the end of a battle and its winner, independent of the ruleset."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from zareba.scenario import Scenario, parse_scenario
from zareba.scenario.model import Escort, Hold
from zareba.scenario.victory import CountedGroup, Fate, Scoreboard, end_of_battle, judge, leading_side, points_in_play

TRIAL = (Path(__file__).parent / "trial.yaml").read_text(encoding="utf-8")
GOALS = {
    "hill": "kind: hold, name: Hill, terrain: knoll, points: 3",
    "chest_gone": "kind: carry_off, name: Chest, object: chest, edge: north, by: [blue], points: 6",
    "convoy": "kind: escort, name: Convoy, units: [guns], share: 0.5, edge: north, points: 7",
    "colonel_down": "kind: capture_leader, name: Colonel, leader: colonel, points: 8, by: [blue]",
    "last": "kind: survive, name: Hold out, turn: 5, share: 0.5, points: 9, by: [red]",
    "broken": "kind: destroy, name: Break them, share: 0.5, points: 4",
}


def scenario(*goals: str, **changes: str) -> Scenario:
    """Return a battle with some of the objectives; `changes` are appended to their text."""
    start, end = TRIAL.index("objectives:"), TRIAL.index("objects:")
    text = "objectives:\n" + "".join(f"  {goal}: {{{GOALS[goal] + changes.get(goal, '')}}}\n" for goal in goals)
    written = TRIAL[:start] + (text if goals else "") + TRIAL[end:]
    for side in ("red", "blue"):
        written = written.replace(f"name: {side.title()}\n", f"name: {side.title()}\n    victory: {{quota: 99}}\n", 1)
    return parse_scenario(written, "trial.yaml")


@dataclass
class Chest:
    taken_by: str = ""
    edge: str = ""


class Field(Scoreboard[None]):
    """A scoreboard with the fate of each unit set by the test; all other units are ready."""

    def __init__(
        self,
        scenario: Scenario,
        fates: Mapping[str, Fate] | None = None,
        *,
        at_the_hill: Iterable[str] = (),
        achieved: Mapping[str, str] | None = None,
        turn: int = 2,
        **more: Any,
    ) -> None:
        more.setdefault("carried_objects", {"chest": Chest()})
        super().__init__(None, scenario, turn=turn, achieved=achieved or {}, **more)
        self.fates, self.at_the_hill = fates or {}, tuple(at_the_hill)

    def counted_groups(self) -> Iterable[CountedGroup]:
        for key, unit in self.scenario.units.items():
            yield CountedGroup(unit.side, unit.figures, self.fates.get(key, "ready"), key, position=key, edge="north")
        for key, leader in self.scenario.leaders.items():
            yield CountedGroup(leader.side, 1, self.fates.get(key, "ready"), leader=key, position=key)

    def is_at(self, men: CountedGroup, key: str, goal: Hold | Escort) -> bool:
        return men.position in self.at_the_hill


def fates(scenario: Scenario, side: str, fate: Fate, **others: Fate) -> dict[str, Fate]:
    """Return one fate for all units of a side, with exceptions by name."""
    return {**dict.fromkeys(scenario.units_of(side), fate), **others}


# --- the end ----------------------------------------------------------------------------------------------------------


def test_a_battle_goes_on_while_two_sides_can_act_and_there_is_a_turn_left() -> None:
    battle = scenario("hill")
    assert end_of_battle(Field(battle), {}) == ""
    assert end_of_battle(Field(battle, turn=battle.turns), {}) == "turn_limit"
    assert end_of_battle(Field(battle), {}, "retreat") == "retreat", "the ruleset's victory rule"
    assert end_of_battle(Field(battle, turn=battle.turns), {}, "retreat") == "retreat"


@pytest.mark.parametrize("fate", ["lost", "broken", "off"])
def test_a_side_without_troops_in_hand_can_act_no_more(fate: Fate) -> None:
    battle = scenario("hill")
    assert end_of_battle(Field(battle, fates(battle, "blue", fate)), {}) == "collapse"
    assert end_of_battle(Field(battle, fates(battle, "blue", fate, swords="going back")), {}) == ""


def test_leaders_alone_do_not_carry_on_a_battle() -> None:
    battle = scenario("hill")
    alone = Field(battle, fates(battle, "blue", "lost"))
    assert alone.strength("blue") > 0 and not alone.can_act("blue")


def test_expected_reserves_keep_a_side_in_the_battle_until_the_last_turn() -> None:
    battle = scenario("hill")
    coming = fates(battle, "blue", "lost", late="coming")
    assert end_of_battle(Field(battle, coming), {}) == ""
    assert end_of_battle(Field(battle, coming, turn=battle.turns), {}) == "collapse"
    assert Field(battle, coming, turn=0, last=True).unopposed == "red"


def test_an_objective_that_decides_ends_it_before_anything_else() -> None:
    battle = scenario("convoy", convoy=", decisive: true")
    brought = Field(battle, {**fates(battle, "blue", "lost"), "guns": "off"}, turn=battle.turns)
    achieved: dict[str, str] = {}
    assert end_of_battle(brought, achieved, "retreat") == "objectives" and achieved == {"convoy": "red"}


# --- the winner -------------------------------------------------------------------------------------------------------


def test_most_points_win_whoever_is_left() -> None:
    battle = scenario("hill", "convoy")
    weak = dict.fromkeys(("foot", "horse"), "broken")
    field = Field(battle, weak, achieved={"convoy": "red"}, at_the_hill=["swords"])  # type: ignore[arg-type]  # fates
    found = judge(field, "turn_limit")
    assert (found.winner, found.ground, found.points) == ("red", "points", {"red": 7, "blue": 3})


def test_with_equal_points_the_greater_share_left_wins_and_within_two_in_a_hundred_it_is_a_draw() -> None:
    for goals in ((), ("hill",)):
        battle = scenario(*goals)
        found = judge(Field(battle, {"foot": "lost"}), "turn_limit")
        assert (found.winner, found.ground) == ("blue", "strength")
        assert judge(Field(battle), "turn_limit").winner is None
    level = {"red": 1.0, "blue": 1.0}
    assert (
        leading_side(level, {"red": 0.5, "blue": 0.52}) is None
        and leading_side(level, {"red": 0.5, "blue": 0.521}) == "blue"
    )
    assert leading_side({"red": 1.0, "blue": 2.0}, {"red": 1.0, "blue": 0.0}) == "blue"


def test_unopposed_side_achieves_its_reachable_objectives() -> None:
    battle = scenario("hill", "convoy", "last", "broken")
    routed = fates(battle, "blue", "broken")
    found = judge(Field(battle, routed), "collapse")
    assert found.points == {"red": 3 + 7 + 9 + 4, "blue": 0}
    assert judge(Field(battle, {**routed, "guns": "lost"}), "collapse").points["red"] == 3 + 9 + 4, "no convoy is left"
    assert judge(Field(battle, routed, turn=6), "collapse").points["red"] == 3 + 7 + 4, "it is too late to hold out"
    assert judge(Field(battle, routed, achieved={"hill": "blue"}), "collapse").points == {"red": 7 + 9 + 4, "blue": 3}


def test_an_unopposed_side_carries_off_objects_and_captures_leaders_left_behind() -> None:
    battle = scenario("chest_gone", "colonel_down")
    beaten = fates(battle, "red", "lost")
    assert judge(Field(battle, beaten), "collapse").points["blue"] == 6 + 8
    gone = Field(battle, {**beaten, "colonel": "off"}, carried_objects={"chest": Chest("red", "south")})
    assert judge(gone, "collapse").points["blue"] == 0, "the colonel has left, and so has the chest"


def test_a_side_removed_by_its_own_rule_leaves_the_field_to_the_others() -> None:
    battle = scenario("hill", "broken")
    field = Field(battle, at_the_hill=["swords"], beaten=["blue"])
    assert field.unopposed == "red"
    assert judge(field, "withdrawal").points == {"red": 3 + 4, "blue": 0}


def test_a_destroyed_side_keeps_what_it_has_won() -> None:
    battle = scenario("hill", "convoy")
    field = Field(battle, fates(battle, "red", "off"), achieved={"convoy": "red"})
    found = judge(field, "collapse")
    assert (found.winner, found.points) == ("red", {"red": 7, "blue": 3})


def test_no_side_is_unopposed_if_both_are_gone() -> None:
    battle = scenario("hill")
    field = Field(battle, fates(battle, "red", "lost") | fates(battle, "blue", "lost"))
    assert field.unopposed is None and judge(field, "collapse").winner is None


def test_decisive_place_counts_at_the_end_of_the_battle() -> None:
    battle = scenario("hill", "convoy", hill=", decisive: true")
    field = Field(battle, achieved={"convoy": "red"}, at_the_hill=["swords"], turn=battle.turns)
    assert end_of_battle(field, {"convoy": "red"}) == "turn_limit"
    found = judge(field, "turn_limit")
    assert (found.winner, found.ground) == ("blue", "objective")


def test_an_outcome_says_what_decided_it() -> None:
    battle, quota = scenario("hill", "convoy"), scenario("hill", hill=", decisive: true")
    lost = {"foot": "lost"}
    held: dict[str, Any] = {"at_the_hill": ["swords"]}
    assert judge(Field(battle, **held), "turn_limit").decided_by == "most points"
    assert (
        judge(Field(battle), "turn_limit").decided_by
        == "points equal, strength left differs by 2\u00a0% at most (100\u00a0% to 100\u00a0%)"
    )
    by_strength = judge(Field(battle, lost), "turn_limit")  # type: ignore[arg-type]  # fates
    assert re.fullmatch(
        r"points equal, larger share of strength left \(100\u00a0% to \d\d\u00a0%\)", by_strength.decided_by
    )
    without = judge(Field(scenario(), lost), "turn_limit")  # type: ignore[arg-type]  # fates
    assert without.decided_by.startswith("larger share of strength left (100\u00a0% to ")
    assert judge(Field(quota, **held), "turn_limit").decided_by == "decisive objective 'Hill'"
    alone = judge(Field(battle, fates(battle, "blue", "lost")), "collapse")
    assert alone.decided_by == "only Red left in the field, most points"
    nobody = judge(Field(battle, fates(battle, "red", "lost") | fates(battle, "blue", "lost")), "collapse")
    assert nobody.decided_by.startswith("no side left in the field, points equal, ")
    short = parse_scenario(TRIAL.replace("name: Blue\n", "name: Blue\n    victory: {quota: 1}\n", 1), "trial.yaml")
    key = next(key for key, goal in short.objectives.items() if not goal.by or "blue" in goal.by)
    assert judge(Field(short, achieved={key: "blue"}), "objectives").decided_by == "quota of 1 point reached"


def test_points_in_play_are_the_most_that_one_side_can_score() -> None:
    assert points_in_play(scenario()) == 0
    assert points_in_play(scenario("hill", "chest_gone", "last")) == 3 + 9
