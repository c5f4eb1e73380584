"""An evening of Fixed Bay'net at a real table, worked out by hand beforehand.

Each line of the evening is what people type. Above it stands the result by the rulebook.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.rulesets.companion_games import limit_odds, typed

from zareba.base.errors import ZarebaError
from zareba.cli.output import SafeConsole
from zareba.cli.prompt.companion_prompt import CompanionPrompt
from zareba.companion import (
    AskFact,
    Evening,
    Form,
    Preview,
    Scene,
    crew_of,
    new_evening,
    open_evening,
    scenario_of_list,
)
from zareba.registry import find_house_rule
from zareba.scenario import load_scenario
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Figure

# Europeans: CS 0, DS 5, glory 4+; Natives: CS +1, DS 4, glory 4+; green ones CS 0, DS 3, glory 5+; elite ones CS +2, DS
# 4, glory 3+. Gunners are green Europeans: CS -1, glory 5+ (FBN-201). The first man of a unit is its NCO or hero; the
# Fusiliers begin with Lt Ashby.
FORCES = """\
The column:
10 Fusiliers rifles, Lt Ashby
10 Sikhs rifles
8 Lancers lancers
1 field gun, 4 crew
1 machine gun, 2 crew
10 Reserve rifles, turn 2 on 4+
The impi:
12 Red spears
12 Blue spears
12 Green spears, raw
12 Marks muskets
12 Black spears, elite
8 Riders horsemen
"""


def evening_of(text: str = FORCES, **settings: Any) -> Evening[Battle]:
    return new_evening("fixed_baynet", scenario_of_list(text), seed=1, settings=settings)


def unit(evening: Evening[Battle], name: str) -> tuple[int, int, int]:
    """Return the men of a unit, the worst glory of its steady men (7 if none is steady), and how many are in panic."""
    men = evening.state.units[name].figures.values()
    steady = [man.gl for man in men if not man.reaction]
    return len(men), max(steady, default=7), len(men) - len(steady)


@pytest.fixture(autouse=True)
def quiet(capsys: pytest.CaptureFixture[str]) -> Iterator[None]:
    yield
    capsys.readouterr()


@pytest.fixture
def without_odds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the odds before the dice, which take most of the time of an evening."""
    monkeypatch.setattr(Form, "preview", lambda form: Preview((), ""))


