"""Doctrine AI players: a reason for every choice, and better than random (solo play, FBN-266)."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Any, cast

import pytest
from tests.rulesets.fixed_baynet.plain import act_worth, battle, book, house, rules_with, squad
from tests.rulesets.random_games import play_watched

from zareba.analysis.games.records import GameTask, Variant
from zareba.analysis.games.simulate import run_games
from zareba.base.errors import ZarebaError
from zareba.battle.positions import MoveSuggestions
from zareba.registry import ruleset
from zareba.scenario import load_scenario
from zareba.table import Choose, Confirm, LazyOptions, Option, Place, Point
from zareba_rulesets.fixed_baynet.actions.firing import FEW
from zareba_rulesets.fixed_baynet.actions.unit_actions import legal_actions
from zareba_rulesets.fixed_baynet.estimates import (
    SideObjectives,
    UnitView,
    blow_chances,
    estimate_volley,
    hit_chance,
    is_threatened,
)
from zareba_rulesets.fixed_baynet.evaluation import ActRanking, best_kinds, best_places, evaluate
from zareba_rulesets.fixed_baynet.forces.battle import Battle, ScenarioObject
from zareba_rulesets.fixed_baynet.forces.units import Gun, Unit
from zareba_rulesets.fixed_baynet.game import FbnGame

NOTHING_COUNTED = re.compile(r"(?<![\d.])0 (man|men|enem|friend|gained|lost|AC|shot|hit|point)")


def play(
    name: str, kinds: tuple[str, str], seed: int, look: Callable[..., None] | None = None
) -> tuple[FbnGame, Battle]:
    """Play one game between two kinds of agent. `look` is called with every question, the game and the state."""
    game = FbnGame(rules_with(), load_scenario(name))
    return game, play_watched(game, kinds, seed, look)


def check(game: FbnGame, state: Battle, question: Any) -> None:
    seen = game.sight.view(state, question.seat)
    before = seen.to_data() if question.why in ("act", "activate") and state.acts % 25 == 0 else None
    found = game.advisor.evaluate(seen, question)
    count = (
        2
        if isinstance(question, Confirm)
        else len(question.suggestions if isinstance(question, Place) else question.options)
    )
    assert len(found) == count
    for one in found:
        reason = one.reason() if callable(one.reason) else one.reason
        assert 0 < len(reason) <= 80 and not NOTHING_COUNTED.search(reason), (question.why, reason)
    assert before is None or before == seen.to_data(), "looking changes nothing"


@pytest.mark.parametrize("name", ["patrol_clash", "hill_fort", "paychest_raid"])
def test_every_choice_has_a_short_reason_that_counts_no_zeros(name: str) -> None:
    play(name, ("doctrine", "doctrine"), 4, check)
    play(name, ("doctrine", "random"), 5, check)


@pytest.mark.rule("FBN-266")
def test_any_side_may_be_played_by_a_program_and_sense_beats_chance() -> None:
    assert not ruleset("fixed_baynet").solo, "these rules have no table that plays a side"
    wins = 0
    for seed in range(8):
        kinds = ("doctrine", "random") if seed % 2 else ("random", "doctrine")
        game, state = play("patrol_clash", kinds, seed)
        assert state.over and state.turn <= game.scenario.turns
        wins += game.play.outcome(state).winner == game.seats[kinds.index("doctrine")]
    assert wins >= 7
    task = GameTask(
        Variant("fixed_baynet", "fixed_baynet"),
        "patrol_clash",
        0,
        1,
        1,
        (("patrol", "solo"), ("tribesmen", "random")),
        False,
    )
    with pytest.raises(ZarebaError, match="has no rules for a side that plays itself"):
        run_games(task)


def test_the_means_behind_the_reasons() -> None:
    chances = [hit_chance(book(), need) for need in (-3, 2, 7, 12, 15)]
    assert chances == [11 / 12, 11 / 12, 6 / 12, 1 / 12, 1 / 12]
    won, lost = blow_chances(0, 1, 1, 6)
    assert (round(won * 36), round(lost * 36)) == (15, 15)
    won, lost = blow_chances(0, 2, 1, 6)
    assert round(won * 216) == 125 and round(lost * 216) == 55
    red, blue = squad("red", "red", 6, (20, 10)), squad("blue", "blue", 20, (20, 20), "mass", ds=4)
    state = battle(red, blue)
    volley = estimate_volley(state, red, blue)
    assert volley.taken == pytest.approx(6 * 10 / 12)
    look = UnitView(state, SideObjectives(load_scenario("patrol_clash"), state.field), red)
    assert "should hit about 5 men" in str(act_worth(look, ("fire", "blue")).reason())  # type: ignore[operator]  # created on demand


@pytest.mark.rule("FBN-204", "FBN-266")
def test_nobody_wastes_his_shots_on_a_piece_without_a_crew() -> None:
    """A unit without men has no crew for its guns, so shots at them are worth nothing."""
    for manned in (True, False):
        red = squad("red", "patrol", 6, (43, 20))
        own, other = squad("own", "patrol", 1, (50, 8.5), role="crew"), squad("blue", "blue", manned, (43, 36.6))
        own.guns, other.guns = [Gun("light_gun", 50, 10, 0, 0, 2, ac=3)], [Gun("light_gun", 43, 35, 0, 180, 2)]
        state = battle(red, own, other)
        for unit, act in ((red, ("fire at gun", "blue", 0)), (own, ("gun at gun", 0, "blue", 0))):
            judge = ActRanking(state, SideObjectives(load_scenario("patrol_clash"), state.field), unit)
            assert act in [one for kind in judge.menu.kinds for one in judge.menu.of(kind)]
            assert (judge.value_of(act).total > 0) is manned
            shooting = [kind for kind in judge.best_of(judge.menu.kinds) if kind in ("fire", ("gun fire", 0))]
            assert any(judge.kind(kind).total > 0 for kind in shooting) is manned


@pytest.mark.rule("FBN-247", "FBN-248")
@pytest.mark.parametrize("posted", [True, False])
def test_nobody_wastes_his_shots_on_an_empty_house(posted: bool) -> None:
    """Shots at walls are worth something only if an enemy is inside, visible or not."""
    for held in (True, False):
        red, blue = squad("red", "patrol", 6, (43, 30)), squad("blue", "blue", 1, (43, 43) if held else (10, 95))
        if held:
            (man,) = blue.figures.values()
            man.place, man.post = "hut:0:0", "hut:window" if posted else ""
        state = battle(red, blue, on=house())
        judge = ActRanking(state, SideObjectives(load_scenario("patrol_clash"), state.field), red)
        assert ("fire at house", "hut") in judge.menu.of("fire")
        assert (judge.value_of(("fire at house", "hut")).total > 0) is held
        assert ("fire" in judge.best_of(legal_actions(state, red).kinds)) is held


def test_bearers_lie_down_under_fire_and_run_when_it_is_over() -> None:
    scenario = load_scenario("column_ambushed")
    bearers = squad("mules", "column", 3, (20, 20), role="civilian", weapon="none")
    for away, danger in ((30.0, True), (60.0, False)):
        state = battle(bearers, squad("foe", "tribes", 5, (20, 20 + away)))
        assert is_threatened(state, bearers) is danger
        look = UnitView(state, SideObjectives(scenario, state.field), bearers)
        down, up = (act_worth(look, word) for word in ("lie down", "get up"))
        assert (down.steadies > 0) is danger and (up.ground > 0) is not danger


def test_what_a_side_wants_changes_with_the_prize() -> None:
    game = FbnGame(rules_with(), load_scenario("paychest_raid"))
    state = game.start()
    wanted = [aim for aim in game.mission.aims(state, "raiders") if aim.points == 5]
    chest = state.prizes["paychest"]
    assert [aim.at for aim in wanted] == [(chest.x, chest.y)] and not wanted[0].units
    taker = next(unit for unit in state.units.values() if unit.spec.side == "raiders")
    state.prizes["paychest"] = ScenarioObject(chest.x, chest.y, carrier=taker.spec.id)
    (home,) = [aim for aim in game.mission.aims(state, "raiders") if aim.points == 5]
    assert home.units == (taker.spec.source,) and home.at[1] == game.plan.field.depth


def test_a_side_wants_no_more_what_it_has_achieved_and_sends_whoever_is_nearest() -> None:
    game = FbnGame(rules_with(), load_scenario("river_ford"))
    mission, state = game.mission, game.start()
    side = next(side for side in game.seats if any(not aim.units for aim in mission.aims(state, side)))
    wanted = max((aim for aim in mission.aims(state, side) if not aim.units), key=lambda aim: aim.points)
    one, other = [unit for unit in state.units.values() if unit.spec.side == side and not unit.guns][:2]
    for near, far in ((one, other), (other, one)):
        near.box, far.box = (*wanted.at, *wanted.at), (0.0, 0.0, 0.0, 0.0)
        assert mission.aim_of(state, near) == wanted != mission.aim_of(state, far)
    before = len(mission.aims(state, side))
    for key in game.scenario.objectives_of(side):
        state.achieved[key] = side
    assert before and not mission.aims(state, side)


@pytest.mark.parametrize(
    ("closed", "taken"), [((), (20, 26)), ((0,), (26, 26)), ((0, 1, 2), (20, 14)), (range(4), None)]
)
def test_a_commander_looks_into_the_best_direction_first_and_no_further(
    closed: Collection[int], taken: Point | None
) -> None:
    ideals = [(20.0, 26.0), (26.0, 26.0), (26.0, 20.0), (20.0, 14.0)]
    asked: list[int] = []

    def first(place: int) -> Point | None:
        asked.append(place)
        return None if place in closed else ideals[place]

    def legal(point: Point) -> str | None:
        return None

    state = battle(squad("red", "red", 6, (20, 20), weapon="none", close=True), squad("blue", "blue", 6, (20, 60)))
    mission = SideObjectives(load_scenario("patrol_clash"), state.field)
    steps = MoveSuggestions(len(ideals), first, legal, ideal=ideals.__getitem__)
    found = best_places(state, mission, Place("move to", "FBN-039", "red", "red", steps, legal))
    assert (None if found is None else [*found]) == (None if taken is None else [taken])
    assert asked == [*range(len(ideals) if taken is None else ideals.index(taken) + 1)]


def test_a_unit_is_set_up_on_the_first_spot_with_room() -> None:
    def find(place: int) -> Point | None:
        assert place <= 2, "nobody looks further"
        return (float(place), 0.0) if place == 2 else None

    state = battle(squad("red", "red", 6, (20, 20)))
    mission, spots = SideObjectives(load_scenario("patrol_clash"), state.field), LazyOptions(9, find)
    found = best_places(state, mission, Place("deploy at", "FBN-011", "red", "red", spots, lambda point: None))
    assert found is not None and [*found] == [(2.0, 0.0)]


def asked(state: Battle, unit: Unit) -> Choose:
    """Return the question for the act of a unit, with lazily listed kinds of act."""
    state.menu = legal_actions(state, unit)
    return Choose("act", "FBN-016", unit.spec.id, unit.spec.side, cast("tuple[Option, ...]", state.menu.kinds), ())


def test_where_only_men_at_the_side_can_aim_a_volley_is_a_few_shots_and_where_nobody_can_it_is_not_weighed() -> None:
    red = squad("red", "patrol", 12, (50, 50))
    reach, worths = battle(red).book.bands["rifle"][2], []
    for away in (8.0, reach, reach + 5.0):
        foe = squad("blue", "tribesmen", 2, (red.box[2] + away, 50), facing=180.0)
        state = battle(red, foe)
        mission, question = SideObjectives(load_scenario("patrol_clash"), state.field), asked(state, red)
        found = dict(zip(question.options, evaluate(state, mission, question), strict=True))
        assert found.get("fire") is not FEW
        weighed = best_kinds(state, mission, asked(state, red))
        assert weighed is not None and ("fire" in weighed) is (away <= reach)
        worths.append(found["fire"].total if "fire" in found else 0.0)
    assert worths[0] > worths[1] > worths[2] == 0


def test_acts_that_are_worth_less_than_nothing_are_not_weighed() -> None:
    red = squad("red", "patrol", 12, (50, 50))
    state = battle(red, squad("blue", "tribesmen", 6, (50, 64), facing=180.0))
    mission, question = SideObjectives(load_scenario("patrol_clash"), state.field), asked(state, red)
    every = dict(zip(question.options, evaluate(state, mission, question), strict=True))
    weighed = best_kinds(state, mission, asked(state, red))
    assert weighed is not None and {"end", "fire", "move"} <= set(weighed) < set(every)
    assert all(every[kind].total == one.total for kind, one in weighed.items())
    assert all(every[kind].total < 0 for kind in set(every) - set(weighed))


@pytest.mark.rule("FBN-177")
def test_horses_that_may_not_stop_ride_on() -> None:
    red = squad("red", "patrol", 4, (50, 50), mounted=True, rides=True, sp=4)
    state = battle(red, squad("blue", "tribesmen", 6, (50, 53), facing=180.0), decel_steps="one")
    mission = SideObjectives(load_scenario("patrol_clash"), state.field)
    for gait, bound in ((0, False), (2, True)):
        for man in red.figures.values():
            man.last_gait = gait
        question = asked(state, red)
        assert ("end" in question.options) is not bound
        for found in (
            best_kinds(state, mission, asked(state, red)),
            dict(zip(question.options, evaluate(state, mission, question), strict=True)),
        ):
            assert found is not None and (max(found, key=lambda kind: found[kind].total) == "ride") is bound


@pytest.mark.rule("FBN-143", "FBN-151", "FBN-266")
def test_nobody_charges_who_would_break_by_it() -> None:
    def worth(glory: int, *events: str) -> float:
        red = squad("red", "red", 6, (50, 40), "mass", weapon="spear", close=True, cs=1)
        state = battle(red, squad("blue", "blue", 6, (50, 47.5), "closed", facing=180.0))
        for man in red.figures.values():
            man.gl = glory
        red.events = events
        return act_worth(
            UnitView(state, SideObjectives(load_scenario("patrol_clash"), state.field), red), ("charge", "blue")
        ).total

    assert worth(4) > 0 > worth(6), "at 6+ the confusion of the charge is the end of it"
    assert worth(6, "charge") > 0, "it counts once a turn"
