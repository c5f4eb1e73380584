"""Sentence templates for questions, options and events, stored in YAML next to the rules, so that texts need no code.

Template syntax:

    {unit}                    the value: names for ids, lists separated by commas
    {hits|hit}                a number with its noun: 1 hit, 2 hits; {dice|die|dice} gives an irregular plural
    {act@acts}                the phrase for the value in the table `acts`, or the value itself if it has none
    {weapon:words}            an id with spaces; {figures:listed} a list with "and"; {side:raw} the bare value
    {cm:g}                    a Python number format (:+d, :.1f), or a format of the ruleset such as {box:place}
    [flank? on the flank]     text shown only if the value is true (present, and not 0, false or empty)
    [!left? on the right]     text shown only if the value is not true
    [cause=fire?shot||cut]    the first text if the value is `fire`, else the second. Conditions cannot be nested.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import Field, StrictStr

from zareba.base.grammar import amount, in_a_sentence, join_with_and
from zareba.base.yamlfile import read_shared_yaml
from zareba.presentation.narration import common_sentence
from zareba.renamed import warn_renamed
from zareba.rules.schema import Book
from zareba.table import Draw, Event, Question, Roll

Say = Callable[[Any], str]
Formats = Mapping[str, Say]
Data = Mapping[str, Any]
Name = Callable[[str], str]
More = Callable[[Data, Name], dict[str, Any]]
"""A function that returns values for a sentence that its event lacks, from the event's data and the names of ids."""

_PART = re.compile(r"\{([^{}]+)\}|\[(!?)(\w+)(?:=([^?\[\]]*))?\?([^\[\]]*)\]")
_ARTICLE = re.compile(r"(?:^|(?<=, ))The ")
_NUMBER = re.compile(r"\+?(?:\.\d)?[dfg]")
_WAYS = frozenset({"raw", "words", "listed"})
"""The formats of the core, besides number formats."""
_GAP = re.compile(r"(\w+)(?:\|([^|]+)(?:\|([^|]+))?|@(\w+)|:(.+))?")


