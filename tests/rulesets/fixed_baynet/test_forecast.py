"""The odds offered before a choice are those of the dice that are then thrown."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction as F
from random import Random
from typing import Any

import pytest
from tests.rulesets.fixed_baynet.plain import battle, box, by_itself, field, man, offered, rules_with, scripted, squad

from zareba.odds import first_option, odds
from zareba.rules import Rules
from zareba.scenario import load_scenario
from zareba.table import Choose, Confirm, Event, Place, SeededTable
from zareba.table.enumerating import enumerate_paths
from zareba.tally import Tally
from zareba_rulesets.fixed_baynet.battle import Battle
from zareba_rulesets.fixed_baynet.charges import charge
from zareba_rulesets.fixed_baynet.close_combat import fight_facts
from zareba_rulesets.fixed_baynet.counter_attack import ALL, EACH, NONE
from zareba_rulesets.fixed_baynet.fire import ShotFacts, volley
from zareba_rulesets.fixed_baynet.game import FbnGame
from zareba_rulesets.fixed_baynet.odds.artillery import BurstFacts
from zareba_rulesets.fixed_baynet.odds.fire import aim_of
from zareba_rulesets.fixed_baynet.odds.stage import bare_unit
from zareba_rulesets.fixed_baynet.options import menu_of
from zareba_rulesets.fixed_baynet.orders import act
from zareba_rulesets.fixed_baynet.units import Gun

Thrown = list[tuple[str, Any]]
UNDISTURBED = {"activated", "volley", "blow", "deployed", "formation", "salvo", "jammed", "fought"}


class WatchingTable(SeededTable):
    """Notes every number that dice are thrown against."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.asked: Thrown = []

    def tally(self, name: str, facts: Any) -> Tally:
        self.asked.append((name, facts))
        return super().tally(name, facts)


def expected(rules: Rules, procedure: str, facts: Any) -> list[tuple[str, Any]]:
    """The numbers that the dice of a forecast need."""
    said = by_itself(facts)
    if isinstance(said, BurstFacts):
        return [("blast", said.blast())] * said.men
    if isinstance(said, ShotFacts):
        return [("fire", ShotFacts(**aim_of(said)))]
    tallies = rules.ruleset.procedure(procedure).tallies(rules, facts)
    return [(tally.rule.name, tally.facts) for tally in tallies]


def compare(option: Any, forecast: Any, thrown: Thrown, events: list[Event], rules: Any) -> str:
    """Check one forecast against what was thrown; the kind of act that was checked, or ""."""
    if not forecast or not thrown:
        return ""
    calm = {event.kind for event in events} <= UNDISTURBED
    burst = any(e.kind == "gun fires" and e.data["hit"] and e.data["ammunition"] == "shell" for e in events)
    kind = option[0] if isinstance(option, tuple) else "fight" if option == "fight" else "single"
    if kind in ("check glory", "bash", "charge", "ride down"):
        return ""
    told = [(title, name, expected(rules, name, facts)) for title, name, facts in forecast]
    procedures = [name for _, name, _ in told]
    if "building" in procedures:
        assert [name for name, _ in thrown] == ["fire"] * len(thrown)
        assert thrown[0][1].ds >= 3
        return kind
    if kind == "gun fire":
        assert [thrown[0]] == next(found for _, name, found in told if name == "gun_aim")
        blasts = Counter(facts for name, facts in thrown if name == "blast")
        under = Counter(one for _, name, found in told if name == "burst" for _, one in found)
        if burst and under:
            assert under <= blasts, "everybody under the marker was told of"
            return "burst"
        return kind
    if kind == "fire":
        each = Counter({found[0]: int(title.split()[0]) for title, name, found in told if name != "volley"})
        assert thrown[0] in each, (option, thrown[0], each)
        assert not calm or Counter(thrown) == each
        return kind
    numbers = [one for _, _, found in told for one in found]
    assert thrown[0] in numbers, (option, thrown[0], numbers)
    if kind == "fight" and calm:
        assert set(thrown) <= set(numbers)
        assert len(thrown) == 2 * sum(int(title.split()[0]) for title, _, _ in told)
    return kind


def leads_to_odds(game: FbnGame, now: Battle, question: Any, option: Any) -> bool:
    """Whether an option has odds, or as a kind of shots and blows leads to some."""
    verb = option[0] if isinstance(option, tuple) else option
    return bool(game.odds_for(now, question, option)) or (
        question.why == "act" and verb in ("fire", "gun fire", "salvo")
    )


