"""The hooks of the core: functions that a ruleset or a house rule may implement with `@zareba.hookimpl`.

Every hook is optional. House rules are called in the order in which the session lists them. A function takes only the
arguments it needs. All hooks are collected once, when the rules of a session are resolved.

Only the session decides the order. `tryfirst` and `trylast` are rejected, because a file could use them to move ahead
of the rules listed before it. `wrapper` is rejected too: to act around a rule, wrap its procedure or step. Such a wrap
gets the function it wraps and may skip it. Options, lines of tallies and reactions are combined in order, so there is
nothing to wrap.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pluggy import HookspecMarker

if TYPE_CHECKING:
    from zareba.actions import Action, SimpleAction
    from zareba.base.tally import Modifier
    from zareba.battle.evaluation import Evaluation
    from zareba.battle.umpire import Umpire
    from zareba.game.activation import MakePolicy
    from zareba.house_rules import StateVariable
    from zareba.plugins.ruleset import Game, Ruleset
    from zareba.rules import Setting
    from zareba.rules.procedure import Wrap
    from zareba.scenario import Scenario
    from zareba.scenario.victory import Outcome
    from zareba.table import Agent, Choose, Confirm, Event, Option, Place, Point, Roll, Step, Table

hookspec = HookspecMarker("zareba")


@hookspec(firstresult=True)
def zareba_ruleset() -> Ruleset:  # type: ignore[empty-body]  # a specification has no body
    """Return the ruleset of this package.

    Write this hook in the module that the package names in its entry point `zareba.rulesets`.

    Example::

        @zareba.hookimpl
        def zareba_ruleset():
            return Ruleset(id="vcc", folder=Path(__file__).parent, file=VccFile, game=VccGame)
    """


@hookspec(firstresult=True)
def zareba_counts(state: Any, unit: Any) -> bool:  # type: ignore[empty-body]  # a specification has no body
    """Return True if a unit counts for its side. By default all units count.

    A unit that does not count is out of control, like one that routs: it cannot hold an objective. Only one-page
    rulesets have this hook, because the core plays them (`zareba.simple_ruleset`).

    Example::

        @zareba.hookimpl
        def zareba_counts(state, unit):
            return "routed" not in unit.marks
    """


@hookspec
def zareba_house_rules() -> Iterable[Path]:  # type: ignore[empty-body]  # a specification has no body
    """Return the house rule files (`.yaml`, `.py`) that this package ships; a file's name is the name of its rule.

    Example::

        @zareba.hookimpl
        def zareba_house_rules():
            return Path(__file__).parent.rglob("*.yaml")
    """


@hookspec
def zareba_agents() -> Mapping[str, Callable[[Game[Any], str, int], Agent]]:  # type: ignore[empty-body]  # a specification has no body
    """Return AI players by name.

    Write this hook in the module that the package names in its entry point `zareba.plugins`. zareba creates a player
    with the game, its seat and a seed, and calls it with a question and the state. A player may have an attribute
    `reason`: why it chose its last answer. If it has a method `follow` (`zareba.table.LooksAhead`), zareba calls that
    before each question with the start state and the answers of the current step. Every command accepts the new names.

    Example::

        @zareba.hookimpl
        def zareba_agents():
            return {"bold": lambda game, seat, seed: Doctrine(game, seat, seed, aggression=1.5)}
    """


@hookspec
def zareba_metrics() -> Sequence[Any]:  # type: ignore[empty-body]  # a specification has no body
    """Return extra metrics for comparisons.

    Write this hook in the module that the package names in its entry point `zareba.plugins`. Each metric is a
    `zareba.api.metrics.Metric`, computed from the records of games. Its `id` must be new.

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
    """Return extra sections for comparison reports.

    Write this hook in the module that the package names in its entry point `zareba.plugins`. Each section is a
    `zareba.api.reports.ReportSection`: a heading, a text, and a table computed from the records of the games.

    Example::

        @zareba.hookimpl
        def zareba_sections():
            def rows(records, titles):
                return [[titles[name], str(max(r.turns for r in records if r.variant == name))] for name in titles]
            return [ReportSection("Longest game", "Bring sandwiches.", ("system", "turns"), rows)]
    """


