"""Each appendix and variant in whole games between AI players: its events must occur, not just be possible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from tests.rulesets.afriboria.test_random_games import circus

from zareba.agents import make_agent
from zareba.registry import load_rules
from zareba.scenario import Scenario, load_scenario, parse_scenario
from zareba.table import SeededTable
from zareba_rulesets.afriboria.game import AfrGame

AIRFIELD = """
id: airfield
title: Airfield
year: 1920
place: Nowhere
note: Two aircraft, an airship and the guns that hate them, close together.
turns: 24
first: red
table: {width: 48, depth: 42}
sides:
  red: {name: Red, role: attacker, home_edge: south, deployment: {south: [[0, 0], [48, 0], [48, 12], [0, 12]]}}
  blue: {name: Blue, role: defender, home_edge: north, deployment: {north: [[0, 30], [48, 30], [48, 42], [0, 42]]}}
units:
  rifles: {name: Rifles, side: red, arm: infantry, kind: european_regular, figures: 12, weapon: magazine_rifle}
  cars: {name: Cars, side: red, arm: vehicle, kind: european_regular, figures: 4, armament: [machine_gun]}
  moth: {name: Moth, side: red, arm: aircraft, kind: european_regular, figures: 2, armament: [machine_gun, bombs], position: [24, 4]}
  hawk: {name: Hawk, side: blue, arm: aircraft, kind: european_regular, figures: 2, armament: [machine_gun, bombs], position: [24, 38]}
  warriors: {name: Warriors, side: blue, arm: infantry, kind: tribal, figures: 24, weapon: jezail, close_weapon: sword}
  flak: {name: Flak, side: blue, arm: machine_gun, kind: own_led_regular, figures: 4, armament: [anti_aircraft]}
  zeppelin: {name: Zeppelin, side: blue, arm: airship, kind: european_regular, figures: 8, armament: [machine_gun, bombs], strength: 6, position: [24, 24]}
objects:
  field_red: {name: Field, kind: airfield, side: red, position: [24, 4]}
  field_blue: {name: Strip, kind: airfield, side: blue, position: [24, 38]}
objectives:
  beaten: {kind: destroy, name: Beaten, share: 1}
