"""An evening of Paychest at a real table, worked out by hand beforehand.

Each line of the evening is what people type. Above it stands the result by the rulebook.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.rulesets.companion_games import limit_odds, typed
from tests.web.conftest import Club
from tests.web.test_companion import Phone

from zareba.companion import Evening, Scene, crew_of, new_evening, scenario_of_list
from zareba.registry import find_house_rule
from zareba.scenario import load_scenario
from zareba.table import Draw
from zareba_rulesets.paychest.chapters.sight import cover_class, covers_of
from zareba_rulesets.paychest.companion.common import count_order
from zareba_rulesets.paychest.forces.battle import Battle

# One figure is one man (PAY-012). Privates have Firearms 4 and Melee 4 and fire twice, elite ones 5 and 5; lancers have
# no firearm. Warriors have 3 and 3 with a musket or rifle, 2 and 4 with a sword, and fire once; leaders have Melee 5.
FORCES = """\
The company:
commander Colonel Wood
8 Alpha rifles, Lt Ashby
6 Bravo rifles, elite
6 Delta lancers
1 machine gun
1 field gun
6 Reserve rifles, turn 2 on 4+
The tribes:
commander Chief Mehlo
8 Red swords, Sheikh Omar
8 Blue muskets
6 Green swords
8 Marks rifles
6 Riders horsemen
6 Black swords, turn 2
"""


def evening_of(text: str = FORCES, **settings: Any) -> Evening[Battle]:
    return new_evening("paychest", scenario_of_list(text), seed=1, settings=settings)


def able(evening: Evening[Battle], name: str) -> str:
    """Return the numbers on the roster of the able figures of a unit."""
    return " ".join(key.rpartition(".")[2] for key in (man.spec.id for man in evening.state.unit(name).able))


@pytest.mark.rule("PAY-120", "PAY-136")
def test_men_who_cannot_walk_are_the_last_of_those_who_come_into_contact() -> None:
    battle = evening_of("The column:\n8 Alpha rifles\nThe impi:\n6 Red spears\n").state.copy()
    lame = [man.spec.id for man in battle.unit("red").able if not battle.is_leader(man)][:2]
    for key in lame:
        battle.change_figure(key).mark("lame")
    battle.change("red").measure()
    assert count_order(battle, "red", actor="red")[-2:] == lame
    assert battle.is_leader(battle.figure(count_order(battle, "red", actor="alpha")[-1]))


def wounds(evening: Evening[Battle], figure: str) -> str:
    return " ".join(evening.state.figure(figure).wounds)


@pytest.fixture(autouse=True)
def quiet(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    limit_odds(monkeypatch)
    yield
    capsys.readouterr()


@pytest.mark.rule("PAY-052")
def test_evening_of_three_turns() -> None:
    evening = evening_of()
    evening.correct("black", "figures", 5)
    evening.undo()

    # --- Turn 1 -------------------------------------------------------------------------------------------------------
    # Machine gun at Red: skill 4, medium -1, eight men +2 (PAY-173): 5 or less. Four rounds: warrior 2 is killed, his
    # second card does nothing (PAY-106); warrior 5 has an arm wound; the Sheikh cannot walk and is lost: 7 or more
    # holds (PAY-128).
    typed(evening, "machine gun; next")
    told = typed(
        evening, "fire a gun; red; ; 20; ; 3; 4; 2 2 5 1; chest killed; leg wound; arm wound; leg crippled; 4 3"
    )
    assert told[-2:] == ["Red lost Sheikh Omar", "Red withstood the loss of the leader"]
    assert (able(evening, "red"), evening.state.unit("red").hits) == ("1 3 4 5 6 7 8", 4)
    # At Blue, long -2, eight men +2: 4 or less. Two ones jam it, and the hit stands (PAY-175): two rounds.
    told = typed(evening, "fire a gun; blue; ; 30; ; 1; 1; 2; 3 4; belly graze; head unconscious")
    assert "machine gun 1 of Machine gun jammed" in told
    assert (able(evening, "blue"), evening.state.unit("blue").hits) == ("1 2 3 5 6 7 8", 2)
    typed(evening, "next", "field gun; next")
    # Shell at Green behind a low wall: skill 4, medium -1, six men +2: 5 or less. 4d6 are 5 hits; belly and leg are
    # covered (PAY-187): three hits count. Warrior 3 loses an arm and is killed.
    cards = "belly killed; chest body wound; arm smashed; head killed; leg wound"
    told = typed(evening, f"fire a gun; green; ; 30; low wall; 5; 1 1 1 2; 1 2 3 3 6; {cards}", "next")
    assert sum("cover protects" in sentence for sentence in told) == 2
    assert (able(evening, "green"), evening.state.unit("green").hits) == ("1 2 4 5 6", 3)
    assert wounds(evening, "green.2") == "body_wound"

    # Alpha halts and fires twice (PAY-100). Short: 4 or less: four hits on the seven of Red who are left. The Sheikh,
    # lost already, is knocked out without a roll (PAY-132).
    cards = "head unconscious; chest body wound; chest body wound; belly killed"
    told = typed(evening, "alpha; next", f"volley; red; ; 10; ; 1 2 3 4 5 6 6; 1 2 2 7; {cards}")
    assert told[1] == "Alpha fired 7 shots at Red: 4 hits"
    assert (able(evening, "red"), evening.state.unit("red").hits) == ("3 4 5 6 7", 8)
    # Blue at medium range: 3 or less: two hits.
    typed(evening, "volley; blue; ; 20; ; 1 1 6 6 6 6 6; 1 7; leg wound; arm graze")
    assert (wounds(evening, "blue.1"), evening.state.unit("blue").hits) == ("leg_wound", 4)
    # The lieutenant's pistol at the Chief (PAY-092): 4, medium -1: 3 hits.
    assert typed(evening, "fire at one; chief mehlo; 8; ; 3; arm wound", "next")[0].endswith("1 hit")
    assert wounds(evening, "chief_mehlo.1") == "arm_wound"

    # Red promotes warrior 4 (PAY-037). 3d6 are 11 inches; five men reach five of Alpha, the leaders last.
    told = typed(evening, "red; warrior 4", "move; run; 4 4 3; alpha; 5; ")
    assert "5 figures of Red may go up to 11 inches (running)" in told
    # Man by man (PAY-139): warrior 3 has 4 - 2 body wounds = 2. 1 hit against 2: his third wound knocks him out
    # (PAY-119). Warrior 4 gives 4 against 1: private 6 is killed. Warrior 5: none. Warrior 6 takes 4, warrior 7 takes
    # 2.
    told = typed(
        evening,
        "fight; ; 2; 3; arm wound; 1; 4; chest killed; leg wound; arm graze; 5; 5; 6; 1; chest killed; leg crippled; "
        "arm smashed; chest body wound; 4; 2; leg crippled; head graze",
    )
    assert "warrior 3 of Red fought private 2 of Alpha: 1 hit given, 2 taken" in told
    assert (able(evening, "red"), able(evening, "alpha")) == ("4 5 7", "1 2 3 4 5 7 8")
    assert (evening.state.unit("red").hits, evening.state.unit("alpha").hits) == (15, 3)
    assert evening.state.stage == "card"

    # Bravo at Marks in soft cover, long: 5 - 2 - 1 = 2, with their sergeant: 3 hits. The leader of Marks is knocked
    # out; 5 fails: irregulars rout 4d6 at once (PAY-130).
    told = typed(
        evening,
        "bravo; next",
        "volley; marks; sergeant; 30; soft; 1 2 2 6 6 6; 1 1 8; belly unconscious; leg wound; arm smashed; 2 3; 3 3 2 2; ",
    )
    assert told[-1] == "Marks routed 10 inches, backs turned, towards its own table edge"
    # Green behind its wall: 5 - 1 - 2 = 2: nothing.
    assert typed(evening, "volley; green; ; 20; hard; 6 6 6 6 6", "next")[0] == "Bravo fired 5 shots at Green: no hits"

    # Blue advances 5 inches, its limping leader half of that (PAY-123). Medium -1, advance -2: 3 - 3 = 0: ones are
    # thrown again, 3 or less hits (PAY-112).
    told = typed(evening, "blue", "move; advance; 2 3; ")
    assert told[-2:] == [
        "1 figure of Blue may go up to 2.5 inches (advancing)", "6 figures of Blue may go up to 5 inches (advancing)",
    ]  # fmt: skip
    typed(evening, "volley; bravo; ; 10; ; 1 1 6 6 6 6; 3 4; 6; chest killed", "next")
    assert (able(evening, "bravo"), evening.state.unit("bravo").hits) == ("1 2 3 4 5", 1)

    # Delta charges Blue: 5d6 are 17 inches. Two of the six fight (PAY-136): 1 to 0 kills warrior 8; 0 to 2 wounds
    # private 2.
    typed(evening, "delta", "move; run; 3 3 3 4 4; blue; 6; ")
    told = typed(
        evening,
        "fight; man by man; sergeant 1; warrior 8; private 2; warrior 2; nobody else; 4; 4; chest killed; 6; 2; leg wound; "
        "belly body wound",
    )
    assert (able(evening, "blue"), wounds(evening, "delta.2")) == ("1 2 3 5 6 7", "leg_wound body_wound")
    # Marks has run already, so its card has no effect (PAY-131).
    assert typed(evening, "marks") == ["card drawn: Marks, no effect (it has already run)"]
    typed(evening, "riders; next", "green; next", "colonel wood; next; next", "chief mehlo; next")

    # Morale in the order of the cards (PAY-064): Alpha 5 against 3 hits; Red fails with 15, without dice: second roll
    # 2, rout 3d6. Bravo passes with 1, without dice. Blue 3 against 5: 4, back on its next move. Delta passes. Green 3
    # against 3: 5, back facing the enemy. Marks routs already (PAY-168).
    told = typed(evening, "2 3", "2; 1 1 1; ", "1 2; 4", "2 2", "1 2; 5")
    assert "Red routed 3 inches, backs turned, towards its own table edge" in told
    pending = {name: unit.pending for name, unit in evening.state.units.items() if unit.pending}
    assert pending == {"blue": "fall_back_2d6_backs_next", "green": "fall_back_2d6_facing_next"}

    # --- Turn 2: Reserve arrives on 4 or more, Black without a roll (PAY-065) -----------------------------------------
    assert typed(evening, "4") == ["Reserve arrived", "Black arrived"]
    # Red rallies on 7 or more (PAY-158): 6 does not. Warriors 4 and 5 run off the table; warrior 7 cannot walk
    # (PAY-077).
    told = typed(evening, "red; 3 3; 6 6 6; 1, 2")
    assert "warrior 4 of Red was driven off over the table edge behind the tribes" in told
    assert able(evening, "red") == "7"
    # Marks runs 4d6 again, off the table.
    typed(evening, "marks; 6 6 6 6; 1, 2, 3, 4, 5, 6, 7")
    assert able(evening, "marks") == ""
    # Green falls back as ordered and counts as advancing (PAY-164). Blue turns its backs, out of contact (PAY-165).
    assert typed(evening, "green; 1 2; ") == [
        "card drawn: Green",
        "Green fell back 3 inches, facing the enemy, towards its own table edge",
    ]
    assert {man.gait for man in evening.state.unit("green").able} == {"advance"}
    typed(evening, "blue; 3 3; ")
    assert "back turned" in evening.state.figure("blue.2").marks
    # The sergeant of Delta against warrior 2: 3 with his back turned - 2 = 1 (PAY-143): 1 hit each.
    typed(evening, "delta", "move; run; 3 3 3; 4 4; blue; 1; 2; sergeant 1")
    assert typed(evening, "fight; 4; 1")[0].endswith("1 hit given, 1 taken")
    # Private 5 of Alpha does not fire: warrior 7, who could not run, still touches him (PAY-103). Five others at Black
    # behind a wall: 4 - 2 = 2: one hit kills the leader; 7 holds.
    typed(evening, "alpha; next", "volley; black; ; 5; hard; 1 6 6 6 6; 1; chest killed; 6 1")
    typed(evening, "next", "next")  # private 5 leaves the man who cannot walk alone (PAY-136)
    assert (able(evening, "black"), evening.state.unit("black").leader) == ("2 3 4 5 6", "")
    # Reserve advances and fires: 4 - 1 - 2 = 1. Warrior 2 of the Riders cannot walk, but stays in the saddle (PAY-078).
    typed(evening, "reserve", "move; advance; 1 1; ", "volley; riders; ; 24; ; 1 6 6 6 6; 2; leg crippled", "next")
    assert evening.state.figure("riders.2").can_walk
    # Black may promote someone, but does not.
    typed(evening, "black; nobody; next", "bravo; next; next", "riders; next")
    # The crew clears the jam with a whole activation (PAY-176).
    assert "Machine gun cleared the jam of machine gun 1 of Machine gun" in typed(
        evening, "machine gun", "mount; clear the jam"
    )
    # Shell at the Riders: 4, short, six men +2 = 6 hits with any die. Four hits.
    cards = "head killed; head killed; belly body wound; arm graze"
    typed(evening, "field gun; next", f"fire a gun; riders; ; 20; ; 6; 1 1 1 1; 3 3 4 5; {cards}", "next")
    assert (able(evening, "riders"), evening.state.unit("riders").hits) == ("1 2 4 5 6", 5)
    typed(evening, "colonel wood; next; next", "chief mehlo; next")
    # Black passes with 1 hit, without dice. Riders 5 against 5 hits: 3, back 2d6 now, backs turned.
    told = typed(evening, "2 3; 3; 4 4; ")
    assert told[-1] == "Riders fell back 8 inches, backs turned, towards its own table edge"

    # --- Turn 3 -------------------------------------------------------------------------------------------------------
    # The gun fires again: 4, medium -1, five men +1 = 4. It misses, then kills the leader of the Riders: 2 fails, and
    # they rout.
    typed(evening, "machine gun; next", "fire a gun; riders; ; 20; ; 6")
    told = typed(evening, "fire a gun; riders; ; 20; ; 4; 1; 1; head killed; 1 1; 2 2 2 2; ", "next")
    assert told[-1] == "Riders routed 8 inches, backs turned, towards its own table edge"
    assert typed(evening, "riders") == ["card drawn: Riders, no effect (it has already run)"]
    # On its card Blue faces the enemy again; then the sergeant of Delta, still in contact (PAY-137), lames warrior 2.
    typed(evening, "blue; next; next; next", "delta; next", "fight; 4; 6; leg crippled")
    assert "lame" in evening.state.figure("blue.2").marks
    typed(evening, "alpha; next; next; next")
    for name in ("bravo", "field gun", "reserve", "colonel wood"):
        typed(evening, f"{name}; next; next")
    # Warrior 7, all that is left of Red, rallies with 8; he touches private 5 still, but does not fight.
    typed(evening, "red; 4 4; next", "green; next", "black; nobody; next", "chief mehlo; next")
    typed(evening, "6 6")
    assert evening.state.turn == 4
    left = {name: able(evening, name) for name in evening.state.units}
    assert left == {
        "alpha": "1 2 3 4 5 7 8", "bravo": "1 2 3 4 5", "delta": "1 2 3 4 5 6", "machine_gun": "1 2 3 4 5",
        "field_gun": "1 2 3 4 5", "reserve": "1 2 3 4 5 6", "colonel_wood": "1", "chief_mehlo": "1", "red": "7",
        "blue": "1 2 3 5 6 7", "green": "1 2 4 5 6", "marks": "", "riders": "2 4 5 6", "black": "2 3 4 5 6",
    }  # fmt: skip


def test_the_dice_of_a_run_are_named_in_the_order_in_which_they_are_typed(capsys: pytest.CaptureFixture[str]) -> None:
    evening = evening_of("Us:\n4 Alpha rifles\nThem:\n5 Red spears\n6 Blue spears")
    typed(evening, "alpha", "move; run; 3 3 3; no one")
    shown = " ".join(capsys.readouterr().out.split())
    assert (
        "2 rolls in order: Foot advances, Alpha: throw 2d6 and add them; then Foot runs on, Alpha: throw 1d6" in shown
    )


@pytest.mark.rule("PAY-155", "PAY-163")
def test_each_run_of_a_melee_asks_who_leaves_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    """Private 3 runs when his sergeant falls; then Red loses its leader and routs."""
    evening = evening_of("Us:\n4 Alpha rifles\nThem:\n5 Red spears\n6 Blue spears")
    typed(evening, "alpha", "move; run; 3 3 3; red; 4; more or fewer; 5")
    capsys.readouterr()
    told = typed(
        evening,
        "fight; ; warrior 2; 6 4; head killed; 1 1; 5; 6 1 6; 3; ; 5 5 1 6 6; 1 1 1 1; head killed; leg wound; "
        "arm graze; chest killed; 1 1; 3 3 3 3; 1, 2",
    )
    assert "private 3 of Alpha ran 3 inches, towards its own table edge" in told
    assert told[-4:-1] == [
        "Red routed 12 inches, backs turned, towards its own table edge",
        "warrior 2 of Red was driven off over the table edge behind Them",
        "warrior 3 of Red was driven off over the table edge behind Them",
    ]  # fmt: skip
    assert able(evening, "red") == "4 5"
    shown = " ".join(capsys.readouterr().out.split())
    assert "ran 3 inches, towards its own table edge. Who crosses the edge of the table? 1 private 3 of Alpha" in shown
    assert "private 3 of Alpha 4 rolls in order" in shown
    assert "1: leader 1, 2: warrior 2" in shown  # which man is hit


@pytest.mark.rule("PAY-105", "PAY-172", "PAY-149")
def test_prompt_says_what_dice_stand_for(capsys: pytest.CaptureFixture[str]) -> None:
    evening = evening_of("Us:\n1 machine gun\nThem:\n8 Red swords, Sheikh Omar\n6 Blue spears")
    typed(evening, "machine gun; next", "1; red; ; 20; ; 5; 1; 2; chest killed")
    shown = " ".join(capsys.readouterr().out.split())
    assert "1 fire a gun or machine gun 2 fire a volley" in shown
    assert "machine gun 1 of Machine gun: throw 1d6; a hit on 1, 2, 3, 4 or 5; 1 may jam it" in shown
    assert "5: hits" in shown
    assert "1: Sheikh Omar, 2 to 8: warrior 2 to 8" in shown
    typed(evening, "1; red; ; 20; ; 5; 3; 2 3 4; ad; kd; ad")
    shown = " ".join(capsys.readouterr().out.split())
    assert "1: Sheikh Omar, 2 to 7: warrior 3 to 8" in shown
    assert "no card such as 'ad' is left in the deck" in shown


@pytest.mark.rule("PAY-163")
def test_a_rout_says_where_the_figures_go() -> None:
    forces = "Us:\n8 Alpha rifles\nThem:\n8 Red spears, Sheikh Omar"
    for setting, way in (
        ("home_edge", "towards its own table edge"),
        ("away_from_enemy", "straight away from the nearest enemy"),
    ):
        evening = new_evening("paychest", scenario_of_list(forces), seed=1, settings={"retreat_direction": setting})
        told = typed(evening, "alpha; next", "volley; ; 10; ; 1 6 6 6 6 6 6; 1; head killed; 1 1; 1 1 1 1; none")
        assert f"Red routed 4 inches, backs turned, {way}" in told


@pytest.mark.rule("PAY-116")
def test_casualty_cards_are_shown_as_they_look_from_the_ace_down() -> None:
    evening = evening_of("Us:\n8 Alpha rifles\nThem:\n8 Red spears")
    cards = tuple((card, entry.copies) for card, entry in sorted(evening.state.book.cards.items()))
    question = Draw("casualty card", "PAY-116", "red.2", None, cards)
    shown = [evening.companion.describe_card(question, card) for card in evening.companion.cards_in_order(question)]
    assert len(shown) == len(cards)
    assert (shown[0], shown[4], shown[-1]) == (
        "A K ♠♥: hit in the head and killed", "Q J 10 ♣♦: wounded in the chest",
        "4 3 2 ♣♦: wounded in the leg",
    )  # fmt: skip


@pytest.mark.rule("PAY-116")
def test_players_may_draw_their_own_cards(capsys: pytest.CaptureFixture[str]) -> None:
    """Each unit has a playing card, and rank and suit identify a casualty card (PAY-046)."""
    evening = evening_of("Us:\n6 Alpha rifles\nThem:\n6 Red spears\n6 Blue spears")
    assert evening.companion.unit_line(evening.state, "red").endswith("card: king of spades")
    typed(evening, "next", "1", "odds")  # neither leaves a card out or draws one from a list that nobody sees
    shown = " ".join(capsys.readouterr().out.split())
    assert "turn over the next card first (PAY-058)" in shown and "left out" not in shown
    assert "'1' names no card; type it in words" in shown
    assert "no option is called 'odds'; type it in words" in shown
    assert typed(evening, "ace of spades; next")[-1] == "card drawn: Alpha"
    told = typed(evening, "volley; red; ; 10; ; 1 6 6 6 6; 2; 10 of hearts")
    assert told == [
        "Alpha fired 5 shots at Red: 1 hit",
        "warrior 2 of Red was hit in the chest",
        "warrior 2 of Red was killed",
    ]
    told = typed(evening, "volley; red; ; 10; ; 1 6 6 6 6; 2; 4d")
    assert told[-1] == "warrior 3 of Red was wounded in the leg"
    assert evening.state.casualties.discards == {"chest_killed": 1, "leg_wound": 1}


@pytest.mark.rule("PAY-106")
def test_a_hit_on_a_man_who_was_killed_by_the_same_volley_is_told_as_such() -> None:
    evening = evening_of("Us:\n6 Alpha rifles\nThem:\n6 Red spears")
    typed(evening, "next", "alpha; next")
    told = typed(evening, "volley; ; 10; ; 1 1 6 6 6; 2 2; chest killed; leg wound")
    assert told == [
        "Alpha fired 5 shots at Red: 2 hits",
        "warrior 2 of Red was hit in the chest",
        "warrior 2 of Red was killed",
        "another hit fell on warrior 2 of Red, who was already dead",
    ]


def test_a_card_for_a_man_who_is_already_dead_says_why_it_is_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    """PAY-106: the hit still draws a card, and PAY-127 counts it for morale unless the card is void."""
    evening = evening_of("Us:\n6 Alpha rifles\nThem:\n6 Red spears")
    typed(evening, "next", "alpha; next")
    capsys.readouterr()
    typed(evening, "volley; ; 10; ; 1 1 6 6 6; 2 2; chest killed; leg wound")
    said = " ".join(capsys.readouterr().out.split())
    note = (
        "warrior 2 of Red is already killed. The card only says whether this further hit counts for morale (PAY-106)."
    )
    assert said.count(note) == 1


def test_unit_that_was_lost_can_be_corrected_back() -> None:
    evening = evening_of("Us:\n3 Alpha rifles\nThem:\n2 Red spears\n6 Blue spears")
    typed(evening, "alpha; next", "volley; red; ; 10; ; 1 1; 1 2; head killed; chest killed", "next")
    assert able(evening, "red") == ""
    evening.correct("red", "figures", 2)
    assert able(evening, "red") == "1 2"
    evening.correct("red", "figures", 0)
    assert able(evening, "red") == ""


@pytest.mark.rule("PAY-094")
def test_volley_at_some_figures_by_some_men() -> None:
    """Two men do not fire, one is a range band farther off, and two of the target are in sight."""
    evening = evening_of("Us:\n6 Alpha rifles\nThem:\n6 Red spears\n6 Blue spears")
    typed(evening, "alpha; next")
    # The men are listed in the order of the roster, their sergeant last. One at medium range: 3 or less (PAY-110); two
    # at short range: 4 or less; the sergeant: 5 or less.
    told = typed(evening, "volley; red; 3; 10; none; 1, 2; 1; ; ; 3, 4, 5, 6; ; 4; 4 4; 6; 2 2; arm graze; head graze")
    assert told == [
        "Alpha fired 4 shots at Red: 2 hits", "warrior 2 of Red was grazed on the arm, without effect",
        "warrior 2 of Red was grazed on the head, without effect",
    ]  # fmt: skip
    # Along a stretch: one man of Red and one of Blue (PAY-098).
    told = typed(evening, "volley; red; 3; 10; none; ; ; 1; 1, 2, 3, 4, 5, 7, 8, 9, 10, 11; ; 6 6 6 6 6; 6")
    assert told == ["Alpha fired 6 shots at the figures on that stretch: no hits"]


@pytest.mark.rule("PAY-080", "PAY-114")
def test_passengers_have_the_cover_of_their_wagon() -> None:
    evening = new_evening("paychest", load_scenario("river_ford"), seed=1)
    battle = evening.state.copy()
    facts = dict.fromkeys(("holding", "farther", "farthest", "along", "spared", "differing", "over"), ())
    answers = {**facts, "who": "men", "range": 36.0, "cover": "hard", "other_cover": ""}
    evening.companion.act_named["volley"].lay_out(battle, Scene(evening.game, "joubert", "wagons", answers))
    passengers, firer = battle.unit("wagons").able, battle.unit("joubert").able[0]
    assert firer.at is not None
    assert {man.aboard for man in passengers} == {"wagons wagon"}
    assert cover_class(firer.at, passengers, covers_of(battle, passengers), battle.book.mixed_cover) == "hard"


@pytest.mark.rule("PAY-204", "PAY-208", "PAY-211")
def test_a_gun_of_a_list_has_the_crew_of_a_section() -> None:
    """An NCO and three privates serve a gun, unless the list says how many (Table 10)."""
    text = "Us:\n1 field gun\n1 machine gun\n1 mountain gun, 6 crew\nThem:\n8 Red swords"
    evening = new_evening("paychest", scenario_of_list(text, crew=crew_of("paychest")), seed=1)
    sizes = {name: len(unit.figures) for name, unit in evening.state.units.items()}
    assert sizes == {"field_gun": 4, "machine_gun": 4, "mountain_gun": 6, "red": 8}


def test_volley_takes_six_taps(tmp_path: Path) -> None:
    club = Club(tmp_path)
    answer = club.client.post("/companion", data={"ruleset": "paychest", "forces": FORCES})
    phone = Phone(club, answer.headers["location"])
    assert "Alpha (ace of spades)" in phone.page
    phone.tap("faces", faces="alpha")
    phone.tap("next")
    phone.tap("begin", act="volley", unit="alpha")
    assert "Who fires?" in phone.tap("unit", unit="red")
    assert "How far from Alpha to Red?" in phone.tap("fact", choice="0")
    phone.tap("fact", distance="10")
    assert "firearms 4: 4 skill (PAY-107)" in phone.tap("fact", choice="0")
    assert "Alpha fired 7 shots at Red: no hits" in phone.tap("faces", faces="6 6 6 6 6 6 6")
    club.close()


def test_actions_of_house_rules_are_acts(tmp_path: Path) -> None:
    file = tmp_path / "taunts.py"
    file.write_text(TAUNTS, encoding="utf-8")
    rules = [find_house_rule(str(file))]
    evening = new_evening("paychest", scenario_of_list(FORCES), seed=1, house_rules=rules)
    typed(evening, "ace of spades")
    assert "house_sing" in [opening.act for opening in evening.openings()]
    assert typed(evening, "house_sing", "house_taunt; blue; 4") == ["Blue are stung"]
    assert "sung" in evening.state.unit("alpha").marks
    assert "house_sing" not in [opening.act for opening in evening.openings()]
    # A posture for some of the men; an exit over an edge that people name; a melee with the men in contact.
    assert typed(evening, "house_kneel; 1, 2") == ["2 of Alpha kneel"]
    assert typed(evening, "house_wave; 8; north; 1") == ["1 of Alpha wave at the table edge behind the tribes"]
    assert "house_bite" not in [opening.act for opening in evening.openings()]
    typed(evening, "touch alpha; red; 3; ", "next", "next")
    # The rule pairs three men: each throws one die, and no 6 hits (PAY-138).
    told = typed(evening, "house_bite; 6; 6; 6; 6; 6; 6")
    assert (told[0], sum("no hits given, none taken" in line for line in told)) == ("Alpha bite", 3)
    assert evening.state.stage == "card"  # the activation has ended


TAUNTS = """
from zareba.api import Action, Evaluation, RulesValue, SimpleAction, at_least, hookimpl