@pytest.mark.rule("FBN-013")
def test_evening_of_three_turns(without_odds: None) -> None:
    evening = evening_of()
    # --- Turn 1. The highest roll activates last (FBN-008). -----------------------------------------------------------
    assert typed(evening, "5", "3") == ["order of activation: the impi, the column"]
    # Three movement actions take all AC, so the activation ends (FBN-040).
    typed(evening, "red", "move; 3")
    # Needs DS 4 - 1 (mass) + 0 (medium) + 1 (CS -1) = 4: 8 hits. The aimed man falls; four others under the 4" marker
    # are hit on 4 - 1 = 3 or more (FBN-217): 5 and 9 fell two, 12 is a bloody death.
    assert typed(evening, "field gun", "gun; red; ; 24; ; 8; 1; 4; 2 5 9 12")[1:] == [
        "Field gun fired shell at Red: a hit", "Red lost 4 men: 3 fell, 1 killed at once",
    ]  # fmt: skip
    # Muskets at long range: 5 + 1 - 1 = 5. Hits 9, 5, 12, 6, 8, 11, 7, 10, one of them critical. Seven men answer
    # before they fall (FBN-096), on D12 + 0 against DS 4: all but the 2 hit. The first answers the hero, who fired
    # first: 7 on Table 13-A is a heavy arm wound. Eight of ten Fusiliers are lost: half strength (FBN-141).
    told = typed(
        evening, "marks", "move; 1", "fire; fusiliers; 20; ; 9 5 1 12 6 2 8 3 11 4 7 10", "", "5 4 11 7 8 2 9", "7"
    )
    assert told[2:] == [
        "Marks fired 12 shots at Fusiliers", "Fusiliers shot back 7 times: 6 hits",
        "Fusiliers lost 8 men: 7 fell, 1 killed at once", "Marks lost 5 men: 5 fell",
        "hero 1 of Marks suffered a heavy arm wound", "Marks lost glory: leader or banner hit",
        "Fusiliers lost glory: down to half strength",
    ]  # fmt: skip
    assert [unit(evening, name) for name in ("fusiliers", "marks", "red")] == [(2, 5, 0), (7, 5, 0), (8, 4, 0)]
    # The gun does not jam on 3 (FBN-232). Three salvos of six shots: 4 - 1 + 0 + 1 = 4 (FBN-229). Four, two and one
    # hit: 5 of 12 are left. Pinned (FBN-230) and half strength: glory 6.
    typed(evening, "machine gun", "salvo; blue; 18; ; 3; 4 3 12 9 1 7", "salvo; blue; 18; ; 2 2 8 5 3 1")
    assert typed(evening, "salvo; blue; 18; ; 11 1 2 3 3 2") == [
        "Machine gun fired a salvo at Blue: 1 hit",
        "Blue lost 1 man: 1 fell",
    ]
    assert unit(evening, "blue") == (5, 6, 0)
    # It has lost men, so its formation is judged after the move (FBN-064).
    typed(evening, "blue", "move; 1", "end; y")
    # Red in tall grass: 4 - 1 + 1 = 4. Hits 5, 4, 4: three men fall, 5 of 12 left: glory 5. A change of formation
    # (FBN-035). Black at long range: 4 - 1 + 1 = 4: 12, 4, 4, 5. Spears reach 8", so Black cannot answer (FBN-099).
    typed(evening, "sikhs", "fire; red; 10; area 1; 3 5 1 4 2 2 3 4 1 3", "change; mass")
    assert (
        typed(evening, "fire; black; 22; none; 12 4 4 3 2 5 1 1 2 3")[1] == "Black lost 4 men: 1 killed at once, 3 fell"
    )
    typed(evening, "riders", "ride", "end", "lancers", "ride", "end")  # from a halt only a walk (FBN-176)
    # Green has 3 AC of moves; then the Fusiliers are the only unit of the column left. Lt Ashby rallies them (FBN-159).
    typed(evening, "green", "move; 3")
    assert typed(evening, "rally", "end")[0] == "Lt Ashby rallied 2 men of Fusiliers: glory improved by 2"
    typed(evening, "change; lie down", "move; 1", "end; y")
    # Glory: Red 5+ fails with 3, Blue 6+ passes with 6, Marks 5+ passes with 5, Fusiliers have nothing to improve.
    typed(evening, "3 6 5 2")
    assert [unit(evening, name)[1] for name in ("red", "blue", "marks", "fusiliers")] == [5, 5, 4, 4]
    # --- Turn 2. The Reserve arrives on 4 or more. --------------------------------------------------------------------
    assert typed(evening, "5") == ["Reserve arrived"]
    # A charge costs Green glory (FBN-143), its contact in the flank costs the Sikhs (FBN-145). Six blows, the better of
    # two dice against one: 6:3 wound, 5:4 capture, 2:6 wound of the attacker, 4:2 wound, 6:1 critical, 3:3 miss. Four
    # losses for one are a heroic deed (FBN-161): Red's glory is 4 again.
    told = typed(
        evening,
        "green",
        "charge; sikhs; ; 6; y",
        "strike; sikhs; 6; 6; ; 6 2 3 5 1 4 1 2 6 4 4 2 6 6 1 2 3 3",
        "end; red",
    )
    assert told[1:6] == [
        "Green charged Sikhs: 6 of 12 men in contact", "Green lost glory: the confusion of a charge",
        "Sikhs lost glory: attacked in the flank or rear",
        "Green struck 6 times: 2 defenders hit, 1 defender overpowered, 1 attacker hit, 1 defender killed at once, 1 miss",
        "Sikhs lost 4 men: 2 fell, 1 taken prisoner, 1 killed at once",
    ]  # fmt: skip
    assert [unit(evening, name) for name in ("green", "sikhs", "red")] == [(11, 6, 0), (6, 5, 0), (5, 4, 0)]
    # 1 is a critical miss: D6" of deviation, 3 o'clock. Nobody is under the marker, but Blue was shot at in two turns
    # running.
    assert typed(evening, "field gun", "gun; blue; ; 24; ; 1; 6; 3; ")[1:] == [
        "Field gun fired shell at Blue: it landed 6\" from the target, at 3 o'clock (12: straight on)",
        "Blue lost glory: pinned by fire",
    ]  # fmt: skip
    # Riders at a canter: CS +1, +1 against men on foot: 5+2 against 2-1, a critical. Half strength brings the gunner
    # from 6 to 7: panic, onwards on 4. 6+2 against 1-1: a critical. The gun is taken: another deed; Blue's glory is 4.
    typed(evening, "riders", "gallop; machine gun; 2; n; ", "strike; machine gun; 2; 2; ; 5 3 2 6 1 1; 4")
    assert typed(evening, "end; y; gun 1; blue") == [
        "Riders captured a gun of Machine gun", "heroic deed by Riders (gun captured): glory of Blue improved by 2",
    ]  # fmt: skip
    # A canter straight at Marks within 17" costs it glory (FBN-142).
    assert typed(evening, "lancers", "ride; canter; marks", "end")[2] == "Marks lost glory: cavalry riding at the unit"
    # Thrown spears at a stone wall: 5 + 4 + 1 - 1 = 9. The 11 hits Lt Ashby: 1, a light arm wound; he answers at half
    # range (8" of 12") and hits the hero: 2, a light leg wound. The 12 kills Lt Ashby. Fusiliers: pinned and leader:
    # glory 6.
    told = typed(evening, "red", "fire; fusiliers; wall 4; 11 4 2 12 1", "1", "", "5", "2", "end; ")
    assert told[3:8] == [
        "Lt Ashby suffered a light arm wound", "Lt Ashby shot back at hero 1 of Red: a hit",
        "hero 1 of Red suffered a light leg wound", "Red lost glory: leader or banner hit",
        "Fusiliers lost glory: leader or banner hit",
    ]  # fmt: skip
    assert told[8] == "Lt Ashby of Fusiliers was killed at once"
    assert [unit(evening, name) for name in ("fusiliers", "red")] == [(1, 6, 0), (5, 5, 0)]
    # One die against two: 5:4 capture, 6:2 wound, 1:1 miss, 4:2 wound, 3:6 and 2:5 wounds of the Sikhs. Four of ten:
    # half strength, glory 6; a voluntary check with 6 makes it 5 (FBN-036).
    typed(evening, "sikhs", "strike; green; 6; 6; ; 5 4 1 6 2 1 1 1 1 4 2 2 3 6 5 2 5 5", "check; 6", "end")
    assert [unit(evening, name) for name in ("green", "sikhs")] == [(8, 6, 0), (4, 5, 0)]
    typed(evening, "blue", "move; 3", "y", "fusiliers", "end", "marks", "change; lie down", "end")
    # Five men fire at those who are not in contact: 3 - 1 + 0 - 0 = 2. 3 and 4 hit: six of twelve are left, so glory 7:
    # all six panic (FBN-151): flee 1, freeze 2. They are no mass any more (FBN-064): 3. The 12 kills one, and 2 misses.
    told = typed(evening, "shoot; green; 5; 2; 10; ; 3 4 12 2 1", "1 2 1 2 1 1", "end")
    assert told[1] == "Green lost 3 men: 2 fell, 1 killed at once"
    assert told[2] == "6 men of Green panicked: 4 fleeing, 2 frozen"
    assert unit(evening, "green")[2] == 5
    typed(evening, "change; get up", "move; 2", "y")
    # Glory: Red 5+ passes with 5, Blue needs nothing, Marks 5+ fails with 2, Riders 5+ pass with 6, Fusiliers 6+ fail
    # with 2, Sikhs 5+ pass with 5. Green rolls nothing: no man is steady, and recovery begins in the next turn
    # (FBN-154).
    typed(evening, "5 3 2 6 2 5")
    assert [unit(evening, name)[1] for name in ("red", "blue", "marks", "riders", "fusiliers", "sikhs")] == [
        4,
        4,
        5,
        4,
        6,
        4,
    ]
    # --- Turn 3 -------------------------------------------------------------------------------------------------------
    assert typed(evening, "green")[1:] == ["Green, men in panic: 4 fled"]  # the fifth is frozen, and that ends it
    # From a canter to a gallop (FBN-176): Marks glory 6. CS 0 + 1 against +1, the better of two dice each: 7:3 wound;
    # half strength makes glory 7, and the six others lie down in panic on 4. 5:4 capture, 3:7 wound of the lancer, 6:6
    # miss, 7:2 critical. Three losses for one: a deed, but the Reserve has nothing to gain.
    told = typed(
        evening, "lancers", "gallop; marks; gallop; 5; n; ",
        "strike; marks; 5; 5; ; 6 5 2 1 4 4 3 3 1 2 6 6 5 5 5 5 3 6 1 1", "4 4 4 4 4 4", "end; reserve",
    )  # fmt: skip
    assert told[1:4] == [
        "Lancers charged Marks: 5 of 5 men in contact", "Lancers lost glory: the confusion of a charge",
        "Marks lost glory: cavalry riding at the unit",
    ]  # fmt: skip
    assert [unit(evening, name) for name in ("marks", "lancers")] == [(4, 7, 4), (7, 5, 0)]
    # The others of both sides wait. Glory: Lancers 5+ pass with 5. Green recovers on the printed 5+: the hero and one
    # man (FBN-154).
    typed(evening, "next", "next", "5", "5 6 4 2 1")
    assert evening.state.turn == 4
    assert unit(evening, "green") == (5, 6, 3)
    assert evening.state.gone == {"machine_gun": "destroyed"}
    assert evening.state.units["machine_gun"].guns[0].taken_by == "impi"
    assert {name: unit(evening, name)[0] for name in evening.state.units} == {
        "fusiliers": 1, "sikhs": 4, "lancers": 7, "field_gun": 4, "machine_gun": 0, "reserve": 10,
        "red": 5, "blue": 5, "green": 5, "marks": 4, "black": 8, "riders": 8,
    }  # fmt: skip


