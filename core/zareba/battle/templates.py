"""Words as data: sentences with gaps that stand in YAML beside the rules, so that rules need no code to be put into words.

What stands in a sentence:

    {unit}                    what is said of that: a name for an id, several one after the other
    {hits|hit}                so many of them: 1 hit, 2 hits; {dice|die|dice} where the plural is its own word
    {act@acts}                the phrase that stands for it in the table `acts`; without one, the word itself
    {weapon:words}            an id as people write it; {figures:listed} as a list with "and" before its last; {side:raw} as it is
    {cm:g}                    as Python formats a number (:+d, :.1f); or in the ruleset's own way, such as {box:place}
    [flank? on the flank]     only where it is so (there, and not nought, false or empty); [!left?...] where it is not
    [cause=fire?shot||cut]    where it is just that, and else the other; neither stands in another
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import Field, StrictStr

from zareba.base.amounts import amount, listed
from zareba.base.yamlfile import read_yaml
from zareba.presentation.narration import common_sentence
from zareba.rules.schema import Book
from zareba.table import Draw, Event, Question, Roll

__all__ = [
    "Data",
    "More",
    "Name",
    "Words",
    "chance",
    "event_text",
    "fill",
    "question_text",
    "shooter",
    "words_next_to",
    "words_of",
]

Say = Callable[[Any], str]
Formats = Mapping[str, Say]
Data = Mapping[str, Any]
Name = Callable[[str], str]
More = Callable[[Data, Name], dict[str, Any]]
"""What a sentence says that its event does not tell in so many words, by what the event tells and the names of ids."""

_PART = re.compile(r"\{([^{}]+)\}|\[(!?)(\w+)(?:=([^?\[\]]*))?\?([^\[\]]*)\]")
_NUMBER = re.compile(r"\+?(?:\.\d)?[dfg]")
_GAP = re.compile(r"(\w+)(?:\|([^|]+)(?:\|([^|]+))?|@(\w+)|:(.+))?")


class Words(Book):
    """The sentences of a ruleset: of questions by what they ask, of options by their word, of events by their kind.

    `shots` names, of every kind of event that is one, who has fired: smoke hangs before him.
    """

    questions: dict[str, StrictStr] = Field(default_factory=dict)
    options: dict[str, StrictStr] = Field(default_factory=dict)
    events: dict[str, StrictStr] = Field(default_factory=dict)
    shots: dict[str, StrictStr] = Field(default_factory=dict)
    tables: dict[str, dict[str, StrictStr]] = Field(default_factory=dict)

    def states(self, marks: Collection[str]) -> tuple[str, ...]:
        """What is the matter with whoever bears these marks, by the table `states`, in its order."""
        return tuple(event_text for mark, event_text in self.tables["states"].items() if mark in marks)


@lru_cache(maxsize=16)
def words_of(file: Path) -> Words:
    """The words that stand in a YAML file; raises ZarebaError with the place of what is wrong in it."""
    return read_yaml(file).validate(Words)


def words_next_to(module: str) -> Callable[[], Words]:
    """The words in `words.yaml` beside a module, by its `__file__`; they are read when somebody asks for them."""
    return partial(words_of, Path(module).with_name("words.yaml"))


def fill(
    template: str,
    data: Mapping[str, Any],
    say: Say,
    formats: Formats | None = None,
    words: Words | None = None,
    *,
    strict: bool = False,
) -> str:
    """A sentence with its gaps filled; a gap for which there is nothing stays, so that its author sees it.

    `say` says what has no way of its own; `formats` are the ruleset's own ways; `words` has the tables. Raises KeyError
    for such a gap if `strict`.
    """
    tables = words.tables if words is not None else {}
    return _PART.sub(_Filling(data, say, formats or {}, tables, strict).part, template)


class _Filling(NamedTuple):
    """What fills the gaps of a sentence.

    A function within `filled` that calls itself would be left, with all that it holds, to be found by a look through the whole
    memory: a server tells thousands of sentences a minute.
    """

    data: Mapping[str, Any]
    say: Say
    formats: Formats
    tables: Mapping[str, Mapping[str, str]]
    strict: bool

    def part(self, found: re.Match[str]) -> str:
        """What stands in the place of a gap, or of a part that is told only if something is so."""
        gap, negated, key, wanted, text = found.groups()
        if gap is None:
            holds = bool(self.data.get(key)) if wanted is None else str(self.data.get(key)) == wanted
            yes, _, no = text.partition("||")
            return _PART.sub(self.part, yes if holds != bool(negated) else no)
        parts = _GAP.fullmatch(gap)
        if parts is None or parts[1] not in self.data:
            if self.strict:
                raise KeyError(gap)
            return found[0]
        return _said(self.data[parts[1]], parts, self.say, self.formats, self.tables)


def shooter(words: Words, event: Event) -> str:
    """The unit or gun that has fired in what happened; "" where nobody has."""
    return fill(words.shots.get(event.kind, ""), event.data, str)


def _said(value: Any, gap: re.Match[str], say: Say, formats: Formats, tables: Mapping[str, Mapping[str, str]]) -> str:
    _, one, many, table, way = gap.groups()
    if one is not None:
        return amount(value, one, many) if many is not None else amount(value, one)
    if table is not None:
        return tables.get(table, {}).get(str(value), str(value))
    if way is None:
        return say(value)
    if way in formats:
        return formats[way](value)
    if way == "raw":
        return str(value)
    if way == "words":
        return str(value).replace("_", " ")
    if way == "listed":
        return listed([say(each) for each in value])
    return format(value, way) if _NUMBER.fullmatch(way) else str(value)


def question_text(words: Words, question: Question, data: Data, formats: Formats | None = None) -> str:
    """A question in one sentence, with what is in `data` said of it; raises KeyError for one of which there are no words.

    Of dice and cards it is told what is thrown or drawn for the `actor`.
    """
    if isinstance(question, (Roll, Draw)):
        return chance(question, data["actor"])
    return fill(words.questions[question.why], {"seat": question.seat, **data}, str, formats, words, strict=True)


def chance(question: Roll | Draw, actor: str, takes: str | None = None) -> str:
    """What is thrown for whom and how it is read, or what else it `takes`; for a card, that one is drawn."""
    why = question.why.capitalize()
    if isinstance(question, Draw):
        return f"{why}: draw a card"
    read = f", read as {question.read.name}" if takes is None else takes
    return f"{why} for {actor}: throw {question.dice}d{question.sides}{read}"


def event_text(
    words: Words,
    event: Event,
    name: Name,
    formats: Formats | None = None,
    more: Mapping[str, More] | None = None,
    **also: Any,
) -> str:
    """What happened in one sentence, with the `name` of whoever has one; the core's where the ruleset has none.

    `more`, by kinds of events, and `also` are said of what the event tells nothing of. Raises KeyError for an event that
    lacks what its sentence says.
    """
    template = words.events.get(event.kind)
    if template is None:
        return common_sentence(event, name)
    found = more[event.kind](event.data, name) if more and event.kind in more else {}
    return fill(template, {**event.data, **found, **also}, partial(_named, name), formats, words, strict=True)


def _named(name: Name, value: Any) -> str:
    """A value of an event, with the names of whoever has one."""
    if isinstance(value, (list, tuple)):
        return ", ".join(_named(name, each) for each in value)
    return name(value) if isinstance(value, str) else str(value)
