"""Hidden markers and dummies, and what each side knows of them (RSK-114, RSK-186 to RSK-189)."""

from __future__ import annotations

from dataclasses import replace
from math import cos, radians, sin
from random import Random
from typing import Any

import pytest
from tests.rulesets.risk_factor.battlefields import ground, row, rules_with, scene, troops
from tests.rulesets.risk_factor.skirmishes import LEADERS, UNITS, game

from zareba.base.exact import dist
from zareba.base.state import digest
from zareba.plugins.ruleset import Evaluation
from zareba.scenario import load_scenario
from zareba.space.field.bodies import Body
from zareba.table import Choose, Confirm, Event, Place, SeededTable
from zareba.table.questions import fingerprint
from zareba_rulesets.risk_factor.chapters.setting_up import (
    begin,
    move_markers,
    number_of_dummies,
    reveal,
    starts_with_markers,
)
from zareba_rulesets.risk_factor.chapters.shooting import volley
from zareba_rulesets.risk_factor.chapters.sight import sees_marker
from zareba_rulesets.risk_factor.chapters.victory import take_carried_objects
from zareba_rulesets.risk_factor.forces import Battle, Marker
from zareba_rulesets.risk_factor.game import RskGame
from zareba_rulesets.risk_factor.sequence import Sequence

AMBUSH: dict[str, Any] = {
    "units": UNITS.replace("formation: mass", "formation: mass, hidden: true"),
    "terrain": "bush: {kind: scrub, area: [[5, 28], [55, 28], [55, 34], [5, 34]]}",
    "hidden": "blue: {terrain: [bush]}",
}


WOOD = ground("wood", "wood", [(0, 100), (299, 100), (299, 150), (0, 150)])


def begun(of: RskGame, seed: int = 1) -> Any:
    state = of.start()
    begin(SeededTable(of.rules, state, seed, {}), state, of.scenario, of.plan)
    return state


@pytest.mark.rule("RSK-186")
@pytest.mark.setting("hidden.use")
def test_markers_are_used_by_default_only_for_a_solo_side_against_players() -> None:
    def used(solo: list[str], **settings: Any) -> bool:
        of = game(settings, solo=solo, **AMBUSH)
        return starts_with_markers(of.start(), of.scenario, "blue")

    assert used(["blue"]) and not used([]) and not used(["red", "blue"]) and not used(["red"])
    assert used([], hidden_use="on") and not used(["blue"], hidden_use="off")


@pytest.mark.rule("RSK-187", "RSK-191")
@pytest.mark.setting("hidden.dummies_rounding")
def test_a_marker_for_each_hidden_group_and_half_as_many_dummies() -> None:
    assert [number_of_dummies(n, "down") for n in (6, 5, 1)] == [3, 2, 0]
    assert [number_of_dummies(n, "up") for n in (6, 5, 1)] == [3, 3, 1]
    state = begun(game(solo=["blue"], **AMBUSH))
    assert len(state.markers) == 3
    assert sorted(len(marker.units) for marker in state.markers.values()) == [0, 1, 2]
    assert all(not unit.hurt and unit.action == "halt" for unit in state.units.values() if unit.side == "blue")
    for marker in state.markers.values():
        assert marker.at[1] == pytest.approx(28 * 2.54, abs=0.1), "on the edge that faces the players"
        assert all(piece.holds(marker.at) for piece in state.field.concealing), "but within the bush"
    up = begun(
        game(
            {"hidden_dummies_rounding": "up"},
            solo=["blue"],
            units=AMBUSH["units"].replace("figures: 32", "figures: 28"),
            terrain=AMBUSH["terrain"],
            hidden=AMBUSH["hidden"],
        )
    )
    assert len(up.markers) == 2
    named = begun(
        game(
            solo=["blue"],
            units=AMBUSH["units"],
            terrain=AMBUSH["terrain"],
            hidden="blue: {terrain: [bush], dummies: 4}",
        )
    )
    assert len(named.markers) == 6


