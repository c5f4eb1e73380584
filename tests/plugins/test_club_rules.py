"""Forty rules as clubs ask for them, none of them shipped: each is written simply, is short, and does what it says."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import pytest

from zareba.testing import PlayedTestGame, play

HEAD = "from fractions import Fraction\nfrom zareba.api import *\nfrom zareba.api import hookimpl\n"
MEDIAN, MOST = 15, 30


@dataclass(frozen=True)
class Asked:
    """A requested rule, its source, and a check that it had an effect in play."""

    words: str
    text: str
    shows: Callable[[PlayedTestGame], object]
    ruleset: str = "vcc"
    scenario: str = "patrol_clash"
    player: str = "random"
    seed: int = 4


def line(words: str) -> Callable[[PlayedTestGame], object]:
    return lambda played: played.lines[words]


def told(kind: str) -> Callable[[PlayedTestGame], object]:
    return lambda played: played.event_counts[kind]


RULES = {
    "thirst": Asked(
        "From the third turn on all troops are thirsty and shoot one worse.",
        """
@hookimpl
def zareba_modifiers():
    return {"shooting": [Modifier("thirst", "C-1", "add", -1, when={"game.turn": {"at_least": 3}}, summary="thirst")]}
""",
        line("thirst"), player="doctrine",
    ),
    "blown_horses": Asked(
        "Cavalry that has charged moves half as far in the next turn.",
        """
charged = StateVariable("charged", 0, words="horses blown in turn")

@hookimpl
def zareba_state():
    return [charged]

@hookimpl
def zareba_event(table, event):
    if event.kind == "charge":
        charged[table, event.data["unit"]] = table.state.turn

def blown(facts, here):
    return here.unit is not None and 0 < charged[here.state, here.unit] == here.turn - 1

@hookimpl
def zareba_modifiers():
    return {"movement": [Modifier("blown", "C-2", "times", Fraction(1, 2), when=blown, summary="blown horses")]}
""",
        lambda played: played.state_variable("blown_horses.charged"), player="doctrine",
    ),
    "fire_discipline": Asked(
        "Regulars with the enemy in front of them may not hold their fire.",
        """
@hookimpl
def zareba_options(state, question):
    if question.why == "fire at" and state.units[question.actor].spec.regular:
        return [option for option in question.options if option != "hold fire"] or None
""",
        lambda played: played.event_counts["fire"],
    ),
    "first_volley": Asked(
        "The first volley of every unit, loaded at leisure, counts one more.",
        """
fired = StateVariable("fired", False)

@hookimpl
def zareba_state():
    return [fired]

@hookimpl
def zareba_event(table, event):
    if event.kind == "fire":
        fired[table, event.data["unit"]] = True

@hookimpl
def zareba_modifiers():
    first = Modifier("first", "C-4", "add", 1, when={"first_volley.fired": False}, summary="the first volley")
    return {"shooting": [first]}
""",
        line("the first volley"),
    ),
    "colours": Asked(
        "A unit that is wiped out loses its colours: three points to the enemy.",
        """
from dataclasses import replace
lost = StateVariable("lost", 0, of="side", words="colours lost:")

@hookimpl
def zareba_state():
    return [lost]

@hookimpl
def zareba_event(table, event):
    if event.kind == "destroyed":
        lost.add(table, table.state.units[event.data["unit"]].spec.side, 1)

@hookimpl
def zareba_outcome(state, outcome):
    points = {side: had + 3 * sum(lost[state, other] for other in outcome.points if other != side)
              for side, had in outcome.points.items()}
    best = [side for side in points if points[side] == max(points.values())]
    return replace(outcome, points=points, winner=best[0] if len(best) == 1 else None)
""",
        lambda played: played.state_variable("colours.lost"), player="doctrine",
    ),
    "panic": Asked(
        "When a unit is destroyed, friends within six inches may lose heart: roll a die; on a 1 one of their men runs.",
        """
