"""Companion acts for the actions that house rules add to the steps of an activation.

The companion does not know who is close by. So it places each enemy close to the unit in turn, and lists every option
that an action of the move step, the fire step or the handling of loads then has. People choose one that their table
allows. Postures are listed as if the unit were in hard cover, and exits for the men and the edge that people name.
Actions in melee follow the contacts in the book.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from zareba.actions import ActionTable
from zareba.companion import Asked, Choices, CompanionAct, Scene
from zareba.rules import Rules
from zareba.space.outlines import EDGES
from zareba.table import Answer, Option, Table
from zareba_rulesets.paychest.actions.actor import MovingUnit
from zareba_rulesets.paychest.actions.fire import FIRE_ACTIONS, FiringUnit
from zareba_rulesets.paychest.actions.loads import LOAD_ACTIONS, LoadingUnit
from zareba_rulesets.paychest.actions.melee_pairing import MELEE_ACTIONS, FightingUnit
from zareba_rulesets.paychest.actions.movement import EXITS, MOVE_ACTIONS, POSTURES, FiguresAtEdge, ShelteredFigures
from zareba_rulesets.paychest.actions.wording import formats
from zareba_rulesets.paychest.chapters.melee import contacts
from zareba_rulesets.paychest.chapters.sight import DOWN, figures_that_may_duck, report_posture
from zareba_rulesets.paychest.companion.common import OVER_EDGE, bring_close, figure_choices, phasing_units
from zareba_rulesets.paychest.companion.figures import CHANGE_POSTURE, LEAVE_TABLE
from zareba_rulesets.paychest.companion.melees import FIGHT_MELEE
from zareba_rulesets.paychest.companion.moves import do_in_move_step, unit_in_move_step
from zareba_rulesets.paychest.companion.real_table import MELEE_STAGE, MOVE, place_of
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import Unit
from zareba_rulesets.paychest.presentation.words import words

_FIRE = "fire"
_CLOSE = 1.0
"""The distance in inches of an enemy who is close enough for everything."""
_NOBODY_NEAR = ""


def house_acts(rules: Rules) -> Iterator[tuple[str, CompanionAct[Battle]]]:
    """Yield an act for each action of a house rule, once for each stage in which it is offered."""
    for kind in _KINDS:
        for hook, action in rules.house_actions.get(kind.actions.question, ()):
            act = kind(action.verb).act(hook.house_rule)
            for stage in kind.stages:
                yield stage, act


class _HouseAction(ABC):
    """An action of a house rule, by its verb. Derived classes know the step in which play offers it.

    `stages` are the stages of the companion that offer it. `before` are questions that come before the choice of an
    option, and `after` those that follow.
    """

    actions: ClassVar[ActionTable[Any, Any]]
    stages: ClassVar[tuple[str, ...]]
    before: ClassVar[tuple[Asked[Battle], ...]] = ()
    after: ClassVar[tuple[Asked[Battle], ...]] = ()
    has_odds: ClassVar[bool] = True

    def __init__(self, verb: str) -> None:
        self._verb = verb

    def act(self, house_rule: str) -> CompanionAct[Battle]:
        """Return the action as an act of the companion."""
        which = Asked[Battle]("what", "{actor}: which one? (as far as the table allows)", choices=self._choices)
        return CompanionAct(
            name=f"house_{self._verb.replace(' ', '_')}",
            title=self._verb,
            rule=f"the house rule {house_rule}",
            run=self.run,
            actors=lambda battle: [unit for unit in phasing_units(battle) if self.is_possible(battle, unit)],
            asks=(*self.before, which, *self.after),
            lay_out=self.lay_out,
            preset_answers={self.actions.question: self.answer},
            has_odds=self.has_odds,
            roll_groups=FIGHT_MELEE.roll_groups,
        )

    def _choices(self, battle: Battle, scene: Scene) -> Choices:
        """Return the options of the action in the words of the house rule."""
        actions, found = self.actions.for_session(battle.book.rules), {}
        for option in self.options(battle, scene):
            action = actions.action_of(option)
            assert action is not None, "the table has listed it"
            found[option] = actions.text(action, {}, formats(battle), words())
        return found

    def own_options(self, actor: Any, battle: Battle) -> list[Option]:
        """Return the options of this action for the actor of its step."""
        options = self.actions.for_session(battle.book.rules).house_options(actor, battle)
        return [option for option in options if (option[0] if isinstance(option, tuple) else option) == self._verb]

    def perform(self, table: Table, actor: Any, scene: Scene) -> object:
        """Carry out the option that people have chosen."""
        actions = self.actions.for_session(scene.game.rules)
        action = actions.action_of(scene["what"])
        assert action is not None, "the table has listed it"
        return actions.perform(action, table, actor)

    def is_possible(self, battle: Battle, unit: str) -> bool:
        """Return True if the action has an option for a unit."""
        return bool(self.options(battle, Scene(None, unit)))

    @abstractmethod
    def options(self, battle: Battle, scene: Scene) -> Sequence[Option]:
        """Return the options of the action."""

    @abstractmethod
    def lay_out(self, battle: Battle, scene: Scene) -> None:
        """Make the situation true in which the option is legal."""

    @abstractmethod
    def run(self, table: Table, battle: Battle, scene: Scene) -> object:
        """Carry out the action as in play."""

    def answer(self, battle: Battle, scene: Scene, question: Any) -> Answer | None:
        """Return the option, as the answer to the question of its step."""
        return scene["what"] if scene["what"] in question.options else None


class _Nearby(_HouseAction):
    """An action that may need an enemy or a conveyance close by."""

    @abstractmethod
    def actor(self, battle: Battle, unit: Unit) -> Any:
        """Return the unit as the actor of the step."""

    def options(self, battle: Battle, scene: Scene) -> Sequence[Option]:
        return list(self._situations(battle, scene.actor))

    def _situations(self, battle: Battle, unit: str) -> dict[Option, str]:
        """Return every option of the action, with the enemy unit that must be near for it, "" for none."""
        found = dict[Option, str]()
        enemies = [enemy.spec.id for enemy in battle.enemies(battle.unit(unit).spec.side)]
        for enemy in (_NOBODY_NEAR, *enemies):
            draft = battle.copy()
            _bring_near(draft, unit, enemy)
            for option in self.own_options(self.actor(draft, draft.change(unit)), draft):
                found.setdefault(option, enemy)
        return found

    def lay_out(self, battle: Battle, scene: Scene) -> None:
        _bring_near(battle, scene.actor, self._situations(battle, scene.actor).get(scene["what"], _NOBODY_NEAR))

    def run(self, table: Table, battle: Battle, scene: Scene) -> object:
        return self.perform(table, self.actor(battle, battle.change(scene.actor)), scene)


class _InMove(_Nearby):
    """An action of the move step."""

    actions, stages = MOVE_ACTIONS, (MOVE,)

    def actor(self, battle: Battle, unit: Unit) -> MovingUnit:
        return unit_in_move_step(battle, unit)

    def run(self, table: Table, battle: Battle, scene: Scene) -> None:
        do_in_move_step(table, battle, scene)


class _WithLoads(_Nearby):
    """An action of the handling of loads."""

    actions, stages = LOAD_ACTIONS, (MOVE,)

    def actor(self, battle: Battle, unit: Unit) -> LoadingUnit:
        return LoadingUnit(battle, unit, {}, before=True)


class _InFire(_Nearby):
    """An action of the fire step."""

    actions, stages = FIRE_ACTIONS, (_FIRE,)

    def actor(self, battle: Battle, unit: Unit) -> FiringUnit:
        return FiringUnit(battle, unit)


class _InMelee(_HouseAction):
    """An action of the melee step, with the enemies that the figures touch in the book."""

    actions, stages, after = MELEE_ACTIONS, (MELEE_STAGE,), OVER_EDGE

    def options(self, battle: Battle, scene: Scene) -> Sequence[Option]:
        touched = contacts(battle, battle.unit(scene.actor))
        if not touched or MELEE_STAGE not in battle.waiting:
            return ()
        draft = battle.copy()
        return self.own_options(FightingUnit(draft, draft.change(scene.actor), touched), draft)

    def lay_out(self, battle: Battle, scene: Scene) -> None:
        FIGHT_MELEE.lay_out(battle, scene)

    def run(self, table: Table, battle: Battle, scene: Scene) -> object:
        return FIGHT_MELEE.run(table, battle, scene)


def _sheltered(battle: Battle, scene: Scene) -> Choices:
    """Return the figures that may take a posture if they are in hard cover (PAY-086)."""
    draft = battle.copy()
    CHANGE_POSTURE.lay_out(draft, scene)
    return figure_choices(draft, [man.spec.id for man in figures_that_may_duck(draft, draft.unit(scene.actor))])


def _all_sheltered(battle: Battle, scene: Scene) -> tuple[str, ...]:
    return (*_sheltered(battle, scene),)


class _Posture(_HouseAction):
    """A posture of figures in hard cover, all of a unit or some."""

    actions, stages, has_odds = POSTURES, (MOVE, _FIRE), False
    before = (Asked[Battle]("men", "Who of {actor}?", default=_all_sheltered, choices=_sheltered, many=True),)

    def options(self, battle: Battle, scene: Scene) -> Sequence[Option]:
        men = scene.answers.get("men") or _all_sheltered(battle, scene)
        draft = battle.copy()
        CHANGE_POSTURE.lay_out(draft, scene)
        unit = draft.change(scene.actor)
        figures = [unit.figures[key] for key in men]
        return self.own_options(ShelteredFigures(draft, unit, figures, scene.actor), draft) if figures else ()

    def lay_out(self, battle: Battle, scene: Scene) -> None:
        CHANGE_POSTURE.lay_out(battle, scene)

    def run(self, table: Table, battle: Battle, scene: Scene) -> None:
        unit = battle.change(scene.actor)
        unit.measure()
        men = [unit.figures[key] for key in scene["men"]]
        was_down = [man for man in men if DOWN in man.marks]
        for man in men:
            man.unmark(DOWN)
        self.perform(table, ShelteredFigures(battle, unit, men, scene.actor), scene)
        report_posture(table, scene.actor, "lies down", sum(DOWN in man.marks for man in men if man not in was_down))
        report_posture(table, scene.actor, "gets up", sum(DOWN not in man.marks for man in was_down))


class _Exit(_HouseAction):
    """The choices of figures at an edge of the table."""

    actions, stages, before, has_odds = EXITS, (MOVE,), LEAVE_TABLE.asks, False

    def is_possible(self, battle: Battle, unit: str) -> bool:
        men = tuple(key for key, man in battle.unit(unit).figures.items() if man.able and man.can_walk)
        edges = EDGES if men else ()
        return any(self.options(battle, Scene(None, unit, answers={"men": men, "edge": edge})) for edge in edges)

    def options(self, battle: Battle, scene: Scene) -> Sequence[Option]:
        draft = battle.copy()
        LEAVE_TABLE.lay_out(draft, scene)
        unit = draft.change(scene.actor)
        at_edge = [unit.figures[key] for key in scene["men"]]
        return self.own_options(FiguresAtEdge(draft, unit, at_edge, scene.actor), draft)

    def lay_out(self, battle: Battle, scene: Scene) -> None:
        LEAVE_TABLE.lay_out(battle, scene)

    def run(self, table: Table, battle: Battle, scene: Scene) -> object:
        return LEAVE_TABLE.run(table, battle, scene)


_KINDS: tuple[type[_HouseAction], ...] = (_InMove, _WithLoads, _InFire, _InMelee, _Posture, _Exit)


def _bring_near(battle: Battle, unit: str, enemy: str) -> None:
    """Bring conveyances and one enemy unit close to a unit."""
    bring_close(battle, battle.change(unit))
    if enemy:
        x, y = place_of(battle, unit)
        other = battle.change(enemy)
        for figure in other.able:
            figure.at = (x + _CLOSE, y)
        other.measure()