"""


@cache
def played(name: str, seed: int, *settings: tuple[str, Any]) -> tuple[Counter[str], Counter[str], Any]:
    """Count the events and rolls of a game between a doctrine player and a random player: events by kind and act, rolls
    by purpose.
    """
    made: dict[str, Callable[[], Scenario]] = {
        "circus": circus,
        "airfield": lambda: parse_scenario(AIRFIELD, "airfield.yaml"),
    }
    scenario = made[name]() if name in made else load_scenario(name)
    game = AfrGame(load_rules("afriboria", dict(settings)), scenario)
    battle = game.start()
    for side in battle.sides.values():
        side.quota = 99  # play to the turn limit, for more events
    kinds = dict(zip(game.seats, ("doctrine", "random") if seed % 2 else ("random", "doctrine"), strict=True))
    rolls: Counter[str] = Counter()

    class Noting(SeededTable):
        def roll(self, count: int, sides: int, *args: Any, **more: Any) -> Any:
            rolls[more["why"]] += count
            return super().roll(count, sides, *args, **more)

    table = Noting(game.rules, battle, seed, {seat: make_agent(kind, game, seat, seed) for seat, kind in kinds.items()})
    happened: Counter[str] = Counter()
    while (step := game.play.next_step(battle)) is not None:
        table.begin(step)
        game.play.perform(table, battle, step)
        for event in table.events:
            act = event.data.get("act") or event.data.get("result") or event.data.get("how") or ""
            happened[f"{event.kind} {act}".strip()] += 1
            if event.kind == "battle" and event.data["unit"] in battle.fliers:
                bombed = battle.fliers[event.data["unit"]].hex == event.data["hex"]
                happened["bombing" if bombed else "strafing"] += 1
            if event.kind == "order":
                happened[f"order {event.data['order'][0]}"] += 1
    assert game.play.next_step(battle) is None
    return happened, rolls, battle


def over_games(name: str, *settings: tuple[str, Any], games: int = 4) -> tuple[Counter[str], Counter[str]]:
    happened: Counter[str] = Counter()
    rolls: Counter[str] = Counter()
    for seed in range(1, games + 1):
        one, thrown, _ = played(name, seed, *settings)
        happened += one
        rolls += thrown
    return happened, rolls


@pytest.mark.rule("AFR-259", "AFR-262", "AFR-263", "AFR-265", "AFR-269", "AFR-270", "AFR-276", "AFR-282", "AFR-288")
def test_aircraft_and_airships_are_flown() -> None:
    """Appendix 1: they take off, fly, fight with guns and bombs, are shot at, land, and crash for lack of fuel."""
    happened, rolls = over_games("airfield", games=7)
    for what in ("flight take off", "flight fly", "flight land", "flier lost crashed", "strafing", "bombing"):
        assert happened[what], f"no {what} in {happened}"
    assert happened["anti-aircraft fire"] and rolls["anti-aircraft fire"]
    assert happened["flier lost shot down"] or happened["flier lost destroyed"]


@pytest.mark.rule("AFR-296", "AFR-297", "AFR-298", "AFR-299")
def test_small_hexes_hold_one_unit() -> None:
    """Appendix 2: a hex never holds two units. Platoons span neighbouring hexes and are ordered as one."""
    settings = (("hex_cm", 10), ("stacking", "one_unit"))
    orders = 0
    for name in ("mission_station", "hill_fort"):
        happened, _, battle = played(name, 1, *settings)
        large = played(name, 1)[2]
        assert battle.field.grid.size > 2 * large.field.grid.size
        assert all(len(there) == 1 for there in battle.here.values())
        orders += happened["order platoon"]
    assert orders, "a platoon of two neighbouring hexes was ordered"


@pytest.mark.rule("AFR-304", "AFR-310", "AFR-321", "AFR-328", "AFR-330", "AFR-332", "AFR-335")
def test_a_fort_is_besieged() -> None:
    """Appendix 3: walls are bombarded and fall, ladders stand, fall and break, sections man walls, gates move."""
    wanted = {
        "bombardment",
        "rubble",
        "mans the wall",
        "gathers",
        "gate",
        "ladder stands",
        "ladder falls",
        "ladder broken",
        "roll bombardment",
        "roll structure saves",
        "roll ladder repulse",
    }
    seeds = [
        ("hill_fort", 1),
        *(("circus", seed) for seed in range(1, 13)),
        *(("hill_fort", seed) for seed in (2, 3, 4)),
    ]
    for name, seed in seeds:
        settings = [("siege_values", "2,2,2,2")] if name == "circus" else []
        happened, rolls, _ = played(name, seed, *settings)
        wanted -= {what for what, times in happened.items() if times} | {f"roll {why}" for why in rolls}
        if not wanted:
            return
    pytest.fail(f"none of these happened: {sorted(wanted)}")


@pytest.mark.rule("AFR-016")
def test_fast_play_leaves_throws_out() -> None:
    """Fast play has no saving throws or defence dice; its middle value keeps defence dice, a setting flag saves."""
    for value, defence in (("off", True), ("saves_only", True), ("on", False)):
        rolls = played("patrol_clash", 1, ("fastplay", value))[1]
        assert bool(rolls["saving throws"]) is (value == "off") and bool(rolls["flag saves"]) is (value == "off")
        assert bool(rolls["defence dice"]) is defence and rolls["battle"]
    kept = played("patrol_clash", 1, ("fastplay", "on"), ("fastplay_flag_saves", "keep"))[1]
    assert kept["flag saves"] and not kept["saving throws"]


@pytest.mark.rule("AFR-012", "AFR-077")
def test_event_cards_and_the_solo_die_are_used() -> None:
    happened, rolls, _ = played("patrol_clash", 2, ("event_cards", "on"), ("solo_cards", "two_and_die"))
    assert happened["event"] and happened["event passed"] and rolls["which card"]