class Words(Book):
    """The sentences of a ruleset: questions by their purpose, options by their first word, events by their kind.

    `shots` has a template for each kind of event that is a shot: the unit or gun that fired. Displays draw smoke in
    front of it. `runs` has one for each kind of event in which a unit runs away: that unit or figure. `fights` has one
    for each kind of event that is a close combat; if its text is empty, the event is none. `terms` explains
    technical terms; displays show the explanation of a term that they use. `facts` explains the facts of the odds
    procedures, and `fact_prefixes` explains the prefixes of their names. `results` has titles for their results.
    The table `purposes` has another name for a roll or draw whose purpose reads like a result.
    The tables `headings`, `sheet_names` and `sheet_lines` have the words of the quick sheet for keys and values of
    `ruleset.yaml` that say too little (`zareba.report.sheet`). The table `see_also` has the words under which a search
    for rules finds a topic that these rules call by another name.
    """

    questions: dict[str, StrictStr] = Field(default_factory=dict)
    options: dict[str, StrictStr] = Field(default_factory=dict)
    events: dict[str, StrictStr] = Field(default_factory=dict)
    shots: dict[str, StrictStr] = Field(default_factory=dict)
    runs: dict[str, StrictStr] = Field(default_factory=dict)
    fights: dict[str, StrictStr] = Field(default_factory=dict)
    tables: dict[str, dict[str, StrictStr]] = Field(default_factory=dict)
    terms: dict[str, StrictStr] = Field(default_factory=dict)
    facts: dict[str, StrictStr] = Field(default_factory=dict)
    fact_prefixes: dict[str, StrictStr] = Field(default_factory=dict)
    results: dict[str, StrictStr] = Field(default_factory=dict)

    def states(self, marks: Collection[str]) -> tuple[str, ...]:
        """Return the phrases for status marks from the table `states`, in the order of the table."""
        return tuple(phrase for mark, phrase in self.tables["states"].items() if mark in marks)

    def purpose(self, question: Roll | Draw) -> str:
        """Return the purpose of a roll or draw for players, from the table `purposes` if it is there."""
        return self.tables.get("purposes", {}).get(question.why, question.why)

    def terms_in(self, *texts: str) -> dict[str, str]:
        """Return the terms that occur in some texts as words, each with its explanation.

        A term in lower case may begin a sentence with a capital. Elsewhere a capital belongs to a name: "B Company".
        """
        return {term: meaning for term, meaning in self.terms.items() if any(map(_term(term).search, texts))}

    def terms_called(self, word: str) -> dict[str, str]:
        """Return the terms that a player means by a word: the term itself in any case, or one that contains the
        word.
        """
        wanted = word.casefold().strip()
        same = {
            term: meaning for term, meaning in self.terms.items() if wanted in (term.casefold(), f"{term}s".casefold())
        }
        return same or {term: meaning for term, meaning in self.terms.items() if wanted in term.casefold().split()}

    def meaning_of_fact(self, procedure: str, fact: str) -> str:
        """Return the meaning of a fact of an odds procedure, "" if the file has none.

        `facts` has it under `PROCEDURE.FACT` or `FACT`. Otherwise `b_leader` has the meaning of `leader`, said of the
        unit that the prefix `b` means.
        """
        for key in (f"{procedure}.{fact}", fact):
            if key in self.facts:
                return self.facts[key]
        prefix, _, rest = fact.partition("_")
        meaning = self.meaning_of_fact(procedure, rest) if rest and prefix in self.fact_prefixes else ""
        return f"{self.fact_prefixes[prefix]}: {meaning}" if meaning else ""

    def title_of_result(self, procedure: str, result: str) -> str:
        """Return the title of a result of an odds procedure: its entry in `results`, under `PROCEDURE.RESULT` or
        `RESULT`, or else its name with spaces.
        """
        for key in (f"{procedure}.{result}", result):
            if key in self.results:
                return self.results[key]
        return result.replace("_", " ")


@cache
def _term(term: str) -> re.Pattern[str]:
    """Return the pattern of a term as a word, one or several."""
    word = re.escape(term)
    start = rf"|(?:^|[.:!?·(] ?){re.escape(term[0].upper() + term[1:])}" if term[0].islower() else ""
    return re.compile(rf"(?:\b{word}{start})s?\b", re.MULTILINE)


@lru_cache(maxsize=16)
def words_of(file: Path) -> Words:
    """Return the sentences in a YAML file. Raises ZarebaError with the place of a mistake in it."""
    return read_shared_yaml(file).validate(Words)


def words_of_ruleset(folders: Iterable[Path]) -> Words:
    """Return the sentences of a ruleset: `presentation/words.yaml` of the first of its folders that has the file.
    Without such a file there are none.
    """
    for folder in folders:
        file, old = folder / "presentation" / "words.yaml", folder / "people" / "words.yaml"
        if old.exists() and not file.exists():
            warn_renamed(str(old), str(file))
            file = old
        if file.exists():
            return words_of(file)
    return Words()


def words_next_to(module: str) -> Callable[[], Words]:
    """Return a function that reads `words.yaml` next to a module, given by its `__file__`, when first called."""
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
    """Return a sentence with its gaps filled. A gap without a value stays visible, so that the author notices it.

    `say` words a value that has no format, `formats` are those of the ruleset, `words` has the tables. If `strict`, a
    gap without a value raises KeyError.
    """
    tables = words.tables if words is not None else {}
    return _PART.sub(_Filling(data, say, formats or {}, tables, strict).part, template)


def gaps(template: str) -> list[tuple[str, str]]:
    """Return the gaps of a sentence as (value, format of the ruleset or ""), and the values of its conditions."""
    found: list[tuple[str, str]] = []
    for gap, _, key, _, text in _PART.findall(template):
        if not gap:
            found += [(key, ""), *gaps(text)]
            continue
        parts = _GAP.fullmatch(gap)
        name, way = (gap, "") if parts is None else (parts[1], parts[5] or "")
        found.append((name, "" if way in _WAYS or _NUMBER.fullmatch(way) else way))
    return found