def play(name: str, seed: int, steps: int, **settings: Any) -> Counter[str]:
    """Part of a random game that shoots and strikes whenever it can; how often each kind of act was compared."""
    random = Random(f"{name}/{seed}")
    rules = rules_with(**settings)
    game = FbnGame(rules, load_scenario(name))
    state = game.start()
    asked: list[tuple[Any, Any, int]] = []

    def answer(question: Any, now: Battle) -> Any:
        if isinstance(question, Place):
            return random.choice(question.suggestions)
        if isinstance(question, Confirm):
            return random.random() < 0.5
        option = random.choice(question.options)
        told = [one for one in question.options if leads_to_odds(game, now, question, one)]
        told = told if random.random() < 0.7 else []
        option = random.choice(told) if told else option
        acts = menu_of(now, now.units[question.actor]).of(option) if question.why == "act" else [option]
        act = acts[0] if len(acts) == 1 else option
        asked.append((act, game.odds_for(game.view(now, question.seat), question, option), len(table.asked)))
        return option

    table = WatchingTable(rules, state, seed, dict.fromkeys(game.seats, answer))
    compared: Counter[str] = Counter()
    for _ in range(steps):
        step = game.next_step(state)
        if step is None:
            break
        table.begin(step)
        table.asked.clear()
        asked.clear()
        game.perform(table, state, step)
        for option, forecast, at in asked:
            if not (isinstance(option, str) and option in (ALL, EACH)):
                compared[compare(option, forecast, table.asked[at:], table.events, rules)] += 1
    return compared


@pytest.mark.rule("FBN-082", "FBN-092", "FBN-105", "FBN-115", "FBN-215", "FBN-229")
def test_what_is_offered_is_what_is_thrown() -> None:
    compared: Counter[str] = Counter()
    for seed, name in enumerate(("patrol_clash", "square_attacked", "hill_fort", "mission_station", "column_ambushed")):
        compared += play(name, seed, 500)
    compared += play("paychest_raid", 9, 300, sign_reading="literal", doorway_cc="both", night=True)
    assert {"fire", "fight", "single", "gun fire", "fire at house"} <= set(compared), compared
    assert compared["fire"] > 100 and compared["fight"] > 20


def act_question(unit: str, option: Any) -> Choose:
    return Choose("act", "FBN-016", unit, "red", (option, "end"), ())


@pytest.mark.rule("FBN-041", "FBN-104", "FBN-118")
def test_a_charge_tells_the_first_blow_of_who_gets_home() -> None:
    red = squad("red", "red", 5, (20, 10), "mass", cs=1, close=True, weapon="spear", table="native")
    blue = squad("blue", "blue", 5, (20, 18), "closed", facing=0.0)
    state = battle(red, blue)
    state.active = "red"
    ((title, procedure, facts),) = offered(state, act_question("red", ("charge", "blue")), ("charge", "blue"))
    assert procedure == "close_combat"
    rules = rules_with()
    numbers = [tally.facts for tally in rules.ruleset.procedure(procedure).tallies(rules, facts)]
    name = title.removeprefix("a blow of ").removesuffix(" once he is home")
    before = state.to_data()
    with scripted(state) as table:
        charge(table, state, red, blue)
    assert before != state.to_data()
    runner = red.figures[name]
    foe = min(blue.figures.values(), key=lambda foe: (foe.x - runner.x) ** 2 + (foe.y - runner.y) ** 2)
    attacker, defender = fight_facts(state, red, runner, foe, True), fight_facts(state, blue, foe, runner, False)
    assert numbers == [attacker, defender] and defender.rear and attacker.weapon and not defender.weapon
    far = battle(squad("red", "red", 5, (20, 10)), squad("blue", "blue", 5, (20, 60)))
    assert offered(far, act_question("red", ("charge", "blue")), ("charge", "blue")) == []


@pytest.mark.rule("FBN-096", "FBN-097", "FBN-102")
def test_a_shot_at_a_man_who_may_answer_and_the_answer() -> None:
    red, blue = squad("red", "red", 1, (20, 10)), squad("blue", "blue", 1, (20, 20), facing=180.0, cs=2)
    state = battle(red, blue)
    state.active = "red"
    aim = Choose("aim at", "FBN-093", "red/1", "red", ("blue/1", "hold fire"), ())
    ((_, procedure, facts),) = offered(state, aim, "blue/1")
    assert (procedure, facts.firer_ds, facts.target_cs, facts.band) == ("exchange", 5, 2, "medium")
    assert offered(state, aim, "hold fire") == []
    blue.mark("activated")
    assert [name for _, name, _ in offered(state, aim, "blue/1")] == ["shot"]
    reply = Choose("counter-attack", "FBN-102", "blue", "blue", (ALL, NONE, EACH), ("blue/1", "red/1"))
    ((_, procedure, answer),) = offered(state, reply, ALL)
    assert (procedure, answer.cs, answer.ds) == ("counter_attack", 2, 5)
    assert offered(state, reply, NONE) == []
    alone = Confirm("answer", "FBN-102", "blue/1", "blue", ("red/1",))
    assert offered(state, alone, True) == offered(state, reply, ALL)
    assert offered(state, alone, False) == []