from zareba.api import at_least
HOLDS = at_least(2, "stands", "a man runs")
gone = StateVariable("gone", (), of="game")

@hookimpl
def zareba_state():
    return [gone]

@hookimpl
def zareba_event(table, event):
    if event.kind == "destroyed":
        gone.add(table, None, (event.data["unit"],))

@hookimpl
def zareba_step(table, state, umpire):
    sides = [state.units[name].spec.side for name in gone[table]]
    gone[table] = ()
    for unit in [one for side in sides for one in units(table, side) if figures(table, one)]:
        if table.roll(1, 6, why="panic", rule="C-6", actor=unit.spec.id, means=HOLDS) == 1:
            lose(table, unit, 1)
            table.emit("panic", "C-6", unit=unit.spec.id)
""",
        told("panic"), player="doctrine",
    ),
    "swept_away": Asked(
        "A unit that moves in the rains loses a man on a 1.",
        """
@hookimpl
def zareba_event(table, event):
    if event.kind == "move" and table.roll(1, 6, why="rains", rule="C-7", actor=event.data["unit"], means=DRY) == 1:
        lose(table, event.data["unit"], 1)
        table.emit("swept away", "C-7", unit=event.data["unit"])

DRY = at_least(2, "nothing happens", "a man is swept away")
""",
        told("swept away"),
    ),
    "surrender": Asked(
        "A side that has lost a third of its men gives up.",
        """
began, lost = StateVariable("began", 0, of="side"), StateVariable("lost", "", of="game")

@hookimpl
def zareba_state():
    return [began, lost]

def men(table, side):
    return sum(figures(table, unit) for unit in units(table, side))

@hookimpl
def zareba_begin(table):
    for side in game_of(table).seats:
        began[table, side] = men(table, side)

@hookimpl
def zareba_turn(table):
    if any(3 * men(table, side) < 2 * began[table, side] for side in game_of(table).seats):
        lost[table] = "surrender"

@hookimpl
def zareba_over(state):
    return lost[state] or None
""",
        lambda played: played.game.play.outcome(played.state).ending == "surrender", player="doctrine",
    ),
    "duel": Asked(
        "Before the battle each side names a champion; the higher die gives that side heart for the first three turns.",
        """
heart = StateVariable("heart", False, of="side", words="in good heart")

@hookimpl
def zareba_state():
    return [heart]

@hookimpl
def zareba_begin(table):
    dice = {side: table.roll(1, 6, why="duel", rule="C-9", actor=side) for side in game_of(table).seats}
    for side, die in dice.items():
        heart[table, side] = die == max(dice.values()) != min(dice.values())

@hookimpl
def zareba_modifiers():
    when = {"duel.heart": True, "game.turn": {"at_most": 6}}
    return {"melee": [Modifier("duel", "C-9", "add", 1, when=when, summary="their champion won")]}
""",
        lambda played: played.state_variable("duel.heart"), player="doctrine",
    ),
    "lucky_charm": Asked(
        "Once in a battle a side re-rolls a morale die of 1 or 6.",
        """
used = StateVariable("used", False, of="side")

@hookimpl
def zareba_state():
    return [used]

@hookimpl
def zareba_roll(table, roll, throw):
    unit = table.state.units.get(roll.actor)
    if roll.why == "morale" and unit is not None and not used[table, unit]:
        first = throw(roll)
        if first not in (1, 6):
            return first
        used[table, unit] = True
        return throw(roll)
""",
        lambda played: played.state_variable("lucky_charm.used"), player="doctrine",
    ),
    "no_sixes": Asked(
        "No unit is that lucky: a morale die of 1 counts as 2.",
        """
@hookimpl
def zareba_roll(roll, throw):
    if roll.why == "morale":
        return max(2, throw(roll))
""",
        lambda played: played.log,
    ),
    "prayer": Asked(
        "Once, a unit may pray instead of shooting: its next morale checks are one better.",
        """
