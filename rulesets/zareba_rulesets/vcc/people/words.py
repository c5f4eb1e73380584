"""How questions, options and events read to a person."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from zareba.amounts import amount
from zareba.space.grid.boxes import COMPASS, BoxGrid
from zareba.table import Choose, Confirm, Draw, Event, Option, Place, Question, Roll
from zareba.telling import common_sentence
from zareba_rulesets.vcc.book.tables import CREWED
from zareba_rulesets.vcc.chapters.morale.retreat import OFF_EDGE
from zareba_rulesets.vcc.forces.battle import Battle, Commander, Unit, UnitSpec

__all__ = ["box_of", "commander_line", "event_sentence", "option_phrase", "question_sentence", "states_of", "unit_line"]

QUESTIONS = {
    "fire with": "Which unit of {seat} fires next?",
    "fire at": "{actor}: fire at whom?",
    "rocket at": "{actor}: at which box does the rocket aim?",
    "pivot to": "{actor}: pivot to face which way?",
    "check morale of": "Which unit of {seat} checks morale next?",
    "retreat to": "{actor}: retreat to which box?",
    "move with": "Which unit of {seat} moves next?",
    "move": "{actor}: what does it do?",
    "face": "{actor}: face which way?",
    "commander to": "The Army Commander of {seat} rides to which box?",
    "attach commander to": "The Army Commander of {seat} joins whom?",
    "fight": "{actor}: which enemy does it fight?",
    "support": "{actor}: which friend does it support in melee?",
    "deploy in": "{actor}: deploy in which box?",
    "arrive in": "{actor}: arrive in which box?",
}


def question_sentence(battle: Battle, question: Question) -> str:
    """The question in one sentence; for dice what is thrown and how it is read."""
    actor = _name(battle, question.actor)
    if isinstance(question, Roll):
        die = f"{question.dice}d{question.sides}"
        return f"{question.why.capitalize()} for {actor}: throw {die}, read as {question.read.name}"
    if isinstance(question, Draw):
        return f"{question.why.capitalize()}: draw a card"
    return QUESTIONS[question.why].format(seat=question.seat, actor=actor)


def _name(battle: Battle, actor: str) -> str:
    unit = battle.units.get(actor)
    return unit.spec.name if unit is not None else actor


def option_phrase(battle: Battle, question: Choose | Place | Confirm, option: Option) -> str:
    """One option as a phrase."""
    grid = battle.field.grid
    if isinstance(option, tuple):
        verb, what = option
        if verb == "charge":
            return f"charge {unit_line(battle, battle.unit(what))}"
        return f"go to {grid.label(what)}{_ground(battle, what)}"
    if isinstance(option, int):
        if option == OFF_EDGE:
            return "off its own edge"
        if question.why in ("face", "pivot to"):
            return COMPASS[option]
        return f"{grid.label(option)}{_ground(battle, option)}"
    unit = battle.units.get(option)
    return unit_line(battle, unit) if unit is not None else option


def box_of(question: Choose, option: Option) -> int | None:
    """The box that an option names; a way to face and the way off the table name none."""
    if isinstance(option, tuple):
        return option[1] if option[0] != "charge" else None
    if not isinstance(option, int) or option == OFF_EDGE or question.why in ("face", "pivot to"):
        return None
    return option


def _ground(battle: Battle, box: int) -> str:
    ground = battle.field.ground[box]
    there = [unit.spec.name for unit in battle.in_box(box)]
    notes = [] if ground is battle.book.file.terrain["open"] else [ground.title]
    notes += [f"level {battle.field.level[box]}"] if battle.field.level[box] else []
    notes += [f"with {', '.join(there)}"] if there else []
    return f" ({'; '.join(notes)})" if notes else ""


STATES = {
    "jest": "jest waits", "prone": "prone", "broken": "broken", "square": "square", "dismounted": "dismounted",
    "overheated": "overheated", "abandoned": "away from their gun", "wrecked": "gun out of action",
}  # fmt: skip


def unit_line(battle: Battle, unit: Unit) -> str:
    """A unit in one line: name, box, bases or gunners, its marker of hits, its leader's state, what else is to be known."""
    heads = "gunner" if unit.spec.troop in CREWED else "base"
    where = battle.field.grid.label(unit.box) if unit.on_table else "off the table"
    states = [f"{unit.spec.name} at {where}", amount(unit.strength, heads)]
    if unit.hits:
        states.append(amount(unit.hits, "hit"))
    if unit.spec.leader and not unit.leader:
        states.append("leader dead")
    elif unit.wounds:
        states.append(f"leader with {amount(unit.wounds, 'wound')}")
    states += states_of(unit)
    for name, prize in battle.prizes.items():
        if prize.carrier == unit.spec.id:
            states.append(f"carries the {name.replace('_', ' ')}")
    return ", ".join(states)


def states_of(unit: Unit) -> tuple[str, ...]:
    """What is the matter with a unit, in words."""
    return tuple(words for mark, words in STATES.items() if mark in unit.marks)


