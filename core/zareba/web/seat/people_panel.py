"""The people at a table, as the page of one seat shows them: presence, names, chat, clocks, and ends by agreement."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from zareba.base.errors import ZarebaError
from zareba.base.grammar import in_a_sentence, join_sentences
from zareba.session import Settlement
from zareba.session.session import HUMAN
from zareba.web.form import FormData
from zareba.web.lobby.games import Games, Proposal
from zareba.web.lobby.owner import ago
from zareba.web.lobby.people import MOST_LINE, MOST_NAME
from zareba.web.lobby.rematch import rematch, seats_in_rematch, seats_with_links
from zareba.web.responses import Forbidden, TooMany, Unknown, render
from zareba.web.seat.panel import NO_SIDE
from zareba.web.seat.umpire import seats_played_by
from zareba.web.seat.viewer import Viewer
from zareba.web.security import Buckets

_MESSAGES_AT_ONCE, _MESSAGES_PER_SECOND = 6, 0.5
"""Chat messages and names that one seat may send: burst, and rate per second after that."""


class PeoplePanel:
    """Shows the people at a table to one seat, and carries out what that seat does among them."""

    def __init__(self, games: Games) -> None:
        self._games = games
        self._message_limits = Buckets()
        self._acts: dict[str, Callable[[Viewer, FormData], None]] = {
            "say": self._say,
            "name": self._name,
            "draw": self._offer_draw,
            "concede": self._concede,
            "claim": self._claim_win_on_time,
            "pardon": self._pardon_lateness,
            "rematch": self._rematch,
        }

    def page_part(self, viewer: Viewer) -> dict[str, Any]:
        """Return the people at the table for the page of a viewer. Hold the lock of the game."""
        game, people = viewer.open, viewer.open.people
        seats = self._describe_seats(viewer)
        others = seats_with_links(game) - viewer.seats
        values = {
            "seats": seats,
            "spectators": game.spectators,
            "over": game.session.pending is None,
            "company": bool(others) or not viewer.seats,
            "plays": bool(viewer.seats),
            "may_draw": self._may_draw(viewer),
            "may_concede": self._may_concede(viewer),
            "late": [seat for seat in seats if self._may_claim(viewer, seat["id"])],
            "rematch": self.rematch_link(viewer),
            "wanted": [seat["who"] for seat in seats if seat["id"] in people.rematch_wanted],
            "wants": bool(viewer.seats) and viewer.seats <= set(people.rematch_wanted),
        }
        numbers = {seat["id"]: seat["number"] for seat in seats}
        lines = [{**line.model_dump(), "number": numbers.get(line.seat, NO_SIDE)} for line in people.chat]
        return {
            "people": game.people_version,
            "seats": seats,
            "company": values["company"],
            "html": render("people.html.j2", values),
            "chat": render("chat.html.j2", {"lines": lines}),
            "heard": people.chat[-1].at if people.chat else 0,
            "last": {"name": people.chat[-1].name, "text": people.chat[-1].text} if people.chat else None,
        }

    def _describe_seats(self, viewer: Viewer) -> list[dict[str, Any]]:
        """Return for each side who plays it, whether this player is online and must act, and the clock."""
        sides = viewer.open.game.scenario.sides
        return [self._describe_seat(viewer, number, side) for number, side in enumerate(sides)]

    def _describe_seat(self, viewer: Viewer, number: int, side: str) -> dict[str, Any]:
        game, people = viewer.open, viewer.open.people
        player = game.session.seats[side]
        side_name, is_person, is_mine = game.game.scenario.sides[side].name, player == HUMAN, side in viewer.seats
        is_asked = people.turn == side
        person_in_words = "you" if is_mine else people.names.get(side, "a person")
        return {
            "id": side,
            "number": number,
            "side": side_name,
            "name": people.names.get(side, ""),
            "who": (is_person and people.names.get(side)) or side_name,
            "player": person_in_words if is_person else f"AI: {player}",
            "person": is_person,
            "mine": is_mine,
            "online": is_person and (is_mine or side in game.online()),
            "asked": is_asked,
            "waited": round(time.time() - people.since, 1) if is_asked else 0,
            "left": people.seconds_left(side) if is_person else None,
            "runs": is_asked and people.clock_runs,
        }

    def act(self, viewer: Viewer, what: str, form: FormData) -> dict[str, Any]:
        """Carry out an act of a seat, and return the people at the table."""
        act = self._acts.get(what)
        if act is None:
            raise Unknown
        if not viewer.seats:
            raise Forbidden("You are only watching this game.")
        with viewer.open.lock:
            act(viewer, form)
            viewer.open.announce_people()
            return self.page_part(viewer)

    def summary(self, viewer: Viewer) -> dict[str, Any]:
        """Return the turn and the players of a game, as the list of games in a browser shows them."""
        with viewer.open.lock:
            game, people = viewer.open, viewer.open.people
            seats = self._describe_seats(viewer)
            asked = next((seat for seat in seats if seat["asked"]), None)
            over = game.session.pending is None
        turn = "" if asked is None else f"{_turn_in_words(asked)}, asked {ago(people.since)}"
        return {
            "title": game.game.scenario.title,
            "over": over,
            "mine": not over and asked is not None and asked["mine"] and asked["person"],
            "asked": "over" if over else turn,
            "players": join_sentences(f"{seat['side']}: {seat['player']}" for seat in seats),
        }

    # --- chat and names -----------------------------------------------------------------------------------------------

    def _limit_messages(self, viewer: Viewer) -> None:
        """Raise TooMany if a seat sends messages too fast."""
        sender = f"{viewer.open.name} {sorted(viewer.seats)}"
        if not self._message_limits.take(sender, _MESSAGES_AT_ONCE, _MESSAGES_PER_SECOND):
            raise TooMany("You are sending too fast; wait a few seconds.")

    def _say(self, viewer: Viewer, form: FormData) -> None:
        """Add a chat message."""
        self._limit_messages(viewer)
        seat = viewer.seat or ""
        people, sides = viewer.open.people, viewer.open.game.scenario.sides
        people.say(seat, people.names.get(seat) or sides[seat].name, form.text("text"))

    def _name(self, viewer: Viewer, form: FormData) -> None:
        """Give the viewer a name."""
        self._limit_messages(viewer)
        viewer.open.people.rename(viewer.seats, form.text("name"))

    # --- ends by the players ------------------------------------------------------------------------------------------

    def _may_draw(self, viewer: Viewer) -> bool:
        """Return True if the viewer can offer a draw. An AI player cannot agree to one."""
        session = viewer.open.session
        seats = session.game.scenario.sides
        are_people = all(session.seats[side] == HUMAN for side in seats)
        return are_people and bool(viewer.seats) and session.pending is not None and viewer.open.proposal is None

    def _offer_draw(self, viewer: Viewer, form: FormData) -> None:
        if not self._may_draw(viewer):
            raise ZarebaError("a draw can be offered while people play all sides and nothing else is proposed")
        own_seats, draw = seats_played_by(viewer), Settlement(None, "agreement")
        if len(own_seats) == len(viewer.open.session.people):
            viewer.open.change(lambda session: session.settle(draw))
        else:
            viewer.open.propose(Proposal(own_seats[0], draw, "a draw, which ends the game", frozenset(own_seats)))

    def _may_concede(self, viewer: Viewer) -> bool:
        """Return True if the viewer has one of two sides, and the game goes on."""
        sides = viewer.open.game.scenario.sides
        return len(viewer.seats) == 1 and len(sides) == 2 and viewer.open.session.pending is not None

    def _concede(self, viewer: Viewer, form: FormData) -> None:
        if not self._may_concede(viewer):
            raise ZarebaError("a side can concede while the game goes on and there are two sides")
        (winner,) = set(viewer.open.game.scenario.sides) - viewer.seats
        viewer.open.change(lambda session: session.settle(Settlement(winner, "concession")))

    def _may_claim(self, viewer: Viewer, side: str) -> bool:
        """Return True if a side is out of time and the viewer may claim the win."""
        game = viewer.open
        if game.people.turn != side or game.session.seats[side] != HUMAN:
            return False
        seconds_left = game.people.seconds_left(side)
        is_late = seconds_left is not None and seconds_left <= 0
        return is_late and side not in viewer.seats and self._may_concede(viewer)

    def _late_side(self, viewer: Viewer, form: FormData) -> str:
        """Return the side in a form. Raises ZarebaError if it is not out of time."""
        side = form.text("side")
        if side not in viewer.open.game.scenario.sides or not self._may_claim(viewer, side):
            raise ZarebaError("that side is not out of time")
        return side

    def _claim_win_on_time(self, viewer: Viewer, form: FormData) -> None:
        """End the game: the other side is out of time."""
        self._late_side(viewer, form)  # refuses a side that is not late
        (winner,) = viewer.seats
        viewer.open.change(lambda session: session.settle(Settlement(winner, "time")))

    def _pardon_lateness(self, viewer: Viewer, form: FormData) -> None:
        """Play on without the clock of the late side."""
        viewer.open.people.stop_clock_of(self._late_side(viewer, form))

    # --- rematch ------------------------------------------------------------------------------------------------------

    def _rematch(self, viewer: Viewer, form: FormData) -> None:
        """Note that the viewer wants a rematch, and start it as soon as all people with a link want it."""
        game = viewer.open
        if game.session.pending is not None:
            raise ZarebaError("a rematch is possible once the game is over")
        game.people.want_rematch(sorted(viewer.seats))
        if seats_with_links(game) <= set(game.people.rematch_wanted):
            rematch(self._games, game)

    def rematch_link(self, viewer: Viewer) -> str:
        """Return the address of the rematch for the viewer's seats; "" if there is none."""
        name = viewer.open.people.rematch
        if not name:
            return ""
        seats = seats_in_rematch(viewer.open, viewer.seats)
        try:
            links = self._games.links(name).all()
        except ZarebaError:
            return ""
        token = next((link.token for link in reversed(links) if set(link.seats) == seats and link.token), None)
        return f"/game/{quote(name)}/{token}" if token else ""


def _turn_in_words(seat: dict[str, Any]) -> str:
    return "Your turn" if seat["mine"] and seat["person"] else f"Waiting for {in_a_sentence(seat['who'])}"


LIMITS = {"name": MOST_NAME, "line": MOST_LINE}
"""The largest number of characters of a name and of a chat message."""