prayed = StateVariable("prayed", False, words="has prayed")

@hookimpl
def zareba_state():
    return [prayed]

@hookimpl
def zareba_options(state, question):
    if question.why == "fire at" and not prayed[state, question.actor]:
        return [*question.options, ExtraOption("pray", pray, then="hold fire")]

def pray(table, state, question):
    prayed[table, question.actor] = True
    table.emit("prayed", "C-12", unit=question.actor)

@hookimpl
def zareba_modifiers():
    return {"morale": [Modifier("prayed", "C-12", "add", 1, when={"prayer.prayed": True}, summary="they have prayed")]}

@hookimpl
def zareba_words():
    return {"option pray": "{actor} prays", "event prayed": "{unit} prayed"}
""",
        told("prayed"),
    ),
    "late_column": Asked(
        "The second side's last unit comes on a 5 or 6 in any turn after the first, from the east.",
        """
@hookimpl
def zareba_scenario(scenario):
    side = list(scenario.sides)[1]
    name = [name for name, unit in scenario.units_of(side).items() if scenario.leader_of(name) is None][-1]
    data = scenario.model_dump()
    data["units"][name] |= {"arrival": {"turn": 2, "edge": "east"}, "position": None, "zone": None, "inside": None}
    return type(scenario).model_validate(data)
""",
        told("arrived"),
    ),
    "short_rations": Asked(
        "Irregulars are hungry: they rally one worse (VCC).",
        """
@hookimpl
def zareba_modifiers():
    hungry = Modifier("hungry", "C-14", "add", -1, when=lambda facts: facts.quality != "elite", summary="short rations")
    return {"rally": [hungry]}
""",
        lambda played: played.lines["short rations"] or played.turns,
    ),
    "no_retreat": Asked(
        "Men who have sworn an oath do not run: a result that would break them only shakes them.",
        """
@hookimpl
def zareba_procedures():
    return {"morale.check": sworn}

def sworn(check, table, battle, unit):
    result = check(table, battle, unit)
    if result == "breaks" and unit.on_table:
        unit.unmark("broken")
        table.emit("sworn", "C-15", unit=unit.spec.id)
    return result
""",
        lambda played: played.turns, player="doctrine",
    ),
    "evening_gun": Asked(
        "At the end of every fourth turn the evening gun is fired and all who are prone get up.",
        """
@hookimpl
def zareba_steps():
    return {"end.turn": evening_gun}

def evening_gun(end_of_turn, table, battle):
    end_of_turn(table, battle)
    if battle.turn % 4 == 0:
        for unit in units(table):
            unit.unmark("prone")
        table.emit("evening gun", "C-16", turn=battle.turn)

@hookimpl
def zareba_words():
    return {"event evening gun": "the evening gun was fired in turn {turn}"}
""",
        told("evening gun"),
    ),
    "sharpshooters": Asked(
        "The enemy's leaders are in more danger: no leader survives a hit on the first roll (a die of 1 to hit a leader is a 2).",
        """
@hookimpl
def zareba_roll(roll, throw):
    return max(2, throw(roll)) if roll.why == "leader hit" else None
""",
        lambda played: played.turns,
    ),
    "target_priority": Asked(
        "No unit shoots at prone men while others stand.",
        """
@hookimpl
def zareba_options(state, question):
    if question.why == "fire at":
        standing = [one for one in question.options if one in state.units and "prone" not in state.units[one].marks]
        return [*standing, "hold fire"] if standing else None
""",
        told("fire"),
    ),
    "bush_war": Asked(
        "In thick bush (Paychest) all firearms hit one worse.",
        """
@hookimpl
def zareba_modifiers():
    return {"firearms": [Modifier("bush", "C-19", "add", -1, summary="thick bush")]}
""",
        line("thick bush"), ruleset="paychest",
    ),
    "drums": Asked(
        "A side whose drums still beat charges home: melee one better while any unit of it has a leader (Fixed Bay'net).",
        """
