"""A bare ruleset turned into another game, as its author would do it: unit cards by colour, stand and fire, lasting
wounds.

The author writes only `hills.diff`.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
from tests.external.conftest import install_wheel, write_ruleset
from tests.rulesets.companion_games import typed
from tests.systems import each_battle

from zareba.agents import make_agent
from zareba.chance import KeyedDice
from zareba.companion import new_evening, scenario_of_list
from zareba.game.advance import AtQuestion, Done, advance
from zareba.registry import load_rules
from zareba.scenario import load_scenario
from zareba.table import ChanceKeys, Draw, Roll

CHANGES = Path(__file__).with_name("hills.diff")
TUTORIAL = Path(__file__).parents[2] / "docs" / "tutorial" / "first_ruleset.md"
CODE = re.compile(r"```(?:yaml|python)\n(.*?)```", re.DOTALL)
MOST = 400
Run = Callable[..., str]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create the bare ruleset and apply the changes; return its folder."""
    folder = write_ruleset(tmp_path_factory.mktemp("sixth"), "hills", "--bare")
    subprocess.run(["git", "apply", "-p1", str(CHANGES)], cwd=folder, check=True)
    return folder


@pytest.fixture(scope="module")
def site(
    project: Path,
    installed_here: Callable[[Path, str], AbstractContextManager[Path]],
) -> Iterator[Path]:
    """Install the distribution for this process too; yield its folder."""
    install_wheel(project, project.parent / "site")
    with installed_here(project.parent / "site", "zareba_hills") as site:
        yield site


def told(scenario: str, agent: str, turns: int) -> tuple[list[Any], list[Any]]:
    """Play some turns of a game; return its draws, with the cards, and its events."""
    game = load_rules("hills").game(load_scenario(scenario))
    players = {side: make_agent(agent, game, side, 2) for side in game.seats}
    dice, state = KeyedDice(2), game.start()
    drawn: list[Any] = []
    events: list[Any] = []
    while (step := game.play.next_step(state)) is not None and state.turn <= turns:
        keys, answers = ChanceKeys(step), list[Any]()
        while isinstance(paused := advance(game, state, answers), AtQuestion):
            question = paused.question
            if isinstance(question, (Roll, Draw)):
                answers.append(keys.answer(dice, question)[0])
            else:
                answers.append(players[question.seat](question, paused.draft))
            if isinstance(question, Draw):
                drawn.append((state.turn, question.cards, answers[-1]))
        assert isinstance(paused, Done)
        events += paused.events
        state = paused.checkpoint
    return drawn, events


def test_the_tutorial_shows_what_is_played(project: Path) -> None:
    files = [*(project / "src").rglob("*.*"), *(project / "tests").glob("*.py")]
    written = {line.split("#")[0].strip() for file in files for line in file.read_text(encoding="utf-8").splitlines()}
    blocks = CODE.findall(TUTORIAL.read_text(encoding="utf-8"))
    shown = [line.split("#")[0].strip() for block in blocks for line in block.splitlines()]
    assert len(shown) > 60
    assert [line for line in shown if line not in written] == []


def test_a_sixth_system_needs_few_lines() -> None:
    added = [line for line in CHANGES.read_text(encoding="utf-8").splitlines() if line.startswith("+")]
    assert len(added) <= MOST


def test_the_tests_of_a_sixth_system_pass(project: Path, site: Path, tmp_path: Path, run: Run) -> None:
    run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", project / "tests", cwd=tmp_path, path=site)


def test_a_card_of_its_sides_colour_activates_each_unit(site: Path) -> None:
    drawn, _ = told("patrol_clash", "random", 1)
    assert drawn[0][1] == (("patrol", 4), ("tribesmen", 4))
    assert sorted(card for turn, _, card in drawn if turn == 1) == ["patrol"] * 4 + ["tribesmen"] * 4


@pytest.mark.parametrize("scenario", each_battle("patrol_clash"))
def test_men_are_wounded_in_every_shipped_scenario(site: Path, scenario: str) -> None:
    _, events = told(scenario, "random", 6)
    kinds = {event.kind for event in events}
    assert {"marched", "loss"} <= kinds
    assert all(event.data["now"] > 0 for event in events if event.kind == "wounds")


def test_the_companion_asks_for_the_facts_of_new_rules(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    forces = "The column:\n20 Alpha rifles, veteran, Lt Ashby\nThe impi:\n24 Red spears"
    evening = new_evening("hills", scenario_of_list(forces), seed=1)
    # Red charges Alpha, who may test and fire first (HILL-020): 6 is at most 8 + 1 for its leader. The volley needs the
    # distance, 3 inches, and the cover of Red. 10 dice, 5 - 1 for veterans: 4 hits. Dice of 1 to 3 kill, 4 and 5 wound.
    said = typed(evening, "impi", "charge alpha", "fire first", "3 3", "3; 1", "6 6 6 5 1 1 1 1 1 1", "1 3 5 6")
    assert said == ["Red lost 2, 22 left", "Red have 1 wounded", "Red charged Alpha"]
    shown = " ".join(capsys.readouterr().out.split())
    assert "Alpha are charged: what do they do? (HILL-020) 1 fire first 2 do not fire" in shown
