"""Objectives: each kind is scored when its condition holds, by the sides that may score it, at the set time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import pytest

from zareba.scenario import Scenario, parse_scenario
from zareba.scenario.model import CarryOff, Escort, Hold
from zareba.scenario.victory import (
    CountedGroup,
    Numbers,
    Scoreboard,
    count_points,
    is_destroyed,
    outright_winner,
    record_achieved_objectives,
    winner,
)

TRIAL = (Path(__file__).parent / "trial.yaml").read_text(encoding="utf-8")
OBJECTIVES = """\
objectives:
  hill: {kind: hold, name: Hill, terrain: knoll, points: 3}
  hut: {kind: hold, name: Hut, terrain: hut, points: 2, by: [red]}
  broken: {kind: destroy, name: Break them, share: 0.5, points: 4}
  guns_lost: {kind: destroy, name: The guns, share: 1.0, units: [guns], points: 5, by: [blue]}
  chest_gone: {kind: carry_off, name: Chest, object: chest, edge: north, by: [blue], points: 6}
  convoy: {kind: escort, name: Convoy, units: [guns, horse], share: 0.5, edge: north, points: 7}
  colonel_down: {kind: capture_leader, name: Colonel, leader: colonel, points: 8, by: [blue]}
  last: {kind: survive, name: Hold out, turn: 5, share: 0.5, points: 9, by: [red]}
  swords_last: {kind: survive, name: Swords, turn: 3, share: 1.0, units: [swords], points: 10, by: [blue]}