@pytest.mark.rule("FBN-054", "FBN-096", "FBN-168")
def test_who_fires_lying_down_may_be_answered() -> None:
    """His shot shows him before it is resolved, so the answer to it belongs to its odds."""
    for reaction in ("", "prone"):
        red, blue = squad("red", "red", 1, (20, 10)), squad("blue", "blue", 1, (20, 20), facing=180.0)
        red.figures["red/1"].mark("prone")
        red.figures["red/1"].reaction = reaction
        state = battle(red, blue)
        before = state.to_data()
        aim = Choose("aim at", "FBN-093", "red/1", "red", ("blue/1", "hold fire"), ())
        assert [name for _, name, _ in offered(state, aim, "blue/1")] == ["exchange"]
        assert state.to_data() == before


@pytest.mark.rule("FBN-215", "FBN-217")
def test_a_round_tells_its_aim_and_who_else_is_under_it() -> None:
    gun = Gun("light_gun", 50.0, 10.0, 0.0, 0.0, 2, ac=3)
    red = bare_unit("red", "red", [man("red/1", "red", 50, 8.5, role="crew", cs=-1)], guns=[gun], kind="battery")
    blue = squad("blue", "blue", 9, (50, 40), "mass", ds=4)
    friend = squad("friend", "red", 1, (50, 41.99), weapon="none")
    state = battle(red, blue, friend)
    state.active = "red"
    told = offered(state, act_question("red", ("gun fire", 0, "blue")), ("gun fire", 0, "blue"))
    assert [(name, getattr(facts, "men", 0)) for _, name, facts in told] == [("gun_aim", 0), ("burst", 8), ("burst", 1)]
    rolls = [("burst", [1])] * 9
    with scripted(state, ("aim the gun at", "blue/5"), ("load", "shell"), ("gun", [11]), *rolls) as table:
        act(table, state, red, ("gun fire", 0, "blue"))
        needs = Counter(tally.total for tally in table.tallies if tally.rule.name == "blast")
    rules = rules_with()
    assert needs == {
        rules.tally("blast", told[1][2].blast()).total: 8,
        rules.tally("blast", told[2][2].blast()).total: 1,
    }


@pytest.mark.rule("FBN-204", "FBN-217")
def test_a_round_at_a_piece_tells_of_the_crew_under_it() -> None:
    guns = [Gun("light_gun", 50.0, y, 0.0, bearing, 2, ac=3) for y, bearing in ((10, 0.0), (40, 180.0))]
    red = bare_unit("red", "red", [man("red/1", "red", 50, 8.5, role="crew", cs=-1)], guns=guns[:1], kind="battery")
    crew = [man(f"blue/{i}", "blue", x, 41.0, role="crew", ds=4) for i, x in enumerate((49, 51, 55))]
    state = battle(red, bare_unit("blue", "blue", crew, guns=guns[1:], kind="battery"))
    option = ("gun at gun", 0, "blue", 0)
    (_, _, aim), (_, name, blast) = offered(state, act_question("red", option), option)
    assert (name, blast.men, blast.crew) == ("burst", 2, True)
    with scripted(state, ("load", "shell"), ("gun", [11]), *[("burst", [1])] * 2) as table:
        act(table, state, red, option)
        thrown = [tally.total for tally in table.tallies]
    rules = rules_with()
    assert thrown == [rules.tally("fire", aim).total, *[rules.tally("blast", blast.blast()).total] * 2]


@pytest.mark.rule("FBN-229", "FBN-232")
def test_a_salvo_tells_whether_the_jam_die_is_still_to_come() -> None:
    gun = Gun("machine_gun", 50.0, 10.0, 0.0, 0.0, 2, ac=3)
    crew = [man(f"red/{i}", "red", 50 + i, 8.5, role="crew", cs=-1) for i in (0, 1)]
    red = bare_unit("red", "red", crew, guns=[gun], kind="machine_gun")
    state = battle(red, squad("blue", "blue", 6, (50, 25), ds=4))
    question = act_question("red", ("salvo", 0, "blue"))
    for jam, die in (("", True), ("clear", False)):
        gun.jam = jam
        ((_, procedure, facts),) = offered(state, question, ("salvo", 0, "blue"))
        assert (procedure, facts.jam_die, facts.salvos, facts.men) == ("machine_gun", die, 1, 6)
        found = odds(rules_with(), rules_with().ruleset.procedure(procedure), facts)
        assert (found.probability(lambda o: o.jammed) > 0) is die


