"""Activity at the table is counted as players act, however the program asks questions and rolls dice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest
from tests.systems import each_ruleset

from zareba.agents import make_agent
from zareba.analysis.games.activity import ACTS, Activity, LossSteps, UnitNames, _Positions, unit_of
from zareba.analysis.games.records import GamePlan
from zareba.analysis.games.simulate import _loss_steps, play_game
from zareba.registry import load_rules
from zareba.scenario import load_scenario
from zareba.scenario.victory import CountedGroup
from zareba.table import Choose, SeededTable


class Shot(NamedTuple):
    band: str
    cover: int


class Check(NamedTuple):
    losses: int


def test_ten_men_of_a_unit_who_fire_one_die_each_throw_one_handful_like_eight_dice_at_once() -> None:
    single, together = Activity(), Activity()
    for man in range(8):
        single.throw("fire", f"rifles/{man}", 1)
    together.throw("fire", "rifles", 8)
    assert single.counts == together.counts
    assert (single.counts["handful"], single.counts["die"]) == (1, 8)


def test_another_purpose_another_unit_or_a_decision_between_is_another_handful() -> None:
    acts = Activity()
    for why, actor in (("fire", "rifles.1"), ("wound", "rifles.1"), ("fire", "spears.1"), ("fire", "rifles.2")):
        acts.throw(why, actor, 1)
    assert acts.counts["handful"] == 3
    acts.weigh([0.5, 0.1])
    acts.throw("fire", "rifles.3", 1)
    assert acts.counts["handful"] == 4


def test_units_are_distinguished_from_their_men() -> None:
    assert [unit_of(name) for name in ("rifles/3", "rifles.12", "rifles", "rifles_1", "foot.1/4", "")] == [
        "rifles", "rifles", "rifles", "rifles_1", "foot.1", "",
    ]  # fmt: skip


def test_the_same_situation_is_looked_up_and_measured_once() -> None:
    acts = Activity()
    for facts in (Shot("near", 1), Shot("near", 1), Shot("far", 1), Check(3)):
        acts.look_up("to hit", facts)
    assert (acts.counts["look-up"], acts.counts["measurement"]) == (3, 2)


@pytest.mark.parametrize(
    ("worths", "decisions", "stake"),
    [
        ([1.0, 0.95, 0.0], 1, 0.05),
        ([1.0, 0.5, 0.0], 0, 0.5),  # one answer is clearly best
        ([0.5, 0.5, 0.5], 0, 0.0),  # all answers are worth the same
        ([1.0], 0, 0.0),
    ],
)
def test_a_decision_has_something_at_stake_and_two_sensible_answers(
    worths: list[float], decisions: int, stake: float
) -> None:
    acts = Activity()
    acts.weigh(worths)
    assert acts.counts["decision"] == decisions and acts.stake == pytest.approx(stake)


@dataclass
class Field:
    """The positions of all figures."""

    men: tuple[CountedGroup, ...]

    def spots(self, men: CountedGroup) -> tuple[Any, ...]:
        return (men.position,)


def test_a_unit_that_ends_the_turn_elsewhere_is_moved_once_and_each_of_its_men_handled() -> None:
    stay, gone = (
        CountedGroup("red", 1, "ready", "rifles", position=(0, 0)),
        CountedGroup("red", 1, "lost", "rifles", position=(3, 0)),
    )
    acts = Activity()
    acts.count_turn(Field((stay, stay._replace(position=(1, 0)), stay._replace(position=(3, 0)))))  # type: ignore[arg-type]  # all it asks
    assert acts.counts["unit moved"] == 0, "set-up is not movement"
    acts.count_turn(Field((stay, stay._replace(position=(1, 5)), gone)))  # type: ignore[arg-type]  # as above
    assert [acts.counts[act] for act in ("unit moved", "piece moved", "measurement")] == [1, 1, 1]


def counts(acts: Activity) -> list[int]:
    return [acts.counts[act] for act in ("unit moved", "piece moved", "measurement")]


def test_a_unit_that_was_destroyed_in_the_turn_in_which_it_moved_was_moved() -> None:
    unit, acts = CountedGroup("red", 8, "ready", "rifles", position=17), Activity()
    acts.count_turn(Field((unit,)))  # type: ignore[arg-type]  # all it asks
    acts.record_positions(Field((unit._replace(position=18),)))  # type: ignore[arg-type]  # as above
    acts.count_turn(Field((unit._replace(position=None, fate="lost"),)))  # type: ignore[arg-type]  # as above
    assert counts(acts) == [1, 8, 1]
    acts.count_turn(Field((unit._replace(position=None, fate="lost"),)))  # type: ignore[arg-type]  # as above
    assert counts(acts) == [1, 8, 1], "counted once, in the turn it moved"


def test_men_who_fell_after_their_unit_had_moved_were_moved_too() -> None:
    unit, acts = CountedGroup("red", 8, "ready", "rifles", position=17), Activity()
    acts.count_turn(Field((unit,)))  # type: ignore[arg-type]  # all it asks
    acts.record_positions(Field((unit._replace(position=18),)))  # type: ignore[arg-type]  # as above
    acts.count_turn(Field((unit._replace(position=18, number=5), unit._replace(number=3, fate="lost"))))  # type: ignore[arg-type]  # as above
    assert counts(acts) == [1, 8, 1]


def test_a_unit_that_goes_and_comes_back_without_a_loss_stands_where_it_stood() -> None:
    unit, acts = CountedGroup("red", 8, "ready", "rifles", position=17), Activity()
    for number, look in enumerate((acts.count_turn, acts.record_positions, acts.count_turn)):
        look(Field((unit._replace(position=17 + number % 2),)))  # type: ignore[arg-type]  # all it asks
    assert counts(acts) == [0, 0, 0]


def test_arrivals_and_departures_count_as_moves() -> None:
    unit, acts = CountedGroup("red", 8, "ready", "rifles", position=17), Activity()
    fates = ("coming", "ready", "ready", "off", "off")
    found = []
    for fate in fates:
        acts.count_turn(Field((unit._replace(fate=fate),)))  # type: ignore[arg-type]  # all it asks
        found.append(acts.counts["piece moved"])
    assert found == [0, 8, 8, 16, 16]


@pytest.mark.parametrize("ruleset", each_ruleset("afriboria", "vcc"))
def test_moves_of_the_first_turn_count_and_setting_out_does_not(ruleset: str) -> None:
    """The battle lasts one turn, and the sides only march."""
    found = load_scenario("patrol_clash")
    game = load_rules(ruleset).game(found.model_copy(update={"turns": 1}))
    agents = tuple((side, "doctrine") for side in game.seats)
    record = play_game(game, ruleset, GamePlan(0, 0, 3, False, agents))
    assert record.turns == 1 and record.acts is not None
    assert 0 < record.acts["unit moved"] <= len(found.units) + len(found.leaders)


@pytest.mark.parametrize("ruleset", ["afriboria", "risk_factor"])
def test_a_record_does_not_depend_on_the_games_before_it(ruleset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first game copies the battle before every step, later ones only before steps that have had losses."""
    game = load_rules(ruleset).game(load_scenario("patrol_clash"))
    plan = GamePlan(0, 0, 3, False, tuple((side, "random") for side in game.seats))
    monkeypatch.setitem(_loss_steps, ruleset, LossSteps())
    first = play_game(game, ruleset, plan)
    assert any(share for causes in first.losses.values() for share in causes.values())
    assert play_game(game, ruleset, plan) == first
    monkeypatch.setitem(_loss_steps, ruleset, unaware := LossSteps())
    unaware.has_played = True
    assert play_game(game, ruleset, plan) == first