@pytest.mark.rule("RSK-186", "RSK-187")
def test_each_hidden_group_keeps_the_leaders_who_stand_with_it() -> None:
    """Two units of two squads each. A leader who stands with no squad goes with the last of his unit."""
    squads = "arm: infantry, kind: european_regular, figures: 20, weapon: breech_rifle, hidden: true"
    of = game(
        solo=["blue"],
        units=f"rifles: {{name: Rifles, side: red, arm: infantry, kind: tribal, figures: 9, weapon: jezail}}, "
        f"boers: {{name: Boers, side: blue, {squads}}}, burghers: {{name: Burghers, side: blue, {squads}}}",
        leaders="chief: {name: Chief, side: blue, rank: chief, unit: boers}, "
        "veldcornet: {name: Veldcornet, side: blue, rank: officer, unit: burghers}",
        terrain=AMBUSH["terrain"],
        hidden=AMBUSH["hidden"],
    )
    groups = {
        ("boers_1", "boers_1_nco", "chief"),
        ("boers_2", "boers_2_nco"),
        ("burghers_1", "burghers_1_nco", "veldcornet"),
        ("burghers_2", "burghers_2_nco"),
    }
    assert {marker.units for marker in begun(of).markers.values()} - {()} == groups
    apart = of.start()
    apart.units["chief"].body = apart.units["chief"].body.moved_by(0.0, -30.0)
    begin(SeededTable(of.rules, apart, 1, {}), apart, of.scenario, of.plan)
    groups ^= {("boers_1", "boers_1_nco", "chief"), ("boers_1", "boers_1_nco")}
    groups ^= {("boers_2", "boers_2_nco"), ("boers_2", "boers_2_nco", "chief")}
    assert {marker.units for marker in apart.markers.values()} - {()} == groups


@pytest.mark.rule("RSK-187")
def test_markers_lie_in_their_sides_zones_where_the_scenario_says_so() -> None:
    """Two bushes give concealment, one in each side's zone. With the rule `zone` no unit hides in the enemy's zone."""
    both = AMBUSH["terrain"] + ", brush: {kind: scrub, area: [[5, 8], [55, 8], [55, 14], [5, 14]]}"

    def rows(hidden: str) -> set[bool]:
        of = game(solo=["blue"], units=AMBUSH["units"], terrain=both, hidden=hidden)
        return {marker.at[1] > 61 for seed in range(8) for marker in begun(of, seed).markers.values()}

    assert rows("blue: {rule: zone}") == {True}
    assert rows("") == rows("blue: {rule: terrain_edge}") == {True, False}
    assert rows("blue: {rule: zone, terrain: [brush]}") == {False}


@pytest.mark.rule("RSK-187")
def test_a_seat_sees_markers_but_not_what_stands_behind_them() -> None:
    of = game(solo=["blue"], **AMBUSH)
    state = begun(of)
    seen = of.sight.view(state, "red")
    assert {name: marker.units for name, marker in seen.markers.items()} == dict.fromkeys(state.markers, ())
    assert not [unit for unit in seen.units.values() if unit.side == "blue"]
    assert of.sight.view(state, "blue") is state
    assert any(marker.units for marker in state.markers.values())
    labels = {tuple(name for name, marker in begun(of, seed).markers.items() if not marker.units) for seed in range(12)}
    assert len(labels) > 1, "the numbers of the markers give the dummy away"


@pytest.mark.rule("RSK-152", "RSK-187", "RSK-188")
@pytest.mark.parametrize("edge", ["south", "west"])
def test_marker_is_not_seen_through_its_wood(edge: str) -> None:
    """The marker is at the very edge of a wood. It is found from that side, but not from behind the wood."""
    wood = ground("wood", "wood", [(60, 60), (90, 60), (90, 90), (60, 90)])
    at, before, behind = ((75, 60), (75, 40), (75, 110)) if edge == "south" else ((60, 75), (40, 75), (110, 75))
    found = []
    for spot in (before, behind):
        field = scene(troops("a", "red", (0, 0), at=[spot]), terrain=[wood], solo=["blue"])
        field.battle.markers = {"m": Marker("blue", (float(at[0]), float(at[1])), ())}
        field.battle.sight_dice = {"m": 6}
        field.run(reveal)
        found.append(not field.battle.markers)
    assert found == [True, False]