@pytest.mark.rule("FBN-013", "FBN-014")
def test_next_goes_to_the_next_activation_and_says_what_it_leaves_out(
    capsys: pytest.CaptureFixture[str], without_odds: None
) -> None:
    forces = "Us:\n3 Alpha rifles\n3 Bravo rifles\nThem:\n12 Red spears\n12 Blue spears\n12 Green spears\n"
    evening = evening_of(forces)
    typed(evening, "6", "1", "red", "next")
    assert "left out: 3 AC of Red; undo takes this back" in capsys.readouterr().out
    typed(evening, "next")
    assert "no unit activated now; Alpha and Bravo can still be activated this turn" in capsys.readouterr().out
    assert evening.openings()[0].actors == ("blue", "green")
    typed(evening, "blue; end")
    assert evening.openings()[0].actors == ("alpha", "bravo"), "a pass is over once a unit was activated"
    typed(evening, "alpha; end", "next", "next")  # Green and Bravo are the last of their sides
    assert "left out: 3 AC of Bravo" in capsys.readouterr().out
    assert evening.state.turn == 2
    typed(evening, "next", "next")
    assert "left out this turn: Alpha, Bravo, Red, Blue and Green" in capsys.readouterr().out
    assert evening.state.turn == 3


@pytest.mark.rule("FBN-161")
def test_next_ends_an_activation_with_its_questions(without_odds: None) -> None:
    """Two losses more than the enemy's are a heroic deed, which friends near by may have seen."""
    evening = evening_of("Us:\n6 Alpha rifles\nThem:\n12 Red spears\n12 Blue spears\n")
    typed(evening, "6", "1", "red", "strike; 2; 2; ; 6 6 1 6 6 1", "next")
    form = evening.form("end")
    assert isinstance(form.pending, AskFact) and form.pending.asked.fact == "near"
    evening.undo()
    typed(evening, "strike; 2; 2; ; 6 6 1 6 6 1", "next", "")
    assert evening.state.active == "alpha"