def commander_line(battle: Battle, commander: Commander) -> str:
    """An Army Commander in one line: name, the unit that he is attached to, wounds."""
    states = [commander.name, "Army Commander"]
    if commander.unit:
        states.append(f"with {battle.unit(commander.unit).spec.name}")
    if commander.wounds:
        states.append(amount(commander.wounds, "wound"))
    return ", ".join(states)


Told = Callable[[Mapping[str, Any], Callable[[str], str], Callable[[int], str]], str]

FORMATIONS = {
    "form square": "formed square",
    "leave square": "left square",
    "mount": "mounted",
    "dismount": "dismounted",
    "lie down": "lay down",
    "get up": "got up",
}

EVENTS: dict[str, Told] = {
    "fire": lambda d, u, b: (
        f"{u(d['unit'])} fired {amount(d['dice'], 'die', 'dice')} at {u(d['target'])} ({d['band']}): {amount(d['hits'], 'hit')}"
    ),
    "leader jests": lambda d, u, b: f"the leader of {u(d['unit'])} laughed it off with a jest",
    "leader wounded": lambda d, u, b: f"the leader of {u(d['unit'])} took {amount(d['wounds'], 'wound')}",
    "leader killed": lambda d, u, b: f"{d['name'] or 'the leader'} of {u(d['unit'])} was killed",
    "commander moved": lambda d, u, b: f"{d['name']}, commander of {d['side']}, went to {b(d['box'])}",
    "commander attached": lambda d, u, b: (
        f"{d['name']}, commander of {d['side']}, " + (f"joined {u(d['unit'])}" if d["unit"] else "stays by himself")
    ),
    "commander jests": lambda d, u, b: f"{d['name']}, commander of {d['side']}, cheered {u(d['unit'])} with a jest",
    "commander wounded": lambda d, u, b: f"{d['name']}, commander of {d['side']}, took {amount(d['wounds'], 'wound')}",
    "commander killed": lambda d, u, b: f"{d['name']}, commander of {d['side']}, was killed",
    "commander captured": lambda d, u, b: f"{d['name']}, commander of {d['side']}, was captured",
    "commander routed": lambda d, u, b: f"{d['name']}, commander of {d['side']}, was carried off the table in the rout",
    "rocket": lambda d, u, b: (
        f"the rocket of {u(d['unit'])} aimed at {b(d['box'])} came down "
        + (f"in {b(d['landing'])}" if d["landing"] is not None else "nowhere near")
    ),
    "morale passed": lambda d, u, b: f"{u(d['unit'])} passed morale with {d['die']} against {d['total']}",
    "morale failed": lambda d, u, b: (
        f"{u(d['unit'])} failed morale with {d['die']} against {d['total']}: " + d["result"].replace("_", " ")
    ),
    "retreat": lambda d, u, b: f"{u(d['unit'])} fell back to {b(d['box'])}",
    "routed": lambda d, u, b: f"{u(d['unit'])} routed off the table",
    "rallied": lambda d, u, b: f"{u(d['unit'])} rallied with {d['die']}",
    "not rallied": lambda d, u, b: f"{u(d['unit'])} did not rally with {d['die']}",
    "move": lambda d, u, b: f"{u(d['unit'])} moved to {b(d['box'])}",
    "charge": lambda d, u, b: f"{u(d['unit'])} charged {u(d['target'])}" + (" on the flank" if d["flank"] else ""),
    "formation": lambda d, u, b: f"{u(d['unit'])} {FORMATIONS.get(d['act'], d['act'])}",
    "melee": lambda d, u, b: (
        f"{u(d['unit'])} struck {u(d['target'])} with {amount(d['dice'], 'die', 'dice')}: {amount(d['hits'], 'hit')}"
    ),
    "overheated": lambda d, u, b: f"{u(d['unit'])} overheated",
    "broken for good": lambda d, u, b: f"{u(d['unit'])} broke down for good",
    "captured": lambda d, u, b: f"{u(d['unit'])} fell into enemy hands",
    "gun abandoned": lambda d, u, b: f"the gun of {u(d['unit'])} was left behind in {b(d['box'])}",
    "gun manned": lambda d, u, b: f"{u(d['unit'])} manned their gun again",
    "gun taken": lambda d, u, b: f"the gun of {u(d['unit'])} was put out of action",
    "deployed": lambda d, u, b: f"{u(d['unit'])} deployed in {b(d['box'])}",
    "arrived": lambda d, u, b: f"{u(d['unit'])} arrived in {b(d['box'])}",
}


def event_sentence(specs: Mapping[str, UnitSpec], grid: BoxGrid, event: Event) -> str:
    """What happened in one sentence."""

    def name(unit: str) -> str:
        return specs[unit].name if unit in specs else unit

    told = EVENTS.get(event.kind)
    return told(event.data, name, grid.label) if told is not None else common_sentence(event, name)