@hookimpl
def zareba_modifiers():
    def drums(facts, here):
        return here.unit is not None and here.turn <= 4
    return {"close_combat": [Modifier("drums", "C-20", "add", 1, when=drums, summary="the drums beat")]}
""",
        lambda played: played.turns, ruleset="fixed_baynet",
    ),
    "heat": Asked(
        "Roll a die every turn; on a 1 or 2 it is too hot, and no unit moves more than half (Afriboria).",
        """
hot = StateVariable("hot", False, of="game", words="heat")
HEAT = at_least(3, "bearable", "too hot")

@hookimpl
def zareba_state():
    return [hot]

@hookimpl
def zareba_turn(table):
    hot[table] = table.roll(1, 6, why="heat", rule="C-21", actor="sun", means=HEAT) < 3

@hookimpl
def zareba_modifiers():
    return {"movement": [Modifier("heat", "C-21", "times", Fraction(1, 2), when={"heat.hot": True}, summary="the heat")]}
""",
        line("the heat"), ruleset="afriboria", seed=5,
    ),
    "steadfast": Asked(
        "In the first turn the risk of the Action roll is one less (Risk-Factor).",
        """
@hookimpl
def zareba_modifiers():
    return {"morale": [Modifier("fresh", "C-22", "add", 1, when={"game.turn": {"at_most": 1}}, summary="fresh")]}
""",
        line("fresh"), ruleset="risk_factor",
    ),
    "parley": Asked(
        "At the beginning of turn 4 either side may offer a truce; if both say yes, the battle is over.",
        """
truce = StateVariable("truce", False, of="game")

@hookimpl
def zareba_state():
    return [truce]

@hookimpl
def zareba_turn(table, turn):
    if turn == 4:
        truce[table] = all([table.confirm(side, why="truce", rule="C-23", actor=side) for side in game_of(table).seats])

@hookimpl
def zareba_over(state):
    return "truce" if truce[state] else None

@hookimpl
def zareba_words():
    return {"question truce": "{seat}: offer a truce?"}
""",
        lambda played: played.turns,
    ),
    "handicap": Asked(
        "The stronger player gives the other a point for every turn that is played.",
        """
from dataclasses import replace

@hookimpl
def zareba_settings():
    return {"weaker": Setting(rule="C-24", summary="which side is given points", default=2, at_least=1, at_most=2)}

@hookimpl
def zareba_outcome(state, outcome, settings):
    side = list(outcome.points)[settings["weaker"] - 1]
    return replace(outcome, points={**outcome.points, side: outcome.points[side] + state.turn})
""",
        lambda played: played.turns,
    ),
    "hidden_purse": Asked(
        "Each side hides a purse with one unit, unknown to the enemy; destroying that unit scores two points.",
        """
from dataclasses import replace
purse = StateVariable("purse", False, secret=True, words="carries the purse")
taken = StateVariable("taken", False, of="side")

@hookimpl
def zareba_state():
    return [purse, taken]

@hookimpl
def zareba_begin(table):
    for side in game_of(table).seats:
        names = [unit.spec.id for unit in units(table, side)]
        purse[table, table.choose(side, names, why="purse with", rule="C-25", actor=side)] = True

@hookimpl
def zareba_event(table, event):
    if event.kind == "destroyed" and purse[table, event.data["unit"]]:
        taken[table, table.state.units[event.data["unit"]].spec.side] = True

@hookimpl
def zareba_outcome(state, outcome):
    return replace(outcome, points={side: had + 2 * any(taken[state, other] for other in outcome.points if other != side)
                                    for side, had in outcome.points.items()})
""",
        lambda played: played.state_variable("hidden_purse.purse"),
    ),
    "bearers": Asked(
        "A unit with two wounded to carry marches a box less.",
        """
down = StateVariable("down", 0, words="wounded to carry")

@hookimpl
def zareba_state():
    return [down]