@pytest.mark.parametrize("ruleset", each_ruleset("afriboria", "vcc"))
def test_a_step_without_events_moves_no_one(ruleset: str) -> None:
    """So the battle need not be copied again after it."""
    game = load_rules(ruleset).game(load_scenario("patrol_clash"))
    state = game.start()
    table = SeededTable(game.rules, state, 3, {side: make_agent("random", game, side, 3) for side in game.seats})
    before = game.scoreboard(state)
    assert before.men, "listed before the state changes"
    while (step := game.play.next_step(state)) is not None:
        table.begin(step)
        game.play.perform(table, state, step)
        after = game.scoreboard(state)
        moved = _Positions(before).moved_to(after) or _Positions(after).moved_to(before)
        assert not moved or table.events, step
        before = after


@pytest.mark.parametrize("ruleset", each_ruleset("afriboria", "vcc"))
def test_counting_acts_changes_no_game(ruleset: str) -> None:
    game = load_rules(ruleset).game(load_scenario("column_ambushed").model_copy(update={"turns": 3}))
    agents = tuple((side, "doctrine") for side in game.seats)
    record = play_game(game, ruleset, GamePlan(0, 0, 3, False, agents))
    state = game.start()
    table = SeededTable(game.rules, state, 3, {side: make_agent("doctrine", game, side, 3) for side in game.seats})
    while (step := game.play.next_step(state)) is not None:
        table.begin(step)
        game.play.perform(table, state, step)
    assert (table.rolls, table.dice_rolled, table.draws) == (record.rolls, record.dice, record.draws)
    assert game.play.common_outcome(state).winner == record.winner
    assert {side: game.scoreboard(state).strength(side) for side in game.seats} == {
        side: shares[-1] for side, shares in record.strength.items()
    }


