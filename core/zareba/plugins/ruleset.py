"""What a ruleset is: its data, and a game that plays it. The built-in ones use nothing that a third party cannot."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from zareba.base.errors import unknown_name
from zareba.battle.appraisal import Appraisal
from zareba.game import HOLDING, Change, Game, OrderOfPlay, State
from zareba.people.outcome import Outcome

if TYPE_CHECKING:
    from pydantic import BaseModel

    from zareba.odds import Procedure
    from zareba.odds.set_pieces import Staged
    from zareba.rules import Rules, RulesetFile
    from zareba.scenario import Scenario
    from zareba.scenario.force import Force

__all__ = [
    "HOLDING",
    "Appraisal",
    "Change",
    "Game",
    "MakeForce",
    "OrderOfPlay",
    "OutOfTurn",
    "Outcome",
    "Ruleset",
    "State",
]


class MakeGame(Protocol):
    """How a ruleset makes the game of a scenario: a class derived from `Game`, or a function that gives one."""

    def __call__(self, rules: Rules, scenario: Scenario, solo: frozenset[str] = ..., /) -> Game[Any]: ...


class MakeForce(Protocol):
    """How a ruleset makes a force: of the template asked for, for a side, with the side's commander or without."""

    def __call__(self, rules: Rules, asked: str, side: str, *, commands: bool) -> Force: ...


@dataclass(frozen=True)
class OutOfTurn:
    """How a unit shoots out of its turn under some rules, for house rules (`zareba.api.shoot`).

    `targets` gives the enemy units at which a unit of a battle may shoot as it stands. `shoot` gets the table, the battle, the
    unit and its target, carries out the shots and their losses, and returns True if the unit fired.
    """

    targets: Callable[[Any, Any], Sequence[Any]]
    shoot: Callable[[Any, Any, Any, Any], bool]


@dataclass(frozen=True)
class Ruleset:
    """A rule system as a package gives it to the core.

    `folder` holds `ruleset.yaml` and `rules.yaml`; `file` is the model of the former; `game` plays; `procedures` are
    those whose odds can be asked; `facts` gives the kind of facts of each tally. `solo`: the rules can run a side by themselves. `force`: gives the units of one of the
    rules' organisation templates for a new scenario, None where the rules have none. `overrides`: the model of what a
    scenario may say for these rules alone, None where that is nothing. `set_pieces`: how the set
    pieces of `zareba.odds.set_pieces` are settled under them. `package`: where its procedures stand, the one of
    its game unless told; `lends`: modules of the core whose procedures it uses as its own. `out_of_turn`: how its units shoot
    out of their turn; None where they do not.
    """

    id: str
    folder: Path
    file: type[RulesetFile]
    game: MakeGame
    procedures: Mapping[str, Procedure] = field(default_factory=dict)
    facts: Mapping[str, type] = field(default_factory=dict)
    solo: bool = False
    force: MakeForce | None = None
    overrides: type[BaseModel] | None = None
    set_pieces: Callable[[Rules], Staged] | None = None
    package: str = ""
    lends: tuple[str, ...] = ()
    out_of_turn: OutOfTurn | None = None
    _functions: dict[str, Callable[..., Any]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not self.package:
            object.__setattr__(self, "package", self.game.__module__.rpartition(".")[0])

    @property
    def wrappable(self) -> dict[str, Callable[..., Any]]:
        """The rule functions that a house rule may wrap, by name: those made with `@procedure`."""
        package = self.package
        modules = [
            module
            for name, module in list(sys.modules.items())
            if name == package or name in self.lends or name.startswith(f"{package}.")
        ]
        found = (value for module in modules for value in vars(module).values() if callable(value))
        named = {value.procedure: value for value in found if isinstance(getattr(value, "procedure", None), str)}
        return dict(sorted(named.items()))

    def rule_function(self, name: str) -> Callable[..., Any]:
        """Return the rule function that a house rule calls by `name`; raises ZarebaError with the nearest one."""
        if name not in self._functions:
            self._functions.update(self.wrappable)
        if name not in self._functions:
            raise unknown_name(f"procedure of {self.id} called", name, self._functions)
        return self._functions[name]

    def procedure(self, name: str) -> Procedure:
        """The procedure called `name`; raises ZarebaError with the nearest one."""
        if name not in self.procedures:
            raise unknown_name(f"procedure of {self.id} called", name, self.procedures)
        return self.procedures[name]