@pytest.mark.rule("FBN-052", "FBN-092", "FBN-229")
def test_no_more_men_can_fall_than_can_be_aimed_at() -> None:
    """The dice of the forecast end where those of the game do: with the last man who stands."""
    for kind, script in (("squad", [("shot", [11])] * 2), ("machine_gun", [("jam", [1]), *[("shot", [11])] * 2])):
        blue = squad("blue", "blue", 6, (50, 25), weapon="none")
        for one in list(blue.figures.values())[2:]:
            one.mark("prone")
        gun = Gun("machine_gun", 50.0, 10.0, 0.0, 0.0, 2, ac=3)
        men = [man(f"red/{i}", "red", 48 + i, 8.5) for i in range(5)]
        red = bare_unit("red", "red", men, guns=[gun] if kind == "machine_gun" else None, kind=kind)
        state = battle(red, blue)
        state.active = "red"
        option = ("salvo", 0, "blue") if kind == "machine_gun" else ("fire", "blue")
        _, procedure, facts = offered(state, act_question("red", option), option)[0]
        found = odds(rules_with(), rules_with().ruleset.procedure(procedure), facts)
        assert found.probability(lambda o: o.down > 2) == 0
        with scripted(state, *script) as table:
            act(table, state, red, option)
        assert len(blue.figures) == 4


@pytest.mark.rule("FBN-078", "FBN-092", "FBN-229")
@pytest.mark.setting("figures_block_los")
def test_who_is_hidden_by_others_may_fall_after_them() -> None:
    for kind, jam in (("squad", []), ("machine_gun", [("jam", [1])])):
        blue = bare_unit("blue", "blue", [man(f"blue/{i}", "blue", 50, 22 + i, weapon="none") for i in (0, 1)])
        guns = [Gun("machine_gun", 50.0, 10.0, 0.0, 0.0, 2, ac=3)] if kind == "machine_gun" else None
        men = [man("red/1", "red", 50, 8.5), man("red/2", "red", 48.7, 9.2)]
        red = bare_unit("red", "red", men, guns=guns, kind=kind)
        state = battle(red, blue, figures_block_los=True)
        state.active = "red"
        option = ("salvo", 0, "blue") if guns else ("fire", "blue")
        _, procedure, facts = offered(state, act_question("red", option), option)[0]
        found = odds(rules_with(), rules_with().ruleset.procedure(procedure), facts)
        assert max(outcome.down for outcome in found.outcomes) == 2
        with scripted(state, *jam, *[("shot", [11])] * 2, figures_block_los=True) as table:
            act(table, state, red, option)
        assert not blue.figures


def played_out(state: Battle) -> dict[tuple[int, int], F]:
    """How many soldiers and leaders of "blue" a volley of "red" takes, by every way in which its dice may fall."""
    whole = state.units["blue"].figures
    leaders = {key for key, figure in whole.items() if figure.spec.leads}

    def run(table: Any) -> tuple[int, int]:
        draft = state.copy()
        table.state = draft
        volley(table, draft, draft.units.change("red"), draft.units["blue"])
        gone = set(whole) - set(draft.units["blue"].figures)
        return len(gone - leaders), len(gone & leaders)

    found: dict[tuple[int, int], F] = {}
    for result, p in enumerate_paths(state.book.rules, run, choices=first_option, budget=50_000):
        found[result] = found.get(result, F(0)) + p
    return found


def told_of_volley(state: Battle) -> dict[tuple[int, int], F]:
    """The same by the odds that are shown for that volley."""
    _, procedure, facts = offered(state, act_question("red", ("fire", "blue")), ("fire", "blue"))[0]
    found: dict[tuple[int, int], F] = {}
    for outcome, p in odds(state.book.rules, state.book.rules.ruleset.procedure(procedure), facts).outcomes.items():
        result = (outcome.down - outcome.leaders, outcome.leaders)
        found[result] = found.get(result, F(0)) + p
    return found