@pytest.mark.rule("RSK-188", "RSK-150")
@pytest.mark.setting("hidden.reveal")
def test_setting_decides_who_must_see_whom_to_reveal_a_marker() -> None:
    def shown(die: int, **settings: Any) -> bool:
        field = scene(troops("a", "red", (50, 40), 4), terrain=[WOOD], solo=["blue"], active="red", **settings)
        field.battle.markers = {"m": Marker("blue", (50.0, 100.0), ())}
        field.battle.sight_dice = {"m": die} if die else {}
        field.run(reveal)
        return "m" not in field.battle.markers

    assert shown(6) and not shown(4)
    assert shown(0, hidden_reveal="marker_sees") and shown(0, hidden_reveal="either") and not shown(0)


@pytest.mark.rule("RSK-188")
def test_the_figures_are_placed_about_their_marker() -> None:
    of = game(solo=["blue"], **AMBUSH)
    state = begun(of)
    name, marker = next((n, m) for n, m in state.markers.items() if m.units)
    state.units["rifles_1"].body = state.units["rifles_1"].body.moved_by(
        marker.at[0] - state.units["rifles_1"].body.centre[0],
        marker.at[1] - 12 - state.units["rifles_1"].body.centre[1],
    )
    state.sight_dice = {name: 6}
    reveal(SeededTable(of.rules, state, 1, {}), state)
    assert name not in state.markers
    unit = state.units[marker.units[0]]
    assert unit.count == 16 and max(dist(point, marker.at) for point in unit.body.at) <= 20


@pytest.mark.rule("RSK-188")
@pytest.mark.parametrize(
    ("figures", "ranks", "crowd"), [(8, 1, False), (14, 1, False), (16, 2, False), (30, 2, False), (16, 2, True)]
)
def test_a_solo_side_draws_up_in_one_line_where_there_is_room(figures: int, ranks: int, crowd: bool) -> None:
    """The line faces the players, lies wholly in the bush and is as near the marker as possible. 15 bases fill the 20
    cm to each side.
    """
    of = game(solo=["blue"], **AMBUSH | {"units": AMBUSH["units"].replace("figures: 32", f"figures: {figures}")})
    state = begun(of)
    name, marker = next((n, m) for n, m in state.markers.items() if m.units and m.units[0].startswith("spears"))
    own = marker.units[0]
    if crowd:
        state.units["rifles_2"].body = Body((marker.at,), 1.25)
        state.units["rifles_2"].hurt = state.units["rifles_2"].armed = (False,)
    rifles = state.units["rifles_1"]
    away = (marker.at[0] - rifles.body.centre[0], marker.at[1] - 40 - rifles.body.centre[1])
    rifles.body, state.sight_dice = rifles.body.moved_by(*away), {name: 6}
    reveal(SeededTable(of.rules, state, 1, {}), state)
    body, facing = state.units[own].body, state.units[own].facing
    assert len(body) == figures and max(dist(point, marker.at) for point in body.at) <= 20
    ahead = (sin(radians(facing)), cos(radians(facing)))
    assert len({round(x * ahead[0] + y * ahead[1], 1) for x, y in body.at}) == ranks
    assert all(dist(p, q) >= 2.5 - 1e-6 for p in body.at for q in state.units["rifles_2"].body.at)
    assert all(state.field.cover_of(body, index, None) == "soft" for index in range(figures))
    assert dist(body.centre, marker.at) <= (6 if crowd else 2.1)


@pytest.mark.rule("RSK-188", "RSK-189", "RSK-079")
@pytest.mark.parametrize("away", [1.0, 2.0, 2.6, 4.0])
@pytest.mark.parametrize("owner", ["solo", "player"])
def test_revealed_units_overlap_no_base_and_touch_no_enemy(away: float, owner: str) -> None:
    """Riflemen on both sides of the marker leave no room for a line. Another formation fits within 20 cm."""
    solo = ["blue"] if owner == "solo" else []
    of = game(
        {"hidden_use": "on"}, solo=solo, **AMBUSH | {"units": AMBUSH["units"].replace("figures: 32", "figures: 14")}
    )
    state = begun(of)
    name, marker = next((n, m) for n, m in state.markers.items() if m.units)
    x, y = marker.at
    for squad, side in (("rifles_1", -away), ("rifles_2", away)):
        unit = state.units[squad]
        unit.body = Body(tuple((x + 2.75 * (place - 4), y + side) for place in range(unit.count)), 1.25)
    state.sight_dice = {name: 6}
    refused = []

    def place(question: Any, battle: Any) -> Any:
        refused.append(question.legal((x + 2.75, y + away)))
        return question.suggestions[0]

    reveal(SeededTable(of.rules, state, 1, {"blue": place}), state)
    body = state.units[marker.units[0]].body
    others = [unit for unit in state.units.values() if unit.hurt and unit.side == "red"]
    assert len(body) == 14 and max(dist(point, marker.at) for point in body.at) <= 20
    assert min(dist(p, q) for p in body.at for unit in others for q in unit.body.at) > 2.6
    assert owner == "solo" or refused[0] is not None