@pytest.mark.rule("FBN-092")
def test_volley_needs_at_most_six_answers(without_odds: None) -> None:
    """The act, the target, the distance, the cover and the dice; then the enemy says once which of his men shoot
    back.
    """
    evening = evening_of()
    typed(evening, "3", "5", "fusiliers")
    queue = iter(["fire", "marks", "9", "", "4 4 4 4 4 2 1 1 1 1", "none"])
    prompt = CompanionPrompt(evening, SafeConsole(), lambda _: next(queue))
    with pytest.raises(StopIteration):
        prompt.run()
    assert prompt.answers == 6
    assert evening.entries[-1].sentences == (
        "Fusiliers fired 10 shots at Marks", "Marks lost 5 men: 5 fell", "Marks: 7 of 12 figures left",
    )  # fmt: skip


@pytest.mark.rule("FBN-092")
def test_dice_of_a_volley_are_given_together() -> None:
    evening = evening_of()
    typed(evening, "3", "5", "fusiliers")
    facts = {"distance": 12, "cover": "none", "lit": False}
    form = evening.form("fire", Scene(evening.game, "fusiliers", "marks", facts))
    assert len(form.throws_together()) == 10
    with pytest.raises(ZarebaError, match="10 dice, or fewer; 11 do not fit"):
        form.give_faces([1] * 11)
    with pytest.raises(ZarebaError, match="cannot show 13"):
        form.give_faces([1, 2, 3, 13])
    assert form.given == []
    form.give_faces([1, 2, 3, 1])
    assert len(form.given) == 3  # the 3 hits a man, and its owner decides first whether he shoots back
    form.give(())
    assert len(form.given) == 4
    assert len(form.throws_together()) == 6


