"""A game as house rules have it: how it begins, what each turn brings, what is seen, when it ends, and how all that reads.

The functions of a game that house rules have a part in are put over by others; where none has, the game stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import count, takewhile
from typing import Any, TypeAlias

from zareba.base.errors import ZarebaError
from zareba.battle.appraisal import Appraisal
from zareba.battle.umpire import Umpire
from zareba.battle.unforeseen import StandIn, plain
from zareba.house.hook import HookFunction
from zareba.house.kept import Kept
from zareba.house.sometimes import InForce
from zareba.table.event import Event
from zareba.table.questions import Choose, Draw, Option, Question
from zareba.table.step import Step

__all__ = ["TURN", "dress"]

TURN = "zareba.turn"
"""Under which name a state has the last game turn that house rules were told of; not there before the first step."""


def dress(game: Any) -> None:
    """Put what house rules say over what a game says itself."""
    rules = game.rules
    hooks: Mapping[str, tuple[HookFunction, ...]] = rules.game_hooks
    shown = [kept for kept in rules.kept.values() if kept.words]
    secret = [kept for kept in rules.kept.values() if kept.secret]
    if rules.sometimes:
        in_force = InForce(game)
        game.perform = in_force.perform
        for name in ("appraise", "best_options", "best_places"):
            setattr(game, name, partial(in_force.asked, name))
    begins, turns, steps = (hooks.get(name, ()) for name in ("zareba_begin", "zareba_turn", "zareba_step"))
    if begins or turns or steps:
        game.between = partial(_between, game, steps)
        game.perform = partial(_perform, game, game.perform, begins, turns)
    if hooks.get("zareba_view") or secret:
        see = partial(_see, hooks.get("zareba_view", ()), secret)
        game.view = partial(_view, game.view, see)
        game.imagine = partial(_imagine, game.imagine, see)
    own = game.own_outcome
    if hooks.get("zareba_over"):
        game.next_step = partial(_next_step, game.next_step, hooks["zareba_over"])
        game.ending = partial(_ending, game.ending, hooks["zareba_over"])
        game.own_outcome = own = partial(_ended, own, hooks["zareba_over"])
    if hooks.get("zareba_outcome"):
        game.printed_outcome = first = partial(_first, own, game.common_outcome)
        game.common_outcome = partial(_outcome, game.common_outcome, hooks["zareba_outcome"])
        game.outcome = partial(_outcome, first, hooks["zareba_outcome"])
    if rules.option_hooks or hooks.get("zareba_appraise"):
        weigh = partial(_weighed, hooks.get("zareba_appraise", ()))
        game.best_options = partial(_best_options, game.best_options, weigh)
        game.appraise = partial(_appraise, game.appraise, weigh)
    if shown:
        game.condition = partial(_condition, game.condition, shown)
        game.drawn = partial(_drawn, game, game.drawn, shown)
    if rules.words:
        words = rules.words
        game.describe = partial(_describe, game, game.describe, words)
        game.describe_option = partial(_describe_option, game, game.describe_option, words)
        game.describe_event = partial(_describe_event, game, game.describe_event, words)
        game.describe_card = partial(_describe_card, game.describe_card, words)


# --- how it goes ----------------------------------------------------------------------------------------------------------


def _perform(
    game: Any,
    perform: Callable[..., None],
    begins: Sequence[HookFunction],
    turns: Sequence[HookFunction],
    table: Any,
    state: Any,
    step: Step,
) -> None:
    """A step; before the first of all, the first of each game turn, and any, house rules have their say."""
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
                raise hook.blame(
                    TypeError(f"it gave {reason!r}, not the reason in a word why the battle is over, or None")
                )
            return reason
    return ""


def _first(own: Callable[[Any], Any], common: Callable[[Any], Any], state: Any) -> Any:
    return own(state) or common(state)


def _ended(outcome: Callable[[Any], Any], hooks: Sequence[HookFunction], state: Any) -> Any:
    """How things stand by a law of the rules' own, which knows no other end than its own."""
    found = outcome(state)
    return found if found is None or found.ending else replace(found, ending=_over(hooks, state))


def _outcome(outcome: Callable[[Any], Any], hooks: Sequence[HookFunction], state: Any) -> Any:
    found = outcome(state)
    for hook in hooks:
        given = hook.looks(state, "the outcome", partial(hook, state=state, outcome=found))
        if given is not None:
            if type(given) is not type(found):
                raise hook.blame(TypeError(f"it gave {given!r}, which is no Outcome"))
            if given.winner is not None and given.winner not in found.points:
                raise hook.blame(ValueError(f"the winner is '{given.winner}', who is no side of this game"))
            if given.winner != found.winner and given.decided_by == found.decided_by:
                ground = f"{given.ground}, " if given.ground != found.ground else ""
                given = replace(given, decided_by=f"{ground}house rule {hook.house_rule}")
            found = given
    return found


# --- what is seen ---------------------------------------------------------------------------------------------------------