@hookimpl
def zareba_event(table, event):
    if event.kind == "loss":
        down.add(table, event.data["unit"], event.data["lost"])

@hookimpl
def zareba_modifiers():
    return {"movement": [Modifier("bearers", "T-1", "add", -1, when={"bearers.down": {"at_least": 2}}, summary="they carry their wounded")]}
""",
        line("they carry their wounded"), player="doctrine",
    ),
    "ammunition_wagon": Asked(
        "A pouch holds six volleys; a unit that ends a turn near a wagon refills it (The Paychest).",
        """
shots = StateVariable("shots", 6, words="cartridges")

@hookimpl
def zareba_state():
    return [shots]

@hookimpl
def zareba_event(table, event):
    if event.kind == "fire":
        shots.add(table, event.data["unit"], -1, least=0)

@hookimpl
def zareba_turn(table, umpire):
    wagons = [at for piece, (side, at) in umpire.pieces_on_table().items() if "wagon" in piece]
    for piece, (side, at) in umpire.pieces_on_table().items():
        if any(abs(at[0] - x) + abs(at[1] - y) < 12 for x, y in wagons) and piece in table.state.units:
            shots[table, piece] = 6

@hookimpl
def zareba_modifiers():
    return {"shooting": [Modifier("empty", "T-2", "add", -3, when={"ammunition_wagon.shots": 0}, summary="no cartridges")]}
""",
        line("no cartridges"), ruleset="paychest", player="doctrine",
    ),
    "false_guide": Asked(
        "In the first three turns the guide betrays the column on a 1 or 2; then all units march a hex less (Afriboria).",
        """
betrayed = StateVariable("betrayed", False, of="game", words="the guide has led them astray")

@hookimpl
def zareba_state():
    return [betrayed]

@hookimpl
def zareba_turn(table, turn):
    if turn <= 3 and not betrayed[table]:
        betrayed[table] = not roll_at_least(table, 3, "he is true", "he betrays them", why="guide", rule="T-3", actor="guide")

@hookimpl
def zareba_modifiers():
    return {"movement": [Modifier("lost", "T-3", "add", -1, when={"false_guide.betrayed": True, "game.turn": {"at_most": 6}}, summary="led astray")]}
""",
        line("led astray"), ruleset="afriboria",
    ),
    "water_carriers": Asked(
        "A side without water carriers grows thirsty, and after two turns its morale suffers (Fixed Bay'net).",
        """
thirst = StateVariable("thirst", 0, of="side", words="turns without water")

@hookimpl
def zareba_state():
    return [thirst]

@hookimpl
def zareba_turn(table):
    for side in game_of(table).seats:
        if not any("carrier" in unit.spec.id for unit in units(table, side)):
            thirst.add(table, side, 1)

@hookimpl
def zareba_modifiers():
    return {"morale": [Modifier("thirst", "T-4", "add", -1, when={"water_carriers.thirst": {"at_least": 3}}, summary="thirst")]}
""",
        line("thirst"), ruleset="fixed_baynet",
    ),
    "civilians": Asked(
        "Two points for every wagon of refugees that is still there.",
        """
@hookimpl
def zareba_outcome(state, outcome):
    safe = {side: [one for one in units(state, side) if one.spec.troop == "wagon" and one.on_table] for side in outcome.points}
    return add_points(outcome, {side: 2 * len(wagons) for side, wagons in safe.items()})
""",
        lambda played: played.turns,
    ),
    "daylight": Asked(
        "When the sun sets ranges are halved, and three turns later it is dark (Risk-Factor).",
        """
@hookimpl
def zareba_settings():
    return {"sunset": Setting(rule="T-6", summary="the turn in which the sun sets", default=3, at_least=1, at_most=40)}

@hookimpl
def zareba_modifiers(settings):
    dusk = Modifier("dusk", "T-6", "times", Fraction(1, 2), when={"game.turn": {"at_least": settings["sunset"]}}, summary="it grows dark")
    return {"range": [dusk]}

