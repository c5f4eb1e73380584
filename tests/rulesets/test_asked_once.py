"""One act followed in play: from a choice to the next die, draw or choice no chapter is asked the same twice, nor one above."""

from __future__ import annotations

import sys
import tomllib
from collections import Counter
from collections.abc import Hashable
from inspect import CO_GENERATOR
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from zareba.agents import make_agent
from zareba.registry import load_rules, ruleset_names
from zareba.scenario import load_scenario
from zareba.table import Agent, SeededTable

ROOT = Path(__file__).parents[2]
STEPS = 260
UPWARDS = {"fixed_baynet": {("movement", "cavalry")}}
"""Who gives his own answers where a chapter below asks for any mover's: a ride is a march of another kind."""
AGAIN: dict[str, set[str]] = {
    "afriboria": set(),
    "fixed_baynet": {
        "has_close_weapon", "hides_nobody", "is_indoors", "is_near_house", "keeps_facing",
        "may_use_opening", "row_now", "stand_point",
    },
    "paychest": {"eligible", "is_held"},
    "risk_factor": {"nearest_visible"},
    "vcc": {"can_see"},
}  # fmt: skip
"""What is asked again in the same act still: of men who have moved or fallen meanwhile, or where lists of choices are made.
The lists may only become shorter."""


def floors(name: str) -> dict[str, int]:
    """How high each chapter of a ruleset stands."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        contracts = tomllib.load(file)["tool"]["importlinter"]["contracts"]
    own = next(one for one in contracts if one.get("containers") == [f"zareba_rulesets.{name}.chapters"])
    return {chapter: height for height, chapter in enumerate(reversed(own["layers"]))}


class Follower:
    """Hears every call of a ruleset's functions, and remembers what chapters ask each other while an act goes on."""

    def __init__(self, name: str) -> None:
        self.package = f"zareba_rulesets.{name}."
        self.height = floors(name)
        self.acts = 0
        self.crossed: Counter[tuple[str, str]] = Counter()
        self.upwards: set[tuple[str, str]] = set()
        self.asked: Counter[str] = Counter()
        self.twice: Counter[str] = Counter()
        self._frames: set[FrameType] = set()
        self.going_on = False
        self._asked: dict[Hashable, object] = {}

    def begin(self) -> None:
        self.acts += 1
        self.going_on, self._asked, self._frames = True, {}, set()

    def end(self) -> None:
        self.going_on = False

    def chapter(self, frame: FrameType | None) -> str:
        """The chapter in which a function stands, or that of whoever called it where it stands elsewhere."""
        while frame is not None:
            name = frame.f_globals.get("__name__", "")
            if name.startswith(f"{self.package}chapters."):
                return str(name[len(self.package) :].split(".")[1])
            frame = frame.f_back
        return ""

    def __call__(self, frame: FrameType, event: str, arg: object) -> None:
        code = frame.f_code
        name = frame.f_globals.get("__name__", "")
        if event != "call" or not self.going_on or not name.startswith(f"{self.package}chapters."):
            return
        if code.co_name.startswith("<") or "self" in code.co_varnames[:1] or frame in self._frames:
            return  # what a value says that was handed down; a generator that goes on
        if code.co_flags & CO_GENERATOR:
            self._frames.add(frame)
        here, caller = self.chapter(frame), self.chapter(frame.f_back)
        if not caller or here == caller:
            return
        self.crossed[caller, here] += 1
        self.asked[code.co_name] += 1
        if self.height[here] > self.height[caller]:
            self.upwards.add((caller, here))
        given = [frame.f_locals[word] for word in code.co_varnames[: code.co_argcount]]
        key = (code, *(one if isinstance(one, (str, int, float)) else id(one) for one in given))
        if key in self._asked:
            self.twice[code.co_name] += 1
        self._asked[key] = given  # held, so that nothing else gets its id


def follow(name: str, scenario: str = "river_ford") -> Follower:
    """A game between commanders with sense, or its first steps, with every act followed."""
    game = load_rules(name).game(load_scenario(scenario))
    state, follower = game.start(), Follower(name)

    def heard(agent: Agent) -> Agent:
        def ask(question: Any, seen: Any) -> Any:
            follower.end()
            answer = agent(question, seen)
            follower.begin()
            return answer

        return ask

    class Dice(SeededTable):
        __slots__ = ()

        def roll(self, *args: Any, **words: Any) -> Any:
            follower.end()
            return super().roll(*args, **words)

        def draw(self, *args: Any, **words: Any) -> Any:
            follower.end()
            return super().draw(*args, **words)

    table = Dice(game.rules, state, 7, {seat: heard(make_agent("doctrine", game, seat, 7)) for seat in game.seats})
    for _ in range(STEPS):
        if (step := game.next_step(state)) is None:
            break
        table.begin(step)
        sys.setprofile(follower)
        try:
            game.perform(table, state, step)
        finally:
            sys.setprofile(None)
            follower.end()
    return follower


@pytest.mark.parametrize("name", ruleset_names())
def test_no_chapter_asks_one_above_it_nor_the_same_twice(name: str) -> None:
    found = follow(name)
    assert found.acts > 50 and sum(found.crossed.values()) > 100
    assert found.upwards <= UPWARDS.get(name, set())
    assert set(found.twice) <= AGAIN[name], f"asked again: {sorted(set(found.twice) - AGAIN[name])}"


def test_a_shot_of_risk_factor_asks_sight_for_its_lines_and_for_nothing_else() -> None:
    found = follow("risk_factor")
    assert found.crossed["fire", "sight"] == found.asked["lines_of_fire"] > 20