"""


@cache
def scenario(text: str = OBJECTIVES, **victory: str) -> Scenario:
    start = TRIAL.index("objectives:")
    end = TRIAL.index("objects:")
    written = TRIAL[:start] + text + TRIAL[end:]
    for side, entry in victory.items():
        written = written.replace(f"name: {side.title()}\n", f"name: {side.title()}\n    victory: {entry}\n", 1)
    return parse_scenario(written, "trial.yaml")


class Field(Scoreboard[None]):
    """A scoreboard with values set by the test."""

    def __init__(
        self,
        turn: int = 1,
        held: Mapping[str, str] | None = None,
        left: Mapping[str, float] | None = None,
        brought: float = 0.0,
        gone: str | None = None,
        lost: frozenset[str] = frozenset(),
    ) -> None:
        super().__init__(None, scenario(), turn=turn, achieved={})
        self.held, self.left, self.brought, self.gone, self.lost = held or {}, left or {}, brought, gone, lost

    def counted_groups(self) -> list[CountedGroup]:
        return []

    def is_at(self, men: CountedGroup, key: str, goal: Hold | Escort) -> bool:
        return False

    def holder(self, goal: Hold) -> str | None:
        return self.held.get(goal.terrain or "")

    def numbers(self, units: Sequence[str]) -> Numbers:
        return Numbers(len(units), sum(self.left.get(unit, 1.0) for unit in units), 0)

    def share_brought(self, goal: Escort) -> float:
        return self.brought

    def carried_off(self, goal: CarryOff) -> str | None:
        return self.gone

    def leader_lost(self, leader: str) -> bool:
        return leader in self.lost


def achieved_after(scoreboard: Field, achieved: dict[str, str] | None = None) -> dict[str, str]:
    found = dict(achieved or {})
    record_achieved_objectives(scenario(), scoreboard, found)
    return found


# --- objectives settled at the end of a turn --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scoreboard", "achieved"),
    [
        (Field(), {}),
        (Field(gone="blue"), {"chest_gone": "blue"}),
        (Field(gone="red"), {}),  # only blue may score it
        (Field(lost=frozenset({"colonel"})), {"colonel_down": "blue"}),
        (Field(lost=frozenset({"khan"})), {}),
        (Field(brought=0.5), {"convoy": "red"}),
        (Field(brought=0.49), {}),
        (Field(turn=5), {"last": "red"}),
        (Field(turn=5, left={"foot": 0.5, "horse": 0.5, "guns": 0.5}), {"last": "red"}),
        (Field(turn=5, left={"foot": 0.49, "horse": 0.5, "guns": 0.5}), {}),
        (Field(turn=4), {}),
        (Field(turn=6), {}),
        (Field(turn=3), {"swords_last": "blue"}),
        (Field(turn=3, left={"swords": 0.9, "late": 1.0}), {}),
        (Field(held={"knoll": "red"}, left={"guns": 0.0}), {}),  # holding and destroying are counted, not settled
    ],
)  # fmt: skip
def test_permanent_objectives_are_recorded_at_the_end_of_a_turn(scoreboard: Field, achieved: dict[str, str]) -> None:
    assert achieved_after(scoreboard) == achieved


def test_survive_counts_for_the_units_own_side_by_default() -> None:
    swords = "objectives:\n  last: {kind: survive, name: Swords, turn: 3, share: 0.9, units: [swords]}\n"
    quotas = {"red": "{quota: 1}", "blue": "{quota: 1}"}
    for by, side in (("", "blue"), (", by: [red]", "red")):
        named, found = scenario(swords.replace("]}", f"]{by}}}"), **quotas), dict[str, str]()
        record_achieved_objectives(named, Field(turn=3, left={"swords": 1 - 0.1}), found)
        assert found == {"last": side}


def test_permanent_objective_stays_with_its_first_holder() -> None:
    assert achieved_after(Field(gone="blue"), {"chest_gone": "red"}) == {"chest_gone": "red"}


# --- points -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scoreboard", "achieved", "red", "blue"),
    [
        (Field(), {}, 0, 0),
        (Field(held={"knoll": "red"}), {}, 3, 0),
        (Field(held={"knoll": "blue", "hut": "blue"}), {}, 0, 3),  # the hut is red's to hold
        (Field(held={"hut": "red"}), {}, 2, 0),
        (Field(left={"swords": 0.5, "late": 0.5}), {}, 4, 0),
        (Field(left={"swords": 0.6, "late": 0.5}), {}, 0, 0),
        (Field(left={"foot": 0.0, "horse": 0.0}), {}, 0, 4),
        (Field(left={"guns": 0.0}), {}, 0, 5),
        (Field(left={"guns": 0.1}), {}, 0, 0),
        (Field(), {"chest_gone": "blue", "convoy": "red"}, 7, 6),
        (Field(held={"knoll": "red"}, left={"guns": 0.0}), {"last": "red"}, 12, 5),
    ],
)
def test_points_are_the_sum_of_achieved_held_and_inflicted(
    scoreboard: Field, achieved: dict[str, str], red: float, blue: float
) -> None:
    assert count_points(scenario(), scoreboard, achieved) == {"red": red, "blue": blue}


@pytest.mark.parametrize(
    ("scored", "side"),
    [({"red": 3, "blue": 2}, "red"), ({"red": 0, "blue": 0.5}, "blue"), ({"red": 2, "blue": 2}, None), ({"red": 0, "blue": 0}, None),
     ({"red": 1, "blue": 3, "green": 3}, None), ({"red": 4, "blue": 3, "green": 3}, "red")],
)  # fmt: skip
def test_most_points_win_and_equal_ones_are_a_draw(scored: dict[str, float], side: str | None) -> None:
    assert winner(scored) == side


# --- winning outright -------------------------------------------------------------------------------------------------


def decisive(objective: str) -> Scenario:
    lines = [
        line[:-1] + ", decisive: true}" if line.startswith(f"  {objective}:") else line
        for line in OBJECTIVES.splitlines()
    ]
    return scenario("\n".join(lines) + "\n")


def test_a_decisive_objective_wins_at_once() -> None:
    assert outright_winner(decisive("guns_lost"), Field(left={"guns": 0.0}), {}) == "blue"
    assert outright_winner(decisive("guns_lost"), Field(left={"guns": 0.5}), {}) is None
    assert outright_winner(decisive("convoy"), Field(), {"convoy": "red"}) == "red"
    assert outright_winner(decisive("convoy"), Field(), {"last": "red"}) is None


def test_holding_is_never_decisive_before_the_end() -> None:
    assert outright_winner(decisive("hill"), Field(held={"knoll": "red"}), {}) is None


def test_a_quota_of_points_wins_at_once() -> None:
    quota = scenario(red="{quota: 10}")
    assert outright_winner(quota, Field(held={"knoll": "red", "hut": "red"}, left={"swords": 0, "late": 0}), {}) is None
    assert outright_winner(quota, Field(held={"knoll": "red"}), {"convoy": "red"}) == "red"
    assert outright_winner(quota, Field(), {"swords_last": "blue", "chest_gone": "blue"}) is None
    assert outright_winner(scenario(), Field(held={"knoll": "red"}), {"convoy": "red", "last": "red"}) is None


@pytest.mark.parametrize("lost", range(1, 10))
def test_exact_share_destroyed_counts_despite_rounding(lost: int) -> None:
    text = OBJECTIVES.replace("share: 1.0, units: [guns]", f"share: {lost / 10}, units: [guns]")
    for left, scored in (((10 - lost) / 10, 5.0), ((11 - lost) / 10, 0.0)):
        assert count_points(scenario(text), Field(left={"guns": left}), {})["blue"] == scored


def test_units_that_were_left_out_are_not_destroyed() -> None:
    class Nobody(Field):
        def numbers(self, units: Sequence[str]) -> Numbers:
            return super().numbers(units) if "guns" not in units else Numbers(0, 0, 0)

    assert count_points(scenario(), Field(left={"guns": 0.0}), {})["blue"] == 5
    assert count_points(scenario(), Nobody(left={"guns": 0.0}), {})["blue"] == 0


def test_unit_takes_part_if_the_rules_count_any_figure_of_it() -> None:
    class Counted(Field):
        def counted_groups(self) -> list[CountedGroup]:
            return [CountedGroup("red", 3, "lost", "foot"), CountedGroup("red", 0, "ready", "horse")]

        numbers = Scoreboard.numbers

    scoreboard = Counted()
    assert is_destroyed(scoreboard, ["foot"], 0.5) and is_destroyed(scoreboard, ["horse", "foot"], 0.5)
    assert not is_destroyed(scoreboard, ["horse"], 0.5) and not is_destroyed(scoreboard, ["guns"], 0.5)