@pytest.mark.rule("RSK-188", "RSK-189")
def test_figures_are_placed_singly_if_no_rank_fits() -> None:
    """Men 6.5 cm apart all round the marker leave lanes for single files, too short for the whole band."""
    of = game(solo=["blue"], **AMBUSH | {"units": AMBUSH["units"].replace("figures: 32", "figures: 20")})
    state = begun(of)
    name, marker = next((n, m) for n, m in state.markers.items() if len(m.units) == 2)
    x, y = marker.at
    lattice = tuple(
        (x + 6.5 * (column + row / 2 + 1 / 2), y + 5.63 * row + 1.9)
        for row in range(-6, 7)
        for column in range(-9, 9)
        if state.field.on_table((x + 6.5 * (column + row / 2 + 1 / 2), y + 5.63 * row + 1.9))
    )
    crowd = state.units["rifles_1"]
    crowd.body, crowd.hurt, crowd.armed = Body(lattice, 1.25), (False,) * len(lattice), (True,) * len(lattice)
    state.sight_dice = {name: 6}
    reveal(SeededTable(of.rules, state, 1, {}), state)
    group, chief = (state.units[own] for own in marker.units)
    placed = [*group.body.at, *chief.body.at]
    assert len(placed) == 21 and max(dist(at, marker.at) for at in placed) <= 20
    assert min(dist(at, man) for at in placed for man in lattice) > 2.6
    assert min(dist(at, mate) for at in placed for mate in placed if at is not mate) >= 2.5 - 1e-6
    assert state.host(chief) is group


@pytest.mark.rule("RSK-188")
def test_a_player_places_his_own_revealed_figures() -> None:
    of = game({"hidden_use": "on"}, **AMBUSH)
    state = begun(of)
    name, marker = next((n, m) for n, m in state.markers.items() if len(m.units) == 1)
    state.units["rifles_1"].body = state.units["rifles_1"].body.moved_by(
        0, marker.at[1] - 20 - state.units["rifles_1"].body.centre[1]
    )
    state.sight_dice = {name: 6}
    asked = []

    def place(question: Any, battle: Any) -> Any:
        asked.append(question.why)
        assert question.legal((marker.at[0], marker.at[1] + 60)) is not None
        return question.suggestions[0]

    reveal(SeededTable(of.rules, state, 1, {"red": place, "blue": place}), state)
    assert set(asked) == {"draw up"}


@pytest.mark.rule("RSK-189")
def test_markers_that_see_an_enemy_move_on_a_six_dummies_too() -> None:
    field = scene(troops("a", "blue", (50, 40), 4), terrain=[WOOD], solo=["red"])
    field.battle.markers = {
        "m": Marker("red", (50.0, 100.0), ()),
        "n": Marker("red", (150.0, 100.0), ()),
        "far": Marker("blue", (80.0, 100.0), ()),
    }
    field.run(move_markers, script=[("marker moves", [6]), ("marker moves", [5])])
    assert dist(field.battle.markers["m"].at, (50, 100)) == pytest.approx(25)
    assert field.battle.markers["n"].at == (150.0, 100.0)


@pytest.mark.rule("RSK-189", "RSK-150", "RSK-152")
@pytest.mark.parametrize(
    ("y", "die", "throws"),
    [(90.0, 0, True), (58.0, 0, False), (58.0, 6, True), (58.0, 5, True), (58.0, 3, False), (45.0, 6, False)],
)
def test_a_marker_sees_by_the_rules_of_sight(y: float, die: int, throws: bool) -> None:
    """A marker sees an enemy in the open. It sees one 2 cm inside another wood only by the sight dice, and one deep
    inside never.
    """
    other = ground("other", "wood", [(0, 0), (299, 0), (299, 60), (0, 60)])
    field = scene(troops("a", "blue", (0, 0), at=[(50, y)]), terrain=[WOOD, other], solo=["red"])
    field.battle.markers = {"m": Marker("red", (50.0, 100.0), ())}
    field.battle.sight_dice = {"a": die} if die else {}
    field.run(move_markers, script=([("marker moves", [6])] if throws else []))
    assert (field.battle.markers["m"].at != (50.0, 100.0)) is throws


