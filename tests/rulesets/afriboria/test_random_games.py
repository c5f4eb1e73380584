"""Random games under random settings end, and the state and the decks are valid after every step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from tests.rulesets.random_games import play, random_settings
from tests.systems import each_battle

from zareba.registry import load_rules
from zareba.scenario import Scenario, load_scenario, parse_scenario, shipped_scenarios
from zareba.table import Event
from zareba_rulesets.afriboria.forces.battle import Battle
from zareba_rulesets.afriboria.forces.pieces import OFF
from zareba_rulesets.afriboria.game import AfrGame

AIR = """
id: flying_circus
title: Flying circus
year: 1920
place: Nowhere
note: Aircraft, an airship, armoured cars and a wall, for random players.
turns: 20
siege: true
table: {width: 60, depth: 48}
terrain:
  wood: {kind: dense_wood, area: [[20, 20], [32, 20], [32, 28], [20, 28]]}
  ruins: {kind: ruins, area: [[34, 16], [42, 16], [42, 22], [34, 22]]}
  wall: {kind: high_wall, line: [[6, 30], [54, 30]], material: adobe, gates: {door: {at: [30, 30], kind: light_wood}}}
  keep: {kind: building, area: [[24, 34], [36, 34], [36, 44], [24, 44]], material: stone, true_fortification: true}
sides:
  red: {name: Red, role: attacker, home_edge: south, deployment: {south: [[0, 0], [60, 0], [60, 14], [0, 14]]}}
  blue: {name: Blue, role: defender, home_edge: north, deployment: {north: [[0, 28], [60, 28], [60, 48], [0, 48]]}}
units:
  rifles: {name: Rifles, side: red, arm: infantry, kind: european_regular, figures: 18, weapon: magazine_rifle, traits: [ladders]}
  askari: {name: Askari, side: red, arm: infantry, kind: native_regular, figures: 16, weapon: breech_rifle, share: 0.5}
  lancers: {name: Lancers, side: red, arm: cavalry, kind: european_regular, figures: 10, weapon: breech_carbine, close_weapon: lance}
  guns: {name: Guns, side: red, arm: artillery, kind: european_regular, figures: 8, gun: {kind: siege}}
  cars: {name: Cars, side: red, arm: vehicle, kind: european_regular, figures: 4, armament: [machine_gun]}
  bearers: {name: Bearers, side: red, arm: civilians, kind: civilian, figures: 8}
  moth: {name: Moth, side: red, arm: aircraft, kind: european_regular, figures: 2, armament: [machine_gun, bombs], position: [10, 4]}
  hawk: {name: Hawk, side: red, arm: aircraft, kind: european_regular, figures: 2, armament: [machine_gun, bombs], position: [16, 4]}
  warriors: {name: Warriors, side: blue, arm: infantry, kind: tribal, figures: 24, weapon: jezail, share: 0.5, close_weapon: sword}
  guards: {name: Guards, side: blue, arm: infantry, kind: own_led_regular, figures: 16, weapon: breech_rifle, position: [30, 30]}
  horse: {name: Horse, side: blue, arm: cavalry, kind: tribal, figures: 10, close_weapon: sword}
  maxim: {name: Maxim, side: blue, arm: machine_gun, kind: own_led_regular, figures: 4, draught: horse}
  flak: {name: Flak, side: blue, arm: machine_gun, kind: own_led_regular, figures: 4, armament: [anti_aircraft]}
  krupp: {name: Krupp, side: blue, arm: artillery, kind: own_led_regular, figures: 4, gun: {kind: field}}
  mules: {name: Mules, side: blue, arm: pack_animals, kind: civilian, figures: 4, points: 2}
  zeppelin: {name: Zeppelin, side: blue, arm: airship, kind: european_regular, figures: 8, armament: [machine_gun, bombs], strength: 8, position: [30, 40]}
leaders:
  major: {name: Major, side: red, rank: commander, unit: rifles}
  captain: {name: Captain, side: red, rank: officer, unit: askari}
  sergeant: {name: Sergeant, side: red, rank: nco, mounted: true, position: [40, 8]}
  lady: {name: Lady, side: red, rank: officer, non_combatant: true, points: 2, position: [48, 8]}
  emir: {name: Emir, side: blue, rank: chief, mounted: true, unit: horse}
  sheikh: {name: Sheikh, side: blue, rank: chief, unit: warriors}
objects:
  field: {name: Airfield, kind: airfield, side: red, position: [12, 4]}
objectives:
  keep_held: {kind: hold, name: Keep, points: 3, terrain: keep}
  beaten: {kind: destroy, name: Beaten, share: 0.5}