@pytest.mark.rule("FBN-081", "FBN-092", "FBN-125")
@pytest.mark.setting("prone_untargetable", "figures_block_los")
@pytest.mark.parametrize("changed", [{}, {"prone_untargetable": False}, {"figures_block_los": True}])
def test_the_odds_of_a_volley_are_those_of_its_shots_one_after_the_other(changed: dict[str, Any]) -> None:
    """Men fall from the front; a pistol reaches no second man, and the third shot may be the first at a leader."""
    plain = [man(f"blue/{i}", "blue", 51, 20 + 2 * i, weapon="none", gl=2) for i in range(4)]
    led = [plain[0], plain[1], man("blue/nco", "blue", 51, 24, weapon="none", gl=2, role="nco"), plain[3]]
    arms = ("rifle", "rifle"), ("rifle", "rifle", "rifle"), ("rifle", "pistol", "pistol"), ("pistol", "rifle", "rifle")
    for men in (plain, led):
        for weapons in arms:
            firers = [man(f"red/{i}", "red", 49 + 2 * i, 10, weapon=weapon) for i, weapon in enumerate(weapons)]
            state = battle(bare_unit("red", "red", firers), bare_unit("blue", "blue", men), **changed)
            state.active = "red"
            assert told_of_volley(state) == played_out(state)


@pytest.mark.rule("FBN-213", "FBN-217")
@pytest.mark.setting("artillery_damage")
def test_a_burst_rolls_as_often_as_the_piece_does() -> None:
    for setting, rolls in (("multiple", 1), ("dice", 3)):
        gun = Gun("light_gun", 50.0, 10.0, 0.0, 0.0, 2, ac=3)
        red = bare_unit("red", "red", [man("red/1", "red", 50, 8.5, role="crew", cs=-1)], guns=[gun], kind="battery")
        state = battle(red, squad("blue", "blue", 2, (50, 40), "closed", ds=4), artillery_damage=setting)
        state.active = "red"
        told = offered(state, act_question("red", ("gun fire", 0, "blue")), ("gun fire", 0, "blue"))
        facts = told[1][2]
        rules = rules_with(artillery_damage=setting)
        found = odds(rules, rules.ruleset.procedure("burst"), facts)
        assert facts.rolls == rolls and found.probability(lambda o: o.down == 1) == 1 - F(3, 12) ** rolls


@pytest.mark.rule("FBN-215", "FBN-219")
@pytest.mark.setting("deviation_on")
def test_a_piece_that_always_strays_is_promised_no_hit() -> None:
    for rocket, setting in ((True, "miss"), (False, "always")):
        gun = Gun("light_howitzer", 50.0, 10.0, 0.0, 0.0, 2, ac=3, odd=rocket, solid=not rocket)
        red = bare_unit("red", "red", [man("red/1", "red", 50, 8.5, role="crew", cs=-1)], guns=[gun], kind="battery")
        home = bare_unit("home", "blue", [man("home/1", "blue", 80, 80)], guns=[Gun("light_gun", 50, 30, 0, 180, 2)])
        state = battle(red, squad("blue", "blue", 2, (50, 25)), home, deviation_on=setting)
        state.active = "red"
        for option in (("gun fire", 0, "blue"), ("gun at gun", 0, "home", 0)):
            told = offered(state, act_question("red", option), option)
            assert [(name, facts.ammunition, facts.critical) for _, name, facts in told] == [
                ("deviation", one, False) for one in (["shell"] if rocket else ["shell", "shot"])
            ]


@pytest.mark.rule("FBN-036", "FBN-254")
def test_glory_checks_and_doors() -> None:
    red = squad("red", "red", 3, (20, 10))
    red.figures["red/2"].gl = 6
    state = battle(red, on=field(("light_forest", list(box(0, 0, 5, 5)))))
    ((_, procedure, facts),) = offered(state, act_question("red", "check glory"), "check glory")
    assert (procedure, facts.printed, facts.gl) == ("glory_check", 4, 6)
    option = ("bash", "red/1", "hut:door")
    ((_, procedure, door),) = offered(state, act_question("red", option), option)
    assert (procedure, door.cs, door.attempts) == ("door", 0, 1)


@pytest.mark.rule("FBN-006", "FBN-222")
def test_no_odds_give_away_a_range_that_is_to_be_guessed() -> None:
    state = battle(squad("red", "red", 1, (20, 10)))
    guess = Choose("guess the range", "FBN-222", "red 1", "red", ("the gunner's guess", 10, 11), ())
    assert all(offered(state, guess, option) == [] for option in guess.options)
    assert offered(state, act_question("red", ("gun indirect", 0)), ("gun indirect", 0)) == []
