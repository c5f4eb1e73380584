"""The hooks of the core: what a ruleset or a house rule may implement with `@zareba.hookimpl`.

Every hook is optional. House rules are asked in the order in which the session lists them; a function takes only the
arguments it needs. All hooks are collected once, when the rules of a session are resolved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pluggy import HookspecMarker

if TYPE_CHECKING:
    from zareba.rules.procedure import Wrap
    from zareba.ruleset import Game, Ruleset
    from zareba.table import Agent, Choose, Event, Option, Table
    from zareba.tally import Modifier

hookspec = HookspecMarker("zareba")


@hookspec(firstresult=True)
def zareba_ruleset() -> Ruleset:  # type: ignore[empty-body]  # a specification has no body
    """Give the ruleset of this package. Implemented by the module behind an entry point of `zareba.rulesets`.

    Example::

        @zareba.hookimpl
        def zareba_ruleset():
            return Ruleset(id="vcc", folder=Path(__file__).parent, file=VccFile, game=VccGame)
    """


@hookspec
def zareba_house_rules() -> Iterable[Path]:  # type: ignore[empty-body]  # a specification has no body
    """Give the house rule files (`.yaml`, `.py`) that this package ships; their names are those of the files.

    Example::

        @zareba.hookimpl
        def zareba_house_rules():
            return Path(__file__).parent.glob("*.yaml")
    """


@hookspec
def zareba_agents() -> Mapping[str, Callable[[Game[Any], str, int], Agent]]:  # type: ignore[empty-body]  # a specification has no body
    """Give program players by name. Implemented by the module behind an entry point of `zareba.plugins`.

    Each is made with the game, its seat and a seed, and called with a question and the state; it may have a `reason`.
    A player of the name can then take a seat in every command.

    Example::

        @zareba.hookimpl
        def zareba_agents():
            return {"bold": lambda game, seat, seed: Doctrine(game, seat, seed, aggression=1.5)}
    """


@hookspec
def zareba_modifiers(ruleset: str) -> Mapping[str, Sequence[Modifier]]:  # type: ignore[empty-body]  # a specification has no body
    """Add lines at the end of tallies, by the name of the tally.

    `when` and `amount` may be functions of the facts; they must depend on nothing else, because totals are remembered
    by facts. Amounts are whole numbers or fractions.

    Example::

        @zareba.hookimpl
        def zareba_modifiers(ruleset):
            crack = Modifier("crack_shots", "HOUSE-1", "add", 1, when=lambda facts: facts.quality == "elite")
            return {"fire_dice": [crack]} if ruleset == "vcc" else {}
    """


@hookspec
def zareba_options(state: Any, question: Choose) -> Sequence[Option] | None:
    """Veto, add or reorder the options of a choice: give the new list, or None to leave it as it is.

    Example::

        @zareba.hookimpl
        def zareba_options(state, question):
            if question.why == "fire at":
                return [option for option in question.options if option != "hospital"]
    """


@hookspec
def zareba_procedures(ruleset: str) -> Mapping[str, Wrap]:  # type: ignore[empty-body]  # a specification has no body
    """Wrap or replace procedures by name. A wrap gets the procedure and its arguments, and may ask the table.

    Example::

        @zareba.hookimpl
        def zareba_procedures(ruleset):
            def cheered(check_morale, table, battle, unit):
                table.tell("note", "HOUSE-1", text="hold fast, lads")
                return check_morale(table, battle, unit)
            return {"morale.check": cheered} if ruleset == "vcc" else {}
    """


@hookspec
def zareba_event(table: Table, event: Event) -> None:
    """React to something that has just happened. The state of the game is `table.state`.

    Example::

        @zareba.hookimpl
        def zareba_event(table, event):
            if event.kind == "leader killed":
                table.tell("note", "HOUSE-1", text="the bugler sounds the last post")
    """
