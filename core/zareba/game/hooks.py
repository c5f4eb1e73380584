"""House-rule hooks of a game: its start, each turn, views, evaluations, its end, and its texts.

`apply_hooks` replaces the methods that house rules hook into; all other methods of the game stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import count, takewhile
from string import Formatter
from typing import Any, TypeAlias

from zareba.base.errors import ZarebaError
from zareba.battle.evaluation import Evaluation
from zareba.battle.fallbacks import Fallback, default_name
from zareba.battle.umpire import Umpire
from zareba.house_rules.conditional_values import ActiveValues
from zareba.house_rules.hook_function import HookFunction
from zareba.house_rules.state_variables import StateVariable
from zareba.table.event import Event, mentions
from zareba.table.questions import Choose, Draw, Option, Question
from zareba.table.step import Step

__all__ = ["TURN", "apply_hooks"]

TURN = "zareba.turn"
"""The key in a state for the last game turn that was reported to house rules; missing before the first step."""


def apply_hooks(game: Any) -> None:
    """Wrap the methods of a game with the hooks of its house rules."""
    rules = game.rules
    hooks: Mapping[str, tuple[HookFunction, ...]] = rules.game_hooks
    shown = [one for one in rules.state_variables.values() if one.words]
    secret = [one for one in rules.state_variables.values() if one.secret]
    if rules.conditional_values:
        in_force = ActiveValues(game)
        game.perform = in_force.perform
        for name in ("evaluate", "best_options", "best_places"):
            setattr(game, name, partial(in_force.asked, name))
    begins, turns, steps = (hooks.get(name, ()) for name in ("zareba_begin", "zareba_turn", "zareba_step"))
    if begins or turns or steps:
        game.between = partial(_between, game, steps)
        game.perform = partial(_perform, game, game.perform, begins, turns)
    if hooks.get("zareba_view") or secret:
        see = partial(_see, hooks.get("zareba_view", ()), secret)
        game.view = partial(_view, game, game.view, see)
        game.determinize = partial(_imagine, game, game.determinize, see)
    own = game.own_outcome
    if hooks.get("zareba_over"):
        game.next_step = partial(_next_step, game.next_step, hooks["zareba_over"])
        game.ending = partial(_ending, game.ending, hooks["zareba_over"])
        game.own_outcome = own = partial(_ended, own, hooks["zareba_over"])
    if hooks.get("zareba_outcome"):
        game.printed_outcome = first = partial(_first, own, game.common_outcome)
        game.common_outcome = partial(_outcome, game.common_outcome, hooks["zareba_outcome"])
        game.outcome = partial(_outcome, first, hooks["zareba_outcome"])
    if rules.option_hooks or hooks.get("zareba_evaluate"):
        weigh = partial(_weighed, hooks.get("zareba_evaluate", ()))
        game.best_options = partial(_best_options, game.best_options, weigh)
        game.evaluate = partial(_evaluate, game.evaluate, weigh)
    if shown:
        game.condition = partial(_condition, game.condition, shown)
        game.drawn = partial(_drawn, game, game.drawn, shown)
    if rules.words:
        words = rules.words
        game.describe = partial(_describe, game, game.describe, words)
        game.describe_option = partial(_describe_option, game, game.describe_option, words)
        game.describe_event = partial(_describe_event, game, game.describe_event, words)
        game.describe_card = partial(_describe_card, game.describe_card, words)
    if hooks.get("zareba_view"):
        game.describe_option = partial(_describe_option_seen, game, game.describe_option)


# --- course of play -------------------------------------------------------------------------------------------------------


def _perform(
    game: Any,
    perform: Callable[..., None],
    begins: Sequence[HookFunction],
    turns: Sequence[HookFunction],
    table: Any,
    state: Any,
    step: Step,
) -> None:
    """Carry out a step after the house-rule hooks: those before the game, before a game turn, and before any step."""
    told, turn = state.own.get(TURN), game.game_turn(state)
    if told is None:
        state.own[TURN] = told = 0
        for hook in begins:
            hook(table=table, state=state, umpire=Umpire(game, table, state))
    if told < turn:
        state.own[TURN] = turn
        for hook in turns:
            hook(table=table, state=state, turn=turn, umpire=Umpire(game, table, state))
    game.between(table, state, step)
    perform(table, state, step)


def _between(game: Any, steps: Sequence[HookFunction], table: Any, state: Any, step: Step) -> None:
    for hook in steps:
        hook(table=table, state=state, step=step, umpire=Umpire(game, table, state))


def _next_step(next_step: Callable[[Any], Step | None], hooks: Sequence[HookFunction], state: Any) -> Step | None:
    return None if _over(hooks, state) else next_step(state)


def _ending(ending: Callable[[Any], str], hooks: Sequence[HookFunction], state: Any) -> str:
    return ending(state) or _over(hooks, state)


def _over(hooks: Sequence[HookFunction], state: Any) -> str:
    for hook in hooks:
        reason = hook.looks(state, "the end of the battle", partial(hook, state=state))
        if reason:
            if not isinstance(reason, str):
                raise hook.blame(TypeError(f"it returned {reason!r}, not one word for why the battle is over, or None"))
            return reason
    return ""


def _first(own: Callable[[Any], Any], common: Callable[[Any], Any], state: Any) -> Any:
    return own(state) or common(state)


def _ended(outcome: Callable[[Any], Any], hooks: Sequence[HookFunction], state: Any) -> Any:
    """Return the outcome by the ruleset's own victory rule, with the ending of a house rule, unknown to it, added."""
    found = outcome(state)
    return found if found is None or found.ending else replace(found, ending=_over(hooks, state))


