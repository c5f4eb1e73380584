"""Victory, objectives and carried objects."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.fixed_baynet.plain import scripted
from tests.rulesets.fixed_baynet.scenarios import game, started, troops

from zareba.scenario.model import Escort, Hold
from zareba.scenario.victory import end_of_battle
from zareba_rulesets.fixed_baynet.chapters.victory import FbnScoreboard, leave_table


@pytest.mark.rule("FBN-265")
def test_a_leader_is_lost_when_he_is_dead_or_taken() -> None:
    leaders = {name: {"name": name, "side": "army", "rank": "officer", "unit": "foot"} for name in ("major", "captain")}
    made, state = started(leaders=leaders)
    standing, foot = FbnScoreboard(state, made.scenario), state.units["foot"]
    (major,) = [key for key, figure in foot.figures.items() if figure.spec.leader_id == "major"]
    assert not standing.leader_lost("major") and not standing.leader_lost("captain")
    foot.figures[major].reaction = "flee"
    assert not standing.leader_lost("major"), "he has run, but is on the table"
    del foot.figures[major]
    assert standing.leader_lost("major") and not standing.leader_lost("captain")
    assert not standing.leader_lost("nobody"), "who never came cannot be lost"


@pytest.mark.rule("FBN-265")
def test_without_objectives_the_greater_share_left_wins() -> None:
    made, state = started()
    state.units["enemy"].figures.pop("enemy/1")
    assert made.play.outcome(state).winner == "army"
    assert made.strength(state)["band"] == 0.9
    next(iter(state.units["foot"].figures.values())).reaction = "flee"
    assert made.strength(state)["army"] == 0.95
    for figure in state.units["enemy"].figures.values():
        figure.reaction = "freeze"
    assert end_of_battle(FbnScoreboard(state, made.scenario), state.achieved) == "collapse"


@pytest.mark.rule("FBN-265")
def test_unit_follows_its_first_man_over_the_edge_unless_a_man_panics() -> None:
    """A column is longer than the strip at the edge. Its last men leave where the first did."""
    way_out = {
        "kind": "escort",
        "name": "Out",
        "points": 3,
        "by": ["army"],
        "units": ["foot"],
        "share": 0.5,
        "edge": "west",
    }
    for panic, left in (("", True), ("freeze", False)):
        made, state = started(objectives={"out": way_out})
        foot = state.units["foot"]
        for place, figure in enumerate(foot.figures.values()):
            figure.x, figure.y = 1.0 + 2.0 * place, 10.0
        list(foot.figures.values())[-1].reaction = panic
        with scripted(state) as table:
            leave_table(table, state, foot)
            assert [event.kind for event in table.events] == ["left the table"] * left
        assert foot.on_table is not left
        escort = made.scenario.objectives["out"]
        assert isinstance(escort, Escort)
        assert FbnScoreboard(state, made.scenario).share_brought(escort) == left


@pytest.mark.rule("FBN-265")
def test_last_side_achieves_its_reachable_objectives() -> None:
    goals: dict[str, dict[str, Any]] = {
        "through": {
            "kind": "escort",
            "name": "Through",
            "points": 3,
            "by": ["army"],
            "units": ["foot"],
            "share": 0.5,
            "edge": "north",
        },
        "place": {"kind": "hold", "name": "The place", "points": 2, "at": [30, 30], "radius": 3},
        "stand": {"kind": "survive", "name": "Stand", "points": 1, "by": ["army"], "turn": 9, "share": 0.9},
        "theirs": {"kind": "survive", "name": "Theirs", "points": 5, "by": ["band"], "turn": 9, "share": 0.1},
    }
    for lost, achieved in ((0, {"through", "place", "stand"}), (4, {"through", "place"}), (6, {"place"})):
        made, state = started(objectives=goals)
        state.units["enemy"].figures.clear()
        for key in list(state.units["foot"].figures)[:lost]:
            del state.units["foot"].figures[key]
        assert end_of_battle(FbnScoreboard(state, made.scenario), state.achieved) == "collapse"
        scored = sum(goals[key]["points"] for key in achieved)
        assert made.play.outcome(state).points == {"army": scored, "band": 0.0}
        assert made.play.outcome(state).winner == "army"
    made, state = started(objectives=goals)
    assert made.play.outcome(state).points == {"army": 0.0, "band": 0.0}, "two sides are left"
    made, state = started({"foot": troops(position=[30, 30])}, objectives={"place": goals["place"]})
    state.units["enemy"].figures.clear()
    assert made.play.outcome(state).points == {"army": 2.0, "band": 0.0}, "what is held already counts once"


@pytest.mark.rule("FBN-265")
def test_a_place_is_held_out_to_its_radius() -> None:
    place = {"kind": "hold", "name": "The place", "points": 2, "at": [30, 30], "radius": 3}
    made, state = started({"foot": troops(figures=1, position=[30, 8])}, objectives={"place": place})
    (figure,) = state.units["foot"].figures.values()
    goal = made.scenario.objectives["place"]
    assert isinstance(goal, Hold)
    for y, holder in ((33.0, "army"), (33.01, None)):
        figure.x, figure.y = 30.0, y
        assert FbnScoreboard(state, made.scenario).holder(goal) == holder


@pytest.mark.rule("FBN-265")
def test_objects_carried_from_the_start_are_with_their_unit() -> None:
    objects = {
        "chest": {"name": "Chest", "kind": "paychest", "carrier": "foot"},
        "flour": {"name": "Flour", "kind": "supplies", "position": [7, 9]},
    }
    for figures, carrier in ((10, "foot"), (40, "foot.1")):
        carried_objects = (
            game({"foot": troops(position=[20, 8], figures=figures)}, objects=objects).start().carried_objects
        )
        assert carried_objects["chest"].carrier == carrier
        assert (carried_objects["flour"].carrier, carried_objects["flour"].x, carried_objects["flour"].y) == ("", 7, 9)
