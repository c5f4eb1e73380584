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
    from zareba.base.tally import Modifier
    from zareba.battle.appraisal import Appraisal
    from zareba.battle.umpire import Umpire
    from zareba.game.activation import MakePolicy
    from zareba.house import Kept
    from zareba.people.outcome import Outcome
    from zareba.plugins.ruleset import Game, Ruleset
    from zareba.rules import Setting
    from zareba.rules.procedure import Wrap
    from zareba.scenario import Scenario
    from zareba.table import Agent, Choose, Confirm, Event, Option, Place, Point, Roll, Step, Table

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
            return Path(__file__).parent.rglob("*.yaml")
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

    Each is a `zareba.api.metrics.Metric`, worked out from the records of games; its `id` must be new.

    Example::

        @zareba.hookimpl
        def zareba_metrics():
            def long_games(records, scope):
                return [Sample("over ten turns", "share", "share", tuple(float(r.turns > 10) for r in records))]
            words = "Share of games of more than ten turns."
            return [Metric("long", "Long games", "speed", words, False, long_games)]
    """


@hookspec
def zareba_sections() -> Sequence[Any]:  # type: ignore[empty-body]  # a specification has no body
    """Give sections that the report of a comparison has besides its own. Implemented by an entry point of `zareba.plugins`.

    Each is a `zareba.api.reports.ReportSection`: a heading, some words, and a table made from the records of the games.

    Example::

        @zareba.hookimpl
        def zareba_sections():
            def rows(records, titles):
                return [[titles[name], str(max(r.turns for r in records if r.variant == name))] for name in titles]
            return [ReportSection("Longest game", "Bring sandwiches.", ("system", "turns"), rows)]
    """


@hookspec
def zareba_sheets() -> Sequence[Any]:  # type: ignore[empty-body]  # a specification has no body
    """Give tables that quick sheets have besides their own. Implemented by an entry point of `zareba.plugins`.

    Each is a `zareba.api.reports.SheetTable`: a heading, and a table made from a ruleset as it is played tonight: its id,
    its file with all changes, its settings. No rows: the sheet goes without. The lines that a house rule adds, and its
    settings, are on the sheet by themselves.

    Example::

        @zareba.hookimpl
        def zareba_sheets():
            def rows(ruleset, data, settings):
                return [["from barrel to butt", "4"]] if ruleset == "vcc" else []
            return [SheetTable("A rifle as a measure", ("", "inches"), rows)]
    """


@hookspec
def zareba_commands() -> Mapping[str, Callable[..., Any]]:  # type: ignore[empty-body]  # a specification has no body
    """Give commands, which are then called as `zareba NAME`. Implemented by an entry point of `zareba.plugins`.

    Each is a function as typer takes them; `zareba plugins` lists them. An error for people is a
    `zareba.api.commands.ZarebaError`. No command of zareba's own is replaced.

    Example::

        @zareba.hookimpl
        def zareba_commands():
            def toss(sides: int = 6):
                \"\"\"Say on which number of a die the loser pays the drinks.\"\"\"
                print(sides)
            return {"toss": toss}
    """


@hookspec
def zareba_modifiers(ruleset: str, settings: Mapping[str, Any]) -> Mapping[str, Sequence[Modifier]]:  # type: ignore[empty-body]  # a specification has no body
    """Add lines at the end of tallies, by the name of the tally, or by what it decides in any system.

    "shooting", "melee", "morale", "movement" and "range" reach the numbers of every system that decide it; more is better
    there, whatever way the system counts, and the line stands ahead of those that keep the number within bounds. How far one
    may go or shoot is asked for again and again: no dice are thrown for it.

    `when` and `amount` may be functions of the facts, or of the facts and the situation (`Situation`: the state, the unit
    whose number it is, its target, the turn); they must depend on nothing else, because totals are remembered. `when` may also
    be conditions as YAML has them: `{"band": "long", "ammunition.rounds": {"at_most": 1}}`. Amounts are whole numbers or
    fractions, or `Thrown(1, 6)`, for which the table throws dice whenever the line applies.

    Example::

        @zareba.hookimpl
        def zareba_modifiers(ruleset):
            crack = Modifier("crack_shots", "HOUSE-1", "add", 1, when=lambda facts: facts.quality == "elite")
            return {"fire_dice": [crack]} if ruleset == "vcc" else {}
    """


@hookspec
def zareba_options(state: Any, question: Choose, ruleset: str, settings: Mapping[str, Any]) -> Sequence[Option] | None:
    """Veto, add or reorder the options of a choice: give the new list, or None to leave it as it is.

    An option that the rules do not know is an `Offer`: it says what is done, and as which of theirs it counts then. A filter
    only looks: one that changes the state is refused.

    Example::

        @zareba.hookimpl
        def zareba_options(state, question):
            if question.why == "fire at":
                return [option for option in question.options if option != "hospital"]
    """


@hookspec
def zareba_procedures(ruleset: str, settings: Mapping[str, Any]) -> Mapping[str, Wrap]:  # type: ignore[empty-body]  # a specification has no body
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
def zareba_steps(ruleset: str, settings: Mapping[str, Any]) -> Mapping[str, Wrap]:  # type: ignore[empty-body]  # a specification has no body
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
def zareba_policy(ruleset: str, settings: Mapping[str, Any]) -> MakePolicy | None:
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
def zareba_event(table: Table, event: Event, ruleset: str, settings: Mapping[str, Any]) -> None:
    """React to something that has just happened. The state of the game is `table.state`.

    What is told in a reaction the other house rules hear when all have reacted to what happened before; the one that
    told it does not hear it again. House rules that answer each other without end are stopped, and named.

    Example::

        @zareba.hookimpl
        def zareba_event(table, event):
            if event.kind == "leader killed":
                table.tell("note", "HOUSE-1", text="the bugler sounded the last post")
    """


# --- what a house rule has of its own -------------------------------------------------------------------------------------
# Every hook of a house rule may also ask for `ruleset`, the id of the system that is played, and `settings`, its own.


@hookspec
def zareba_settings(ruleset: str) -> Mapping[str, Setting]:  # type: ignore[empty-body]  # a specification has no body
    """Give settings of one's own, by name; people set them as `RULE.NAME`, and every hook may ask for them as `settings`.

    A default that is a text admits any text; one that is a list admits any list of words, of those in `values` if there are
    any: `Setting(rule="HOUSE-1", summary="who stays at home", default=["lancers"])`. A hook gets a list as a tuple.

    Example::

        @zareba.hookimpl
        def zareba_settings(ruleset):
            return {"rounds": Setting(rule="HOUSE-1", summary="volleys a unit", default=6, at_least=1, at_most=20)}
    """


@hookspec
def zareba_state(ruleset: str, settings: Mapping[str, Any]) -> Sequence[Kept]:  # type: ignore[empty-body]  # a specification has no body
    """Say what is kept in mind of the game, of each side or of each unit (`Kept`): it is saved, undone and shown with them.

    A house rule without this hook keeps whatever it names at its top: `rounds = Kept("rounds", 6)`.

    Example::

        rounds = Kept("rounds", 6, words="rounds left")

        @zareba.hookimpl
        def zareba_state(ruleset):
            return [rounds]
    """


@hookspec
def zareba_words(ruleset: str, settings: Mapping[str, Any]) -> Mapping[str, str]:  # type: ignore[empty-body]  # a specification has no body
    """Give the sentences for one's own questions, options, events and cards, with gaps for what they are about.

    `question WHY` may have the gaps {actor} and {seat}; `option WORD` {actor}, and {1}, {2} for the parts of a tuple after its
    word; `event KIND` what the event tells; `card NAME` none.

    Example::

        @zareba.hookimpl
        def zareba_words(ruleset):
            return {"event evening gun": "the evening gun was fired in turn {turn}"}
    """


# --- in play --------------------------------------------------------------------------------------------------------------


@hookspec
def zareba_scenario(scenario: Scenario, ruleset: str, settings: Mapping[str, Any]) -> Scenario | None:
    """Change what is played before it is laid out: who is there, when he arrives, what he is worth. None leaves it alone.

    A scenario is changed by `model_copy`; asked again it must say the same, for an evening that goes on begins anew.

    Example::

        @zareba.hookimpl
        def zareba_scenario(scenario):
            return scenario.model_copy(update={"turns": 4})
    """


@hookspec
def zareba_begin(table: Table, state: Any, umpire: Umpire, ruleset: str, settings: Mapping[str, Any]) -> None:
    """Do something before the first step of all, when the game begins; the table may be asked.

    `umpire` knows where pieces stand in inches, in every system, and may put them elsewhere.

    Example::

        @zareba.hookimpl
        def zareba_begin(table, state):
            table.tell("note", "HOUSE-1", text="the bugle sounded")
    """


@hookspec
def zareba_turn(table: Table, state: Any, turn: int, umpire: Umpire, ruleset: str, settings: Mapping[str, Any]) -> None:
    """Do something when a game turn begins, before its first step; `turn` counts from 1, alike in all systems.

    Example::

        @zareba.hookimpl
        def zareba_turn(table, state, turn):
            if table.roll(1, 6, why="weather", rule="HOUSE-1") == 1:
                table.tell("note", "HOUSE-1", text="it began to rain")
    """


@hookspec
def zareba_step(
    table: Table, state: Any, step: Step, umpire: Umpire, ruleset: str, settings: Mapping[str, Any]
) -> None:
    """Do something before each step of play, between two: nothing is under way then, and pieces may be put elsewhere.

    `umpire.there()` gives every piece on the table with its side and its place in inches; `umpire.put(piece, point)` puts one
    on it, or elsewhere, and says whether there was room; `umpire.sees(one, other)` whether ground hides a point from another.

    Example::

        @zareba.hookimpl
        def zareba_step(table, state, umpire):
            for piece, (side, at) in umpire.there().items():
                if at[1] > umpire.scenario.table.depth:
                    umpire.put(piece, (at[0], 1))
    """


@hookspec
def zareba_roll(
    table: Table, roll: Roll, throw: Callable[[Roll], Any], ruleset: str, settings: Mapping[str, Any]
) -> Any:
    """Have a part in every throw: throw again, throw other dice, read them otherwise, set a floor. None leaves it alone.

    `throw(roll)` throws what it is given, which may be `roll._replace(sides=8)`. What is given back stands for the dice.

    Example::

        @zareba.hookimpl
        def zareba_roll(table, roll, throw):
            if roll.why == "morale":
                return max(throw(roll), 3)
    """


@hookspec
def zareba_place(state: Any, question: Place, point: Point, ruleset: str, settings: Mapping[str, Any]) -> str | None:
    """Refuse a point of a free table: give the sentence why, None for a point that may be taken.

    Example::

        @zareba.hookimpl
        def zareba_place(state, question, point):
            return "the marsh is too deep" if point[0] < 2 else None
    """


@hookspec
def zareba_confirm(state: Any, question: Confirm, ruleset: str, settings: Mapping[str, Any]) -> bool | None:
    """Say yes or no in a player's place, who is then not asked; None leaves it to him.

    Example::

        @zareba.hookimpl
        def zareba_confirm(state, question):
            return False if question.why == "square" else None
    """


@hookspec
def zareba_appraise(
    state: Any, question: Choose, option: Option, ruleset: str, settings: Mapping[str, Any]
) -> Appraisal | None:
    """Say what an option is worth to a commander with sense, in shares of a unit; None where the rules know, or nobody does.

    What nobody appraises he plays on in his mind.

    Example::

        @zareba.hookimpl
        def zareba_appraise(state, question, option):
            if option == "dig in":
                return Appraisal(steadies=0.2, reason="cover for the next turns")
    """


@hookspec
def zareba_view(state: Any, seat: str, ruleset: str, settings: Mapping[str, Any]) -> None:
    """Take out of `state`, which is a copy, what a seat may not see. What is hidden from all others is better kept `secret`.

    Example::

        @zareba.hookimpl
        def zareba_view(state, seat):
            state.own.pop("house.weather_tomorrow", None)
    """


@hookspec
def zareba_over(state: Any, ruleset: str, settings: Mapping[str, Any]) -> str | None:
    """Say that the battle is over, by the reason in a word or two; None while it goes on.

    Example::

        @zareba.hookimpl
        def zareba_over(state):
            return "nightfall" if state.turn > 12 else None
    """


@hookspec
def zareba_outcome(state: Any, outcome: Outcome, ruleset: str, settings: Mapping[str, Any]) -> Outcome | None:
    """Say who has won and with how many points, given how the rules and those listed before see it; None leaves that.

    Example::

        @zareba.hookimpl
        def zareba_outcome(state, outcome):
            if outcome.ending == "turn limit":
                return replace(outcome, winner=None)
    """
