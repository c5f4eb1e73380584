"""Compare two worlds that differ only in hidden forces: other readers get the same bytes in both."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from tests.systems import each_ruleset
from tests.web import worlds
from tests.web.conftest import Club
from tests.web.worlds import COLUMN, HIDERS, IDS, NAMES

from zareba.scenario import load_scenario
from zareba.session import new_session
from zareba.web import security
from zareba.web.lobby import games
from zareba.web.seat.view import version_of
from zareba.web.seat.viewer import Viewer

AMBUSHED = ("vcc", "afriboria", "paychest")
GIVEN: dict[str, dict[str, Any]] = {
    **{ruleset: {"house_rules": ["ambush"]} for ruleset in AMBUSHED},
    "fixed_baynet": {},
    "risk_factor": {},
}
"""The settings and house rules under which each system hides units."""
READERS = (COLUMN, "watcher")
MOST = 60

Told = list[tuple[str, str]]


@pytest.fixture
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop the clock, the limit of requests and play in the background."""
    monkeypatch.setattr(security, "BURST", 10**9)
    monkeypatch.setattr(security, "PER_SECOND", 1e9)
    monkeypatch.setattr(time, "time", lambda: 1000.0)
    monkeypatch.setattr(games, "FIRST_SLICE", 60.0)


class World:
    """A game in one world, with every answer that its readers get and the versions on their streams."""

    def __init__(self, folder: Path, ruleset: str, which: str, *, more: bool, **given: Any) -> None:
        self.club = Club(folder)
        scenario = worlds.world(which, more=more)
        self.session, self.chairs = worlds.begin(self.club, ruleset, scenario, "game", **{**GIVEN[ruleset], **given})
        self.told: dict[str, list[Told]] = {reader: [] for reader in READERS}
        self.streams: dict[str, list[int]] = {reader: [] for reader in READERS}
        self._number = {"first": 0, "second": 1}[which]

    def play(self, turns: int, *, odds: bool = False) -> None:
        """Play until the column has made so many choices, or sees a hidden unit."""
        asked, placed = 0, self._number
        self._look(odds)
        for _ in range(MOST):
            if self.session.pending is None or asked >= turns or self.is_sprung():
                return
            mine = getattr(self.session.pending, "seat", "") == COLUMN
            worlds.answer(self.session, self.chairs, asked, placed)
            placed += self._number + 1
            asked += mine
            if not self.is_sprung():
                self._look(odds)

    def is_sprung(self) -> bool:
        """Return True if the column sees a unit that was hidden at the start."""
        game, state = self.session.game, self.session.state
        return not self.begun_hidden() <= game.sight.hidden_pieces(state, COLUMN)

    def begun_hidden(self) -> frozenset[str]:
        return self.session.game.sight.hidden_pieces(self.session.game.origin, COLUMN)

    def _look(self, odds: bool) -> None:
        for reader in READERS:
            chair = self.chairs[reader]
            found = [(path, worlds.without_links(text)) for path, text in worlds.told(chair, odds=odds)]
            if not self.told[reader] or self.told[reader][-1] != found:
                self.told[reader].append(found)
            self.streams[reader].append(version_of(Viewer(chair.game, frozenset({reader} - {"watcher"}))))

    def stream(self, reader: str) -> list[int]:
        """Return the versions that a stream sends, each once."""
        versions = self.streams[reader]
        return [versions[0], *(now for before, now in pairwise(versions) if now != before)]


