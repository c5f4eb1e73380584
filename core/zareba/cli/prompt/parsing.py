"""Parse typed answers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from zareba.base.errors import ZarebaError, nearest
from zareba.base.hidden_characters import fold
from zareba.chance import MOST_DICE

_WORD = re.compile(r"[\w-]+")
_POINTS = ("n", "nne", "ne", "ene", "e", "ese", "se", "sse", "s", "ssw", "sw", "wsw", "w", "wnw", "nw", "nnw")


def pick(phrases: Sequence[str], typed: str, names: Sequence[str] = ()) -> int:
    """Return the index of the option meant: by its number from 1, its phrase, or words that occur in only one phrase.

    A compass direction may be written in full or in letters. `names` holds alternative words for the options, "" for
    none. The ZarebaError lists the phrases in doubt, or suggests the nearest.
    """
    if typed.isdecimal():
        number = int(typed)
        if not 1 <= number <= len(phrases):
            raise ZarebaError(f"there is no option {number}; type a number from 1 to {len(phrases)}")
        return number - 1
    wanted = fold(typed).strip()
    plain = [fold(phrase) for phrase in phrases]
    words = set(_WORD.findall(wanted))
    way = _bearing(wanted)
    tests = (
        [index for index, phrase in enumerate(plain) if phrase == wanted],
        [index for index, phrase in enumerate(plain) if way and _bearing(phrase) == way],
        [index for index, name in enumerate(names) if wanted and fold(name) == wanted],
        [index for index, phrase in enumerate(plain) if head(phrase) == wanted],
        [index for index, phrase in enumerate(plain) if phrase.startswith(wanted)],
        [
            index
            for index, phrase in enumerate(plain)
            if words and re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", phrase)
        ],
        [index for index, phrase in enumerate(plain) if words and words <= set(_WORD.findall(phrase))],
    )
    for found in tests:
        if len(found) == 1:
            return found[0]
        if found:
            listed = "; ".join(f"{index + 1} {phrases[index]}" for index in found[:6])
            raise ZarebaError(f"'{typed}' may mean several options: {listed}")
    guess = nearest(wanted, plain)
    hint = (
        f"did you mean '{phrases[plain.index(guess)]}'?"
        if guess
        else f"type a number from 1 to {len(phrases)}, or help"
    )
    raise ZarebaError(f"no option is called '{typed}'; {hint}")


def head(phrase: str) -> str:
    """Return the name in a phrase without its place and kind: Fusiliers of "Fusiliers (red infantry) at D2"."""
    return re.split(r" \(| at |,", phrase, maxsplit=1)[0]


def _bearing(words: str) -> str:
    """Return the letters of a compass direction: nne for "north-north-east" and for "NNE"; "" for anything else."""
    parts = re.sub(r"north|south|east|west", lambda found: f" {found[0][0]} ", words)
    letters = re.sub(r"[\s_-]", "", parts)
    return letters if letters in _POINTS else ""


def compass(words: str) -> float | None:
    """Return a compass direction in degrees from north by east: 45 for "NE" and "north-east"; None for anything else."""
    letters = _bearing(words.casefold())
    return _POINTS.index(letters) * 22.5 if letters else None


def read_dice(count: int, sides: int, typed: str) -> list[int]:
    """Return the faces of real dice: separate numbers, counts such as `2x5`, or one row of single digits."""
    if typed.isdecimal() and sides <= 9 and len(typed) == count:
        return [int(face) for face in typed]
    faces: list[int] = []
    for part in typed.replace(",", " ").split():
        times, by, face = part.partition("x")
        if not (times.isdecimal() and (face.isdecimal() if by else not face)) or int(times) > MOST_DICE:
            raise ZarebaError(
                f"'{typed}' is not a list of dice; type {count} numbers from 1 to {sides}, one by one or as 2x5 1x6, or auto"
            )
        faces += [int(face)] * int(times) if by else [int(times)]
    return faces


def read_yes(typed: str) -> bool:
    """Return True for yes and False for no. The numbers are those of the listed answers, no before yes."""
    if typed.casefold() in ("y", "yes", "2"):
        return True
    if typed.casefold() in ("n", "no", "1"):
        return False
    raise ZarebaError(f"'{typed}' is neither yes nor no; type y or n, or 1 for no and 2 for yes")