RULESETS = ("paychest",)
SING = SimpleAction(
    "sing",
    "sing",
    is_legal=lambda actor: "sung" not in actor.unit.marks,
    effect=lambda table, actor: actor.unit.mark("sung"),
    evaluation=RulesValue(lambda book: Evaluation(reason="a song wins no ground")),
)


class Taunt(Action, verb="taunt", text="taunt {target}"):
    target: str

    @classmethod
    def options(cls, actor):
        battle, unit = actor.battle, actor.unit
        (x, y), *_ = [man.at for man in unit.able]
        near = lambda man: abs(man.at[0] - x) + abs(man.at[1] - y) <= 6
        return [cls(foe.spec.id) for foe in battle.enemies(unit.spec.side) if any(map(near, foe.able))]

    def perform(self, table, actor):
        means = at_least(4, "they are stung", "they laugh")
        if table.roll(1, 6, why="taunt", rule="OUR-8", actor=actor.unit.spec.id, means=means) >= 4:
            table.emit("stung", "OUR-8", unit=self.target)

    def value(self, view):
        return Evaluation(reason="words")


def tell(kind, **data):
    def effect(table, actor):
        more = {name: find(actor) for name, find in data.items()}
        table.emit(kind, "OUR-9", unit=actor.unit.spec.id, **more)

    return effect


def bite(table, fighters):
    table.emit("bitten", "OUR-9", unit=fighters.unit.spec.id)
    fighters.pairs = {foe: [man] for man, (foe, *_) in fighters.touched.items()}


def row(verb, effect):
    value = RulesValue(lambda book: Evaluation(reason="a gesture"))
    return SimpleAction(verb, verb, is_legal=lambda actor: True, effect=effect, evaluation=value)


KNEEL = row("kneel", tell("knelt", figures=lambda men: len(men.figures)))
WAVE = row("wave", tell("waved", figures=lambda men: len(men.figures), edge=lambda men: edge_of(men)))
BITE = row("bite", bite)


def edge_of(men):
    return men.battle.field.table.edge_at(men.figures[0].at)


@hookimpl
def zareba_actions():
    return {"move": [SING, Taunt], "posture": [KNEEL], "at the edge": [WAVE], "melee": [BITE]}


@hookimpl
def zareba_words():
    return {
        "event stung": "{unit} are stung",
        "event knelt": "{figures} of {unit} kneel",
        "event waved": "{figures} of {unit} wave at the {edge} edge",
        "event bitten": "{unit} bite",
    }
"""
