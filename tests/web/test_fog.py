"""Two games in the fog of war that differ only in what the enemy does out of sight: other readers get the same
bytes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.systems import each_ruleset
from tests.web import worlds
from tests.web.conftest import Chair, Club
from tests.web.test_two_worlds import Told, quiet

from zareba.base.state import canonical_json
from zareba.game.parts.odds_horizon import HOLDING
from zareba.registry import find_house_rule
from zareba.scenario import Scenario, load_scenario
from zareba.session import Session, new_session
from zareba.session.session import HUMAN
from zareba.table import Choose, seat_of
from zareba.table.questions import mentions
from zareba.web.seat.view import version_of
from zareba.web.seat.viewer import Viewer

__all__ = ["quiet"]

PATROL, BAND = "patrol", "tribesmen"
READERS = (PATROL, "watcher")
EVERY = 5
"""The readers ask for everything at each fifth choice of the patrol."""


def far_apart() -> Scenario:
    """Return a battle that begins with both sides far out of sight and range."""
    data = load_scenario("patrol_clash").model_dump(mode="json", exclude_defaults=True)
    data["table"]["depth"] = 100
    data["sides"][BAND]["deployment"] = {"north": [[6, 90], [42, 90], [42, 99], [6, 99]]}
    return Scenario.model_validate_json(canonical_json(data), strict=True)


class World:
    """A game in the fog. The patrol does nothing. The band calls on its hidden units in turn; they do nothing, or act
    at random.
    """

    def __init__(self, folder: Path, ruleset: str, *, acts: bool) -> None:
        self.club = Club(folder)
        folder.mkdir()
        path, scenario = folder / "game.jsonl", far_apart()
        rules = [find_house_rule("fog_of_war")]
        seats = dict.fromkeys(scenario.sides, HUMAN)
        self.session = new_session(ruleset, scenario, seats, seed=7, house_rules=rules, path=path)
        self.open = self.club.games.add(path, self.session)
        grants: Mapping[str, list[str]] = {PATROL: [PATROL], BAND: [BAND], "watcher": []}
        self.chairs = {
            who: Chair(self.club, f"/game/game/{self.open.links.grant(held)}") for who, held in grants.items()
        }
        self.told: dict[str, list[Told]] = {reader: [] for reader in READERS}
        self.streams: dict[str, list[int]] = {reader: [] for reader in READERS}
        self.acted = 0
        self._acts = acts

    def play(self, choices: int) -> None:
        """Play until the patrol has made so many choices, or sees an enemy."""
        made = 0
        while (question := self.session.pending) is not None and made < choices and not self.is_sighted():
            if seat_of(question) == PATROL:
                if made % EVERY == 0:
                    self._look()
                made += 1
            else:
                self._note_versions()
            self._answer(question)

    def is_sighted(self) -> bool:
        game, state = self.session.game, self.session.state
        foes = set(game.display.pieces(state)[BAND]) & set(game.sight.known_pieces(state))
        return not foes <= game.sight.hidden_pieces(state, PATROL)

    def _answer(self, question: Any) -> None:
        game = self.session.game
        hidden = game.sight.hidden_pieces(self.session.state, PATROL)
        answer = game.odds_horizon.hold(question)
        if question.seat == BAND and mentions(hidden, question.actor):
            if self._acts:
                self.acted += 1
                luck = Random(self.acted)
                listed = question.options if isinstance(question, Choose) else getattr(question, "suggestions", (True,))
                answer = luck.choice(list(listed))
        elif question.seat == BAND and isinstance(question, Choose):
            answer = next((option for option in question.options if option not in HOLDING), answer)
        self.open.change(lambda session: session.answer(answer))

    def _look(self) -> None:
        self._note_versions()
        for reader in READERS:
            chair = self.chairs[reader]
            self.told[reader].append(
                [(path, worlds.without_links(text)) for path, text in worlds.told(chair, odds=False)]
            )

    def _note_versions(self) -> None:
        for reader in READERS:
            version = version_of(Viewer(self.open, frozenset({reader} - {"watcher"})))
            if self.streams[reader][-1:] != [version]:
                self.streams[reader].append(version)


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("ruleset", each_ruleset("risk_factor"))
def test_enemy_acts_in_the_fog_change_nothing_that_others_receive(ruleset: str, tmp_path: Path) -> None:
    idle, busy = World(tmp_path / "idle", ruleset, acts=False), World(tmp_path / "busy", ruleset, acts=True)
    for world in (idle, busy):
        world.play(6 if ruleset == "risk_factor" else 16)  # its troops advance on their own and meet early
    assert busy.acted > 2
    for reader in READERS:
        assert len(idle.told[reader]) >= 2
        for here, there in zip(idle.told[reader], busy.told[reader], strict=True):
            told, heard = dict(here), dict(there)
            assert [path for path in {**told, **heard} if told.get(path) != heard.get(path)] == []
        assert idle.streams[reader] == busy.streams[reader]
        names = [unit.name for unit in idle.session.game.scenario.units_of(BAND).values()]
        for answers in idle.told[reader]:
            named = [(path, name) for path, text in answers for name in names if re.search(rf"(?<!\w){name}", text)]
            assert [path for path, _ in named if not path.startswith(("/briefing", "/score"))] == []
    idle.club.close()
    busy.club.close()


def test_the_band_sees_its_own_units(tmp_path: Path) -> None:
    world = World(tmp_path / "idle", "vcc", acts=False)
    world.play(3)
    assert {"jezails", "swordsmen"} <= set(
        re.findall(r'data-card="(\w+)"', world.chairs[BAND].get("/units").json()["html"])
    )
    assert isinstance(world.session, Session)
    world.club.close()
