"""The acts of a game as plain data: what the page plays after an answer, and in the replay."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.systems import each_ruleset
from tests.web.conftest import Chair, Club
from tests.web.test_play import play

from zareba.base.grammar import NUMBERED_FIGURE
from zareba.session.history import SeenStep
from zareba.web.seat.acts import Cast, _merge_alike

OTHERS = re.compile(r" \(and ([0-9]+) others?\)$")
"""What a beat adds that tells the same of several figures."""


def without_number(sentence: str) -> str:
    """Return a sentence without the number of its figure."""
    return NUMBERED_FIGURE.sub(r"\1", sentence, count=1)


def acts(chair: Chair, since: tuple[int, int] | None = None) -> Any:
    """Return the acts since a moment; those since the last choice without one."""
    chair.wait()
    answer = chair.get("/acts" if since is None else f"/acts?step={since[0]}&beat={since[1]}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def all_acts(chair: Chair, since: tuple[int, int]) -> list[dict[str, Any]]:
    """Return all acts since a moment, with as many requests as they need."""
    found: list[dict[str, Any]] = []
    now = tuple(chair.parts()["moment"])
    while since < now:
        told = acts(chair, since)
        found += told["acts"]
        since = tuple(told["until"])
    return found


def sentences(chair: Chair, steps: list[SeenStep]) -> list[str]:
    """Return the sentences of some steps, from their events."""
    told = [chair.game.game.narrator.describe_event(event) for step in steps for event in step.events]
    return [sentence for sentence in told if sentence]


def history(chair: Chair) -> list[SeenStep]:
    """Return all steps of the game, in order."""
    return list(chair.game.session.history.steps_seen_by(None))[::-1]


@pytest.mark.parametrize("ruleset", each_ruleset("vcc", "fixed_baynet"))
def test_the_acts_report_every_event_once_with_its_dice(club: Club, ruleset: str) -> None:
    you = club.begin(ruleset)["you"]
    you.do("delegate", scope="turn", player="doctrine", turns="2")
    told = all_acts(you, (0, 0))
    said = [beat["said"] for act in told for beat in act["beats"]]
    events = sentences(you, history(you))
    assert len(events) > 8
    one_each = [
        sentence
        for spoken in said
        for sentence in [OTHERS.sub("", spoken)] * (1 + sum(map(int, OTHERS.findall(spoken))))
    ]
    plain = {without_number(sentence) for sentence in events}
    assert [name for one in one_each if (name := without_number(one)) in plain] == list(map(without_number, events))
    thrown = [answered for step in history(you) for answered in step.played.answers if answered.faces]
    shown = [face for act in told for beat in act["beats"] for throw in beat["throws"] for face in throw["faces"]]
    assert sorted(shown) == sorted(face for dice in thrown for face in dice.faces)
    assert [act["step"] for act in told] == sorted(act["step"] for act in told)
    turns = [act["turn"] for act in told]
    assert turns == sorted(turns) and turns[-1] >= 1
    assert any(act["phase"] for act in told)
    assert {act["side"] for act in told} >= {0, 1}


@pytest.mark.parametrize("ruleset", each_ruleset("vcc"))
def test_acts_since_a_moment_are_the_events_that_followed_it(club: Club, ruleset: str) -> None:
    you = club.begin(ruleset)["you"]
    play(you, 6)
    since, found = tuple(you.parts()["moment"]), []
    for _ in range(12):
        play(you, 1)
        found += [beat["said"] for act in all_acts(you, since) for beat in act["beats"]]
        since = tuple(you.parts()["moment"])
    whole = [beat["said"] for act in all_acts(you, (0, 0)) for beat in act["beats"]]
    assert found == whole[len(whole) - len(found) :]
    assert all_acts(you, since) == []


@pytest.mark.parametrize("ruleset", each_ruleset("vcc", "risk_factor"))
def test_a_shot_has_a_shooter_and_a_target_on_the_map(club: Club, ruleset: str) -> None:
    you = club.begin(ruleset)["you"]
    found: list[dict[str, Any]] = []
    for _ in range(12):
        if not found:
            you.do("delegate", scope="turn", player="doctrine")
            found = [beat["shot"] for act in all_acts(you, (0, 0)) for beat in act["beats"] if beat["shot"]]
    pieces = {piece for own in you.game.game.display.pieces(you.game.game.origin).values() for piece in own}
    pieces |= {piece.partition(".")[0] for piece in pieces}  # the units of single figures
    assert found
    for shot in found:
        assert shot["from"] and (shot["to"] or shot["cell"] is not None or shot["point"])
    assert all(shot["unit"].partition(".")[0] in pieces for shot in found)


@pytest.mark.parametrize("ruleset", each_ruleset("vcc", "afriboria"))
def test_a_close_combat_names_a_piece_of_each_side(club: Club, ruleset: str) -> None:
    you = club.begin(ruleset, seed="1")["you"]
    found: list[tuple[str, str]] = []
    for _ in range(12):
        if not found:
            you.do("delegate", scope="turn", player="doctrine")
            found = [beat["fight"] for act in all_acts(you, (0, 0)) for beat in act["beats"] if beat["fight"]]
    sides = {piece: side for side, own in you.game.game.display.pieces(you.game.game.origin).items() for piece in own}
    assert found
    assert all({sides[one], sides[other]} == set(you.game.game.seats) for one, other in found)


@pytest.mark.parametrize("ruleset", each_ruleset("vcc"))
def test_units_that_run_away_are_named(club: Club, ruleset: str) -> None:
    found: list[dict[str, Any]] = []
    for seed in range(3, 9):
        you = club.begin(ruleset, seed=str(seed))["you"]
        for _ in range(6):
            if not found:
                you.do("delegate", scope="turn", player="doctrine")
                found = [beat for act in all_acts(you, (0, 0)) for beat in act["beats"] if beat["runs"]]
        if found:
            break
    pieces = {unit for own in you.game.game.display.pieces(you.game.game.origin).values() for unit in own}
    pieces |= {piece.partition(".")[0] for piece in pieces}  # the units of single figures
    assert found
    assert all(beat["runs"] in pieces and beat["runs"] in beat["units"] for beat in found)


def test_a_loss_names_its_piece_and_number(club: Club) -> None:
    you = club.begin("vcc")["you"]
    for _ in range(3):
        you.do("delegate", scope="turn", player="doctrine")
    beats = [beat for act in all_acts(you, (0, 0)) for beat in act["beats"]]
    lost = [beat["lost"] for beat in beats if beat["lost"] and beat["lost"]["count"]]
    assert lost
    for loss in lost:
        assert loss["piece"] in {"jezails", "swordsmen", "young_men", "horsemen", "fusiliers", "sikhs", "lancers"}


def test_the_faces_that_count_are_marked_where_the_rules_say(club: Club) -> None:
    you = club.begin("risk_factor")["you"]
    for _ in range(3):
        you.do("delegate", scope="turn", player="doctrine")
    throws = [throw for act in all_acts(you, (0, 0)) for beat in act["beats"] for throw in beat["throws"]]
    shooting = [throw for throw in throws if throw["why"] == "shooting"]
    assert shooting and all(counts is not None for throw in shooting for counts in throw["counts"])
    assert all(counts is None for throw in throws if throw["why"] == "action" for counts in throw["counts"])


def test_several_throwers_and_the_side_of_a_phase_are_named(club: Club) -> None:
    you = club.begin("risk_factor")["you"]
    you.do("delegate", scope="turn", player="doctrine")
    told = all_acts(you, (0, 0))
    first = next(beat for act in told for beat in act["beats"] if beat["said"].startswith("first turn"))
    assert first["said"] == "first turn: the highest roll goes first (ties roll again)"
    assert [(throw["name"], throw["said"]) for throw in first["throws"][:2]] == [("The patrol", ""), ("The band", "")]
    sides = {act["phase"].partition(" · ")[0] for act in told if " · " in act["phase"]}
    assert sides == {"The patrol", "The band"}


def test_a_roll_without_an_event_states_its_result(club: Club) -> None:
    you = club.begin("vcc")["you"]
    you.do("delegate", scope="turn", player="doctrine", turns="3")
    beats = [beat for act in all_acts(you, (0, 0)) for beat in act["beats"]]
    said = [beat["said"] for beat in beats if ": leader check" in beat["said"]]
    assert said and all(re.search(r"leader check \((less than )?[0-9]+.*: he is ", sentence) for sentence in said), said


def test_without_a_moment_acts_start_at_the_last_choice(club: Club) -> None:
    you = club.begin("vcc")["you"]
    you.do("delegate", scope="turn", player="doctrine")
    play(you, 8)
    told = acts(you)
    assert told["acts"]
    last = [beat["said"] for act in told["acts"] for beat in act["beats"]]
    whole = [beat["said"] for act in all_acts(you, (0, 0)) for beat in act["beats"]]
    assert 0 < len(last) < len(whole)
    assert whole[-len(last) :] == last


def test_a_moment_outside_the_log_is_refused(club: Club) -> None:
    you = club.begin("vcc")["you"]
    assert you.get("/acts?step=999&beat=0").status_code == 409
    assert you.get("/acts?step=-1&beat=0").status_code == 409
    assert you.get("/acts?step=0&beat=x").status_code == 409


def test_undo_moves_the_moment_back(club: Club) -> None:
    you = club.begin("vcc")["you"]
    you.do("delegate", scope="phase", player="doctrine")
    before = you.parts()["moment"]
    play(you, 3)
    while you.parts()["moment"] > before:
        assert you.do("undo").status_code == 200
    assert all_acts(you, tuple(you.parts()["moment"])) == []


def test_the_log_has_headings_and_the_colours_of_the_sides(club: Club) -> None:
    you = club.begin("vcc")["you"]
    you.do("delegate", scope="turn", player="doctrine")
    log = you.parts()["log"]
    assert "<h3>Turn 1</h3>" in log and "<h4>step 4: British units rally and move</h4>" in log
    assert '<li class="log-line side-0">' in log
    assert '<b class="named side-1">' in log and 'class="die pips' in log


def test_equal_events_of_several_figures_are_merged() -> None:
    plain: dict[str, Any] = {"throws": [], "cards": [], "shot": None, "fight": None, "units": ["spears"]}
    beats = [
        {
            **plain,
            "said": f"warrior {n} of Spears ran",
            "parts": [("x", None)],
            "lost": {"piece": f"spears.{n}", "count": 0},
        }
        for n in (4, 5, 6)
    ]
    with_dice = {**beats[0], "throws": [{"faces": [6]}]}
    other = {**plain, "said": "Spears rallied", "parts": [("y", None)], "lost": None}
    told = list(_merge_alike([*beats, other, other, with_dice, beats[0]]))
    assert [beat["said"] for beat in told] == [
        "warrior 4 of Spears ran (and 2 others)",
        "Spears rallied (2 times)",
        "warrior 4 of Spears ran (2 times)",
    ]
    assert told[0]["lost"] == {"piece": "spears.4", "count": 3} and told[0]["parts"][-1] == (" (and 2 others)", None)
    assert told[2]["throws"], "dice begin a new beat"


def test_names_in_a_sentence_are_whole_words_and_the_longest_that_fit() -> None:
    named = {"Sikhs": "sikhs", "Sikhs 2": "sikhs_2", "A": "a", "Men (1)": "men"}
    cast = Cast(dict.fromkeys(named.values(), 0) | {"men": 1}, named.values(), named, [7, 5], 1.0, 48.0, True)
    assert cast.parts("Sikhs 2, not Sikhs 22 or Sikhsmen; Men (1) and A") == [
        ("Sikhs 2", 0),
        (", not ", None),
        ("Sikhs", 0),
        (" 22 or Sikhsmen; ", None),
        ("Men (1)", 1),
        (" and A", None),
    ]
    assert cast.parts("") == []
