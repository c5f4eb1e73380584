"""Extra options: choices that a house rule adds to those of the ruleset."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["ExtraOption"]


class ExtraOption(str):
    """An option that a house rule adds to the list it returns from `zareba_options`: `ExtraOption("dig in", dig_in,
    then="hold")`.

    If the player takes the option, `do(table, state, question)` runs; it may ask the table questions and change the
    state. Play then continues as if the player had taken the option `then`, which must be one that the rules offer in
    the same choice. Players read the option as its word; the hook `zareba_words` can give it another text.
    """

    __slots__ = ("do", "hook", "then")

    do: Callable[..., Any]
    then: Any
    hook: Any

    def __new__(cls, word: str, do: Callable[..., Any], *, then: Any) -> ExtraOption:
        offer = super().__new__(cls, word)
        offer.do = do
        offer.then = then
        offer.hook = None
        return offer