@pytest.mark.rule("FBN-102")
def test_only_the_men_who_are_named_shoot_back(without_odds: None) -> None:
    """Nine hits: eight common men fall without an answer, and Lt Ashby, with a light chest wound on 5, misses with a
    1.
    """
    evening = evening_of()
    typed(evening, "5", "3", "marks")
    told = typed(evening, f"fire; fusiliers; 10; ; {'6 ' * 9}1 1 1", "lt ashby", "5", "1")
    assert [line for line in told if "shot" in line] == [
        "Marks fired 12 shots at Fusiliers",
        "Lt Ashby shot back at man 9 of Marks: a miss",
    ]


@pytest.mark.rule("FBN-102")
def test_common_men_are_offered_only_if_there_are_some(capsys: pytest.CaptureFixture[str], without_odds: None) -> None:
    evening = evening_of("Us:\n2 Rifles rifles, Lt Ashby\nThem:\n3 Marks muskets\n")
    typed(evening, "5", "3", "marks")
    typed(evening, "fire; 10; ; 6 6 1", "")
    said = capsys.readouterr().out
    assert "Which men of Rifles shoot back" in said
    assert "Lt Ashby" in said and "the common men" not in said


def test_a_saved_volley_with_the_word_of_play_is_repeated(without_odds: None) -> None:
    """Evenings saved before the question was put once have the owner's answer to the question of play."""
    evening = evening_of()
    typed(evening, "5", "3", "marks")
    typed(evening, "fire; fusiliers; 10; ; 6 6 6 1 1 1 1 1 1 1 1 1", "none")
    data = dict(evening.entries[-1].data)
    data["answers"] = {name: value for name, value in data["answers"].items() if name != "answering"}
    given = list(data["given"])
    place = next(number for number, answered in enumerate(given) if answered["faces"] == [6]) + 1
    data["given"] = [*given[:place], {"answer": "answer none", "faces": []}, *given[place:]]
    state = evening.state.to_data()
    evening.undo()
    evening.repeat(data)
    assert evening.state.to_data() == state


@pytest.mark.rule("FBN-141")
def test_destroyed_unit_can_be_corrected_back(without_odds: None) -> None:
    evening = evening_of()
    evening.correct("machine_gun", "figures", 0)
    assert evening.state.gone == {"machine_gun": "destroyed"}
    evening.correct("machine_gun", "figures", 2)
    assert evening.state.gone == {}
    typed(evening, "3", "5")
    assert "machine_gun" in evening.openings()[0].actors


def test_evening_is_saved_and_resumed(tmp_path: Any, without_odds: None) -> None:
    path = tmp_path / "one.companion"
    evening = new_evening("fixed_baynet", scenario_of_list(FORCES), seed=1, path=path)
    typed(
        evening, "5", "3", "red", "change; mass; end", "any", "fire; fusiliers; none; 1 1 2 2 3 3 12 1 1 1 1 1", "none"
    )
    evening.close()
    again = open_evening(path)
    assert again.state.to_data() == evening.state.to_data()
    again.close()


@pytest.mark.rule("FBN-078")
def test_people_decide_who_is_in_sight(without_odds: None) -> None:
    """In the book all men stand on one point; figures do not hide each other there, whatever the setting says."""
    evening = evening_of(figures_block_los=True)
    typed(evening, "3", "5", "fusiliers")
    assert typed(evening, "fire; marks; 9; ; 1 1 1 1 1 1 1 1 1 1") == ["Fusiliers fired 10 shots at Marks"]


