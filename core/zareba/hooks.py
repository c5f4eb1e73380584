"""The hooks of the core: what a ruleset or a house rule may implement with `@zareba.hookimpl`.

Every hook is optional. House rules are asked in the order in which the session lists them; a function takes only the
arguments it needs. All hooks are collected once, when the rules of a session are resolved.

The order is the session's alone: `tryfirst` and `trylast` would let a file move itself before those that were listed ahead
of it, so they are refused. So is `wrapper`: what goes around a rule is a wrap of its procedure or step, which gets the very
thing it wraps and may leave it out; options, lines of tallies and reactions are added up, and there is nothing to go around.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pluggy import HookspecMarker

if TYPE_CHECKING:
    from zareba.activation import MakePolicy
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


@hookspec(firstresult=True)
def zareba_counts(state: Any, unit: Any) -> bool:  # type: ignore[empty-body]  # a specification has no body
    """Say whether a unit counts for its side: for holding ground, for being in the battle at all. All do unless told.

    Implemented by a ruleset that the core plays (`zareba.plain`).

    Example::

        @zareba.hookimpl
        def zareba_counts(state, unit):
            return "routed" not in unit.marks
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
    One with a method `follow` (`zareba.table.LooksAhead`) is told before each question how the step under way began and
    what was answered in it. A player of the name can then take a seat in every command.

    Example::

        @zareba.hookimpl
        def zareba_agents():
            return {"bold": lambda game, seat, seed: Doctrine(game, seat, seed, aggression=1.5)}
    """


@hookspec
def zareba_metrics() -> Sequence[Any]:  # type: ignore[empty-body]  # a specification has no body
    """Give metrics that comparisons measure besides their own. Implemented by an entry point of `zareba.plugins`.

    Each is a `zareba.analysis.games.metrics.Metric`, worked out from the records of games; its `id` must be new.

    Example::

        @zareba.hookimpl
        def zareba_metrics():
            def long_games(records, scope):
                return [Sample("over ten turns", "share", "share", tuple(float(r.turns > 10) for r in records))]
            words = "Share of games of more than ten turns."
            return [Metric("long", "Long games", "speed", words, False, long_games)]
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
def zareba_steps(ruleset: str) -> Mapping[str, Wrap]:  # type: ignore[empty-body]  # a specification has no body
    """Add steps before or after those of the order of play, or replace them, by name. A wrap gets the step and the state.

    What is done in a wrap belongs to the step: both are taken back together.

    Example::

        @zareba.hookimpl
        def zareba_steps(ruleset):
            def evening_gun(end_of_turn, table, battle):
                end_of_turn(table, battle)
                table.tell("note", "HOUSE-1", text="the evening gun was fired")
            return {"end.turn": evening_gun} if ruleset == "vcc" else {}
    """


@hookspec
def zareba_policy(ruleset: str) -> MakePolicy | None:
    """Put an activation policy in the place of the ruleset's own; None to leave it as it is.

    It is made with the order of play (`ruleset.yaml`, section `sequence`) and the sides, and must be derived from the
    class that the ruleset uses.

    Example::

        @zareba.hookimpl
        def zareba_policy(ruleset):
            def british_first(sequence, sides):
                order = list(sequence)
                native, british = order.index("native_moves"), order.index("british_moves")
                order[native], order[british] = "british_moves", "native_moves"
                return FixedPhases({phase: sequence[phase] for phase in order}, sides)
            return british_first if ruleset == "vcc" else None
    """


@hookspec
def zareba_event(table: Table, event: Event) -> None:
    """React to something that has just happened. The state of the game is `table.state`.

    What is told in a reaction the other house rules hear when all have reacted to what happened before; the one that
    told it does not hear it again. House rules that answer each other without end are stopped, and named.

    Example::

        @zareba.hookimpl
        def zareba_event(table, event):
            if event.kind == "leader killed":
                table.tell("note", "HOUSE-1", text="the bugler sounded the last post")
    """