@pytest.mark.rule("RSK-189")
def test_riders_markers_go_forty_cm_and_none_closes_with_the_enemy() -> None:
    field = scene(troops("a", "blue", (0, 0), at=[(50, 40), (150, 78)]), terrain=[WOOD], solo=["red"])
    field.battle.markers = {
        "riders": Marker("red", (50.0, 100.0), (), mounted=True),
        "near": Marker("red", (150.0, 100.0), ()),
    }
    field.run(move_markers, script=[("marker moves", [6]), ("marker moves", [6])])
    assert field.battle.markers["riders"].at == pytest.approx((50, 60))
    assert field.battle.markers["near"].at == pytest.approx((150, 83))


@pytest.mark.rule("RSK-189", "RSK-081", "RSK-082", "RSK-090")
@pytest.mark.parametrize(
    ("enemy", "moves", "marks", "shots"),
    [(110.0, 6, {"moved", "far"}, 3), (110.0, 5, set(), 5), (85.0, 6, {"moved"}, 3)],
)
def test_men_whose_marker_moved_have_moved(enemy: float, moves: int, marks: set[str], shots: int) -> None:
    """Ten riflemen shoot after they are revealed. Their marker has moved 25 cm, 10 cm or not at all this turn."""
    riflemen = troops("hidden", "red", (0, 0), at=(), weapon="rifle", loading="breech")
    riflemen.spec = replace(riflemen.spec, figures=10, armed=10)
    foe = troops("a", "blue", (0, 0), at=row(10, enemy, x=140.0))
    field = scene(
        riflemen, foe, solo=["red"], terrain=[ground("bush", "bush", [(0, 60), (299, 60), (299, 72), (0, 72)])]
    )
    field["hidden"].mark("hidden", "loaded")
    field.battle.markers, field.battle.sight_dice = {"m": Marker("red", (150.0, 70.0), ("hidden",))}, {"m": 6}
    with field.script(("marker moves", [moves])) as table:
        move_markers(table, field.battle)
        reveal(table, field.battle)
    assert field["hidden"].marks - {"loaded"} == marks
    field.run(volley, field["hidden"], field["a"], "rifle", script=[("shooting", [1] * shots)])


@pytest.mark.rule("RSK-188", "RSK-079")
def test_revealed_unit_without_room_takes_the_nearest_free_spot() -> None:
    """A lake surrounds the marker for more than 20 cm, so the men are placed at the nearest free spot."""
    lake = ground("lake", "closed", [(120, 70), (180, 70), (180, 130), (120, 130)])
    hidden = troops("hidden", "red", (0, 0), at=())
    hidden.spec = replace(hidden.spec, figures=6)
    field = scene(hidden, troops("a", "blue", (150, 20), 4), solo=["red"], terrain=[lake])
    field["hidden"].mark("hidden")
    field.battle.markers = {"m": Marker("red", (150.0, 75.0), ("hidden",))}
    field.run(reveal)
    assert field["hidden"].count == 6
    assert all(
        field.battle.field.on_table(at) and not field.battle.field.is_closed(at) for at in field["hidden"].body.at
    )


@pytest.mark.rule("RSK-189", "RSK-081")
def test_movement_of_a_marker_counts_for_one_turn() -> None:
    of = game(solo=["blue"], **AMBUSH)
    state = begun(of)
    state.begun, state.order = True, ["blue", "red"]
    for marker in state.markers.values():
        marker.went = 25.0
    assert isinstance(of.sequence, Sequence)
    of.sequence.start(SeededTable(of.rules, state, 1, {}), state)
    assert not any(marker.went for marker in state.markers.values())


@pytest.mark.rule("RSK-114", "RSK-189")
def test_an_unrevealed_marker_is_no_enemy() -> None:
    from zareba_rulesets.risk_factor.chapters.action_throws import risk_facts

    field = scene(troops("a", "red", (50, 40), 4), terrain=[WOOD])
    field.battle.markers = {"m": Marker("blue", (50.0, 100.0), ())}
    assert risk_facts(field.battle, field["a"]).nothing_in_view


