"""The game: one scenario played under one set of resolved rules.

`Game` is the interface that every ruleset implements. Drivers, displays, AI players and odds all work through it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from zareba.base.errors import ZarebaError, unknown_name
from zareba.game.activation import Policy, policy_named
from zareba.game.parts.advisor import Advisor, AdvisorInForce, AdvisorWithFallbacks, AdvisorWithHooks
from zareba.game.parts.display import Display, DisplayWithStateVariables
from zareba.game.parts.narrator import Narrator, NarratorInView, NarratorWithFallbacks, NarratorWithWords
from zareba.game.parts.odds_horizon import OddsHorizon
from zareba.game.parts.old_methods import adopt_old_methods, keep_old_methods
from zareba.game.parts.part import OrderOfPlay, S
from zareba.game.parts.play import Play, play_with_house_rules
from zareba.game.parts.sight import Sight, SightWithHooks
from zareba.house_rules.conditional_values import ActiveValues
from zareba.presentation.umpire_editor import UmpireEditor
from zareba.renamed import METHODS, warn_renamed

if TYPE_CHECKING:
    from zareba.rules import Rules
    from zareba.scenario import Scenario
    from zareba.scenario.victory import Scoreboard


P = TypeVar("P", bound=Policy)


class Game(ABC, Generic[S]):
    """One scenario under one set of resolved rules. It holds no state of play: methods take a state and may change it.

    `seats` are the ids of the sides, in the order of the scenario. `solo` are the sides that the rules run with their
    own charts, without asking a player; it is empty unless the ruleset allows it (`Ruleset.solo`). `untranslated`
    lists the parts of the scenario that these rules cannot express. `policy` decides the next step, `sequence` carries
    it out.

    Everything else is in the parts of a game. A ruleset derives a class from a part and names it here: `play_class`,
    `advisor_class`, `narrator_class`, `display_class`, `sight_class`, `odds_horizon_class`. House rules wrap the parts,
    in the order that the properties `play`, `advisor`, `narrator`, `display` and `sight` show.
    """

    rules: Rules
    scenario: Scenario
    seats: tuple[str, ...]
    solo: frozenset[str]
    untranslated: tuple[str, ...]
    policy: Policy
    sequence: OrderOfPlay[S]

    play_class: ClassVar[type[Play[Any]]] = Play
    """The class that plays the game; the default asks `policy` and `sequence`, and has no victory rule of its own."""
    advisor_class: ClassVar[type[Advisor[Any]]] = Advisor
    """The class that evaluates options; the default of the core knows no rules."""
    odds_horizon_class: ClassVar[type[OddsHorizon[Any]]] = OddsHorizon
    """The class that says how far the odds of a choice look ahead; by default to the end of its step."""
    narrator_class: ClassVar[type[Narrator[Any]]] = Narrator
    """The class that puts the game into words; the default uses the ruleset's `presentation/words.yaml`."""
    display_class: ClassVar[type[Display[Any]]] = Display  # type: ignore[type-abstract]  # a ruleset draws its board
    """The class that draws the board and reports on units; a ruleset must have its own."""
    sight_class: ClassVar[type[Sight[Any]]] = Sight
    """The class that says what a seat may see; by default everything."""
    editor_class: type[UmpireEditor[Any]] = UmpireEditor
    """The class that lets an umpire edit a state; the default of the core can edit little."""

    def __init_subclass__(cls) -> None:
        """Adopt members that the class defines under old names, or although a part has them now."""
        super().__init_subclass__()
        for old, new in METHODS["Game"].items():
            if old in vars(cls):
                warn_renamed(f"{cls.__name__}.{old}", new)
                setattr(cls, new, vars(cls)[old])
        adopt_old_methods(cls)

    def __init__(self, rules: Rules, scenario: Scenario, solo: frozenset[str] = frozenset()) -> None:
        self.rules = rules
        self.scenario = scenario
        self.seats = tuple(scenario.sides)
        self.solo = solo
        self.untranslated = ()
        self._of_session = rules
        self.active_values: ActiveValues | None = None
        if rules.house_rules or rules.conditional_values:
            self.rules = replace(rules, playing=self)
            if rules.conditional_values:
                self.active_values = ActiveValues(self)

    @abstractmethod
    def start(self) -> S:
        """Return the state before the first step."""

    def independent_copy(self) -> Game[S]:
        """Return another game of this scenario under these rules. It caches for itself, so another thread can use
        it.
        """
        rules = self._of_session
        twin: Game[S] = rules.ruleset.game(rules, self.scenario, self.solo)
        return twin

    @cached_property
    def printed_play(self) -> Play[S]:
        """The play by the rules alone."""
        return self.play_class(self)

    @cached_property
    def play(self) -> Play[S]:
        """The play by the rules, with house rules around it."""
        return play_with_house_rules(self, self.printed_play)

    @property
    def has_evaluation(self) -> bool:
        """True if these rules evaluate options; otherwise AI players play each option on (`zareba.agents.rollout`)."""
        return self.advisor_class.evaluate is not Advisor.evaluate

    @cached_property
    def printed_advisor(self) -> Advisor[S]:
        """The advisor of the rules alone. Under house rules it has simple answers for what the ruleset does not
        know.
        """
        own: Advisor[S] = self.advisor_class(self)
        return AdvisorWithFallbacks(own) if self.rules.house_rules else own

    @cached_property
    def advisor(self) -> Advisor[S]:
        """The advisor of the rules, of the numbers in force, and around them of house rules."""
        advisor = self.printed_advisor
        active = self.active_values
        if active is not None:
            advisor = AdvisorInForce(advisor, lambda state: active.game_now(state).printed_advisor)
        hooks = self.rules.game_hooks.get("zareba_evaluate", ())
        return AdvisorWithHooks(advisor, hooks) if self.rules.option_hooks or hooks else advisor

    @cached_property
    def narrator(self) -> Narrator[S]:
        """The narrator of the rules; around it plain sentences for what they do not know, then the words of house
        rules, then a check that no hidden piece is named.
        """
        narrator: Narrator[S] = self.narrator_class(self)
        if self.rules.house_rules:
            narrator = NarratorWithFallbacks(narrator)
        if self.rules.words:
            narrator = NarratorWithWords(narrator, self.rules.words)
        return NarratorInView(narrator, self.sight) if self.rules.game_hooks.get("zareba_view") else narrator

    @cached_property
    def display(self) -> Display[S]:
        """The display of the rules; around it the state variables of house rules."""
        display: Display[S] = self.display_class(self)
        shown = [state_variable for state_variable in self.rules.state_variables.values() if state_variable.words]
        return DisplayWithStateVariables(display, shown) if shown else display

    @cached_property
    def sight(self) -> Sight[S]:
        """The sight of the rules; around it secret state variables and the hooks of house rules that hide pieces."""
        sight: Sight[S] = self.sight_class(self)
        hooks = self.rules.game_hooks.get("zareba_view", ())
        secret = [state_variable for state_variable in self.rules.state_variables.values() if state_variable.secret]
        return SightWithHooks(sight, hooks, secret) if hooks or secret else sight

    @cached_property
    def odds_horizon(self) -> OddsHorizon[S]:
        """The range of the odds of a choice: the later steps that they include."""
        return self.odds_horizon_class(self)

    @cached_property
    def origin(self) -> S:
        """A state before the first step, for reading values that never change. Do not play on in it."""
        return self.start()

    def from_data(self, data: dict[str, Any]) -> S:
        """Return the state described by the JSON data that its `to_data` returned."""
        return type(self.origin).from_data(data, like=self.origin)

    def activation(self, kind: type[P]) -> P:
        """Return the activation policy of the rules or of a house rule that replaces it; it must be a `kind`.

        Raises ZarebaError if it is not, or if a house rule wraps a step that the policy does not have.
        """
        rules = self.rules
        make_named = policy_named(rules.book.activation)
        swap = rules.policy_hook
        if swap is None:
            policy = make_named(rules.book.sequence, self.seats)
        else:
            hook, make = swap
            policy = hook.run(make, None, rules.book.sequence, self.seats)
        if not isinstance(policy, kind):
            wrong = ZarebaError(
                f"{policy!r} cannot be the activation policy of {rules.ruleset.id}, which needs a {kind.__name__}"
            )
            raise wrong if swap is None else swap[0].blame(wrong)
        for name, hook in rules.step_hooks.items():
            if name not in policy.steps:
                raise hook.blame(unknown_name(f"step of {rules.ruleset.id} called", name, policy.steps))
        rules.turn_of = self._of_session.turn_of = policy.game_turn
        return policy

    def game_turn(self, state: S) -> int:
        """Return the game turn of a state: one turn of all sides, the same in all rulesets; 0 during set-up.

        The length of a game, the turn limit of a scenario and anything counted "per turn" use this number.
        """
        return self.policy.game_turn(state)

    @abstractmethod
    def scoreboard(self, state: S) -> Scoreboard[Any]:
        """Return the present score, in the terms that scenarios use."""

    def split_units(self) -> Mapping[str, Sequence[str]]:
        """Return the units of the scenario that the rules play as several units, each with the names of its parts."""
        return {}

    def strength(self, state: S) -> dict[str, float]:
        """Return the share of strength that each side still has, from 0 to 1. Units off the table with credit count."""
        scoreboard = self.scoreboard(state)
        return {side: scoreboard.strength(side) for side in self.seats}

    def umpire_editor(self) -> UmpireEditor[S]:
        """Return the umpire's editor for this game."""
        return self.editor_class(self)


keep_old_methods(Game)
