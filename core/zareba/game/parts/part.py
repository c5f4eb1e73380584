"""The base class of the parts of a game, and what they use of the game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from zareba.base.state import Record
from zareba.game.activation import Policy
from zareba.house_rules.conditional_values import ActiveValues
from zareba.presentation.umpire_editor import UmpireEditor
from zareba.table.questions import Question, Step
from zareba.table.table import Table

if TYPE_CHECKING:
    from zareba.rules import Rules
    from zareba.scenario import Scenario
    from zareba.scenario.victory import Scoreboard


S = TypeVar("S", bound=Record)
Played = TypeVar("Played", contravariant=True)


class OrderOfPlay(Protocol[Played]):
    """An object that carries out the steps of a ruleset."""

    def perform(self, table: Table, battle: Played, step: Step, /) -> None:
        """Carry out a step, changing the state."""
        ...


class KnowsWords(Protocol):
    """The members of a narrator that the other parts use."""

    def name_of(self, word: str, /) -> str:
        """Return the name of a piece, a side or a terrain piece."""
        ...

    def knows_question(self, state: Any, question: Question, /) -> bool:
        """Return True if the rules have words for a question."""
        ...


class GameOfParts(Protocol[S]):
    """The members of a game that its parts use (`zareba.game.Game`)."""

    rules: Rules
    scenario: Scenario
    untranslated: tuple[str, ...]
    seats: tuple[str, ...]
    active_values: ActiveValues | None

    @property
    def policy(self) -> Policy:
        """The object that decides the next step."""
        ...

    @property
    def sequence(self) -> OrderOfPlay[S]:
        """The object that carries out the steps."""
        ...

    @property
    def origin(self) -> S:
        """A state before the first step."""
        ...

    @property
    def narrator(self) -> KnowsWords:
        """The narrator of the game."""
        ...

    def game_turn(self, state: S, /) -> int:
        """Return the game turn of a state."""
        ...

    def scoreboard(self, state: S, /) -> Scoreboard[Any]:
        """Return the present score."""
        ...

    def umpire_editor(self) -> UmpireEditor[S]:
        """Return the umpire's editor."""
        ...


class Part(Generic[S]):
    """A part of a game. `game` is the game that it belongs to; a ruleset declares its own class: `game: HillsGame`."""

    def __init__(self, game: GameOfParts[S]) -> None:
        self.game = game