class _Filling(NamedTuple):
    """The values for the gaps of a sentence. `begins`: the text filled is the beginning of the sentence.

    A recursive function inside `fill` would form a reference cycle, which only the garbage collector frees; a server
    fills thousands of sentences a minute.
    """

    data: Mapping[str, Any]
    say: Say
    formats: Formats
    tables: Mapping[str, Mapping[str, str]]
    strict: bool
    begins: bool = True

    def part(self, found: re.Match[str]) -> str:
        """Return the text for a gap or a conditional part."""
        gap, negated, key, wanted, text = found.groups()
        if gap is None:
            holds = bool(self.data.get(key)) if wanted is None else str(self.data.get(key)) == wanted
            yes, _, no = text.partition("||")
            inner = self if not found.start() else self._replace(begins=False)
            return _PART.sub(inner.part, yes if holds != bool(negated) else no)
        parts = _GAP.fullmatch(gap)
        if parts is None or parts[1] not in self.data:
            if self.strict:
                raise KeyError(gap)
            return found[0]
        start = found.start()
        begins = self.begins if not start else found.string[start - 1] in "'\""  # a title in quotes is kept as it is
        say = self.say if begins else self._inside
        return _said(self.data[parts[1]], parts, say, self.formats, self.tables)

    def _inside(self, value: Any) -> str:
        """Return a value as text for use inside a sentence: "The" at the start of a name becomes "the"."""
        return _ARTICLE.sub("the ", self.say(value))


def shooter(words: Words, event: Event) -> str:
    """Return the unit or gun that fired in an event, "" if none did."""
    return fill(words.shots.get(event.kind, ""), event.data, str)


def runner(words: Words, event: Event) -> str:
    """Return the unit or figure that ran away in an event, "" if none did."""
    return fill(words.runs.get(event.kind, ""), event.data, str)


def is_fight(words: Words, event: Event) -> bool:
    """Return True if an event is a close combat."""
    return bool(fill(words.fights.get(event.kind, ""), event.data, str))


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
        return join_with_and([say(each) for each in value])
    return format(value, way) if _NUMBER.fullmatch(way) else str(value)


def question_text(words: Words, question: Question, data: Data, formats: Formats | None = None) -> str:
    """Return a question as one sentence filled with `data`; for dice and cards, the roll or draw and its `actor`.

    Raises KeyError if there is no sentence for it.
    """
    if isinstance(question, (Roll, Draw)):
        return chance(question, words.purpose(question), data["actor"])
    return fill(words.questions[question.why], {"seat": question.seat, **data}, str, formats, words, strict=True)


def chance(question: Roll | Draw, purpose: str, actor: str) -> str:
    """Return a sentence for a roll (purpose, actor, dice, and how to read them) or a draw."""
    why = purpose.capitalize()
    if isinstance(question, Draw):
        return f"{why}: draw a card"
    return f"{why} for {in_a_sentence(actor)}: throw {question.dice}d{question.sides}{question.how_to_read}"


def event_text(
    words: Words,
    event: Event,
    name: Name,
    formats: Formats | None = None,
    more: Mapping[str, More] | None = None,
    **also: Any,
) -> str:
    """Return an event as one sentence, with names from `name`; the core's sentence if the ruleset has none.

    `more`, by kind of event, and `also` add values that are not in the event. Raises KeyError if the event lacks a
    value that the sentence needs.
    """
    template = words.events.get(event.kind)
    if template is None:
        return common_sentence(event, name)
    found = more[event.kind](event.data, name) if more and event.kind in more else {}
    return fill(template, {**event.data, **found, **also}, partial(_named, name), formats, words, strict=True)


def _named(name: Name, value: Any) -> str:
    """Return a value of an event as text, with names for ids."""
    if isinstance(value, (list, tuple)):
        return ", ".join(_named(name, each) for each in value)
    return name(value) if isinstance(value, str) else str(value)
