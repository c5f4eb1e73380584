"""The general: it finds moves that doctrine misses, respects dice already rolled, and knows no secrets."""

from __future__ import annotations

from typing import Any

import pytest
from tests.core.toy import SIDES, Raid, ToyGame, ToyPlay
from tests.systems import each_ruleset

from zareba.agents import make_agent
from zareba.agents.general import General
from zareba.agents.scripts import BY_DOCTRINE, ScriptedDoctrine, Units, scripts_of
from zareba.base.state import digest
from zareba.game import HOLDING
from zareba.game.doctrine import Doctrine
from zareba.plugins.ruleset import Advisor, Evaluation, Outcome, Sight
from zareba.registry import load_rules
from zareba.scenario import load_scenario, shipped_scenarios
from zareba.session import Session
from zareba.table import Choose, RememberingTable, SeededTable, Table
from zareba.table.questions import Step
from zareba.tactics import play
from zareba.tactics.load import all_positions

PATROL, TRIBESMEN = SIDES


class BoldAdvisor(Advisor[Raid]):
    """Prefers to bet."""

    def evaluate(self, state: Raid, question: Any) -> Any:
        return [Evaluation(reason="dull"), Evaluation(ground=1.0, reason="who dares wins")]


class WagerPlay(ToyPlay):
    """One turn in two steps: the die is rolled and the patrol bets on it; then the bet is paid."""

    game: Wager

    def next_step(self, state: Raid) -> Step | None:
        return Step("bet" if state.turn == 1 else "pay", 1, "both") if state.turn <= 2 else None

    def perform(self, table: Table, state: Raid, step: Step) -> None:
        if step.name == "bet":
            state.cards["die"] = table.roll(1, 6, why="die", rule="TOY-006", actor=PATROL)
            state.cards["bet"] = int(
                table.choose(PATROL, ["pass", "bet"], why="bet", rule="TOY-007", actor=PATROL) == "bet"
            )
        elif state.cards["bet"]:
            state.points[PATROL if state.cards["die"] >= self.game.least else TRIBESMEN] += 3
        state.turn += 1

    def outcome(self, state: Raid) -> Outcome:
        best = max(state.points.values())
        leading = [side for side, points in state.points.items() if points == best]
        return Outcome(leading[0] if len(leading) == 1 else None, dict(state.points), "turn_limit")


class Wager(ToyGame):
    """A game of one turn in two steps: a die is rolled and the patrol bets on it or passes; then the bet is paid.

    A bet wins on a roll of `least` or more. Doctrine values betting highly, whatever the die shows.
    """

    play_class = WagerPlay
    advisor_class = BoldAdvisor
    least = 4


class CupSight(Sight[Raid]):
    """Hides the die under a cup."""

    def determinize(self, state: Raid, seat: str, luck: int) -> Raid:
        guess = state.copy()
        if "die" in guess.cards:
            guess.cards["die"] = 1 + luck % 6
        return guess


class SecretPlay(WagerPlay):
    """The die is thrown in a separate step."""

    def next_step(self, state: Raid) -> Step | None:
        names = ("throw", "bet", "pay")
        return Step(names[state.turn - 1], 1, "both") if state.turn <= 3 else None

    def perform(self, table: Table, state: Raid, step: Step) -> None:
        if step.name == "throw":
            state.cards["die"] = table.roll(1, 6, why="die", rule="TOY-006", actor=PATROL)
        elif step.name == "bet":
            state.cards["bet"] = int(
                table.choose(PATROL, ["pass", "bet"], why="bet", rule="TOY-007", actor=PATROL) == "bet"
            )
        elif state.cards["bet"]:
            state.points[PATROL if state.cards["die"] >= self.game.least else TRIBESMEN] += 3
        state.turn += 1


class SecretWager(Wager):
    """A wager with the die under a cup: the patrol can only guess its value."""

    play_class = SecretPlay
    sight_class = CupSight
    least = 6


