"""AFR-045, AFR-067, AFR-343: states that differ only in hidden cards look the same to a seat."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from tests.rulesets.afriboria.test_random_games import circus

from zareba.agents import make_agent
from zareba.chance import Meaning
from zareba.registry import load_rules
from zareba.rules import Rules
from zareba.scenario import load_scenario
from zareba.table import Choose, Draw, Question, SeededTable, Table
from zareba_rulesets.afriboria.chapters.orders.cards import take_from_hand
from zareba_rulesets.afriboria.chapters.orders.events import turn_over
from zareba_rulesets.afriboria.game import AfrGame

SHOWN_BY_A_CARD = {"card to take away"}
"""Questions during which a card in play lets its player see the other hand (AFR-339)."""


class Asked(BaseException):
    """Raised with the first question of a step."""

    def __init__(self, question: Question) -> None:
        super().__init__(question)
        self.question = question


class FirstQuestion(Table):
    """A table that stops a step at its first question."""

    __slots__ = ()

    def answer(self, question: Question) -> Any:
        raise Asked(question)


def other_world(battle: Any, seat: str, random: Random) -> Any:
    """Return the same state with another enemy hand, dealt from the cards that the seat has not seen."""
    world = battle.copy()
    enemy = world.sides[battle.field.enemy(seat)]
    hand = list((Counter(enemy.hand) - Counter(enemy.known)).elements())
    unseen = sorted([*hand, *(name for name, copies in world.deck.pile.items() for _ in range(copies))])
    random.shuffle(unseen)
    enemy.hand = sorted([*enemy.known, *unseen[: len(hand)]])
    world.deck.pile = {name: unseen[len(hand) :].count(name) for name in sorted(unseen[len(hand) :])}
    return world


def first_question(game: AfrGame, rules: Rules, battle: Any) -> Question | None:
    step = game.play.next_step(battle)
    assert step is not None
    draft = battle.copy()
    table = FirstQuestion(rules, draft)
    try:
        game.play.perform(table, draft, step)
    except Asked as asked:
        return asked.question
    return None


def what_a_seat_gets(game: AfrGame, battle: Any, seat: str, question: Question) -> Any:
    """Return everything shown to a person, an AI player or a web page about one question."""
    view = game.sight.view(battle, seat)
    shown: list[Any] = [
        view.to_data(),
        game.display.board(view),
        game.display.headline(view),
        question,
        game.narrator.describe(view, question),
    ]
    if isinstance(question, Choose):
        shown += [game.narrator.describe_option(view, question, option) for option in question.options]
        shown += [one[:2] for option in question.options for one in game.advisor.odds_for(view, question, option)]
        worth = game.advisor.evaluate(view, question)
        shown += [(one.inflicts, one.suffers, one.ground, one.steadies) for one in worth]
    return shown


@pytest.mark.rule("AFR-045", "AFR-067", "AFR-068", "AFR-343")
@pytest.mark.parametrize("name", ["patrol_clash", "circus"])
def test_a_seat_cannot_tell_two_worlds_apart(name: str) -> None:
    rules = load_rules("afriboria", {"event_cards": "on", "hand_size": 5})
    game = AfrGame(rules, circus() if name == "circus" else load_scenario(name))
    random, battle = Random(name), game.start()
    table = SeededTable(rules, battle, 5, {seat: make_agent("random", game, seat, 5) for seat in game.seats})
    differed = questions = 0
    while (step := game.play.next_step(battle)) is not None:
        seat = battle.active
        world = other_world(battle, seat, random)
        assert game.sight.view(battle, seat).to_data() == game.sight.view(world, seat).to_data()
        if random.random() < 0.25 and world.to_data() != battle.to_data():
            differed += 1
            mine, theirs = (first_question(game, rules, state) for state in (battle, world))
            if isinstance(mine, Choose) and mine.seat == seat and mine.why not in SHOWN_BY_A_CARD:
                assert theirs is not None
                assert what_a_seat_gets(game, battle, seat, mine) == what_a_seat_gets(game, world, seat, theirs)
                questions += 1
        table.begin(step)
        game.play.perform(table, battle, step)
    assert differed > 20 and questions > 10


@pytest.mark.rule("AFR-045", "AFR-072", "AFR-343")
def test_the_card_drawn_is_for_one_seat() -> None:
    """Every draw of a command card names the only seat that may see it. Other seats see no event about it."""
    rules = load_rules("afriboria")
    game = AfrGame(rules, load_scenario("patrol_clash"))
    battle = game.start()
    drawn: list[Draw] = []

    class Watching(SeededTable):
        def draw(
            self,
            pile: Any,
            *,
            why: str,
            rule: str,
            actor: str = "",
            seat: str | None = None,
            means: Meaning | None = None,
        ) -> str:
            drawn.append(Draw(why, rule, actor, seat, ()))
            return super().draw(pile, why=why, rule=rule, actor=actor, seat=seat)

    table = Watching(rules, battle, 2, {seat: make_agent("random", game, seat, 2) for seat in game.seats})
    shown: set[str] = set()
    while (step := game.play.next_step(battle)) is not None and battle.turn < 8:
        table.begin(step)
        game.play.perform(table, battle, step)
        shown |= {event.kind for event in table.events}
    assert len(drawn) > 12 and all(one.seat == one.actor for one in drawn if one.why == "command card")
    assert "command card" not in shown and not any("draw" in kind for kind in shown)


@pytest.mark.rule("AFR-339", "AFR-340", "AFR-343")
def test_what_a_card_has_shown_stays_known_while_it_is_held(game: Any) -> None:
    play = game({"event_cards": "on"})
    battle = play.start()
    battle.sides["red"].hand, battle.sides["blue"].hand = ["red_1"], ["blue_1", "green_2", "red_3"]
    battle.deck.pile = {"blue_4": 1, "red_4": 1}

    class Bottom(FirstQuestion):
        def answer(self, question: Question) -> Any:
            return question.cards[0][0] if isinstance(question, Draw) else super().answer(question)

    table = Bottom(play.rules, battle)
    assert "seen of the enemy" not in play.display.headline(play.sight.view(battle, "red"))
    battle.event_deck.pile = {"ev_message": 1}
    turn_over(table, battle, "red")
    view = play.sight.view(battle, "red")
    assert battle.sides["blue"].hand == ["blue_4", "green_2", "red_3"]
    assert view.sides["blue"].hand == ["green_2", "red_3", "?"], "the card drawn since is not known"
    assert view.deck.pile == {"blue_4": 1, "red_4": 1}
    assert "seen of the enemy's hand: two green units, three red units" in play.display.headline(view)
    assert "hand: one red unit" in play.display.headline(view) and "one red unit" not in play.display.headline(battle)
    take_from_hand(battle, "blue", "red_3")
    assert play.sight.view(battle, "red").sides["blue"].hand == ["green_2", "?"]
    assert play.sight.view(battle, "blue").sides["blue"].hand == ["blue_4", "green_2"]
