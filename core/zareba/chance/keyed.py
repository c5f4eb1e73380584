"""Seeded dice: each roll depends on the seed and on a key that names its purpose.

The faces of a roll depend on the seed of the session and on the key of the roll (turn, step, actor, purpose, ordinal),
never on the number of dice rolled before. A house rule that adds a roll leaves all other rolls unchanged, so a game
with it and a game without it share their luck.
"""

from __future__ import annotations

from hashlib import shake_128

__all__ = ["KeyedDice"]

_SPARE_BITS = 64  # makes the bias of the division below smaller than 2**-64


class KeyedDice:
    """A source of random faces and numbers for one seed. Stateless: the same key always gives the same result."""

    __slots__ = ("_prefix",)

    def __init__(self, seed: int) -> None:
        self._prefix = f"{seed}/"

    def faces(self, key: str, count: int, sides: int) -> list[int]:
        """Return `count` faces from 1 to `sides`."""
        bits = count * sides.bit_length() + _SPARE_BITS
        number = int.from_bytes(shake_128((self._prefix + key).encode()).digest(bits // 8 + 1), "little")
        faces = []
        for _ in range(count):
            number, face = divmod(number, sides)
            faces.append(face + 1)
        return faces

    def below(self, key: str, bound: int) -> int:
        """Return a number from 0 to `bound` - 1."""
        length = max(16, (bound.bit_length() + _SPARE_BITS) // 8 + 1)
        number = int.from_bytes(shake_128((self._prefix + key).encode()).digest(length), "little")
        return number % bound