def wagered(game: Wager, seed: int, player: str = "general") -> tuple[int, int, str]:
    """Play a wager; return the die, whether the patrol bet on it, and the reason the player gave."""
    state = game.start()
    agents: dict[str, Any] = {side: make_agent(player, game, side, seed) for side in SIDES}
    table = RememberingTable(game.rules, state, seed, agents)
    while (step := game.play.next_step(state)) is not None:
        table.begin(step)
        game.play.perform(table, state, step)
    return state.cards["die"], state.cards["bet"], agents[PATROL].reason


def test_general_continues_from_the_dice_already_rolled() -> None:
    game = Wager()
    seen = set()
    for seed in range(40):
        die, bet, reason = wagered(game, seed)
        assert bet == (die >= 4), f"seed {seed}: {die}"
        assert ("played on" in reason) is (die < 4), reason
        assert wagered(game, seed, "doctrine")[1] == 1
        seen.add(die)
    assert seen == set(range(1, 7))


def secret_bet(game: SecretWager, seed: int, die: int) -> int:
    """Return the bet of the player while the cup hides this die."""
    state = game.start()
    table = RememberingTable(game.rules, state, seed, {PATROL: General(game, PATROL, seed)})
    while (step := game.play.next_step(state)) is not None:
        table.begin(step)
        game.play.perform(table, state, step)
        if step.name == "throw":
            state.cards["die"] = die
    return state.cards["bet"]


def test_general_ignores_hidden_information() -> None:
    """A bet pays on a six only. He never bets on a hidden die, and bets on a six that he sees."""
    game = SecretWager()
    assert {secret_bet(game, seed, die) for seed in range(4) for die in range(1, 7)} == {0}

    class OnSixes(Wager):
        least = 6

    assert {wagered(OnSixes(), seed)[:2] for seed in range(20)} >= {(6, 1), (5, 0)}


def test_general_follows_doctrine_if_simulated_questions_differ() -> None:
    class PastTheBet(Sight[Raid]):
        def determinize(self, state: Raid, seat: str, luck: int) -> Raid:
            guess = state.copy()
            guess.turn = 2
            guess.cards["bet"] = 0
            return guess

    class OtherRoll(WagerPlay):
        def perform(self, table: Table, state: Raid, step: Step) -> None:
            if step.name == "pay":
                table.roll(2, 6, why="something else", rule="TOY-008")
            super().perform(table, state, step)

    class Forgetful(Wager):
        """A wager whose imagined state is already past the bet, so the recorded answers do not fit its questions."""

        play_class = OtherRoll
        sight_class = PastTheBet

    assert all(wagered(Forgetful(), seed)[1:] == (1, "who dares wins") for seed in range(8))


def test_without_knowledge_of_the_step_the_general_follows_doctrine() -> None:
    game = Wager()
    agent = General(game, PATROL, 1)
    question = Choose("bet", "TOY-007", PATROL, PATROL, ("pass", "bet"), ())
    assert (agent(question, game.start()), agent.reason) == ("bet", "who dares wins")


def test_a_general_answers_equally_in_a_session_and_a_simulation() -> None:
    game, seed = Wager(), 3
    for seed in range(6):
        session = Session(game, dict.fromkeys(SIDES, "general"), seed)
        session.drive()
        assert (session.state.cards["die"], session.state.cards["bet"]) == wagered(game, seed)[:2]


def test_the_remembering_table_counts_and_plays_as_the_seeded_one() -> None:
    rules = load_rules("vcc")
    game = rules.game(load_scenario("patrol_clash"))
    counted, states = [], []
    for make in (SeededTable, RememberingTable):
        state = game.start()
        table = make(rules, state, 5, {side: make_agent("random", game, side, 5) for side in game.seats})
        while (step := game.play.next_step(state)) is not None:
            table.begin(step)
            game.play.perform(table, state, step)
        counted.append((table.rolls, table.dice_rolled, table.draws, table.decisions, table.genuine, table.offered))
        states.append(digest(state.to_data()))
    assert counted[0] == counted[1]
    assert states[0] == states[1]


SHORT = ("patrol_clash", "column_ambushed")
"""Quick battles that every run plays; both have hidden units under some ruleset. `make deep` plays the others too."""