def _outcome(outcome: Callable[[Any], Any], hooks: Sequence[HookFunction], state: Any) -> Any:
    found = outcome(state)
    for hook in hooks:
        given = hook.looks(state, "the outcome", partial(hook, state=state, outcome=found))
        if given is not None:
            if type(given) is not type(found):
                raise hook.blame(TypeError(f"it returned {given!r}, which is not an Outcome"))
            if given.winner is not None and given.winner not in found.points:
                raise hook.blame(ValueError(f"the winner '{given.winner}' is not a side of this game"))
            if given.winner != found.winner and given.decided_by == found.decided_by:
                ground = f"{given.ground}, " if given.ground != found.ground else ""
                given = replace(given, decided_by=f"{ground}house rule {hook.house_rule}")
            found = given
    return found


# --- views ----------------------------------------------------------------------------------------------------------------


def _see(hooks: Sequence[HookFunction], secret: Sequence[StateVariable], state: Any, seat: str) -> None:
    """Remove from a copy of the state everything that a seat may not see."""
    for variable in secret:
        for key in [key for key in state.own if key.startswith(f"{variable.full_name}/")]:
            name = key.partition("/")[2]
            side = (
                name if variable.of == "side" else getattr(getattr(state.units.get(name), "spec", None), "side", seat)
            )
            if side != seat:
                del state.own[key]
    for hook in hooks:
        hook(state=state, seat=seat)


def _view(game: Any, view: Callable[[Any, str], Any], see: Callable[[Any, str], None], state: Any, seat: str) -> Any:
    seen = view(state, seat).copy()  # a view may share its public parts with the state
    before = _pieces(game, seen)
    see(seen, seat)
    if hidden := before - _pieces(game, seen):
        game.conceal(seen, hidden)
    return seen


def _imagine(
    game: Any,
    determinize: Callable[[Any, str, int], Any],
    see: Callable[[Any, str], None],
    state: Any,
    seat: str,
    luck: int,
) -> Any:
    """Return an imagined state in which play can go on: pieces hidden by house rules are in it, but off the table."""
    imagined = determinize(state, seat, luck).copy()
    before = _pieces(game, imagined)
    see(imagined, seat)
    hidden = before - _pieces(game, imagined)
    for real, there in zip(game.pieces_in(state), game.pieces_in(imagined), strict=True):
        for name in [name for name in real if name in hidden]:
            there[name] = real[name].copy()
    for there in game.pieces_in(imagined):
        for name in [name for name in there if name in hidden]:
            game.put_away(imagined, there[name])
    return imagined


def _pieces(game: Any, state: Any) -> set[str]:
    return set().union(*game.pieces_in(state))


# --- evaluation -----------------------------------------------------------------------------------------------------------


def _weighed(
    hooks: Sequence[HookFunction], known: Callable[[Choose], Mapping[Option, Evaluation]], state: Any, question: Choose
) -> dict[Option, Evaluation]:
    """Return the evaluations of options by the ruleset or by house rules, with a fallback for unknown extra options."""
    brought = set(question.brought)
    own = tuple([option for option in question.options if option not in brought])
    worth = dict(known(question._replace(options=own, brought=()) if brought else question)) if own else {}
    for number, option in enumerate(question.options):
        for hook in hooks:
            look = partial(hook, state=state, question=question, option=option)
            said = hook.looks(state, f"the worth of '{option}'", look)
            if said is not None:
                if not isinstance(said, Evaluation):
                    raise hook.blame(TypeError(f"for '{option}' it returned {said!r}, which is not an Evaluation"))
                worth[option] = said
        if option not in worth and option in brought:
            worth[option] = Fallback(reason=f"{number + 1} of {len(question.options)}")
    return {option: worth[option] for option in question.options if option in worth}


def _best_options(best_options: Callable[..., Any], weigh: Callable[..., Any], state: Any, question: Choose) -> Any:
    return weigh(partial(best_options, state), state, question)