overrides: {afriboria: {event_cards: 'on'}}
"""


def circus() -> Scenario:
    """A siege with all kinds of aircraft and vehicles."""
    return parse_scenario(AIR, "flying_circus.yaml")


def cards_of(battle: Battle) -> Counter[str]:
    """Return every command card, wherever it is."""
    found = Counter(battle.deck.pile) + Counter(battle.deck.discards) + Counter([battle.card] if battle.card else [])
    for side in battle.sides.values():
        found += Counter(side.hand)
    return found


def check_order(battle: Battle, lost: Counter[str], came_back: Counter[str]) -> None:
    """Check the invariants of a state after a step."""
    room = battle.book.room
    for name, unit in battle.units.items():
        left = unit.spec.figures - lost[name] + came_back[name]  # a unit removed with men left loses them too
        assert unit.figures == left or (name in battle.gone and not left), f"figures of {name} went astray"
        assert 0 <= unit.firearms <= unit.figures <= unit.spec.figures
        assert unit.figures > 0 or unit.hex == OFF
        waiting = name in battle.arrivals or (battle.stage == "deploy" and name in battle.waiting)
        assert (unit.hex != OFF) + (name in battle.gone) + waiting == 1, f"{name} is nowhere, or twice"
        if unit.sections:
            assert sum(unit.sections.values()) == unit.figures and unit.hex in unit.sections and len(unit.sections) > 1
        if unit.company:
            assert name in battle.companies[unit.company].members
    has_intact_structure = sorted(
        (cell, name) for name, unit in battle.units.items() if unit.hex != OFF for cell in unit.hexes
    )
    assert sorted((cell, name) for cell, there in battle.here.items() for name in there) == has_intact_structure
    for cell, there in battle.here.items():
        sides = {battle.units[name].spec.side for name in there}
        assert len(sides) == 1 and len(there) <= room, f"hex {cell} holds {there}"
        chief = battle.commander_in(cell)
        assert chief is None or chief.spec.side in sides
    assert sorted(battle.chiefs.items()) == sorted(
        (c.hex, name) for name, c in battle.commanders.items() if c.hex != OFF
    )
    for company in battle.companies.values():
        assert battle.commanders[company.officer].hex != OFF and company.members


def referee(scenario: Scenario, settings: dict[str, Any], seed: int) -> None:
    """Play one game to its end, checking every step."""
    game = AfrGame(load_rules("afriboria", settings), scenario)
    start = game.start()
    cards, events = cards_of(start), sum(start.event_deck.pile.values())
    lost: Counter[str] = Counter()
    back: Counter[str] = Counter()
    random = Random(seed)

    def check(state: Battle, _: str, happened: Sequence[Event]) -> None:
        for event in happened:
            if event.kind == "loss":
                lost[event.data["unit"]] += event.data["lost"]
            elif event.kind == "regained":
                back[event.data["unit"]] += event.data["figures"]
        check_order(state, lost, back)
        assert cards_of(state) == cards, "cards are made or lost"
        assert sum(state.event_deck.pile.values()) + sum(state.event_deck.discards.values()) == events
        for seat in game.seats if random.random() < 0.05 else ():
            enemy = state.field.enemy(seat)
            seen = Counter(game.sight.view(state, seat).sides[enemy].hand)
            del seen["?"]
            assert seen == Counter(state.sides[enemy].known) <= Counter(state.sides[enemy].hand)

    play(game, seed, check, endings=("quota", "turn_limit", "objectives"), turns=game.plan.turn_limit)


@pytest.mark.rule("AFR-081", "AFR-072", "AFR-055")
@pytest.mark.parametrize("name", each_battle("patrol_clash", "hill_fort"))
def test_random_games_end_in_order(name: str) -> None:
    scenario = load_scenario(name)
    referee(scenario, {}, 1)
    referee(scenario, random_settings("afriboria", Random(f"{name}/2")), 2)


@pytest.mark.rule("AFR-259", "AFR-283", "AFR-304", "AFR-016")
@pytest.mark.parametrize("number", range(4))
def test_random_games_with_everything(number: int) -> None:
    """Aircraft, airships and sieges; every second game uses small hexes with one unit each, and fast play varies."""
    settings = random_settings("afriboria", Random(f"circus/{number}"))
    settings["fastplay"] = ("off", "on", "saves_only")[number % 3]
    settings |= {"stacking": "one_unit", "hex_cm": 10} if number % 2 else {"stacking": "two_units"}
    referee(circus(), settings, number)


@pytest.mark.deep
@pytest.mark.parametrize("block", range(20))
def test_two_thousand_random_games_end_in_order(block: int) -> None:
    scenarios = [*(load_scenario(name) for name in shipped_scenarios()), circus()]
    for number in range(100):
        seed = 1000 + 100 * block + number
        referee(scenarios[seed % len(scenarios)], random_settings("afriboria", Random(f"deep/{seed}")), seed)