@hookimpl
def zareba_over(state, settings):
    return "darkness" if state.turn > settings["sunset"] + 3 else None
""",
        line("it grows dark"), ruleset="risk_factor",
    ),
    "relief_column": Asked(
        "From the fourth turn on the relief column comes on a 5 or 6, and the battle is over.",
        """
come = StateVariable("come", False, of="game", words="the relief column is here")

@hookimpl
def zareba_state():
    return [come]

@hookimpl
def zareba_turn(table, turn):
    if turn >= 4 and not come[table]:
        come[table] = roll_at_least(table, 5, "the relief column comes", "nothing is seen", why="relief", rule="T-7", actor="column")

@hookimpl
def zareba_over(state):
    return "relieved" if come[state] else None
""",
        lambda played: played.game.play.outcome(played.state).ending == "relieved",
    ),
    "trophies": Asked(
        "A unit that has taken a standard is one better in morale.",
        """
taken = StateVariable("taken", 0, of="side", words="standards taken")

@hookimpl
def zareba_state():
    return [taken]

@hookimpl
def zareba_event(table, event):
    if event.kind == "destroyed":
        lost = table.state.units[event.data["unit"]].spec.side
        for side in game_of(table).seats:
            taken.add(table, side, int(side != lost))

@hookimpl
def zareba_modifiers():
    return {"morale": [Modifier("proud", "T-8", "add", 1, when={"trophies.taken": {"at_least": 1}}, summary="they carry a standard")]}
""",
        lambda played: played.state_variable("trophies.taken"), player="doctrine",
    ),
    "camels": Asked(
        "Mounts that are shot at bolt on a 1.",
        """
@hookimpl
def zareba_event(table, event):
    if event.kind == "fire":
        target = table.state.units[event.data["target"]]
        if target.mounted and not roll_at_least(table, 2, "stands", "bolts", why="camels", rule="T-9", actor=target.spec.id):
            target.mark("broken")
            table.emit("bolted", "T-9", unit=target.spec.id)

@hookimpl
def zareba_words():
    return {"event bolted": "the beasts of {unit} bolted"}
""",
        told("bolted"), player="doctrine",
    ),
    "changing_weather": Asked(
        "A die every turn decides the weather: rain shortens marches, haze halves ranges.",
        """
sky = StateVariable("sky", "clear", of="game", words="sky:")
LINES = {1: "rain", 3: "haze", 5: "clear"}

@hookimpl
def zareba_state():
    return [sky]

@hookimpl
def zareba_turn(table):
    sky[table] = roll_on_chart(table, LINES, why="sky", rule="T-10", actor="sky")

@hookimpl
def zareba_modifiers():
    rain = Modifier("rain", "T-10", "add", -1, when={"changing_weather.sky": "rain"}, summary="rain")
    haze = Modifier("haze", "T-10", "times", Fraction(1, 2), when={"changing_weather.sky": "haze"}, summary="haze")
    return {"movement": [rain], "range": [haze]}
""",
        lambda played: played.lines["rain"] and played.lines["haze"], player="doctrine",
    ),
    "looters": Asked(
        "A unit that has won a melee stops to plunder and does not move in the next turn.",
        """
busy = StateVariable("busy", 0, words="plunders till turn")

@hookimpl
def zareba_event(table, event):
    if event.kind == "melee" and event.data["hits"] > 3:
        busy[table, event.data["unit"]] = game_of(table).game_turn(table.state) + 1

def plunders(facts, here):
    return here.unit is not None and busy[here.state, here.unit] == here.turn

@hookimpl
def zareba_modifiers():
    return {"movement": [Modifier("loot", "F-1", "set", 0, when=plunders, summary="they plunder")]}
""",
        line("they plunder"), player="doctrine",
    ),
    "take_aim": Asked(
        "A unit may take aim instead of shooting: its next volley counts two more.",
        """
aims = StateVariable("aims", False, words="takes aim")