def test_an_action_of_a_house_rule_is_an_act() -> None:
    rules = [find_house_rule("lantern")]
    evening = new_evening("fixed_baynet", load_scenario("mission_station"), seed=1, house_rules=rules)
    typed(evening, "5", "2", "young bulls (1)")
    acts = [opening.act for opening in evening.openings()]
    assert acts[-2:] == ["house_throw_lantern", "end"]
    # The companion knows the buildings of the scenario, but not which one is near: people say it.
    pending = evening.form("house_throw_lantern").pending
    assert isinstance(pending, AskFact)
    (_, house), *_ = pending.choices
    assert next(iter(pending.choices.values())) == "throw a lantern into the thatch of the Store house (1 AC)"
    points = evening.state.houses[house].points
    active = evening.state.active
    men = evening.state.units[active].figures
    before = sum(man.ac for man in men.values())
    # 5 is 4 or more: the thatch burns, and the house loses 2 points.
    typed(evening, "house_throw_lantern", "1", "5")
    assert evening.state.houses[house].points == points - 2
    assert sum(man.ac for man in evening.state.units[active].figures.values()) == before - 1
    assert evening.state.units[active].middle == evening.entries[-2].state.units[active].middle


def test_actions_of_house_rules_need_no_code_for_the_companion(tmp_path: Path) -> None:
    file = tmp_path / "taunts.py"
    file.write_text(TAUNTS, encoding="utf-8")
    forces = "The column:\n10 Fusiliers rifles\nThe impi:\n12 Red spears\n12 Blue spears"
    evening = new_evening("fixed_baynet", scenario_of_list(forces), seed=1, house_rules=[find_house_rule(str(file))])
    typed(evening, "1", "6", "fusiliers")
    assert typed(evening, "house_cheer") == []
    assert "cheered" in evening.state.units["fusiliers"].marks
    assert "house_cheer" not in [opening.act for opening in evening.openings()]
    assert typed(evening, "house_taunt", "blue", "4") == ["Blue are stung"]
    assert typed(evening, "house_point", "1", "red") == ["Red are stung"]
    again = new_evening("fixed_baynet", scenario_of_list(forces), seed=1, house_rules=[find_house_rule(str(file))])
    for entry in evening.entries:
        again.repeat(entry.data)
    assert again.state.to_data() == evening.state.to_data()


TAUNTS = """
from zareba.api import Action, Evaluation, RulesValue, SimpleAction, at_least, hookimpl

RULESETS = ("fixed_baynet",)
CHEER = SimpleAction(
    "cheer",
    "give three cheers (free)",
    is_legal=lambda actor: "cheered" not in actor.unit.marks,
    effect=lambda table, actor: actor.unit.mark("cheered"),
    evaluation=RulesValue(lambda book: Evaluation(reason="cheers win no ground")),
)


class Taunt(Action, verb="taunt", text="taunt {target:unit}"):
    target: str

    @classmethod
    def options(cls, actor):
        return [cls(foe.spec.id) for inches, foe in actor.foes if inches <= 6]

    def perform(self, table, actor):
        means = at_least(4, "they are stung", "they laugh")
        if table.roll(1, 6, why="taunt", rule="OUR-8", actor=actor.unit.id, means=means) >= 4:
            table.emit("stung", "OUR-8", unit=self.target)

    def value(self, view):
        return Evaluation(reason="words")


class Point(Action, verb="point", text="point at {target:unit}"):
    target: str

    @classmethod
    def options(cls, actor):
        return [cls(foe.spec.id) for foe in actor.battle.enemies(actor.unit.spec.side)]

    def perform(self, table, actor):
        actor.man.ac -= 1
        table.emit("stung", "OUR-8", unit=self.target)

    def value(self, view):
        return Evaluation(reason="words")


@hookimpl
def zareba_actions():
    return {"act": [CHEER, Taunt], "what he does": [Point]}


@hookimpl
def zareba_words():
    return {"event stung": "{unit} are stung"}
"""


@pytest.mark.rule("FBN-202")
def test_a_gun_of_a_list_has_the_crew_of_the_rules() -> None:
    forces = "The column:\n1 machine gun\n2 field guns\nThe impi:\n12 Red spears"
    evening = new_evening("fixed_baynet", scenario_of_list(forces, crew=crew_of("fixed_baynet")), seed=1)
    crews = {name: (len(unit.guns), len(unit.figures)) for name, unit in evening.state.units.items() if unit.guns}
    assert crews == {"machine_gun": (1, 2), "field_guns": (2, 8)}