def differences(one: World, other: World, reader: str) -> Iterator[str]:
    """Return the addresses with another answer in the other world."""
    for number, (here, there) in enumerate(zip(one.told[reader], other.told[reader], strict=False)):
        told, heard = dict(here), dict(there)
        yield from (f"{number} {path}" for path in {**told, **heard} if told.get(path) != heard.get(path))


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("ruleset", each_ruleset("fixed_baynet"))
def test_hidden_enemies_change_nothing_that_other_readers_receive(ruleset: str, tmp_path: Path) -> None:
    more = ruleset in AMBUSHED  # elsewhere markers or alternating set-up reveal the number
    first = World(tmp_path / "first", ruleset, "first", more=False)
    second = World(tmp_path / "second", ruleset, "second", more=more)
    assert first.begun_hidden() and second.begun_hidden() and first.begun_hidden() != second.begun_hidden()
    for world in (first, second):
        world.play(2)
    for reader in READERS:
        assert list(differences(first, second, reader)) == []
        compared = min(len(first.told[reader]), len(second.told[reader]))
        assert compared >= 2
        assert first.stream(reader)[:compared] == second.stream(reader)[:compared]
        for world in (first, second):
            text = "\n".join(text for told in world.told[reader] for _, text in told)
            assert [name for name in NAMES if name in text] == []
            assert [key for key in IDS if f'"{key}' in text.replace("\\", "")] == []
    first.club.close()
    second.club.close()


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("ruleset", GIVEN)
def test_the_side_that_hides_men_sees_them_itself(ruleset: str, tmp_path: Path) -> None:
    world = World(tmp_path / "first", ruleset, "first", more=False)
    game, chair = world.session.game, world.chairs[HIDERS]
    assert not world.begun_hidden() & game.sight.hidden_pieces(world.session.state, HIDERS)
    assert "The black flag" in chair.get("/briefing").text
    if ruleset != "risk_factor":  # there a marker now stands for it
        assert "The black flag" in chair.get("/units").text
        assert chair.get("/unit?piece=black_flag").status_code == 200
    world.club.close()


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("ruleset", AMBUSHED)
def test_a_stream_does_not_report_what_a_seat_cannot_see(ruleset: str, tmp_path: Path) -> None:
    world = World(tmp_path / "first", ruleset, "first", more=False)
    session, chair = world.session, world.chairs[COLUMN]
    assert session.pending is not None and session.pending.why == "ambush at"
    worlds.answer(session, world.chairs, 0, 0)  # from now on the column sees that a choice was made
    before, changes = chair.parts(), chair.game.version
    assert session.pending is not None and session.pending.why == "ambush at"
    worlds.answer(session, world.chairs, 0, 1)
    assert chair.game.version > changes and chair.parts() == before
    assert chair.do("undo", version=before["version"]).status_code == 409
    world.club.close()


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("ruleset", ["vcc", "paychest", "fixed_baynet"])
def test_odds_of_a_choice_do_not_depend_on_hidden_men(ruleset: str, tmp_path: Path) -> None:
    found: list[list[str]] = []
    for which in ("first", "second"):
        world = World(tmp_path / which, ruleset, which, more=False)
        session, chair = world.session, world.chairs[COLUMN]
        told: list[str] = []
        for number in range(MOST):
            if session.pending is None or world.is_sprung() or len(told) > 3:
                break
            parts = chair.parts()
            if parts["is_asked"]:
                told += [
                    chair.get(f"/odds?n={option}&whole=1&version={parts['version']}").text.split("exact")[0]
                    for option in range(2)
                ]
            worlds.answer(session, world.chairs, number if parts["is_asked"] else 0, 0)
        found.append(told)
        world.club.close()
    assert found[0] and found[0][: len(found[1])] == found[1][: len(found[0])]


@pytest.mark.parametrize("scenario", ["square_attacked", "paychest_raid", "column_ambushed"])
def test_men_whom_a_scenario_hides_are_hidden_from_people_by_default_under_risk_factor(scenario: str) -> None:
    given = load_scenario(scenario)
    session = new_session("risk_factor", given, {}, seed=1)
    hidden = {key for key, unit in given.units.items() if unit.hidden}
    (side,) = {given.units[key].side for key in hidden}
    game = session.game
    for seat in {*given.sides, ""} - {side}:
        unseen = {game.plan.specs[key].parent for key in game.sight.hidden_pieces(session.state, seat)}  # type: ignore[attr-defined]  # these rules have it
        assert hidden <= unseen
    assert game.rules.settings["hidden.use"] == "on"
    assert (
        new_session("risk_factor", given, {}, seed=1, settings={"hidden.use": "auto"}).game.rules.settings["hidden.use"]
        == "auto"
    )
    programs = new_session("risk_factor", given, dict.fromkeys(given.sides, "doctrine"), seed=1)
    assert programs.game.rules.settings["hidden.use"] == "auto"
