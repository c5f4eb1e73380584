"""The shipped house rules for several rulesets: on and off, with the same dice, in every ruleset they are for."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest
from tests.small_battle import shortened, small_battle
from tests.systems import each_ruleset

from zareba.agents import make_agent
from zareba.base.tally import Tally
from zareba.game import Game
from zareba.registry import find_house_rule, load_rules
from zareba.scenario import load_scenario
from zareba.session import Session
from zareba.table import Confirm, Place, ScriptedTable, SeededTable


@dataclass
class Evening:
    """A battle between doctrine players: the game, its last state, its events and its tallies."""

    game: Game[Any]
    state: Any
    told: Counter[str]
    numbers: list[Tally]

    def lines(self, rule: str) -> Counter[str]:
        """Count the modifiers that applied and belong to a house rule."""
        parts = [part for tally in self.numbers for part in tally.parts() if f"house rule {rule} (" in part.source]
        return Counter(part.summary for part in parts)


@cache
def evening(ruleset: str, *names: str, seed: int = 5, small: bool = False, **settings: Any) -> Evening:
    """Play the patrol clash, or the small battle, under the named house rules."""
    rules = load_rules(ruleset, settings or None, [find_house_rule(name) for name in names])
    game = rules.game(small_battle() if small else load_scenario("patrol_clash"))
    session = Session(game, dict.fromkeys(game.seats, "doctrine"), seed)
    session.drive()
    told = Counter(event.kind for _, _, events in session.log() for event in events)
    numbers = [tally for _, reached in session.history.steps_backwards() for tally in reached.tallies]
    return Evening(game, session.state, told, numbers)


@pytest.mark.parametrize("ruleset", each_ruleset("afriboria", "vcc"))
def test_ammunition_runs_out_and_weather_turns_in_every_system(ruleset: str) -> None:
    plain = evening(ruleset, small=True)
    played = evening(ruleset, "ammunition", "weather", **{"ammunition.rounds": 2, "weather.changes_on": 2})
    assert played.told["out of ammunition"] > 0
    assert [key for key in played.state.own if key.startswith("ammunition.rounds/")]
    assert played.lines("ammunition")["out of ammunition"] > 0
    assert played.told["weather"] > 0 and played.lines("weather")
    assert not plain.told["weather"] and "own" not in plain.state.to_data()


@pytest.mark.parametrize(
    "ruleset", [*(pytest.param(name, marks=pytest.mark.deep) for name in ("fixed_baynet", "paychest")), "vcc"]
)
def test_fatigue_tires_units_that_fought(ruleset: str) -> None:
    played = evening(ruleset, "fatigue")
    assert played.lines("fatigue")["tired"] > 0


@pytest.mark.parametrize("ruleset", [pytest.param("paychest", marks=pytest.mark.deep), "vcc"])
def test_steady_nerves_give_each_side_one_second_throw(ruleset: str) -> None:
    played = evening(ruleset, "steady_nerves")
    used = [key for key, value in played.state.own.items() if key.startswith("steady_nerves.") and value]
    assert played.told["steadied"] == len(used) > 0


@pytest.mark.parametrize("ruleset", each_ruleset("afriboria", "vcc"))
def test_a_short_evening_is_short_in_every_system(ruleset: str) -> None:
    played = evening(ruleset, "short_evening", **{"short_evening.turns": 2})
    assert played.game.game_turn(played.state) <= 3
    assert played.game.play.outcome(played.state).ending == "turn_limit"


@pytest.mark.parametrize("ruleset", each_ruleset("afriboria", "vcc"))
def test_sudden_death_ends_a_battle_on_a_six(ruleset: str) -> None:
    for seed in range(1, 9):
        played = evening(ruleset, "sudden_death", seed=seed, **{"sudden_death.after": 1})
        ended = played.game.play.outcome(played.state).ending == "sudden_death"
        assert ended is played.state.own.get("sudden_death.ended", False)
        if ended:
            return
    raise AssertionError("no battle ended by sudden death")


def test_clear_victory_needs_a_lead_in_points() -> None:
    plain = evening("vcc")
    won = plain.game.play.outcome(plain.state)
    lead = abs(float.__sub__(*map(float, won.points.values())))
    assert won.winner is not None and lead > 1
    for wanted, winner in ((int(lead), won.winner), (int(lead) + 1, None)):
        played = evening("vcc", "clear_victory", **{"clear_victory.lead": wanted})
        assert played.game.play.outcome(played.state).winner == winner


@pytest.mark.parametrize("ruleset", each_ruleset("afriboria", "vcc"))
def test_secret_orders_are_worth_points_and_visible_to_their_side_alone(ruleset: str) -> None:
    played = evening(ruleset, "secret_orders", small=True)
    game, state = played.game, played.state
    assert all(state.own[f"secret_orders.aim/{side}"] for side in game.seats)
    mine, other = game.seats
    seen = game.sight.view(state, mine).own
    assert f"secret_orders.aim/{mine}" in seen and f"secret_orders.aim/{other}" not in seen
    assert "secret_orders.strength" in state.own and "secret_orders.strength" not in seen
    told = load_rules(ruleset).game(game.scenario).outcome(state).points
    gained = {game.play.outcome(state).points[side] - told[side] for side in game.seats}
    assert gained <= {0, 5}


def test_no_pursuit_answers_for_the_winner() -> None:
    rules = load_rules("risk_factor", house_rules=[find_house_rule("no_pursuit")])
    table = SeededTable(rules, None, 1, {"red": lambda question, state: isinstance(question, Confirm)})
    assert table.confirm("red", why="follow up", rule="RSK-179") is False
    assert table.confirm("red", why="stay in cover", rule="RSK-141") is True


def test_thorn_hedge_cannot_be_entered() -> None:
    rules = load_rules("paychest", {"thorn_hedge.depth": 3}, [find_house_rule("thorn_hedge")])
    points = [(1.0, 9.0), (5.0, 4.0)]
    asked: list[Place] = []

    def first_point(question: Any, state: Any) -> Any:
        asked.append(question)
        return question.suggestions[0]

    table = SeededTable(rules, None, 1, {"red": first_point})
    assert table.place("red", points, lambda point: None, why="move to", rule="T") == (5.0, 4.0)
    assert list(asked[0].suggestions) == [(5.0, 4.0)]
    assert asked[0].legal((2.0, 9.0)) == "the thorn hedge is too thick there (thorn_hedge)"


def test_dug_in_units_are_harder_to_hit_until_they_move() -> None:
    rules = load_rules("vcc", house_rules=[find_house_rule("dig_in")])
    game = rules.game(load_scenario("patrol_clash"))
    state = game.start()
    mine, other = (next(unit for unit in state.units.values() if unit.side == side) for side in game.seats)
    facts = rules.ruleset.procedure("fire_pool").facts(bases=4)
    with ScriptedTable(game.rules, state, [("fire at", "dig in")]) as table:
        options = ("hold fire", other.id)
        assert table.choose(mine.side, options, why="fire at", rule="VCC-093", actor=mine.id) == "hold fire"
        against = table.tally("fire_dice", facts, other, mine)
        assert "target dug in" in [part.summary for part in against.parts()]
        assert table.choose(mine.side, options[:1], why="fire at", rule="VCC-093", actor=mine.id) == "hold fire"
        assert table.tally("fire_dice", facts, mine, other).total == against.total + 1
        table.emit("move", "VCC-040", unit=mine.id)
        assert table.tally("fire_dice", facts, other, mine).total == against.total + 1
    assert [event.kind for event in table.events] == ["dug in", "move"]


# --- campaigns and characters of leaders ------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", each_ruleset("afriboria", "vcc"))
def test_characters_and_heroes_have_effects_in_every_system(ruleset: str) -> None:
    played = evening(ruleset, "characters", "heroes", "random_events")
    assert [key for key in played.state.own if key.startswith("characters.character/")]
    assert played.lines("heroes")["a hero in the unit"] > 0
    assert sum(played.lines("characters").values()) > 0 or ruleset == "afriboria"


@pytest.mark.parametrize("ruleset", each_ruleset("afriboria", "vcc"))
def test_random_events_are_drawn_from_a_deck(ruleset: str) -> None:
    played = evening(ruleset, "random_events", small=True, **{"random_events.on": 2})
    left = played.state.own["random_events.left"]
    assert played.told["random event"] == 6 - len(left) > 0


@pytest.mark.parametrize("ruleset", each_ruleset("afriboria", "vcc"))
def test_a_late_reserve_starts_off_the_table(ruleset: str) -> None:
    played = evening(ruleset, "late_reserve", **{"late_reserve.side": 1, "late_reserve.turn": 2})
    plain = load_scenario("patrol_clash")
    changed = {name for name, unit in played.game.scenario.units.items() if unit != plain.units[name]}
    assert len(changed) == 1
    (name,) = changed
    assert played.game.scenario.units[name].arrival is not None
    assert played.told["arrived"] > 0


def test_experience_improves_a_side_and_leaves_better_units_unchanged() -> None:
    with_it = evening("vcc", "experience", **{"experience.first": "elite"}).game.scenario
    plain = load_scenario("patrol_clash")
    first, second = plain.sides
    assert {unit.quality for unit in with_it.units_of(first).values()} == {"elite"}
    assert with_it.units_of(second) == plain.units_of(second)


def test_ransom_is_paid_for_every_capture() -> None:
    rules = load_rules("fixed_baynet", {"ransom.worth": 4}, [find_house_rule("ransom")])
    game = rules.game(load_scenario("patrol_clash"))
    state = game.start()
    before = game.play.outcome(state).points
    mine, other = game.seats
    prisoner = next(unit for unit in state.units.values() if unit.spec.side == mine)
    with ScriptedTable(game.rules, state, []) as table:
        for _ in range(2):
            table.emit("captured", "FBN-112", unit=prisoner.spec.id)
    after = game.play.outcome(state).points
    assert (after[other] - before[other], after[mine] - before[mine]) == (8, 0)


@pytest.mark.parametrize("ruleset", ["fixed_baynet", "paychest", "risk_factor", "vcc"])
def test_fouling_costs_guns_a_die_a_turn(ruleset: str) -> None:
    guns = {"extensions.support_weapons": "on"} if ruleset == "risk_factor" else {}
    rules = load_rules(ruleset, {"gun_friction.fouls_on": 5, **guns}, [find_house_rule("gun_friction")])
    game = rules.game(load_scenario("battle_of_the_wells"))
    state, step = game.start(), None
    agents = {seat: make_agent("random", game, seat, 1) for seat in game.seats}
    table = SeededTable(game.rules, state, 1, agents)
    told: list[str] = []
    while "fouled" not in told and (step := game.play.next_step(state)) is not None:
        table.begin(step)
        game.play.perform(table, state, step)
        told += [event.kind for event in table.events]
    assert "fouled" in told
    assert [key for key, value in state.own.items() if key.startswith("gun_friction.fouled/") and value]


# --- activation -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("ruleset", "asked"), [("fixed_baynet", "activate"), ("vcc", "move with")])
def test_a_deck_decides_which_unit_acts(ruleset: str, asked: str) -> None:
    """Players no longer pick a unit; the card decides."""
    picked = {}
    for rules in ((), ("unit_deck",)):
        resolved = load_rules(ruleset, house_rules=[find_house_rule(name) for name in rules])
        game = resolved.game(shortened("patrol_clash", 2))
        session = Session(game, dict.fromkeys(game.seats, "random"), 3)
        session.drive()
        questions = [answer.question.why for _, answers, _ in session.log() for answer in answers]
        picked[rules] = questions.count(asked), questions.count("unit card")
    assert picked[()][0] > 0 == picked[()][1]
    assert picked[("unit_deck",)][0] == 0 < picked[("unit_deck",)][1]


def test_sides_take_turns_in_the_paychest() -> None:
    rules = load_rules("paychest", house_rules=[find_house_rule("alternate_units")])
    game = rules.game(small_battle())
    session = Session(game, dict.fromkeys(game.seats, "random"), 3)
    session.drive()
    acted = [event.data["unit"] for _, _, events in session.log() for event in events if event.kind == "card"]
    sides = [session.state.units[unit].spec.side for unit in acted]
    assert len(set(acted)) == len(session.state.units)
    turns = game.game_turn(session.state)
    assert sum(one != other for one, other in itertools.pairwise(sides)) > len(sides) - 4 * turns
    assert sides[:4] == [*game.seats, *game.seats]


def test_colours_decide_who_moves_first_in_risk_factor() -> None:
    told = [evening("risk_factor", "colour_order", seed=seed, small=True).told["order of the turn"] for seed in (1, 2)]
    assert max(told) > 0
    assert not evening("risk_factor", small=True).told["order of the turn"]


def test_in_risk_factor_a_card_of_his_colour_lets_a_player_act_with_one_unit() -> None:
    """Both sides roll. Every card activates a unit of its side, each once a turn; it moves and shoots before the next
    card, and melees follow.
    """
    rules = load_rules("risk_factor", house_rules=[find_house_rule("colour_cards")])
    game = rules.game(small_battle())
    session = Session(game, dict.fromkeys(game.seats, "random"), 3)
    session.drive()
    turns: dict[str, list[str]] = {}
    for _, reached in reversed(list(session.history.steps_backwards())):
        turn, _, step = reached.step.key.partition("/")
        turns.setdefault(turn, []).append(step)
    sides = {name: unit.spec.side for name, unit in session.state.units.items()}
    for steps in list(turns.values())[:-1]:
        names = [step.rpartition("/")[2] for step in steps]
        assert names.count("throw") == names.count("finish") == 2
        assert max(place for place, name in enumerate(names) if name == "throw") < names.index("settle")
        assert not {"move", "charge", "shoot", "settle"} & set(names[names.index("finish") :])
        acted: dict[str, set[str]] = {}
        for step, name in zip(steps, names, strict=True):
            if name in ("move", "charge", "shoot"):
                unit, _, card = step.split("/")[1].partition(" ")
                assert step.split("/")[0] == sides[unit]
                acted.setdefault(card, set()).add(unit)
        units = [unit for found in acted.values() for unit in found]
        assert len(units) == len(set(units)) == len(acted) > 2 and {sides[unit] for unit in units} == set(game.seats)
    again = Session(game, dict.fromkeys(game.seats, "random"), 3)
    again.drive()
    assert again.state.to_data() == session.state.to_data()


def test_in_vcc_a_card_a_unit_stands_in_the_place_of_the_phases() -> None:
    """Every unit acts on its card, in the order dealt, through all its phases; melees for all units follow."""
    rules = load_rules("vcc", house_rules=[find_house_rule("card_a_unit")])
    game = rules.game(load_scenario("patrol_clash"))
    session = Session(game, dict.fromkeys(game.seats, "doctrine"), 3)
    session.drive()
    acted: dict[str, list[tuple[int, str, str]]] = {}
    for key, answers, _ in session.log():
        turn, about, _ = key.split("/")
        for given in answers:
            if given.question.why in ("move with", "fire with") and given.answer != "done":
                phase, _, card = about.partition(" ")
                acted.setdefault(turn, []).append((int(card), phase, str(given.answer)))
    assert len(acted) > 2
    dealt = [answer.answer for _, answers, _ in session.log() for answer in answers if answer.question.why == "card"]
    first = dealt[: len(game.start().units) - 1]
    for turn, found in acted.items():
        assert found == sorted(found, key=lambda entry: entry[0]), "each card is drawn once"
        cards = {card: unit for card, _, unit in found}
        assert all(cards[card] == unit for card, _, unit in found), "a card belongs to one unit"
        assert len(set(found)) == len(found), "and it acts once in a phase"
        if turn == "1":
            assert all(card > len(first) or first[card - 1] == unit for card, unit in cards.items())
    again = Session(game, dict.fromkeys(game.seats, "doctrine"), 3)
    again.drive()
    assert again.state == session.state


def test_in_afriboria_a_die_decides_which_of_two_cards_is_played() -> None:
    played = evening("afriboria", "two_cards_and_a_die")
    assert played.game.rules.settings["solo_cards"] == "two_and_die"
