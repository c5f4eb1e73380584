"""Umpire commands, agreement between two people, standing orders, and changing players, on the page."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from tests.systems import RULESETS, each_ruleset
from tests.web.conftest import Chair, Club
from tests.web.test_play import play

from zareba.session import replay
from zareba.table import Choose, Roll

FRIENDS = {"seat.tribesmen": "friend"}


def units_of(chair: Chair, side: str = "patrol") -> list[str]:
    """Return the units of a side that are on the table and have figures."""
    game, state = chair.game.game, chair.game.session.state
    there = {
        id_of_piece
        for piece in game.display.labelled_board(state).pieces
        for id_of_piece in (piece.id, piece.look.unit)
    }
    editor = game.umpire_editor()
    own = game.scenario.units_of(side)
    return [
        unit
        for unit in own
        if unit in there and unit in editor.piece_holders(state) and editor.figures_left(state, unit)
    ]


def first_unit(chair: Chair, side: str = "patrol") -> str:
    return units_of(chair, side)[0]


def begun(club: Club, ruleset: str) -> Chair:
    """Return a game after its set-up by an AI player."""
    you = club.begin(ruleset)["you"]
    while not units_of(you):
        session = you.game.session
        did = you.do("throw") if not you.parts()["is_asked"] else you.do("delegate", scope="phase")
        assert did.status_code == 200, (session.pending, did.text)
    play(you, 5)
    return you


def figures(chair: Chair, unit: str) -> Any:
    return chair.game.game.umpire_editor().figures_left(chair.game.session.state, unit)


@pytest.mark.parametrize("ruleset", each_ruleset("vcc"))
def test_figures_are_set_by_hand_logged_and_undone(club: Club, ruleset: str) -> None:
    you = begun(club, ruleset)
    unit = first_unit(you)
    before = figures(you, unit)
    card = unescape(you.get(f"/unit?piece={unit}").json()["html"])
    assert 'value="figures"' in card and f'value="{before}"' in card
    done = you.do("umpire", act="set", of=unit, what="figures", value=before - 1, reason="the dog ate one")
    assert done.status_code == 200, done.text
    assert figures(you, unit) == before - 1
    assert "the dog ate one" in you.parts()["log"]
    assert you.do("undo").status_code == 200
    assert figures(you, unit) == before
    you.game.session.close()
    assert figures(you, unit) == replay(you.game.path).session.game.umpire_editor().figures_left(
        replay(you.game.path).session.state, unit
    )


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_form_of_every_card_works(club: Club, ruleset: str) -> None:
    """Each field is sent back as the card shows it, which is always a legal value."""
    you = begun(club, ruleset)
    unit = first_unit(you)
    card = unescape(you.get(f"/unit?piece={unit}").json()["html"])
    names = re.findall(r'name="what" value="(\w+)"', card)
    assert "figures" in names
    editor, seen = you.game.game.umpire_editor(), you.game.session.state
    for name, now in list(editor.editable_fields(seen, unit)):
        value = ("yes" if now else "no") if isinstance(now, bool) else now
        answer = you.do("umpire", act="set", of=unit, what=name, value=value)
        assert answer.status_code == 200, (name, answer.text)


def test_a_unit_is_moved_and_removed_by_pointing(club: Club) -> None:
    you = club.begin("vcc")["you"]
    play(you, 30)
    unit = first_unit(you)
    before = you.parts()["pieces"]
    assert you.do("umpire", act="move", of=unit, x=30, y=20).status_code == 200
    assert you.parts()["pieces"] != before
    assert you.do("umpire", act="remove", of=unit).status_code == 200
    assert "off the table" in you.parts()["log"]


def test_the_umpire_sets_turn_objective_and_last_dice(club: Club) -> None:
    you = club.begin("vcc")["you"]
    play(you, 60)
    session = you.game.session
    page = unescape(you.get("/umpire").json()["html"])
    assert "the last dice" in page and 'name="act" value="turn"' in page
    thrown = session.history.last_throw().question
    assert isinstance(thrown, Roll)
    assert you.do("umpire", act="again", faces=" ".join(["1"] * thrown.dice)).status_code == 200
    assert you.do("umpire", act="again", faces="9 9 9 9").status_code == 409
    goal = next(iter(session.game.scenario.objectives))
    assert you.do("umpire", act="goal", of=goal, value="patrol").status_code == 200
    assert you.do("umpire", act="turn", value=3).status_code == 200
    assert session.game.game_turn(session.state) == 3


REFUSED = [
    {"act": "explode"},
    {"act": "set", "of": "nobody", "what": "figures", "value": "1"},
    {"act": "set", "of": "fusiliers", "what": "figurs", "value": "1"},
    {"act": "set", "of": "fusiliers", "what": "figures", "value": "900"},
    {"act": "set", "of": "fusiliers", "what": "figures", "value": "-1"},
    {"act": "set", "of": "fusiliers", "what": "figures", "value": "many"},
    {"act": "mark", "of": "fusiliers", "what": "drunk"},
    {"act": "unmark", "of": "fusiliers", "what": "broken"},
    {"act": "move", "of": "fusiliers", "x": "nan", "y": "1"},
    {"act": "move", "of": "fusiliers"},
    {"act": "goal", "of": "nothing", "value": "patrol"},
    {"act": "turn", "value": "99"},
    {"act": "give", "of": "patrol", "what": "ace"},
    {"act": "set", "of": "fusiliers", "what": "figures", "value": "3", "reason": "x" * 300},
    {"act": "set", "of": "fusiliers", "what": "figures", "value": "3", "reason": "a\x00b"},
]


def test_invalid_acts_of_the_umpire_are_refused_and_change_nothing(club: Club) -> None:
    you = club.begin("vcc")["you"]
    play(you, 30)
    before = you.parts()
    for fields in REFUSED:
        answer = you.do("umpire", **fields)
        assert answer.status_code == 409, answer.text
        assert len(answer.json()["refused"]) > 15 and "Traceback" not in answer.text
        assert you.parts() == before, fields


def _two(club: Club) -> tuple[Chair, Chair, Chair]:
    chairs = club.begin("vcc", **FRIENDS)
    for _ in range(60):
        if units_of(chairs["you"]) and units_of(chairs["you"], "tribesmen"):
            break
        asked = next(chair for chair in chairs.values() if chair.parts()["is_asked"])
        asked.do("answer", option=0)
    return chairs["you"], chairs["The band"], chairs["whoever watches"]


def test_an_umpires_act_needs_the_other_players_consent(club: Club) -> None:
    you, band, watcher = _two(club)
    unit = first_unit(you)
    before = figures(you, unit)
    assert (
        you.do("umpire", act="set", of=unit, what="figures", value=before - 1, reason="so it lies").status_code == 200
    )
    assert figures(you, unit) == before
    assert "Waiting for the band" in you.parts()["question"] and "I agree" not in you.parts()["question"]
    assert "I agree" in band.parts()["question"] and "so it lies" in band.parts()["question"]
    assert "I agree" not in watcher.parts()["question"] and "so it lies" not in watcher.parts()["question"]
    assert watcher.do("agree").status_code == 403 and watcher.do("umpire", act="turn", value=2).status_code == 403
    assert you.do("agree").status_code == 200 and figures(you, unit) == before
    assert band.do("agree").status_code == 200
    assert figures(you, unit) == before - 1
    assert band.do("agree").status_code == 409


def test_a_proposal_ends_when_it_is_declined_withdrawn_or_overtaken_by_play(club: Club) -> None:
    you, band, _ = _two(club)
    for who in (band, you):
        assert you.do("umpire", act="turn", value=3).status_code == 200
        assert who.do("decline").status_code == 200
        assert band.do("agree").status_code == 409
    assert you.do("umpire", act="turn", value=3).status_code == 200
    asked = you if you.parts()["is_asked"] else band
    assert asked.do("answer", option=0).status_code == 200
    assert band.do("agree").status_code == 409


def test_an_invalid_proposal_is_refused_at_once(club: Club) -> None:
    you, _, _ = _two(club)
    assert you.do("umpire", act="turn", value=99).status_code == 409
    assert you.game.proposal is None


def test_a_unit_card_shows_options_and_only_own_units_take_orders(club: Club) -> None:
    you = club.begin("vcc")["you"]
    while (question := you.game.session.pending) is not None and question.why != "move with":
        you.do("answer", option=0)
    assert isinstance(question, Choose)
    unit = str(question.options[0])
    card = unescape(you.get(f"/unit?piece={unit}").json()["html"])
    assert 'data-option="0"' in card and "Hold unless charged" in card
    assert you.do("order", unit=unit, kind="go", x=30, y=30).status_code == 200
    order = you.game.session.orders.given[unit]
    assert order.kind == "go" and order.at is not None
    shown = unescape(you.parts()["question"])
    assert f"go on to {order.place}" in shown
    assert f"go on to {order.place}" in unescape(you.get(f"/unit?piece={unit}").json()["html"])
    enemy = unescape(you.get(f"/unit?piece={first_unit(you, 'tribesmen')}").json()["html"])
    assert "Standing order" not in enemy
    assert you.do("order", unit=unit, kind="dance").status_code == 409
    assert you.get("/unit?piece=nobody").status_code == 409


def test_watchers_see_cards_but_change_nothing(club: Club) -> None:
    _, _, watcher = _two(club)
    card = watcher.get(f"/unit?piece={first_unit(watcher)}").json()["html"]
    assert "Umpire: edit by hand" not in card and "Standing order" not in card
    assert watcher.get("/umpire").status_code == 403


def test_a_hidden_unit_has_no_card_and_cannot_be_edited(club: Club) -> None:
    chairs = club.begin("fixed_baynet", "column_ambushed", **{"seat.column": "me", "seat.tribes": "friend"})
    column = chairs["you"]
    ambush = next(chair for whom, chair in chairs.items() if whom not in ("you", "whoever watches"))
    for _ in range(200):
        units = column.game.session.state.units
        hidden = [name for name, unit in units.items() if "hidden" in unit.marks and unit.box[0] >= 0]
        asked = column if column.parts()["is_asked"] else ambush
        if hidden and asked is column:
            break
        asked.do("answer", option=0)
    assert hidden
    nobody = column.get("/unit?piece=nobody_at_all")
    secret = column.get(f"/unit?piece={hidden[0]}")
    assert secret.text == nobody.text and secret.status_code == nobody.status_code
    assert not any(name in column.get("/umpire").text for name in hidden)
    no_one = column.do("umpire", act="set", of="nobody_at_all", what="figures", value=1)
    refused = column.do("umpire", act="set", of=hidden[0], what="figures", value=1)
    assert refused.json() == no_one.json()
    assert "Umpire: edit by hand" in ambush.get(f"/unit?piece={hidden[0]}").json()["html"]


def test_a_side_is_handed_to_an_ai_player_and_taken_back(club: Club) -> None:
    you, band, _ = _two(club)
    assert band.do("hand_over", side="patrol", player="doctrine").status_code == 403
    assert band.do("hand_over", side="tribesmen", player="nobody").status_code == 409
    assert band.do("hand_over", side="tribesmen", player="doctrine").status_code == 200
    assert "doctrine plays the band for you" in unescape(band.parts()["question"])
    assert you.do("umpire", act="turn", value=2).status_code == 200
    assert you.game.game.game_turn(you.game.session.state) == 2, "no other player must agree"
    assert band.do("hand_over", side="tribesmen", player="human").status_code == 200
    assert you.game.session.people == ["patrol", "tribesmen"]


def test_delegation_takes_a_number_of_turns_and_nothing_else(club: Club) -> None:
    you = club.begin("vcc")["you"]
    play(you, 12)
    turn = you.game.game.game_turn(you.game.session.state)
    assert you.do("delegate", scope="turn", player="hold", turns=2).status_code == 200
    assert you.game.game.game_turn(you.game.session.state) >= turn + 2 or you.parts()["over"]
    assert you.do("undo").status_code == 200
    assert you.do("delegate", scope="turn", player="hold", turns=0).status_code == 409
