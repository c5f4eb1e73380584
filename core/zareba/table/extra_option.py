"""Extra options: choices that a house rule adds to those of the ruleset."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["ExtraOption"]


class ExtraOption(str):
    """An option that only a house rule knows, in the list that `zareba_options` gives: `ExtraOption("dig in", dig_in, then="hold")`.

    When it is taken, `do(table, state, question)` is run, and may ask the table and change the state. Then play goes on as if
    the option `then` had been taken: one that the rules themselves offer in that choice. It reads as its word; the hook
    `zareba_words` may give it others.
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