def test_bases_in_one_box_are_moved_together() -> None:
    unit, acts = CountedGroup("red", 8, "ready", "rifles", position=17), Activity()
    acts.count_turn(Field((unit,)))  # type: ignore[arg-type]  # as above
    acts.count_turn(Field((unit._replace(position=18),)))  # type: ignore[arg-type]  # as above
    assert [acts.counts[act] for act in ("unit moved", "piece moved", "measurement")] == [1, 8, 1]


def test_a_marker_is_counted_when_it_is_laid_and_when_it_is_taken() -> None:
    acts = Activity()
    for states in ((), ("hits 1",), ("hits 2", "broken 1"), ()):
        acts.count_markers({"rifles": states})
    assert acts.counts["marker"] == 1 + 3 + 2


def test_markers_come_and_go_with_their_unit() -> None:
    acts = Activity()
    for states in (
        {"rifles": ("glory 4",)},
        {"rifles": ("glory 5",), "spears": ("glory 4",)},
        {"spears": ("glory 4",)},
    ):
        acts.count_markers(states)
    assert acts.counts["marker"] == 2, "the rifles' marker changed from 4 to 5: one removed, one placed"


def test_units_without_options_are_denied_and_units_without_acts_are_idle() -> None:
    """In one turn some of the rifles fire, the lancers move, and the guns are offered an action that is not taken.
    Carts and enemies are offered nothing.
    """
    sides = {"rifles": "red", "lancers": "red", "guns_1": "red", "carts": "red", "spears": "blue"}
    men = {unit: CountedGroup(side, 8, "ready", unit, position=(0, 0)) for unit, side in sides.items()}
    acts = Activity(UnitNames(sides))
    acts.count_turn(Field(tuple(men.values())))  # type: ignore[arg-type]  # as above
    assert (acts.unit_turns, acts.idle, acts.denied) == (0, 0, 0), "units do not count in the set-up turn"
    acts.throw("fire", "rifles.2/7", 1)
    acts.offer(Choose("order", "", "red", "red", (("guns_1", "fire"), "nobody"), ()))
    acts.offer(Choose("fire at", "", "rifles.2", "red", ("spears", "hold fire"), ()))
    acts.count_turn(Field(tuple({**men, "lancers": men["lancers"]._replace(position=(9, 9))}.values())))  # type: ignore[arg-type]  # as above
    assert (acts.unit_turns, acts.idle, acts.denied) == (5, 3, 2)
    acts.count_turn(Field(tuple(man._replace(fate="broken") for man in men.values())))  # type: ignore[arg-type]  # as above
    assert acts.unit_turns == 5, "a broken unit is held back by the enemy, not by the rules"


@pytest.mark.parametrize("ruleset", each_ruleset("afriboria", "vcc"))
def test_record_without_counted_acts_is_otherwise_equal(ruleset: str) -> None:
    game = load_rules(ruleset).game(load_scenario("patrol_clash"))
    agents = tuple((side, "doctrine") for side in game.seats)
    record = play_game(game, ruleset, GamePlan(0, 0, 3, False, agents))
    assert record.acts is not None and record.denied is not None, "acts are counted by default"
    assert record.idle is not None and record.unit_turns is not None, "as above"
    assert tuple(record.acts) == ACTS
    assert record.acts["handful"] <= record.rolls and record.acts["die"] == record.dice
    assert record.acts["look-up"] <= record.lookups and record.acts["card"] == record.draws
    assert all(record.acts[act] > 0 for act in ("handful", "unit moved", "piece moved", "decision", "measurement"))
    assert 0 <= record.denied <= record.idle <= record.unit_turns <= record.turns * len(game.scenario.units)
    assert record.acts["decision"] <= sum(effort.genuine for effort in record.effort.values())