@pytest.mark.rule("RSK-189")
def test_a_band_on_foot_goes_no_faster_under_its_marker_for_a_chief_on_horseback() -> None:
    riding = LEADERS.replace("unit: spears", "unit: spears, mounted: true")
    state = begun(game(solo=["blue"], leaders=riding, **AMBUSH))
    assert state.units["chief"].spec.mounted
    assert {len(marker.units) for marker in state.markers.values()} == {0, 1, 2}
    assert not any(marker.mounted for marker in state.markers.values())


def test_a_view_without_hidden_units_does_not_hide_them_from_the_battle() -> None:
    field = scene(troops("a", "red", (50, 50)), troops("b", "blue", (50, 150)), troops("c", "blue", (50, 58)))
    seen: Battle = field.battle.copy()
    del seen.units["c"]
    for _ in range(2):
        near, hidden = field.battle.nearest_enemy(field["a"]), seen.nearest_enemy(seen.units["a"])
        assert near is not None and near[0].id == "c"
        assert hidden is not None and hidden[0].id == "b"


HAIR = 0.01
WITHIN = pytest.mark.parametrize(("over", "within"), [(0.0, True), (HAIR, False)])


def man(name: str, side: str, x: float, y: float, **more: Any) -> Any:
    return troops(name, side, (0, 0), at=[(x, y)], **more)


@pytest.mark.rule("RSK-150", "RSK-188", "RSK-005")
@pytest.mark.setting("bases.foot_cm")
@pytest.mark.parametrize("base", [2.5, 5.0])
@WITHIN
def test_markers_are_spotted_like_figures_at_the_edge(over: float, within: bool, base: float) -> None:
    from zareba_rulesets.risk_factor.forces import Marker

    bush = ground("bush", "bush", [(0, 100), (200, 100), (200, 120), (0, 120)])
    near = 100 - 1.25 - base / 2 - 20
    field = scene(man("a", "red", 50, near - over), terrain=[bush], bases_foot_cm=base)
    field.battle.markers = {"m": Marker("blue", (50.0, 100.0), ())}
    field.battle.sight_dice = {"m": 2}
    assert sees_marker(field.battle, field["a"], "m", field.battle.markers["m"]) is within


SHOWN = {"revealed", "dummy"}
Asked = list[tuple[Any, ...]]


def other_world(state: Battle, seat: str, random: Random) -> Battle:
    """Return a copy in which the contents of the enemy's markers are exchanged."""
    other = state.copy()
    names = [name for name, marker in other.markers.items() if marker.side != seat]
    secrets = [(other.markers[name].units, other.markers[name].mounted) for name in names]
    random.shuffle(secrets)
    for name, (units, mounted) in zip(names, secrets, strict=True):
        other.markers[name].units, other.markers[name].mounted = units, mounted
    return other


def plainly(evaluation: Evaluation) -> tuple[Any, ...]:
    """Return an evaluation with its reason in words."""
    reason = evaluation.reason
    told = reason if isinstance(reason, str) else reason()
    return evaluation.inflicts, evaluation.suffers, evaluation.ground, evaluation.steadies, told


def step_on(of: RskGame, state: Battle, seat: str, seed: int) -> tuple[Asked, Asked]:
    """Return a seat's questions in one step, with all option texts, and its events, up to the reveal of a marker."""
    asked: Asked = []
    random = Random(seed)

    def answer(question: Any, now: Battle) -> Any:
        seen = of.sight.view(now, seat)
        if question.seat == seat and not any(event.kind in SHOWN for event in table.events):
            words = [of.narrator.describe(seen, question)]
            if isinstance(question, Choose):
                words += [of.narrator.describe_option(seen, question, option) for option in question.options]
                words += [
                    repr(listed[:2])
                    for option in question.options[:2]
                    for listed in of.advisor.odds_for(seen, question, option)
                ]
            if len(asked) % 5 == 0:
                words += [repr(plainly(evaluation)) for evaluation in of.advisor.evaluate(seen, question)]
            asked.append((fingerprint(question), *words))
        if isinstance(question, Place):
            return question.suggestions[random.randrange(len(question.suggestions))]
        if isinstance(question, Confirm):
            return random.random() < 0.5
        return question.options[random.randrange(len(question.options))]

    table = SeededTable(of.rules, state, seed, dict.fromkeys(of.seats, answer))
    step = of.play.next_step(state)
    assert step is not None
    table.begin(step)
    of.play.perform(table, state, step)
    told: Asked = [(event.kind, of.narrator.describe_event(event)) for event in table.events]
    return asked, told