def test_glory_ac_and_wounds_can_be_corrected() -> None:
    evening = evening_of()
    typed(evening, "1", "6", "fusiliers")
    typed(evening, "correct fusiliers glory 5", "correct fusiliers ac 1")
    assert {(man.gl, man.ac) for man in evening.state.units["fusiliers"].figures.values()} == {(5, 1)}
    assert "1 AC each" in evening.companion.headline(evening.state)
    with pytest.raises(ZarebaError, match="glory must be a whole number from 1 to 6, not 7"):
        evening.correct("fusiliers", "glory", 7)
    with pytest.raises(ZarebaError, match="from 0 to 0, not 1; name the man for a new one: lt_ashby arm_light"):
        evening.correct("fusiliers", "wounds", 1)
    officer = next(man for man in evening.state.units["fusiliers"].figures.values() if man.spec.role == "officer")
    officer.locations = frozenset({"arm_light", "head_light"})
    officer.mark("stunned")
    evening.correct("fusiliers", "wounds", 1)
    healed = evening.state.units["fusiliers"].figures[officer.id]
    assert (healed.locations, "stunned" in healed.marks) == (frozenset({"arm_light"}), False)


@pytest.mark.rule("FBN-128", "FBN-129", "FBN-131")
def test_wounds_of_a_hero_can_be_corrected() -> None:
    """People forgot a hit on Lt Ashby: they name his wounds, with what follows from them."""
    evening = evening_of()

    def ashby() -> Figure:
        return next(man for man in evening.state.units["fusiliers"].figures.values() if man.spec.name == "Lt Ashby")

    typed(evening, "correct fusiliers lt_ashby head_light,groin")
    assert (ashby().locations, "stunned" in ashby().marks, ashby().prone) == (
        frozenset({"head_light", "groin"}),
        True,
        True,
    )
    typed(evening, "correct fusiliers lt_ashby leg_light")
    assert (ashby().locations, "stunned" in ashby().marks) == (frozenset({"leg_light"}), False)
    with pytest.raises(ZarebaError, match="wound"):
        evening.correct("fusiliers", "lt_ashby", "chest_heavy")
    typed(evening, "correct fusiliers lt_ashby unhurt")
    assert ashby().locations == frozenset()


CONTACT = """\
The column:
10 Fusiliers rifles
6 Sikhs rifles
The impi:
12 Red spears
8 Lions spears
"""


@pytest.mark.rule("FBN-041", "FBN-104", "FBN-079")
def test_contact_is_remembered(capsys: pytest.CaptureFixture[str], without_odds: None) -> None:
    evening = evening_of(CONTACT)
    typed(evening, "1", "6", "sikhs; end")
    assert evening.companion.acting_side(evening.state) == "impi"

    def line(name: str) -> str:
        return evening.companion.unit_line(evening.state, name).partition("in contact with ")[2]

    # Twelve men charge ten: all ten enemies are met, if people take the usual answers. Nobody stays behind.
    told = typed(evening, "red", "charge; fusiliers; ; ; ")
    assert "Red charged Fusiliers: 10 of 12 men in contact" in told
    assert (line("red"), line("fusiliers")) == ("Fusiliers (10)", "Red (10)")
    # Ten against ten by Enter alone; the better of two dice + 1 against one die: 7 to 3 is a wound, 3 to 3 a miss.
    told = typed(evening, f"strike; fusiliers; ; ; ; 6 1 3{' 2 2 3' * 9}")
    assert told[-1] == "Fusiliers lost 1 man: 1 fell"
    assert (line("red"), line("fusiliers")) == ("Fusiliers (10)", "Red (9)")
    typed(evening, "end")
    # Nine Fusiliers touch Red. Only the two men of Red without contact can be hit (FBN-079).
    typed(evening, "fusiliers")
    form = evening.form("shoot", Scene(evening.game, "fusiliers", "red", {"men": 9}))
    assert isinstance(form.pending, AskFact) and form.pending.default == 10
    assert typed(evening, "fire; red; 6; ; 12 12 1 1 1 1 1 1 1")[-1] == "Red lost 2 men: 2 killed at once"
    assert evening.form("fire").scene.target == "lions"  # the others of Red are all in contact
    # They walk away, and the book forgets the contact.
    typed(evening, "move; 1", "end; y")
    assert (line("red"), line("fusiliers")) == ("", "")


