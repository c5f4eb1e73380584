"""Parse typed answers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from zareba.base.errors import ZarebaError, nearest
from zareba.base.hidden_characters import fold

_WORD = re.compile(r"[\w-]+")
_COMPASS_POINTS = ("n", "nne", "ne", "ene", "e", "ese", "se", "sse", "s", "ssw", "sw", "wsw", "w", "wnw", "nw", "nnw")


def pick(phrases: Sequence[str], typed: str, names: Sequence[str] = (), hint: str = "") -> int:
    """Return the index of the option meant: by its number from 1, its phrase, or words that occur in only one phrase.

    A compass direction may be written in full or in letters. `names` holds alternative words for the options, "" for
    none. The ZarebaError lists the phrases in doubt, or suggests the nearest. If none is near, it ends with `hint`, by
    default the numbers to type.
    """
    if typed.isdecimal():
        number = int(typed)
        if not 1 <= number <= len(phrases):
            raise ZarebaError(f"there is no option {number}; {_numbers_to_type(len(phrases))}")
        return number - 1
    folded = [fold(phrase) for phrase in phrases]
    for matches in _matches(folded, fold(typed).strip(), [fold(name) for name in names]):
        if len(matches) == 1:
            return matches[0]
        if matches:
            listed = "; ".join(f"{index + 1} {phrases[index]}" for index in matches[:6])
            raise ZarebaError(f"'{typed}' may mean several options: {listed}")
    guess = nearest(fold(typed).strip(), folded)
    hint = hint or f"{_numbers_to_type(len(phrases))}, or help"
    if guess:
        hint = f"did you mean '{phrases[folded.index(guess)]}'?"
    raise ZarebaError(f"no option is called '{typed}'; {hint}")


def _numbers_to_type(count: int) -> str:
    """Return which numbers choose one of some options."""
    return f"type a number from 1 to {count}" if count > 1 else "type 1, the only option"


def _matches(phrases: Sequence[str], wanted: str, names: Sequence[str]) -> Iterator[list[int]]:
    """Yield the indices of the phrases that match some words in one way, from the strictest way to the loosest."""
    words = set(_WORD.findall(wanted))
    point = _compass_point(wanted)
    numbered = list(enumerate(phrases))
    yield [index for index, phrase in numbered if phrase == wanted]
    yield [index for index, phrase in numbered if point and _compass_point(phrase) == point]
    yield [index for index, name in enumerate(names) if wanted and name == wanted]
    yield [index for index, phrase in numbered if head(phrase) == wanted]
    yield [index for index, phrase in numbered if phrase.startswith(wanted)]
    yield [index for index, phrase in numbered if words and re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", phrase)]
    yield [index for index, phrase in numbered if words and words <= set(_WORD.findall(phrase))]


def head(phrase: str) -> str:
    """Return the name in a phrase without its place and kind: Fusiliers of "Fusiliers (red infantry) at D2"."""
    return re.split(r" \(| at |,", phrase, maxsplit=1)[0]


def _compass_point(words: str) -> str:
    """Return the letters of a compass direction: nne for "north-north-east", "face north-north-east" and "NNE".

    Return "" for anything else.
    """
    abbreviated = re.sub(r"north|south|east|west", lambda match: f" {match[0][0]} ", words.removeprefix("face "))
    letters = re.sub(r"[\s_-]", "", abbreviated)
    return letters if letters in _COMPASS_POINTS else ""


def compass(words: str) -> float | None:
    """Return a compass direction in degrees from north by east: 45 for "NE" and "north-east"; None for anything
    else.
    """
    letters = _compass_point(words.casefold())
    return _COMPASS_POINTS.index(letters) * 22.5 if letters else None


def read_yes(typed: str) -> bool:
    """Return True for yes and False for no. The numbers are those of the listed answers, no before yes."""
    if typed.casefold() in ("y", "yes", "2"):
        return True
    if typed.casefold() in ("n", "no", "1"):
        return False
    raise ZarebaError(f"'{typed}' is neither yes nor no; type y or n, or 1 for no and 2 for yes")
