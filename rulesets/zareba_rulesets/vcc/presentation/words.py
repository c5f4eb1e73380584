"""Text for players: questions, options and events."""

from __future__ import annotations

from collections.abc import Mapping

from zareba.base.grammar import amount, in_a_sentence, join_with_and, with_the
from zareba.battle.carried_objects import carried_by
from zareba.battle.sentence_templates import event_text, question_text, words_next_to
from zareba.presentation.narration import wind_name
from zareba.space.grid.boxes import BoxGrid
from zareba.table import Choose, Confirm, Draw, Event, Option, Place, Question, Roll
from zareba_rulesets.vcc.book import CREWED
from zareba_rulesets.vcc.chapters.morale import OFF_EDGE
from zareba_rulesets.vcc.forces import Battle, Commander, Unit, UnitSpec

COMMANDER_OF = "commander of "
"""The start of the actor of a roll for an Army Commander; the id of his side follows."""

words = words_next_to(__file__)
"""The sentences of these rules."""


def question_sentence(battle: Battle, question: Question) -> str:
    """Return the question in one sentence; for dice, with the roll and how to read it."""
    names = battle.field.names
    seat = "" if isinstance(question, (Roll, Draw)) else question.seat
    commander = battle.commanders.get(seat)
    data = {
        "actor": _name(battle, question.actor),
        "seat": names.get(seat, seat),
        "commander": commander.name if commander else "",
    }
    return question_text(words(), question, data)


def _name(battle: Battle, actor: str) -> str:
    """Return the name of a unit or of the commander of a side; other words unchanged."""
    unit = battle.units.get(actor)
    if unit is not None:
        return unit.spec.name
    side = actor.removeprefix(COMMANDER_OF)
    return f"{COMMANDER_OF}{in_a_sentence(battle.field.names.get(side, side))}" if side != actor else actor


def option_phrase(battle: Battle, question: Choose | Place | Confirm, option: Option) -> str:
    """Return one option as a phrase."""
    grid = battle.field.grid
    if isinstance(option, tuple):
        verb, goal = option
        if verb == "charge":
            return f"charge {in_a_sentence(unit_line(battle, battle.unit(goal)))}"
        return f"go to {grid.label(goal)}{_describe_box(battle, goal)}"
    if isinstance(option, int):
        if option == OFF_EDGE:
            return "off its own edge"
        if question.why in ("face", "pivot to"):
            return f"face {wind_name(option * 45.0)}"
        return f"{grid.label(option)}{_describe_box(battle, option)}"
    if option == "done":
        return words().tables["done"].get(question.why, option)
    unit = battle.units.get(option)
    return unit_line(battle, unit) if unit is not None else words().options.get(option, option)


def box_of(question: Choose, option: Option) -> int | None:
    """Return the box that an option names; None for a facing and for leaving the table."""
    if isinstance(option, tuple):
        return option[1] if option[0] != "charge" else None
    if not isinstance(option, int) or option == OFF_EDGE or question.why in ("face", "pivot to"):
        return None
    return option


def _describe_box(battle: Battle, box: int) -> str:
    """Return a note on a box in brackets: its ground, level and units; "" for an empty box of open ground."""
    ground = battle.field.ground[box]
    unit_names = [unit.spec.name for unit in battle.units_in(box)]
    notes = [] if ground is battle.book.file.terrain["open"] else [ground.title]
    notes += [f"level {battle.field.level[box]}"] if battle.field.level[box] else []
    notes += [f"with {join_with_and(map(in_a_sentence, unit_names))}"] if unit_names else []
    return f" ({'; '.join(notes)})" if notes else ""


def unit_line(battle: Battle, unit: Unit) -> str:
    """Return a unit in one line: name, box, bases or gunners, hits on the marker, leader's state, marks and carried
    objects.
    """
    place = battle.field.grid.label(unit.box) if unit.on_table else "off the table"
    return f"{unit.spec.name} at {place}, {unit_states(battle, unit)}"


def unit_states(battle: Battle, unit: Unit) -> str:
    """Return the state of a unit: bases or gunners, hits on the marker, leader's state, marks and carried objects."""
    states = [amount(unit.strength, "gunner" if unit.spec.troop in CREWED else "base")]
    if unit.hits:
        states.append(amount(unit.hits, "hit"))
    if unit.spec.leader and not unit.leader:
        states.append("leader dead")
    elif unit.wounds:
        states.append(f"leader with {amount(unit.wounds, 'wound')}")
    states += words().states(unit.marks)
    names = battle.field.names
    loads = [
        with_the(names.get(object_id, object_id.replace("_", " ")))
        for object_id in carried_by(battle.carried_objects, unit.spec.id)
    ]
    states += [f"carries {join_with_and(loads)}"] if loads else []
    return ", ".join(states)


def commander_line(battle: Battle, commander: Commander) -> str:
    """Return an Army Commander in one line: name, the unit he is attached to, wounds."""
    states = [commander.name, "Army Commander"]
    if commander.unit:
        states.append(f"with {battle.unit(commander.unit).spec.name}")
    if commander.wounds:
        states.append(amount(commander.wounds, "wound"))
    return ", ".join(states)


def event_sentence(
    specs: Mapping[str, UnitSpec], grid: BoxGrid, event: Event, names: Mapping[str, str] | None = None
) -> str:
    """Return an event in one sentence. `names` are those of sides and objects."""
    known = names or {}

    def name(word: str) -> str:
        return specs[word].name if word in specs else known.get(word, word)

    return event_text(words(), event, name, {"place": grid.label, "inside": lambda side: in_a_sentence(name(side))})