@pytest.mark.parametrize(
    "scenario",
    [*SHORT, *(pytest.param(name, marks=pytest.mark.deep) for name in shipped_scenarios() if name not in SHORT)],
)
@pytest.mark.parametrize("ruleset", each_ruleset("vcc"))
def test_every_ruleset_determinizes_states_that_can_be_played(ruleset: str, scenario: str) -> None:
    rules = load_rules(ruleset)
    game = rules.game(load_scenario(scenario))
    state = game.start()
    table = SeededTable(rules, state, 8, {side: make_agent("random", game, side, 8) for side in game.seats})
    steps = 0
    while (step := game.play.next_step(state)) is not None:
        if steps % 60 == 0:
            before = digest(state.to_data())
            for seat in game.seats:
                guess = game.sight.determinize(state, seat, steps)
                assert digest(guess.to_data()) == digest(game.sight.determinize(state, seat, steps).to_data())
                _play_on(game, guess, steps=40)
            assert digest(state.to_data()) == before
        steps += 1
        table.begin(step)
        game.play.perform(table, state, step)


def _play_on(game: Any, state: Any, steps: int) -> None:
    agents = {side: make_agent("random", game, side, 1) for side in game.seats}
    table = SeededTable(game.rules, state, 1, agents)
    for _ in range(steps):
        step = game.play.next_step(state)
        if step is None:
            break
        table.begin(step)
        game.play.perform(table, state, step)
    assert game.play.outcome(state).points.keys() == set(game.seats)
    assert game.strength(state).keys() == set(game.seats)


class Daydreamer(General):
    """A player that searches at its choices and then answers as doctrine does."""

    def __init__(self, game: Any, seat: str, seed: int) -> None:
        super().__init__(game, seat, seed, playouts=4)

    def __call__(self, question: Any, state: Any) -> Any:
        super().__call__(question, state)
        return self._doctrine(question, state)


@pytest.mark.parametrize("ruleset", each_ruleset("vcc"))
def test_search_leaves_the_game_unchanged(ruleset: str) -> None:
    rules = load_rules(ruleset)
    played = []
    for player in (Doctrine, Daydreamer):
        game = rules.game(load_scenario("patrol_clash"))
        state = game.start()
        table = SeededTable(rules, state, 3, {side: Doctrine(game, side, 3) for side in game.seats})
        for number in range(70):
            if (step := game.play.next_step(state)) is None:
                break
            if number == 50:  # the first shots are about to be fired
                table = RememberingTable(rules, state, 3, {side: player(game, side, 3) for side in game.seats})
            table.begin(step)
            game.play.perform(table, state, step)
        played.append(digest(state.to_data()))
    assert played[0] == played[1]


