"""Texts and umpire edits of one-page rulesets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zareba.base.errors import ZarebaError
from zareba.base.grammar import amount
from zareba.battle.sentence_templates import Words, fill
from zareba.presentation.narration import common_sentence
from zareba.presentation.umpire_editor import EditorGame, UmpireEditor
from zareba.simple_ruleset.state import Battle, Unit
from zareba.simple_ruleset.unit_actions import go, lose
from zareba.table import Event, Option, Point, Table

# --- Sentences for battles under a simple ruleset: the ruleset's own from YAML, or the core's -------------------------


Say = Callable[[Any], str]

QUESTIONS = {
    "who acts": "{seat}: which unit acts next?",
    "set up at": "{actor}: where to set up?",
    "march to": "{actor}: where to march?",
}
EVENTS = {
    "set up": "{unit} set up",
    "marched": "{unit} marched to {to}",
    "charged": "{unit} charged {enemy}",
    "fell back": "{unit} fell back to {to}",
    "fled": "{unit} fled off the table",
    "leader killed": "{name} of {unit} was killed",
}
REAL_TABLE = {
    "marched": "{unit} marched",
    "fell back": "{unit} fell back {distance:raw}",
}
"""The core's questions and events in words, and its events at a real table; a ruleset may replace any of them."""


def option_phrase(words: Words, battle: Battle, option: Option, say: Say) -> str | None:
    """Return an option as a phrase: a unit with its condition, or an action with its target; None for any other
    option.
    """
    if isinstance(option, str) and option in battle.units:
        return unit_line(battle.units[option])
    word, *rest = option if isinstance(option, tuple) else (option,)
    template = words.options.get(str(word))
    if template is None:
        return None
    what = " ".join(unit_line(battle.units[word]) if word in battle.units else say(word) for word in rest)
    return fill(template, {"what": what}, str)


def event_sentence(words: Words, event: Event, say: Say) -> str:
    """Return an event in the words of the ruleset, of the core, or of the event itself; "" if it is not worth a
    sentence.
    """
    template = words.events.get(event.kind)
    if template is None:
        return common_sentence(event, say)
    return fill(template, event.data, say)


def unit_line(unit: Unit) -> str:
    """Return a unit in one line: name, figures, marks, numbers other than 0, and leaders."""
    states = [unit.spec.name, amount(unit.figures, "figure")]
    states += [mark.replace("_", " ") for mark in sorted(unit.marks)]
    states += [f"{name.replace('_', ' ')} {number}" for name, number in unit.numbers.items() if number]
    states += ["with a leader"] if unit.is_led else ["its leader has fallen"] if unit.fallen else []
    return ", ".join(states)


# --- The umpire's edits of a battle under a simple ruleset ------------------------------------------------------------


RULE = "by hand"


class SimpleUmpireEditor(UmpireEditor[Battle]):
    """Edits figures, places, and the marks that the ruleset defines."""

    def __init__(self, game: EditorGame, marks: frozenset[str]) -> None:
        super().__init__(game)
        self.marks = marks  # type: ignore[misc]  # those of this ruleset

    def figures_left(self, state: Battle, piece: str) -> int | None:
        return state.units[piece].figures

    def max_figures(self, state: Battle, piece: str) -> int:
        return state.units[piece].spec.figures

    def set_figures(self, table: Table, state: Battle, piece: str, count: int) -> None:
        unit = state.units[piece]
        if count < unit.figures:
            lose(table, state, unit, unit.figures - count, RULE, "other")
        else:
            unit.figures = count

    def move(self, table: Table, state: Battle, piece: str, at: Point) -> None:
        unit = state.units[piece]
        if not state.field.table.is_on_table(at):
            raise ZarebaError("that is off the table")
        other = state.stands_on(unit, at)
        if other is not None:
            raise ZarebaError(f"there is no room beside {other.spec.name}")
        unit.at, unit.gone = at, ""
        state.arrivals.pop(piece, None)

    def remove(self, table: Table, state: Battle, piece: str) -> None:
        go(table, state, state.units[piece], "taken off", RULE)
