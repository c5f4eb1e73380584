"""Read the faces of real dice as players type them."""

from __future__ import annotations

from zareba.base.errors import ZarebaError
from zareba.base.grammar import amount
from zareba.chance import MOST_DICE


def read_dice(count: int, sides: int, typed: str) -> list[int]:
    """Return the faces of real dice: separate numbers, counts such as `2x5`, or one row of single digits."""
    if typed.isdecimal() and sides <= 9 and len(typed) == count:
        return [int(face) for face in typed]
    faces: list[int] = []
    for part in typed.replace(",", " ").split():
        first, times_sign, second = part.partition("x")
        is_valid = first.isdecimal() and (second.isdecimal() or not times_sign)
        if not is_valid or int(first) > MOST_DICE:
            wanted = (
                f"type {amount(count, 'number')} from 1 to {sides}{', one by one or as 2x5 1x6' if count > 1 else ''}"
            )
            raise ZarebaError(f"'{typed}' is not a list of dice; {wanted}, or auto")
        faces += [int(second)] * int(first) if times_sign else [int(first)]
    return faces