@pytest.mark.rule("RSK-187", "RSK-188", "RSK-189")
@pytest.mark.parametrize("solo", [("tribes",), ()])
def test_two_states_that_differ_in_hidden_units_look_the_same_to_the_enemy(solo: tuple[str, ...]) -> None:
    of = RskGame(rules_with(hidden_use="on"), load_scenario("column_ambushed"), frozenset(solo))
    random, compared, hidden = Random(str(solo)), 0, 0
    while compared < 25:
        state = of.start()
        while of.play.next_step(state) is not None and (not state.begun or len(state.markers) > 1):
            seed = random.randrange(10**6)
            if state.side != "column" or not state.begun:
                step_on(of, state, "column", seed)
                continue
            other = other_world(state, "column", random)
            hidden += other.to_data() != state.to_data()
            assert digest(of.sight.view(other, "column").to_data()) == digest(of.sight.view(state, "column").to_data())
            (there, told), (here, heard) = (step_on(of, world, "column", seed) for world in (other, state))
            if any(kind in SHOWN for kind, _ in (*told, *heard)):
                assert all(one == two for one, two in zip(there, here, strict=False))
            else:
                assert (there, told) == (here, heard)
                assert digest(of.sight.view(other, "column").to_data()) == digest(
                    of.sight.view(state, "column").to_data()
                )
            compared += len(here)
    assert hidden >= 4, "there was something to hide"


@pytest.mark.rule("RSK-187")
def test_a_view_shows_only_blank_markers_for_hidden_units() -> None:
    of = RskGame(rules_with(), load_scenario("column_ambushed"), frozenset({"tribes"}))
    state = of.start()
    begin(SeededTable(of.rules, state, 3, {}), state, of.scenario, of.plan)
    next(iter(state.markers.values())).mounted = True
    seen = of.sight.view(state, "column")
    secret = {name for marker in state.markers.values() for name in marker.units}
    assert secret and not any(f'"{name}"' in repr(seen.to_data()).replace("'", '"') for name in secret)
    assert not any(marker.units or marker.mounted for marker in seen.markers.values())
    assert len({marker.at for marker in seen.markers.values()}) > 1
    board = repr(of.display.board(seen))
    assert not any(f"{name}'" in board for name in secret)
    assert of.sight.view(state, "tribes") is state


@pytest.mark.rule("RSK-185", "RSK-187")
def test_an_object_stays_with_hidden_men_and_is_not_shown() -> None:
    of = game(
        solo=["blue"],
        units=UNITS.replace("formation: mass", "formation: mass, hidden: true"),
        terrain="bush: {kind: scrub, area: [[5, 28], [55, 28], [55, 34], [5, 34]]}",
        objectives=", off: {kind: carry_off, name: Off, object: chest, edge: north, by: [blue]}",
        objects="chest: {name: Chest, kind: paychest, carrier: spears}",
    )
    state = of.start()
    table = SeededTable(of.rules, state, 3, {})
    begin(table, state, of.scenario, of.plan)
    take_carried_objects(table, state, of.scenario)
    assert state.carried_objects["chest"].carrier.startswith("spears")
    assert (
        "chest" not in of.sight.view(state, "red").carried_objects
        and "chest" in of.sight.view(state, "blue").carried_objects
    )


def test_markers_are_named_by_their_number_and_side() -> None:
    of = game(solo=["blue"], **AMBUSH)
    state = begun(of)
    names = {of.narrator.name_of(name) for name in state.markers}
    assert names <= {f"marker {number} of Blue" for number in range(1, 10)} and len(names) == 3
    seen = of.display.board(of.sight.view(state, "red"))
    assert names <= {piece.text for piece in seen.pieces}
    moved = Event("marker moved", "RSK-189", {"marker": min(state.markers), "at": (10.0, 10.0)})
    assert of.narrator.describe_event(moved).startswith("marker 1 of Blue moved to ")
