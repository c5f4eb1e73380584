"""English grammar for texts: numbers with their nouns, percentages, lists with "and", articles, and verbs that
agree.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from itertools import groupby


def amount(number: float, one: str, many: str = "") -> str:
    """Return a number with its noun: 1 die, 2 dice, 2,000 games. The plural is `many`, or the singular with an s."""
    shown = f"{number:,}" if isinstance(number, int) else f"{number:g}"
    return f"{shown} {one if number == 1 else many or f'{one}s'}"


def percent(share: float | Fraction, decimals: int = 0) -> str:
    """Return a share in percent, with a no-break space before the sign: 0.31 becomes "31 %"."""
    return f"{float(share):z.{decimals}%}".replace("%", "\N{NO-BREAK SPACE}%")


def chance_in_percent(chance: Fraction, decimals: int = 0) -> str:
    """Return a chance in percent. Without decimals, a tiny one is "under 1 %", and a nearly certain one "over 99 %"."""
    least = Fraction(1, 10 ** (2 + decimals))
    if 0 < chance < least:
        return f"under {percent(least, decimals)}"
    return f"over {percent(1 - least, decimals)}" if 1 - least < chance < 1 else percent(chance, decimals)


def how_often(count: int) -> str:
    """Return how often something happened: once, 2 times."""
    return "once" if count == 1 else f"{count} times"


_SINGULAR = {
    "dice": "die",
    "men": "man",
    "inches": "inch",
    "boxes": "box",
    "hexes": "hex",
    "second throws": "second throw",
}


def with_unit(number: object, unit: str) -> str:
    """Return a number with its unit, if it has one; rulesets write units in the plural: 2 dice, but 1 die; 3 or more on
    a D12.
    """
    if not unit:
        return str(number)
    if unit == "or less on a die" and isinstance(number, int) and number < 1:
        return f"{number}, lower than any die"
    noun, of, rest = unit.partition(" of ")
    one = _SINGULAR.get(noun, noun.removesuffix("s") if " " not in noun and not noun.endswith("ss") else noun)
    return f"{number} {one if number == 1 else noun}{of}{rest}"


def with_note(name: str, note: str) -> str:
    """Return a name followed by a note, unless the name already contains it: Sikhs (british), but british."""
    return name if note.casefold() in name.casefold() else f"{name} ({note})"


def join_sentences(sentences: Iterable[str]) -> str:
    """Return sentences as one, separated by semicolons: "Sikhs fell back; the hospital fell"."""
    first, *others = sentences
    return "; ".join([first, *map(in_a_sentence, others)])


NUMBERED_FIGURE = re.compile(r"(?<!\w)([^\W\d]+) [0-9]+(?= of )")
"""A figure with its number: "warrior 22" in "warrior 22 of Swordsmen was driven off"."""


def merge_alike(sentences: Iterable[str]) -> list[str]:
    """Return sentences with runs of the same one as one, with a count.

    Sentences about several figures of one unit are the same apart from the numbers of the figures: "warrior 22 of
    Swordsmen was driven off (and 3 others)".
    """
    merged = []
    for _, run in groupby(sentences, key=lambda sentence: NUMBERED_FIGURE.sub(r"\1", sentence, count=1)):
        first, *others = run
        if not others:
            merged.append(first)
        elif all(other == first for other in others):
            merged.append(f"{first} ({len(others) + 1} times)")
        else:
            merged.append(f"{first} (and {amount(len(others), 'other')})")
    return merged


def in_a_sentence(name: str) -> str:
    """Return a name, or a sentence that begins with one, for use inside a sentence: "The" becomes "the"."""
    return f"the {name[4:]}" if name.startswith("The ") else name


def begin_sentence(text: str) -> str:
    """Return a text with a capital first letter: "man 2 of Guides fell" becomes "Man 2 of Guides fell"."""
    return text[:1].upper() + text[1:]


def with_the(name: str) -> str:
    """Return the name of a building or object with its article: "The keep" and "keep" both become "the keep"."""
    return f"the {name.removeprefix('The ').removeprefix('the ')}"


_TAIL = re.compile(r" (?:of|at|from|in|on|under|with|for|before|against) ")
_PLURAL_ENDS = (
    "men",
    "people",
    "police",
    "ese",
    "british",
    "english",
    "french",
    "dutch",
    "irish",
    "turkish",
    "spanish",
)
_SINGULAR_ENDS = ("ss", "'s", "’s", "corps")


def agreeing(name: str, one: str, many: str) -> str:
    """Return the verb form that agrees with a name: The column wins, but The raiders win."""
    head = _TAIL.split(name.casefold())[0]
    last = head.rpartition(" ")[2].strip(".,()")
    plural = last.endswith(("s", *_PLURAL_ENDS)) and not last.endswith(_SINGULAR_ENDS)
    return many if plural or " and " in head else one


def join_with_and(names: Iterable[str]) -> str:
    """Return one name, or several names with "and" before the last."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def join_with_or(names: Iterable[str]) -> str:
    """Return one name, or several names with "or" before the last."""
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last
