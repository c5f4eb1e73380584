"""Words for a ruleset that the core plays: its own from YAML, the core's where it has none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zareba.base.amounts import amount
from zareba.battle.templates import Words, filled
from zareba.people.telling import common_sentence
from zareba.plain.state import Battle, Unit
from zareba.table import Event, Option

__all__ = ["EVENTS", "QUESTIONS", "event_sentence", "option_phrase", "unit_line"]

Say = Callable[[Any], str]

QUESTIONS = {
    "who acts": "Which unit of {seat} acts next?",
    "set up at": "{actor}: set up where?",
    "march to": "{actor}: march where?",
}
EVENTS = {
    "set up": "{unit} set up",
    "marched": "{unit} marched to {to}",
    "charged": "{unit} charged {enemy}",
    "fell back": "{unit} fell back to {to}",
    "fled": "{unit} fled from the table",
    "leader killed": "{name} of {unit} was killed",
}
"""What the core itself asks and tells; a ruleset may say it otherwise."""


def option_phrase(words: Words, battle: Battle, option: Option, say: Say) -> str | None:
    """An option as a phrase: a unit with how it is off; a word, perhaps with what it is done to; None for others."""
    if isinstance(option, str) and option in battle.units:
        return unit_line(battle.units[option])
    word, *rest = option if isinstance(option, tuple) else (option,)
    template = words.options.get(str(word))
    if template is None:
        return None
    what = " ".join(unit_line(battle.units[one]) if one in battle.units else say(one) for one in rest)
    return filled(template, {"what": what}, str)


def event_sentence(words: Words, event: Event, say: Say) -> str:
    """What happened, in the words of the ruleset, of the core, or of the event itself; "" for what needs no telling."""
    template = words.events.get(event.kind)
    if template is None:
        return common_sentence(event, say)
    return filled(template, event.data, say)


def unit_line(unit: Unit) -> str:
    """A unit in one line: name, figures, marks, numbers that are not nought, its leaders."""
    states = [unit.spec.name, amount(unit.figures, "figure")]
    states += [mark.replace("_", " ") for mark in sorted(unit.marks)]
    states += [f"{name.replace('_', ' ')} {number}" for name, number in unit.numbers.items() if number]
    states += ["with a leader"] if unit.is_led else ["its leader has fallen"] if unit.fallen else []
    return ", ".join(states)