@hookimpl
def zareba_options(state, question):
    if question.why == "fire at" and not aims[state, question.actor]:
        return [*question.options, ExtraOption("take aim", aim, then="hold fire")]

def aim(table, state, question):
    aims[table, question.actor] = True
    table.emit("aims", "F-2", unit=question.actor)

@hookimpl
def zareba_event(table, event):
    if event.kind == "fire":
        aims[table, event.data["unit"]] = False

@hookimpl
def zareba_modifiers():
    return {"shooting": [Modifier("aimed", "F-2", "add", 2, when={"take_aim.aims": True}, summary="a steady aim")]}

@hookimpl
def zareba_words():
    return {"option take aim": "{actor} takes aim", "event aims": "{unit} took aim"}
""",
        line("a steady aim"), seed=5,
    ),
    "levies_desert": Asked(
        "A native levy that has lost half its men rolls a die each turn; on a 1 two more slip away (The Paychest).",
        """
STAY = "they stay", "two slip away"

@hookimpl
def zareba_turn(table):
    for unit in units(table):
        had, left = scenario_unit(table, unit), figures(table, unit)
        if had is not None and had.kind == "tribal" and 0 < left <= had.figures // 2:
            if not roll_at_least(table, 2, *STAY, why="levies", rule="F-3", actor=unit.spec.id):
                lose(table, unit, 2)
                table.emit("deserted", "F-3", unit=unit.spec.id)

@hookimpl
def zareba_words():
    return {"event deserted": "two men of {unit} slipped away"}
""",
        told("deserted"), ruleset="paychest", player="doctrine",
    ),
    "spiked_gun": Asked(
        "A crew whose gun is about to be taken may spike it; it cannot fire again.",
        """
@hookimpl
def zareba_event(table, event):
    if event.kind == "charge":
        gun = table.state.units[event.data["target"]]
        if scenario_unit(table, gun).gun and table.confirm(gun.spec.side, why="spike the gun", rule="F-4", actor=gun.spec.id):
            gun.mark("wrecked")
            table.emit("spiked", "F-4", unit=gun.spec.id)

@hookimpl
def zareba_words():
    return {"question spike the gun": "{actor}: spike the gun?", "event spiked": "{unit} spiked its gun"}
""",
        told("spiked"), scenario="battle_of_the_wells", seed=3,
    ),
    "cold_steel": Asked(
        "Lancers hit harder in the turn in which they charge: melee dice of 1 count as 2.",
        """
@hookimpl
def zareba_roll(table, roll, throw):
    unit = table.state.units.get(roll.actor)
    if roll.why == "melee" and unit is not None and unit.mounted and unit.marks & {"charged", "charging"}:
        total, highest = throw(roll)
        return max(total, 2 * roll.dice), max(highest, 2)
""",
        line("by cold_steel"), player="doctrine", seed=6,
    ),
}  # fmt: skip


def lines_of(text: str) -> int:
    """Return the number of lines of code, without imports and blank lines."""
    imports = {node.lineno for node in ast.walk(ast.parse(text)) if isinstance(node, (ast.Import, ast.ImportFrom))}
    return sum(bool(row.strip()) and number not in imports for number, row in enumerate(text.splitlines(), start=1))


def test_the_forty_club_rules_are_short() -> None:
    found = {name: lines_of(rule.text) for name, rule in RULES.items()}
    assert len(found) == 40
    assert median(found.values()) <= MEDIAN, found
    assert max(found.values()) <= MOST, found


@pytest.mark.deep
@pytest.mark.parametrize("name", RULES)
def test_club_rule_has_its_described_effect(tmp_path: Path, name: str) -> None:
    rule = RULES[name]
    file = tmp_path / f"{name}.py"
    file.write_text(HEAD + rule.text, encoding="utf-8")
    played = play(file, ruleset=rule.ruleset, scenario=rule.scenario, seed=rule.seed, player=rule.player)
    assert rule.shows(played), (played.event_counts, played.lines)
