"""The `Ruleset` class: the data of a rule system and the game that plays it. Third-party rulesets use the same
interface as the built-in ones.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from zareba.base.errors import unknown_name
from zareba.battle.evaluation import Evaluation
from zareba.game import (
    HOLDING,
    Advisor,
    Display,
    Game,
    Narrator,
    OddsHorizon,
    OrderOfPlay,
    Play,
    Search,
    Sight,
    State,
    UnitChange,
)
from zareba.scenario.victory import Outcome

if TYPE_CHECKING:
    from pydantic import BaseModel

    from zareba.actions import ActionTable
    from zareba.odds import Procedure
    from zareba.odds.set_pieces import Staged
    from zareba.rules import Rules, RulesetFile
    from zareba.scenario import Scenario

__all__ = [
    "HOLDING",
    "Advisor",
    "Display",
    "Evaluation",
    "Force",
    "Game",
    "MakeForce",
    "Narrator",
    "OddsHorizon",
    "OrderOfPlay",
    "OutOfTurn",
    "Outcome",
    "Play",
    "Ruleset",
    "Search",
    "Sight",
    "State",
    "UnitChange",
]


class MakeGame(Protocol):
    """Makes the game of a scenario: a class derived from `Game`, or a function that returns one."""

    def __call__(self, rules: Rules, scenario: Scenario, solo: frozenset[str] = ..., /) -> Game[Any]: ...


class MakeCompanion(Protocol):
    """Makes the companion of a game for a real table: a class derived from `zareba.companion.Companion`."""

    @property
    def acts(self) -> Sequence[Any]:
        """The acts of the rules."""
        ...

    def __call__(self, game: Any, /) -> Any: ...


@dataclass(frozen=True)
class Force:
    """A force for a new scenario: units and leaders by id, each as an entry of a scenario file.

    `overrides` maps an entry of the ruleset's overrides to its mapping, such as the ranks of single figures.
    """

    units: Mapping[str, Mapping[str, Any]]
    leaders: Mapping[str, Mapping[str, Any]]
    overrides: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


class MakeForce(Protocol):
    """Makes a force from a template of the rules for a side, with or without the side's commander."""

    def __call__(self, rules: Rules, template: str, side: str, /, *, commands: bool) -> Force: ...


@dataclass(frozen=True)
class OutOfTurn:
    """The functions for fire out of turn under a ruleset, for house rules (`zareba.api.shoot`).

    `targets` returns the enemy units that a unit of a battle can shoot at as it stands. `shoot` receives the table,
    the battle, the unit and its target, resolves the shots and their casualties, and returns True if the unit fired.
    """

    targets: Callable[[Any, Any], Sequence[Any]]
    shoot: Callable[[Any, Any, Any, Any], bool]


@dataclass(frozen=True)
class Ruleset:
    """A rule system as a package provides it to the core.

    `folder` holds `ruleset.yaml` and `rules.yaml`; `file` is the model of the former; `game` makes the game.
    `procedures` are those whose odds can be computed; `facts` maps each tally to its class of facts. `solo`: the rules
    can run a side without a player; `instead_of_solo` names the alternative if not. `force` makes the units of an
    organisation template for a new scenario; None if the rules have no templates. `overrides` is the model of the
    scenario data for this ruleset alone, or None. `set_pieces` resolves the set pieces of `zareba.odds.set_pieces`
    under these rules. `package` is the Python package of the procedures, by default that of the game;
    `procedure_modules` lists modules of the core whose procedures the ruleset uses as its own. `out_of_turn` holds the
    functions for fire out of turn; None if the rules have no such fire. `parent` is the ruleset that this one extends,
    if any; `Ruleset.extended_by` sets it. `actions` are the tables of actions to which house rules may add. `companion`
    runs an evening at a real table; None if the ruleset has none.
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
    procedure_modules: tuple[str, ...] = ()
    out_of_turn: OutOfTurn | None = None
    parent: Ruleset | None = None
    actions: tuple[ActionTable[Any, Any], ...] = ()
    companion: MakeCompanion | None = None
    instead_of_solo: str = "the rulebook has no solo rules"
    _functions: dict[str, Callable[..., Any]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not self.package:
            object.__setattr__(self, "package", self.game.__module__.rpartition(".")[0])

    def extended_by(self, id: str, folder: Path) -> Ruleset:
        """Return the ruleset with its YAML in `folder` that extends this one and inherits all its code."""
        return replace(self, id=id, folder=folder, parent=self)

    @property
    def lineage(self) -> tuple[str, ...]:
        """The ids of this ruleset and of those it extends, nearest first."""
        return (self.id, *(self.parent.lineage if self.parent is not None else ()))

    @property
    def folders(self) -> tuple[Path, ...]:
        """The folders of this ruleset and of those it extends, nearest first."""
        return (self.folder, *(self.parent.folders if self.parent is not None else ()))

    @property
    def wrappable(self) -> dict[str, Callable[..., Any]]:
        """The rule functions that a house rule may wrap, by name: those decorated with `@procedure`."""
        package = self.package
        modules = [
            module
            for name, module in list(sys.modules.items())
            if name == package or name in self.procedure_modules or name.startswith(f"{package}.")
        ]
        found = (value for module in modules for value in vars(module).values() if callable(value))
        named = {value.procedure: value for value in found if isinstance(getattr(value, "procedure", None), str)}
        return dict(sorted(named.items()))

    def rule_function(self, name: str) -> Callable[..., Any]:
        """Return the rule function that a house rule calls by `name`. The ZarebaError for an unknown name suggests the
        nearest one.
        """
        if name not in self._functions:
            self._functions.update(self.wrappable)
        if name not in self._functions:
            raise unknown_name(f"procedure of {self.id} called", name, self._functions)
        return self._functions[name]

    def procedure(self, name: str) -> Procedure:
        """Return a procedure by name. The ZarebaError for an unknown name suggests the nearest one."""
        if name not in self.procedures:
            raise unknown_name(f"procedure of {self.id} called", name, self.procedures)
        return self.procedures[name]