def test_without_losses_the_general_plays_out_to_the_end_of_the_battle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is near the units that cross the ford. The prospect of two turns would only compare ways."""
    position = next(candidate for candidate in all_positions("vcc") if candidate.id == "all_over_the_ford")
    game: Any = load_rules("vcc").game(position.scenario)
    turns = set()
    decide = Doctrine.__call__

    def noting(player: Doctrine, question: Any, state: Any) -> Any:
        turns.add(game.game_turn(state))
        return decide(player, question, state)

    monkeypatch.setattr(Doctrine, "__call__", noting)
    state, start = game.start(), game.game_turn(game.start())
    table = RememberingTable(game.rules, state, 1, {side: make_agent("general", game, side, 1) for side in game.seats})
    while (step := game.play.next_step(state)) is not None and game.game_turn(state) == start and len(turns) < 2:
        table.begin(step)
        game.play.perform(table, state, step)
    assert max(turns) == position.scenario.turns


def is_good(name: str, seed: int) -> bool:
    """Play one game of a position under VCC with the general; return True if it is good."""
    position = next(candidate for candidate in all_positions("vcc") if candidate.id == name)
    game = load_rules("vcc").game(position.scenario)
    return play._play(game, position, "general", seed).passed


def test_a_plan_must_not_rely_on_an_enemy_who_comes() -> None:
    """The robbers would get away, so a retreat saves men. If the robbers wait, it only gives up the shots at them."""
    assert is_good("stop_the_carrier", seed=1)


@pytest.mark.parametrize("name", ["spearmen_ride_in_with_the_bands", "the_other_bridge"])
def test_a_plan_that_only_delays_losses_is_not_followed(name: str) -> None:
    """After two turns a side that waits has lost less. At the end of the battle it has gained nothing."""
    assert is_good(name, seed=1)


def small_game(player: str, seed: int = 3, playouts: int | None = None) -> tuple[Any, Any]:
    """Play two turns of a patrol clash under VCC with a player on one side; return the final state and the player."""
    game: Any = load_rules("vcc").game(load_scenario("patrol_clash"))
    state = game.start()
    agent: Any = (
        make_agent(player, game, PATROL, seed) if playouts is None else General(game, PATROL, seed, playouts=playouts)
    )
    table = RememberingTable(
        game.rules, state, seed, {PATROL: agent, TRIBESMEN: make_agent("doctrine", game, TRIBESMEN, seed)}
    )
    while (step := game.play.next_step(state)) is not None and game.game_turn(state) <= 2:
        table.begin(step)
        game.play.perform(table, state, step)
    return state, agent


def test_the_same_seed_gives_the_same_game() -> None:
    first, second = (small_game("general", playouts=8)[0] for _ in range(2))
    assert digest(first.to_data()) == digest(second.to_data())


def test_the_old_name_still_works_for_one_release() -> None:
    assert isinstance(make_agent("lookahead", Wager(), PATROL, 1), General)


@pytest.mark.parametrize("level", ["recruit", "regular"])
def test_a_recruit_and_a_regular_play_the_same_game_again(level: str) -> None:
    assert digest(small_game(level)[0].to_data()) == digest(small_game(level)[0].to_data())


def test_a_recruit_errs_more_than_a_regular() -> None:
    """In the same positions a recruit departs from doctrine more often."""
    game: Any = load_rules("vcc").game(load_scenario("patrol_clash"))
    departed = dict.fromkeys(("recruit", "regular"), 0)
    players = {name: make_agent(name, game, PATROL, 1) for name in departed}
    doctrine = Doctrine(game, PATROL, 1)

    def compare(question: Any, state: Any) -> Any:
        answer = doctrine(question, state)
        for name, player in players.items():
            departed[name] += player(question, state) != answer
        return answer

    state = game.start()
    table = SeededTable(game.rules, state, 1, {PATROL: compare, TRIBESMEN: Doctrine(game, TRIBESMEN, 1)})
    while (step := game.play.next_step(state)) is not None:
        table.begin(step)
        game.play.perform(table, state, step)
    assert departed["recruit"] > departed["regular"] > 0


@pytest.mark.parametrize("as_temper", [False, True])
def test_the_hold_script_stays_and_still_fires(as_temper: bool) -> None:
    """It does so as the plan of a turn, and as the temper of an enemy who waits."""
    game: Any = load_rules("vcc").game(load_scenario("patrol_clash"))
    hold = next(script for script in scripts_of(game, PATROL) if script.holds)
    player = ScriptedDoctrine(game, PATROL, 1, Units(game), temper=hold if as_temper else BY_DOCTRINE)
    moves, shots = [], []

    def watch(question: Any, state: Any) -> Any:
        if not as_temper:
            player.follow_plan(game.game_turn(state), hold, {})
        answer = player(question, state)
        if question.why in ("move", "move with"):
            moves.append(answer)
        if question.why == "fire at":
            shots.append(answer)
        return answer

    state = game.start()
    table = SeededTable(game.rules, state, 1, {PATROL: watch, TRIBESMEN: Doctrine(game, TRIBESMEN, 1)})
    while (step := game.play.next_step(state)) is not None:
        table.begin(step)
        game.play.perform(table, state, step)
    assert moves and set(moves) <= HOLDING
    assert set(shots) - HOLDING, "it fires at enemies that come into range"
