"""Evaluation of options for the AI players. One unit of value is a squad of twenty."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from operator import attrgetter
from typing import Any

from zareba.base.exact import atan2d
from zareba.battle.evaluation import Evaluation, evaluate_each, fixed_values
from zareba.battle.legal_actions import ActionKinds
from zareba.battle.positions import MoveSuggestions
from zareba.space.bearings import angle_between
from zareba.space.geometry import Point
from zareba.space.outlines import WINDS, bearing_of
from zareba.table import Choose, Confirm, LazyOptions, Option, Place
from zareba_rulesets.fixed_baynet.actions.activation import (
    END,
    MAN_ACTIONS,
    MOVES,
    UNIT_ACTIONS,
    asks_for_action,
    menu_of,
)
from zareba_rulesets.fixed_baynet.actions.actor import AS_A_UNIT
from zareba_rulesets.fixed_baynet.actions.fire import FEW_SHOTS, FIRE, best_shot
from zareba_rulesets.fixed_baynet.actions.wording import distance_of_enemy
from zareba_rulesets.fixed_baynet.chapters.movement import nearest_enemy
from zareba_rulesets.fixed_baynet.chapters.targets import ANSWER_ALL
from zareba_rulesets.fixed_baynet.estimates import (
    MAN_VALUE,
    NOTHING,
    GunSites,
    PositionValue,
    ScenarioObjectives,
    UnitView,
    is_civil,
    marker_reason,
    men_in_danger,
    round_worth,
    typical_man,
)
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Unit

# --- Ranking of actions -----------------------------------------------------------------------------------------------
# A kind of action is worth as much as its best action; results are cached.


MUST_MOVE = Evaluation(ground=1.0, reason="the unit must move (FBN-160, FBN-177)")


def _verb_of(option: Option) -> str:
    """Return the verb of an option: its first word."""
    return str(option[0] if isinstance(option, tuple) else option)


class ActRanking:
    """Evaluates the actions of the active unit. The results are kept in `menu.evaluations` for the second choice."""

    def __init__(self, battle: Battle, objectives: ScenarioObjectives, unit: Unit) -> None:
        self.actions, self.book = UNIT_ACTIONS.for_session(battle.book.rules), battle.book
        self.fixed_values = self.actions.fixed_values(battle.book)
        self.menu = menu_of(battle, unit)
        self.view = UnitView(battle, objectives, unit)
        self.must_move = END.verb not in self.menu.kinds
        if FIRE.verb in self.menu.kinds.listed and FIRE.verb not in self.menu.evaluations:
            self.menu.evaluations[FIRE.verb] = best_shot(self.view, self.menu, self.value_of)

    def best_of(self, kinds: ActionKinds) -> dict[Option, Evaluation]:
        """Return the available kinds of action, without those worth less than doing nothing.

        If the men in the middle of the unit see no target, the men at its sides are not asked either.
        """
        found = {}
        for kind in kinds.listed:
            known = self.menu.evaluations.get(FIRE.verb) if kind == FIRE.verb else self.fixed_values.get(_verb_of(kind))
            if not self.must_move and known is not None and (known is FEW_SHOTS or known.total < 0):
                continue
            if kind in kinds:
                found[kind] = self.value_of_kind(kind)
        return found

    def value_of_kind(self, kind: Option) -> Evaluation:
        """Return the value of a kind of action: that of its best action.

        A unit that may not end its activation here must move first.
        """
        verb = _verb_of(kind)
        if self.must_move and verb in MOVES:
            return MUST_MOVE
        fixed_value = self.fixed_values.get(verb)
        if fixed_value is not None:
            return fixed_value
        if kind == FIRE.verb:
            return self.menu.evaluations[FIRE.verb]
        options = self.menu.of(kind)
        if options == [kind]:
            return self.value_of(kind)
        return max([self.value_of(option) for option in options], key=attrgetter("total"))

    def value_of(self, option: Option) -> Evaluation:
        """Return the value of one action."""
        evaluation = self.menu.evaluations.get(option)
        if evaluation is None:
            action = self.actions.action_of(option)
            evaluation = NOTHING if action is None else self.actions.value(action, self.view, self.book)
            self.menu.evaluations[option] = evaluation
        return evaluation


# --- Evaluation of smaller choices: which unit to activate, bearings and targets --------------------------------------


@evaluate_each
def evaluate_activation(battle: Battle, objectives: ScenarioObjectives, question: Any, option: Option) -> Evaluation:
    """Return the value of activating a unit: defenceless units first, then those nearest to the enemy, before he
    acts.
    """
    unit = battle.units.get(str(option))
    if unit is None:
        return NOTHING
    foes = battle.foes(unit)
    away = min([100.0, *[inches for inches, _ in foes]])
    is_defenceless = is_civil(unit) and any(not figure.prone for figure in unit.figures.values())
    exposed = 0.0 if typical_man(unit).prone or unit.guns else 0.02 * men_in_danger(battle, unit, foes)
    reason = partial(distance_of_enemy, away) if foes else "there is no enemy in sight"
    return Evaluation(ground=1 / (4 + away) + exposed + is_defenceless, reason=reason)


def evaluate_bearings(battle: Battle, objectives: ScenarioObjectives, question: Any) -> list[Evaluation]:
    """Return the value of each bearing: towards the nearest enemy is best."""
    unit = battle.units.get(question.actor.rpartition(" ")[0]) or battle.units.get(question.actor)
    foe = nearest_enemy(battle, unit).unit if unit is not None else None
    if unit is None or foe is None:
        return [NOTHING] * len(question.options)
    (x, y), (fx, fy) = unit.middle, foe.middle
    number = question.actor.rpartition(" ")[2]
    if question.why == "turn gun to" and number.isdigit():
        x, y = unit.guns[int(number) - 1].at
    to_enemy = atan2d(fx - x, fy - y)
    found = []
    for option in question.options:
        bearing = bearing_of(option) if option in WINDS else float(option)
        off = angle_between(to_enemy, bearing)
        found.append(
            Evaluation(ground=-off / 1000, reason=partial("the nearest enemy is {:.0f} degrees off".format, off))
        )
    return found


def evaluate_actions_of_man(battle: Battle, objectives: ScenarioObjectives, question: Any) -> list[Evaluation]:
    """Return the value of each action of one man. A unit acts together, so he does nothing by default."""
    actions, book, own_unit = MAN_ACTIONS.for_session(battle.book.rules), battle.book, battle.unit_of(question.actor)
    found = []
    for option in question.options:
        action = actions.action_of(option)
        worth = None if action is None else actions.fixed_values(book).get(action.verb)
        if worth is None and action is not None and own_unit is not None:
            worth = actions.value(action, UnitView(battle, objectives, own_unit), book)
        found.append(worth or AS_A_UNIT.of(book))
    return found


@evaluate_each
def evaluate_target(battle: Battle, objectives: ScenarioObjectives, question: Any, option: Option) -> Evaluation:
    """Return the value of a target: leaders are worth most, and any enemy is worth more than none."""
    spec = battle.specs.get(str(option))
    worth = 0.0 if spec is None or spec.side == question.seat else MAN_VALUE * (1.5 if spec.leads else 1.0)
    worse = partial("he is a leader, and his fall worsens glory by {} (FBN-140)".format, battle.book.file.glory.event)
    return Evaluation(inflicts=worth, reason=worse if worth > MAN_VALUE else "he is an enemy like any other")


def evaluate_aim_points(battle: Battle, objectives: ScenarioObjectives, question: Any) -> list[Evaluation]:
    """Return the value of each point: most enemies and no friends under the marker, within the reach of the gun."""
    key, _, number = question.actor.rpartition(" ")
    unit = battle.units[key]
    found = []
    for point in question.suggestions:
        worth, under = round_worth(battle, unit, unit.guns[int(number) - 1], point)
        found.append(Evaluation(inflicts=worth, reason=marker_reason(under)))
    return found


def evaluate_gun_sites(battle: Battle, objectives: ScenarioObjectives, question: Any) -> list[Evaluation]:
    """Return the value of each point to which a gun may be moved."""
    key, _, number = question.actor.rpartition(" ")
    unit = battle.units[key]
    sites = GunSites(battle, unit, unit.guns[int(number) - 1])
    return [
        Evaluation(ground=sites.value(point), reason="the gun may have a target from there (FBN-215)")
        for point in question.suggestions
    ]


def evaluate_counter_attacks(battle: Battle, objectives: ScenarioObjectives, question: Any) -> list[Evaluation]:
    """Return the value of each answer to a volley: to answer every hit is best (FBN-096)."""
    falling = battle.book.settings.counter_attack == "wounded"
    reason = "men who fall would lose their AC anyway" if falling else "men who stay in play counter-attack"
    reason = f"{reason} (FBN-096)"
    return [
        Evaluation(inflicts=2 * MAN_VALUE if option == ANSWER_ALL else 0.0, reason=reason)
        for option in question.options
    ]


# --- Evaluation of points, and a shortcut that finds the best one without checking all suggestions --------------------


def evaluate_points(battle: Battle, objectives: ScenarioObjectives, question: Any) -> list[Evaluation]:
    """Return the evaluation of each suggested point of a move or ride."""
    unit = battle.units.get(question.actor)
    if unit is None:
        return [NOTHING] * len(question.suggestions)
    positions = PositionValue(UnitView(battle, objectives, unit))
    return [positions.evaluate(point) for point in question.suggestions]


def evaluate_deployment(battle: Battle, objectives: ScenarioObjectives, question: Any) -> list[Evaluation]:
    """Return the evaluation of deployment points: where the scenario puts a unit, or as near as there is room."""
    return [_value_of_spot(index) for index in range(len(question.suggestions))]


def _value_of_spot(index: int) -> Evaluation:
    """Return the value of a deployment point by its place among the suggestions."""
    return Evaluation(ground=-0.001 * index, reason="the scenario suggests this place (FBN-011)")


def best_places(battle: Battle, objectives: ScenarioObjectives, question: Place) -> Mapping[Point, Evaluation] | None:
    """Return the suggested points worth considering, with their evaluations; None if all of them have to be."""
    suggestions = question.suggestions
    if isinstance(suggestions, MoveSuggestions) and suggestions.ideal is not None and question.actor in battle.units:
        positions = PositionValue(UnitView(battle, objectives, battle.units[question.actor]))
        best = positions.best(suggestions)
        return None if best is None else {best: positions.evaluate(best)}
    if question.why == "deploy at" and isinstance(suggestions, LazyOptions):
        first = next(
            (spot for place in range(suggestions.candidates) if (spot := suggestions.at(place)) is not None), None
        )
        return None if first is None else {first: _value_of_spot(0)}
    return None


# --- The function for each question -----------------------------------------------------------------------------------


_NO_PREFERENCE = Evaluation(ground=0.001, reason="no option is better than another")
SUGGESTED = Evaluation(ground=0.001, reason="the scenario suggests this")
_NO_ANSWER = Evaluation(reason="keeps his AC for later (FBN-098)")
_ANSWER = Evaluation(inflicts=MAN_VALUE / 2, reason="a counter-attack may take an enemy (FBN-098)")


def evaluate(
    battle: Battle, objectives: ScenarioObjectives, question: Choose | Place | Confirm
) -> Sequence[Evaluation]:
    """Return one evaluation per option, in order.

    A question for a point gets one per suggestion, and a confirmation one each for no and yes.
    """
    if isinstance(question, Confirm):
        return [_NO_ANSWER, _ANSWER]
    if isinstance(question, Choose) and asks_for_action(question.why):
        ranking = ActRanking(battle, objectives, battle.units[question.actor])
        return [
            ranking.value_of_kind(option) if question.why == "act" else ranking.value_of(option)
            for option in question.options
        ]
    evaluate_options = _EVALUATIONS.get(question.why)
    if evaluate_options is not None:
        return evaluate_options(battle, objectives, question)
    count = len(question.suggestions if isinstance(question, Place) else question.options)
    return [SUGGESTED if question.why.startswith("deploy") else _NO_PREFERENCE, *[NOTHING] * (count - 1)]


def best_kinds(battle: Battle, objectives: ScenarioObjectives, question: Choose) -> Mapping[Option, Evaluation] | None:
    """Return the kinds of action worth considering, with their evaluations; None for other questions."""
    if question.why != "act" or not isinstance(question.options, ActionKinds):
        return None
    return ActRanking(battle, objectives, battle.units[question.actor]).best_of(question.options)


_EVALUATIONS: dict[str, Callable[[Battle, ScenarioObjectives, Any], Sequence[Evaluation]]] = {
    "activate": evaluate_activation,
    "move to": evaluate_points,
    "ride to": evaluate_points,
    "ride on": fixed_values(
        "ground", {"ride on": 0.01, "halt": 0.0}, "a charge may follow the turn (FBN-180)", other=0.1
    ),
    "deploy at": evaluate_deployment,
    "counter-attack": evaluate_counter_attacks,
    "load": fixed_values("inflicts", {"shell": 0.1}, "a shell hits all men under its marker (FBN-216)"),
    "aim at": evaluate_target,
    "aim at point": evaluate_aim_points,
    "haul to": evaluate_gun_sites,
    "strike": evaluate_target,
    "face": evaluate_bearings,
    "turn gun to": evaluate_bearings,
    "what he does": evaluate_actions_of_man,
}