@pytest.mark.rule("FBN-041")
def test_more_men_charge_than_there_are_enemies(without_odds: None) -> None:
    """Two men come at each of six enemies, from the front, so that no glory is lost for a flank (FBN-145)."""
    evening = evening_of(CONTACT)
    typed(evening, "1", "6", "fusiliers; end")
    told = typed(evening, "red", "charge; sikhs; ; 12; ")
    assert told[1:] == ["Red charged Sikhs: 12 of 12 men in contact", "Red lost glory: the confusion of a charge"]
    assert evening.companion.unit_line(evening.state, "sikhs").endswith("in contact with Red (6)")


@pytest.mark.rule("FBN-247", "FBN-248", "FBN-249", "FBN-250")
def test_buildings_are_fired_at(monkeypatch: pytest.MonkeyPatch) -> None:
    limit_odds(monkeypatch)
    evening = new_evening("fixed_baynet", load_scenario("mission_station"), seed=1)
    typed(evening, "5", "2", "marksmen")
    act = evening.form("at_building")
    assert isinstance(act.pending, AskFact)
    house, words = next(iter(act.pending.choices.items()))
    points = evening.state.houses[house].points
    assert words == f"Store house: {points} points left"
    # 16 men have muskets. Short range, CV 4, CS +1: 2 or more hits. One shot hits: a point less (FBN-249).
    typed(evening, "at_building", "1", "5", "", " ".join(["2", *["1"] * 15]))
    assert evening.state.houses[house].points == points - 1
    evening.undo()
    # A 12 also goes through the wall and hits one of the two men in the room; a card names him (FBN-248).
    garrison = evening.state.units["detachments"]
    typed(evening, "at_building", "1", "5", "details", "2", " ".join(["12", *["1"] * 15]), "", "", "", "", "")
    assert evening.state.houses[house].points == points - 1
    assert len(evening.state.units["detachments"].figures) == len(garrison.figures) - 1
    assert not [man for man in evening.state.units["detachments"].figures.values() if man.place]
    evening.undo()
    # Hits enough destroy it (FBN-250).
    typed(evening, "at_building", "1", "5", "", " ".join(["2"] * 16))
    assert evening.state.houses[house].points == 0


@pytest.mark.rule("FBN-247")
def test_a_gun_fires_at_a_building() -> None:
    evening = new_evening("fixed_baynet", load_scenario("river_ford"), seed=1)
    typed(evening, "1", "6", "nine")
    said = typed(evening, "gun_at_building", "1", "20", "", "shell", "12", "6")  # there is only one building
    assert said[0] == "Nine-pounders fired shell at Farmhouse: a hit"
    evening.undo()
    # A miss deviates, and people say who is under the burst. The clock is that of the gun.
    (fell,) = typed(evening, "gun_at_building", "1", "20", "", "shell", "1", "", "", "")
    landed = re.fullmatch(r'Nine-pounders fired shell at Farmhouse: it landed (\d+)" from the target, at .*', fell)
    assert landed is not None
    assert int(landed[1]) <= 20


@pytest.mark.rule("FBN-181")
@pytest.mark.setting("contact_excuses_minimum")
def test_riders_charge_from_as_near_as_they_see_in_fog_by_night(without_odds: None) -> None:
    """In fog by night nobody sees as far as the least distance of a canter, which contact excuses by this setting."""
    evening = evening_of("Us:\n8 Riders horsemen\nThem:\n8 Men rifles", contact_excuses_minimum=True)
    typed(evening, "1", "6")
    evening.state.night = evening.state.fog = True
    for man in evening.state.units["riders"].figures.values():
        man.last_gait = 1
    assert typed(evening, "gallop; 4; n; ")[0] == "Riders charged Men: 4 of 4 men in contact"


def test_blows_at_one_enemy_name_him_once(capsys: pytest.CaptureFixture[str]) -> None:
    evening = evening_of("Us:\n3 Alpha rifles, Lt Ashby\nThem:\n12 Red spears\n")
    typed(evening, "1; 6", "activate alpha", "strike; 3; 1; none")
    shown = " ".join(capsys.readouterr().out.split())
    assert "6 rolls in order: 1 die for Lt Ashby, NCO 2 of Alpha, man 3 of Alpha, each followed by 2 dice for" in shown
    assert shown.count("for man 2 of Red") == 1