def _see(hooks: Sequence[HookFunction], secret: Sequence[Kept], state: Any, seat: str) -> None:
    """Take out of a copy of the state what a seat may not see."""
    for kept in secret:
        for key in [key for key in state.own if key.startswith(f"{kept.full_name}/")]:
            name = key.partition("/")[2]
            side = name if kept.of == "side" else getattr(getattr(state.units.get(name), "spec", None), "side", seat)
            if side != seat:
                del state.own[key]
    for hook in hooks:
        hook(state=state, seat=seat)


def _view(view: Callable[[Any, str], Any], see: Callable[[Any, str], None], state: Any, seat: str) -> Any:
    seen = view(state, seat).copy()  # a view may share with the state what is public
    see(seen, seat)
    return seen


def _imagine(
    imagine: Callable[[Any, str, int], Any], see: Callable[[Any, str], None], state: Any, seat: str, luck: int
) -> Any:
    imagined = imagine(state, seat, luck).copy()
    see(imagined, seat)
    return imagined


# --- what it is worth -----------------------------------------------------------------------------------------------------


def _weighed(
    hooks: Sequence[HookFunction], known: Callable[[Choose], Mapping[Option, Appraisal]], state: Any, question: Choose
) -> dict[Option, Appraisal]:
    """What the options are worth: as the rules say, as house rules say, and for what nobody knows a stand-in."""
    brought = set(question.brought)
    own = tuple([option for option in question.options if option not in brought])
    worth = dict(known(question._replace(options=own, brought=()) if brought else question)) if own else {}
    for number, option in enumerate(question.options):
        for hook in hooks:
            look = partial(hook, state=state, question=question, option=option)
            said = hook.looks(state, f"the worth of '{option}'", look)
            if said is not None:
                if not isinstance(said, Appraisal):
                    raise hook.blame(TypeError(f"for '{option}' it gave {said!r}, which is no Appraisal"))
                worth[option] = said
        if option not in worth and option in brought:
            worth[option] = StandIn(reason=f"{number + 1} of {len(question.options)}")
    return {option: worth[option] for option in question.options if option in worth}


def _best_options(best_options: Callable[..., Any], weigh: Callable[..., Any], state: Any, question: Choose) -> Any:
    return weigh(partial(best_options, state), state, question)


def _appraise(appraise: Callable[..., Any], weigh: Callable[..., Any], state: Any, question: Any) -> Any:
    if not isinstance(question, Choose):
        return appraise(state, question)

    def known(asked: Choose) -> Mapping[Option, Appraisal]:
        return dict(zip(asked.options, appraise(state, asked), strict=True))

    return list(weigh(known, state, question).values())


# --- how it reads -----------------------------------------------------------------------------------------------------------


def _condition(condition: Callable[[Any], Any], shown: Sequence[Kept], state: Any) -> Any:
    """How each unit is off, with what house rules keep of it."""
    found = {unit: dict(said) for unit, said in condition(state).items()}
    for kept in shown:
        if kept.of == "unit":
            for unit, said in found.items():
                value = state.own.get(kept.key(unit), kept.start)
                said[kept.words] = value if isinstance(value, (int, float, str)) else str(value or "")
    return found


def _drawn(game: Any, drawn: Callable[[Any], Any], shown: Sequence[Kept], state: Any) -> Any:
    """The board, with what house rules keep of each unit beside it, and of the game and the sides in its first line."""
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
    first = [kept.said(kept[state]) for kept in shown if kept.of == "game"]
    for kept in shown:
        if kept.of == "side":
            of_sides = [(side, kept.said(kept[state, side])) for side in game.seats]
            first += [f"{game.name_of(side)}: {words}" for side, words in of_sides if words]
    return replace(board, pieces=tuple(pieces), headline="; ".join(filter(None, [board.headline, *first])))


def _said_of(shown: Sequence[Kept], state: Any, unit: str) -> list[str]:
    said = [kept.said(kept[state, unit]) for kept in shown if kept.of == "unit" and unit in state.units]
    return [words for words in said if words]


Worded: TypeAlias = Mapping[str, tuple[str, str]]
"""The house rule and its sentence, by what the sentence is for: `event dust`."""


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
    return _filled(game, worded, {"actor": question.actor, **{str(place): one for place, one in enumerate(rest, 1)}})


def _describe_event(game: Any, describe: Callable[..., str], words: Worded, event: Event) -> str:
    worded = words.get(f"event {event.kind}")
    return describe(event) if worded is None else _filled(game, worded, event.data)


def _describe_card(describe: Callable[..., str], words: Worded, question: Draw, card: str) -> str:
    worded = words.get(f"card {card}")
    return describe(question, card) if worded is None else worded[1]


def _filled(game: Any, worded: tuple[str, str], data: Mapping[str, Any]) -> str:
    rule, template = worded
    words = {name: plain(game, value) for name, value in data.items()}
    numbered = list(takewhile(lambda word: word is not None, (words.get(str(place)) for place in count(1))))
    try:
        return template.format("", *numbered, **words)
    except (KeyError, IndexError, ValueError, AttributeError) as error:
        raise ZarebaError(
            f"the words '{template}' of the house rule '{rule}' have a gap that is not filled ({error}); "
            f"known are {', '.join(data) or 'none'}"
        ) from error
