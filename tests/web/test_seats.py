"""Seats and their links; no client receives information its seat may not know."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.web.conftest import Chair, Club
from tests.web.test_play import play

from zareba.presentation.board import Board
from zareba.web.lobby.links import Links
from zareba.web.seat.view import page_parts
from zareba.web.seat.viewer import Viewer

FRIENDS = {"seat.patrol": "me", "seat.tribesmen": "friend"}


def test_each_seat_has_its_link_and_acts_for_itself_alone(club: Club) -> None:
    chairs = club.begin("vcc", **FRIENDS)
    assert set(chairs) == {"you", "The band", "whoever watches"}
    you, band, watcher = chairs["you"], chairs["The band"], chairs["whoever watches"]
    assert you.parts()["is_asked"] and not band.parts()["is_asked"] and not watcher.parts()["is_asked"]
    assert "Waiting for the patrol" in band.parts()["question"]
    before = you.parts()
    assert band.do("answer", option=0).status_code == 403
    assert watcher.do("answer", option=0).status_code == 403
    assert watcher.do("undo").status_code == 403
    assert you.parts() == before
    assert you.do("answer", option=0).status_code == 200


def test_one_person_plays_both_seats(club: Club) -> None:
    you = club.begin("vcc", **{"seat.tribesmen": "me"})["you"]
    play(you, 12)
    assert you.parts()["is_asked"]


def test_tokens_are_saved_as_hashes_and_end_when_new_ones_are_made(club: Club) -> None:
    you = club.begin("vcc")["you"]
    token = you.address.rpartition("/")[2]
    kept = you.game.path.with_suffix(".seats.json")
    assert token not in kept.read_text() and kept.stat().st_mode & 0o077 == 0
    assert len(token) >= 32
    assert club.client.post(f"/links/{you.name}", data={"end": "1"}).status_code == 303
    assert you.get().status_code == 404


@pytest.mark.parametrize("token", ["", "x", "A" * 32, "%00", "..%2f..", "é", "A" * 5000])
def test_a_guessed_token_learns_nothing(club: Club, token: str) -> None:
    you = club.begin("vcc")["you"]
    stranger = club.stranger()
    guessed = stranger.get(f"/game/{you.name}/{token}/parts")
    unknown = stranger.get(f"/game/no-such-game/{token}/parts")
    assert guessed.status_code == unknown.status_code == 404
    assert guessed.text.replace(you.name, "") == unknown.text.replace("no-such-game", "")


def test_only_the_owner_starts_games_and_hands_out_links(club: Club) -> None:
    you = club.begin("vcc")["you"]
    stranger = club.stranger()
    assert stranger.get("/").status_code == 403
    assert stranger.get("/new/patrol_clash").status_code == 403
    assert stranger.post("/new/patrol_clash", data={"ruleset": "vcc"}).status_code == 403
    assert stranger.post(f"/links/{you.name}").status_code == 403
    assert stranger.get("/enter/wrong").status_code == 403
    assert len(club.games.saved()) == 1


def test_a_damaged_list_of_links_opens_no_game(club: Club) -> None:
    you = club.begin("vcc")["you"]
    kept = you.game.path.with_suffix(".seats.json")
    for text in ("{", "[1]", '{"hash": "x"}', '[{"hash": 1, "seats": []}]'):
        kept.write_text(text)
        assert you.get().status_code in (404, 409)


def test_the_oldest_links_end_when_there_are_too_many(club: Club) -> None:
    links = Links(club.folder / "x.jsonl")
    club.folder.mkdir(exist_ok=True)
    tokens = [links.grant(["a"]) for _ in range(66)]
    assert links.seats_of(tokens[0]) is None and links.seats_of(tokens[-1]) == frozenset("a")


# --- two worlds -------------------------------------------------------------------------------------------------------


def everything_a_client_gets(chair: Chair) -> str:
    """Return all bytes a client can get of a table once no AI player is thinking."""
    chair.wait()
    answers = [chair.get()]
    answers += [chair.get(path) for path in ("/why", "/act?step=0", "/at?step=0", "/at?step=2")]
    answers += [chair.get(f"/reach?kind={kind}") for kind in ("fire", "danger", "command")]
    answers += [chair.get(f"/where?version={chair.game.version}"), chair.get("/umpire"), chair.get("/briefing")]
    return "\n".join(answer.text for answer in answers)


@pytest.mark.parametrize("whom", ["The band", "whoever watches"])
def test_a_hand_of_cards_reaches_no_other_client(club: Club, whom: str) -> None:
    chairs = club.begin("afriboria", **FRIENDS)
    while chairs["you"].game.session.pending.why != "play":  # type: ignore[union-attr]  # until a player has to choose
        for chair in (chairs["you"], chairs["The band"]):
            if chair.parts()["is_asked"]:
                chair.do("answer", option=0)
    asked = next(chair for chair in (chairs["you"], chairs["The band"]) if chair.parts()["is_asked"])
    other = chairs[whom] if chairs[whom] is not asked else chairs["you"]
    state = asked.game.session.state
    assert "Your hand" in asked.parts()["cards"]
    seen = everything_a_client_gets(other)
    real = {side: list(entry.hand) for side, entry in state.sides.items()}
    entry = state.sides[asked.parts()["seat"]]
    entry.hand = ["green_2"] * len(entry.hand)
    asked.game.cache.clear()
    assert everything_a_client_gets(other) == seen
    entry.hand = real[asked.parts()["seat"]]


def _ambush(club: Club, ruleset: str, **settings: str) -> tuple[Chair, Chair, Chair]:
    """Set up a game whose second side is hidden; return the column, the ambush and a watcher."""
    chairs = club.begin(ruleset, "column_ambushed", **{"seat.column": "me", "seat.tribes": "friend"}, **settings)
    column, watcher = chairs.pop("you"), chairs.pop("whoever watches")
    (ambush,) = chairs.values()
    session = column.game.session
    for _ in range(400):
        if getattr(session.state, "markers", None):
            break
        if session.game.game_turn(session.state) >= 1 and not session.game.display.arriving_pieces(session.state):
            break
        asked = column if column.parts()["is_asked"] else ambush
        if session.game.game_turn(session.state) >= 1 and asked is column:
            break
        assert asked.do("answer", option=0).status_code == 200
    return column, ambush, watcher


def test_a_page_still_gets_new_versions_after_something_becomes_hidden(club: Club) -> None:
    you = club.begin("afriboria")["you"]  # nothing is hidden before the cards are dealt
    seen: dict[int, str] = {}
    for _ in range(30):
        play(you, 1)
        found = you.parts()
        assert not seen or found["version"] >= max(seen)
        assert (
            seen.setdefault(found["version"], found["pieces"] + found["question"])
            == found["pieces"] + found["question"]
        )
    assert you.game.seat_pages, "the hands are dealt"


def test_hidden_units_of_fixed_baynet_reach_no_other_client(club: Club) -> None:
    column, ambush, watcher = _ambush(club, "fixed_baynet")
    units = column.game.session.state.units
    hidden = [name for name, unit in units.items() if "hidden" in unit.marks and unit.box[0] >= 0]
    assert hidden, "the scenario hides units"
    own = ambush.parts()["pieces"]
    assert any(f'data-unit="{name}"' in own for name in hidden)
    for chair in (column, watcher):
        told = everything_a_client_gets(chair)
        assert not any(f'"{name}\\"' in told or f"{units[name].spec.name} (" in told for name in hidden)


def test_what_lies_under_a_marker_of_risk_factor_reaches_no_other_client(club: Club) -> None:
    column, _, watcher = _ambush(club, "risk_factor", **{"set.hidden.use": "on"})
    state = column.game.session.state
    real = {name: marker.units for name, marker in state.markers.items()}
    assert any(real.values()) and not all(real.values()), "some markers hold units, some are dummies"
    before = everything_a_client_gets(column), everything_a_client_gets(watcher)
    names = list(real)
    for name, other in zip(names, reversed(names), strict=True):
        state.markers[name].units = real[other]
    column.game.cache.clear()
    assert (everything_a_client_gets(column), everything_a_client_gets(watcher)) == before
    for name in names:
        state.markers[name].units = real[name]


def test_the_seed_is_never_shown(club: Club) -> None:
    you = club.begin("vcc", seed="987654321")["you"]
    play(you, 10)
    assert "987654321" not in everything_a_client_gets(you) + you.client.get(you.address).text


@pytest.mark.parametrize("ruleset", ["afriboria", "fixed_baynet", "paychest", "risk_factor", "vcc"])
def test_watchers_see_no_more_than_any_seat(club: Club, ruleset: str) -> None:
    you = club.begin(ruleset)["you"]
    play(you, 20, which=1)
    game = you.game
    shown: Callable[[Board], set[str]] = lambda board: {piece.id for piece in board.pieces}  # noqa: E731  # used once
    public = shown(game.game.display.labelled_board(game.game.sight.public(game.session.state)))
    for seat in game.game.seats:
        assert public <= shown(game.game.display.labelled_board(game.game.sight.view(game.session.state, seat)))
    watching, _ = page_parts(Viewer(game, frozenset()))
    assert not watching["is_asked"] and watching["seat"] == ""
