"""The numbers, throws and cards of an act, put together as people ask why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from types import NoneType
from typing import Any

from zareba.amounts import counted
from zareba.chance.meaning import Rows
from zareba.game import Game
from zareba.session import Answered
from zareba.table import Draw, Roll
from zareba.tally import Tally

__all__ = ["Reckoning", "drawn", "fell", "reckonings", "thrown"]


@dataclass
class Reckoning:
    """Numbers of one kind, or throws or cards of one kind, that were made one after the other.

    A throw stands by itself: some numbers say how many dice are thrown, others are made of what they show.
    """

    tallies: list[Tally] = field(default_factory=list)
    throws: list[Answered] = field(default_factory=list)

    def takes(self, one: Tally | Answered) -> bool:
        """Whether a number or throw goes with these."""
        if isinstance(one, Tally):
            return bool(self.tallies) and self.tallies[-1].rule.name == one.rule.name
        last = self.throws[-1].question if self.throws else None
        return last is not None and (last.why, last.rule) == (one.question.why, one.question.rule)

    @property
    def title(self) -> str:
        """What was reckoned, with the totals and the rule; "" of dice."""
        if not self.tallies:
            return ""
        rule = self.tallies[0].rule
        *others, last = [one.total for one in self.tallies]
        totals = ", ".join([*map(str, others), counted(last, rule.unit)])
        return f"{rule.name.replace('_', ' ')}: {totals} ({rule.rule})"


def reckonings(numbers: Sequence[Tally | Answered]) -> list[Reckoning]:
    """Numbers and throws in their order, those that belong together as one."""
    found: list[Reckoning] = []
    for one in numbers:
        if not found or not found[-1].takes(one):
            found.append(Reckoning())
        if isinstance(one, Tally):
            found[-1].tallies.append(one)
        else:
            found[-1].throws.append(one)
    return found


def thrown(one: Answered) -> str:
    """The faces of a throw, what several of them come to, and what that says in the rules."""
    assert isinstance(one.question, Roll), "only dice have faces"
    read, means = one.question.read, one.question.means
    faces, answer = " ".join(map(str, one.faces)), read.said(one.answer)
    told = "" if means is None else means.said(read, one.answer)
    plain = len(one.faces) < 2 or answer == ", ".join(map(str, one.faces)) or not isinstance(means, (Rows, NoneType))
    return "; ".join(filter(None, [f"{faces or answer}{'' if plain else f', so {answer}'}", told]))


def drawn(game: Game[Any], one: Answered) -> str:
    """The card that was drawn, and what it says in the rules."""
    assert isinstance(one.question, Draw), "only cards are drawn"
    card, means = game.describe_card(one.question, str(one.answer)), one.question.means
    told = "" if means is None else means.said(None, one.answer)
    own = means is not None and told != means.whole(None)  # and not only what it is drawn for, as the question says
    return f"{card}; {told}" if own else card


def fell(game: Game[Any], one: Answered) -> str:
    """What chance said: faces or a card, and what that says in the rules."""
    return drawn(game, one) if isinstance(one.question, Draw) else thrown(one)