def _evaluate(evaluate: Callable[..., Any], weigh: Callable[..., Any], state: Any, question: Any) -> Any:
    if not isinstance(question, Choose):
        return evaluate(state, question)

    def known(asked: Choose) -> Mapping[Option, Evaluation]:
        return dict(zip(asked.options, evaluate(state, asked), strict=True))

    return list(weigh(known, state, question).values())


# --- texts ------------------------------------------------------------------------------------------------------------------


def _condition(condition: Callable[[Any], Any], shown: Sequence[StateVariable], state: Any) -> Any:
    """Return the condition of each unit, with the state variables of house rules added."""
    found = {unit: dict(said) for unit, said in condition(state).items()}
    for variable in shown:
        if variable.of == "unit":
            for unit, said in found.items():
                value = state.own.get(variable.key(unit), variable.start)
                said[variable.words] = value if isinstance(value, (int, float, str)) else str(value or "")
    return found


def _drawn(game: Any, drawn: Callable[[Any], Any], shown: Sequence[StateVariable], state: Any) -> Any:
    """Return the board with house-rule state variables: on pieces for units, in the headline for the game and sides."""
    board = drawn(state)
    pieces, done = [], set()
    for piece in board.pieces:
        unit = piece.look.unit or piece.id
        said = [] if unit in done else _said_of(shown, state, unit)
        done.add(unit)
        if said:
            look = replace(piece.look, states=(*piece.look.states, *said))
            piece = replace(piece, text=f"{piece.text}, {', '.join(said)}", look=look)
        pieces.append(piece)
    first = [variable.said(variable[state]) for variable in shown if variable.of == "game"]
    for variable in shown:
        if variable.of == "side":
            of_sides = [(side, variable.said(variable[state, side])) for side in game.seats]
            first += [f"{game.name_of(side)}: {words}" for side, words in of_sides if words]
    return replace(board, pieces=tuple(pieces), headline="; ".join(filter(None, [board.headline, *first])))


def _said_of(shown: Sequence[StateVariable], state: Any, unit: str) -> list[str]:
    said = [variable.said(variable[state, unit]) for variable in shown if variable.of == "unit" and unit in state.units]
    return [words for words in said if words]


Worded: TypeAlias = Mapping[str, tuple[str, str]]
"""Templates of house rules with the rule's name, by what each is for: `event dust`."""


def _describe(game: Any, describe: Callable[..., str], words: Worded, state: Any, question: Question) -> str:
    worded = words.get(f"question {question.why}")
    if worded is None:
        return describe(state, question)
    seat = getattr(question, "seat", None) or ""
    return _filled(game, worded, {"actor": question.actor, "seat": seat, "side": seat})


def _describe_option(
    game: Any, describe: Callable[..., str], words: Worded, state: Any, question: Choose, option: Option
) -> str:
    head = option[0] if isinstance(option, tuple) and option else option
    worded = words.get(f"option {head}")
    if worded is None:
        said: str = describe(state, question, option)
        return said
    rest = option[1:] if isinstance(option, tuple) else ()
    if _parts_named(worded[1]) > len(rest):  # a kind of act has the same word as its acts, but no target yet
        told: str = describe(state, question, option)
        return told
    return _filled(game, worded, {"actor": question.actor, **{str(place): one for place, one in enumerate(rest, 1)}})


@cache
def _parts_named(template: str) -> int:
    """Return how many parts of an option a template uses: 2 for `{1} at {2}` and for `{} at {}`."""
    names = [name for _, name, _, _ in Formatter().parse(template) if name is not None]
    return max([int(name) for name in names if name.isdigit()] + [names.count("")])


def _describe_option_seen(game: Any, describe: Callable[..., str], state: Any, question: Choose, option: Option) -> str:
    """Return the phrase of an option; a piece that `state` does not show has no name."""
    hidden = frozenset(game.known_pieces(game.origin)).difference(game.known_pieces(state))
    return "an enemy out of sight" if mentions(hidden, option) else describe(state, question, option)


def _describe_event(game: Any, describe: Callable[..., str], words: Worded, event: Event) -> str:
    worded = words.get(f"event {event.kind}")
    return describe(event) if worded is None else _filled(game, worded, event.data)


def _describe_card(describe: Callable[..., str], words: Worded, question: Draw, card: str) -> str:
    worded = words.get(f"card {card}")
    return describe(question, card) if worded is None else worded[1]


def _filled(game: Any, worded: tuple[str, str], data: Mapping[str, Any]) -> str:
    rule, template = worded
    words = {name: default_name(game, value) for name, value in data.items()}
    numbered = list(takewhile(lambda word: word is not None, (words.get(str(place)) for place in count(1))))
    try:
        return template.format("", *numbered, **words)
    except (KeyError, IndexError, ValueError, AttributeError) as error:
        raise ZarebaError(
            f"the text '{template}' of the house rule '{rule}' uses an unknown field ({error}); "
            f"known are {', '.join(data) or 'none'}"
        ) from error