@hookspec
def zareba_sheets() -> Sequence[Any]:  # type: ignore[empty-body]  # a specification has no body
    """Return extra tables for quick sheets.

    Write this hook in the module that the package names in its entry point `zareba.plugins`. Each table is a
    `zareba.api.reports.SheetTable`: a heading, and a function that returns the rows. The function receives the id of
    the ruleset, its data with all changes of house rules, and its settings. The sheet leaves out a table without rows.
    It already shows the lines and the settings that a house rule adds.

    Example::

        @zareba.hookimpl
        def zareba_sheets():
            def rows(ruleset, data, settings):
                return [["from barrel to butt", "4"]] if ruleset == "vcc" else []
            return [SheetTable("A rifle as a measure", ("", "inches"), rows)]
    """


@hookspec
def zareba_commands() -> Mapping[str, Callable[..., Any]]:  # type: ignore[empty-body]  # a specification has no body
    """Return extra commands, run as `zareba NAME`.

    Write this hook in the module that the package names in its entry point `zareba.plugins`. Each command is a typer
    function. Raise `zareba.api.commands.ZarebaError` for a mistake of the user. A command of zareba itself cannot be
    replaced. `zareba plugins` lists the extra commands.

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
    """Return extra lines for tallies, by the name of the tally or by its effect in any system.

    The names "shooting", "melee", "morale", "movement" and "range" work in every system: a line under one of them
    applies to every tally of the system with that effect. Under these names, a higher amount is always better for the
    unit, even where the system counts the other way round. The line applies before the minimum and maximum of the
    number. Lines for movement and range cannot roll dice, because the game computes these numbers many times a turn.

    `when` and `amount` may be functions of the facts, or of the facts and the context (`ModifierContext`: the state,
    the unit that the number belongs to, its target, the turn). They must depend on nothing else, because zareba caches
    totals. `when` may also hold conditions as in YAML: `{"band": "long", "ammunition.rounds": {"at_most": 1}}`. An
    amount is a whole number, a fraction, or `DiceResult(1, 6)`, which the table rolls each time the line applies.

    Example::

        @zareba.hookimpl
        def zareba_modifiers(ruleset):
            crack = Modifier("crack_shots", "HOUSE-1", "add", 1, when=lambda facts: facts.quality == "elite")
            return {"fire_dice": [crack]} if ruleset == "vcc" else {}
    """


@hookspec
def zareba_options(state: Any, question: Choose, ruleset: str, settings: Mapping[str, Any]) -> Sequence[Option] | None:
    """Remove, add or reorder the options of a choice: return the new list, or None for no change.

    To add an option that the rules do not know, add an `ExtraOption`. It holds a function to run, and the option of the
    rules with which play continues afterwards. The hook must not change the state.

    Example::

        @zareba.hookimpl
        def zareba_options(state, question):
            if question.why == "fire at":
                return [option for option in question.options if option != "hospital"]
    """


@hookspec
def zareba_actions(
    ruleset: str, settings: Mapping[str, Any]
) -> Mapping[str, Sequence[type[Action[Any, Any]] | SimpleAction[Any, Any]]] | None:
    """Return whole actions to add to the rules: for each question, a list of actions that may answer it.

    Each is a class derived from `Action`, or a `SimpleAction` if the action has no target or other detail to choose. It
    says when the action is legal, how it reads, whether its odds are shown, what it does and what it is worth to AI
    players. The prompt, the log, the page and the AI players then treat it like an action of the rules.
    `docs/how-to/action.md` lists the questions of each ruleset.

    Example::

        @zareba.hookimpl
        def zareba_actions(ruleset):
            cheer = SimpleAction(
                "cheer", "give three cheers",
                is_legal=lambda actor: "cheered" not in actor.unit.marks,
                effect=lambda table, actor: actor.unit.mark("cheered"),
                evaluation=RulesValue(lambda book: Evaluation(steadies=0.01, reason="cheers cost nothing")),
            )
            return {"act": [cheer]} if ruleset == "fixed_baynet" else {}
    """


@hookspec
def zareba_procedures(ruleset: str, settings: Mapping[str, Any]) -> Mapping[str, Wrap]:  # type: ignore[empty-body]  # a specification has no body
    """Wrap or replace procedures by name. A wrap receives the procedure and its arguments, and may ask the table.

    Example::

        @zareba.hookimpl
        def zareba_procedures(ruleset):
            def cheered(check_morale, table, battle, unit):
                table.emit("note", "HOUSE-1", text="hold fast, lads")
                return check_morale(table, battle, unit)
            return {"morale.check": cheered} if ruleset == "vcc" else {}
    """


@hookspec
def zareba_steps(ruleset: str, settings: Mapping[str, Any]) -> Mapping[str, Wrap]:  # type: ignore[empty-body]  # a specification has no body
    """Act before or after the steps of the order of play, or replace them, by name.

    A wrap receives the step, the table and the state. Whatever the wrap does is part of the step, so one undo takes
    back both.

    Example::

        @zareba.hookimpl
        def zareba_steps(ruleset):
            def evening_gun(end_of_turn, table, battle):
                end_of_turn(table, battle)
                table.emit("note", "HOUSE-1", text="the evening gun was fired")
            return {"end.turn": evening_gun} if ruleset == "vcc" else {}
    """


@hookspec
def zareba_policy(ruleset: str, settings: Mapping[str, Any]) -> MakePolicy | None:
    """Replace the activation policy of the ruleset: return a function that makes a policy, or None.

    The function receives the order of play (`ruleset.yaml`, section `sequence`) and the sides. Derive the policy from
    the class that the ruleset uses.

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

    A reaction may emit events too. First all house rules react to the current event. Then all of them except the one
    that emitted the new event receive it. If house rules react to each other without end, play stops with an error that
    names them.

    Example::

        @zareba.hookimpl
        def zareba_event(table, event):
            if event.kind == "leader killed":
                table.emit("note", "HOUSE-1", text="the bugler sounded the last post")
    """


# --- settings, state variables and texts of a house rule --------------------------------------------------------------
# Every hook of a house rule may also take `ruleset`, the id of the ruleset in play, and `settings`, the rule's own
# settings.


@hookspec
def zareba_settings(ruleset: str) -> Mapping[str, Setting]:  # type: ignore[empty-body]  # a specification has no body
    """Return the settings of this house rule, by name.

    Users set them as `RULE.NAME`, and every hook of the rule may take them as the argument `settings`.

    The default decides what a setting accepts. With a text, it accepts any text. With a list, it accepts any list of
    words, and if `values` is given, only those words: `Setting(rule="HOUSE-1", summary="who stays at home",
    default=["lancers"])`. A hook receives a list as a tuple.

    Example::

        @zareba.hookimpl
        def zareba_settings(ruleset):
            return {"rounds": Setting(rule="HOUSE-1", summary="volleys a unit", default=6, at_least=1, at_most=20)}
    """


@hookspec
def zareba_state(ruleset: str, settings: Mapping[str, Any]) -> Sequence[StateVariable]:  # type: ignore[empty-body]  # a specification has no body
    """Return the state variables of this house rule (`StateVariable`), stored for the game, each side or each unit.

    They are saved, undone and shown with the game. Without this hook, zareba uses every `StateVariable` that stands at
    the top of the file: `rounds = StateVariable("rounds", 6)`.

    Example::

        rounds = StateVariable("rounds", 6, words="rounds left")

        @zareba.hookimpl
        def zareba_state(ruleset):
            return [rounds]
    """


@hookspec
def zareba_words(ruleset: str, settings: Mapping[str, Any]) -> Mapping[str, str]:  # type: ignore[empty-body]  # a specification has no body
    """Return texts for the questions, options, events and cards of this house rule, with placeholders.

    `question WHY` may use {actor} and {seat}. `option WORD` may use {actor}, and {1}, {2} for the parts of a tuple
    after its first word. `event KIND` may use the fields of the event, which `zareba hooks RULESET` lists. `card NAME`
    has no placeholders.

    Example::

        @zareba.hookimpl
        def zareba_words(ruleset):
            return {"event evening gun": "the evening gun was fired in turn {turn}"}
    """


# --- in play ----------------------------------------------------------------------------------------------------------


@hookspec
def zareba_scenario(scenario: Scenario, ruleset: str, settings: Mapping[str, Any]) -> Scenario | None:
    """Return a changed scenario before it is set up: its units, their arrival, their quality. None means no change.

    Change it with `model_copy`. The hook must return the same result every time, because zareba calls it again when it
    resumes a saved game.

    Example::

        @zareba.hookimpl
        def zareba_scenario(scenario):
            return scenario.model_copy(update={"turns": 4})
    """


@hookspec
def zareba_begin(table: Table, state: Any, umpire: Umpire, ruleset: str, settings: Mapping[str, Any]) -> None:
    """Act once when the game begins, before its first step. The hook may ask the table.

    `umpire` knows the position of every piece in inches, in every system, and can move pieces.

    Example::

        @zareba.hookimpl
        def zareba_begin(table, state):
            table.emit("note", "HOUSE-1", text="the bugle sounded")
    """


@hookspec
def zareba_turn(table: Table, state: Any, turn: int, umpire: Umpire, ruleset: str, settings: Mapping[str, Any]) -> None:
    """Act at the start of a game turn, before its first step. `turn` counts from 1 in all systems.

    Example::

        @zareba.hookimpl
        def zareba_turn(table, state, turn):
            if table.roll(1, 6, why="weather", rule="HOUSE-1") == 1:
                table.emit("note", "HOUSE-1", text="it began to rain")
    """


@hookspec
def zareba_step(
    table: Table, state: Any, step: Step, umpire: Umpire, ruleset: str, settings: Mapping[str, Any]
) -> None:
    """Act before each step of play. No action is in progress then, so pieces may be moved.

    `umpire.pieces_on_table()` returns each piece on the table with its side and its position in inches.
    `umpire.put(piece, point)` places or moves a piece and returns True if there was room. `umpire.sees(one, other)`
    returns True if no terrain blocks the line between two points.

    Example::

        @zareba.hookimpl
        def zareba_step(table, state, umpire):
            for piece, (side, at) in umpire.pieces_on_table().items():
                if at[1] > umpire.scenario.table.depth:
                    umpire.put(piece, (at[0], 1))
    """


@hookspec
def zareba_roll(
    table: Table, roll: Roll, throw: Callable[[Roll], Any], ruleset: str, settings: Mapping[str, Any]
) -> Any:
    """Change a roll: reroll, roll other dice, read them differently, set a minimum. None means no change.

    `throw(roll)` rolls the given dice, which may be `roll._replace(sides=8)`. The returned value replaces the result
    of the dice.

    Example::

        @zareba.hookimpl
        def zareba_roll(table, roll, throw):
            if roll.why == "morale":
                return max(throw(roll), 3)
    """


@hookspec
def zareba_place(state: Any, question: Place, point: Point, ruleset: str, settings: Mapping[str, Any]) -> str | None:
    """Refuse a point on an open table: return the sentence that says why, or None if the point is allowed.

    Example::

        @zareba.hookimpl
        def zareba_place(state, question, point):
            return "the marsh is too deep" if point[0] < 2 else None
    """


@hookspec
def zareba_confirm(state: Any, question: Confirm, ruleset: str, settings: Mapping[str, Any]) -> bool | None:
    """Answer yes or no instead of a player, who is then not asked; None asks the player.

    Example::

        @zareba.hookimpl
        def zareba_confirm(state, question):
            return False if question.why == "square" else None
    """


@hookspec
def zareba_evaluate(
    state: Any, question: Choose, option: Option, ruleset: str, settings: Mapping[str, Any]
) -> Evaluation | None:
    """Return the value of an option for AI players, in shares of a unit; None leaves it to the rules.

    An AI player simulates an option that has no value.

    Example::

        @zareba.hookimpl
        def zareba_evaluate(state, question, option):
            if option == "dig in":
                return Evaluation(steadies=0.2, reason="cover for the next turns")
    """


@hookspec
def zareba_view(state: Any, seat: str, ruleset: str, settings: Mapping[str, Any]) -> None:
    """Remove from `state`, which is a copy, the data that a seat may not see.

    Units may be deleted from `state.units`. The ruleset then clears everything else that names them (positions,
    activation, carried objects), and AI players and odds treat them as off the table. `fog_of_war` is a shipped
    example. For a value that only its own side may see, a `secret` state variable is simpler.

    Example::

        @zareba.hookimpl
        def zareba_view(state, seat):
            state.own.pop("house.weather_tomorrow", None)
    """


@hookspec
def zareba_over(state: Any, ruleset: str, settings: Mapping[str, Any]) -> str | None:
    """End the battle: return the reason in a word or two, or None while play continues.

    Example::

        @zareba.hookimpl
        def zareba_over(state):
            return "nightfall" if state.turn > 12 else None
    """


@hookspec
def zareba_outcome(state: Any, outcome: Outcome, ruleset: str, settings: Mapping[str, Any]) -> Outcome | None:
    """Return a changed outcome: who has won, and with how many points. None means no change.

    `outcome` is the result by the rules and by the house rules listed before this one.

    Example::

        @zareba.hookimpl
        def zareba_outcome(state, outcome):
            if outcome.ending == "turn_limit":
                return replace(outcome, winner=None)
    """
