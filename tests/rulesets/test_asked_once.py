"""Within one act, no chapter is called twice for the same answer, and none calls a chapter above it.

An act runs from one choice to the next die, draw or choice. A repeated call counts only if nothing that it reads has
been written since. Target lists, for example, are rightly computed again after a loss. Each item of a loop
(`Table.each`) is a separate act. The odds merge equal states between items, so nothing looked up for one item may
serve the next.
"""

from __future__ import annotations

import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from functools import cache
from inspect import CO_GENERATOR, CO_NESTED
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import pytest

from zareba.agents import make_agent
from zareba.base.state import Record
from zareba.odds.undo.log import UndoLog
from zareba.registry import load_rules, ruleset_names
from zareba.scenario import load_scenario
from zareba.scenario.load import shipped_scenarios
from zareba.table import SeededTable

ROOT = Path(__file__).parents[2]
PLAYED = {"river_ford": 260, "mission_station": 100, "square_attacked": 100}
"""Steps played of battles over a river, about buildings, and with guns of each kind and a square."""


def floors(name: str) -> dict[str, int]:
    """Return the height of each chapter of a ruleset in its layers."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        contracts = tomllib.load(file)["tool"]["importlinter"]["contracts"]
    own = next(one for one in contracts if one.get("containers") == [f"zareba_rulesets.{name}.chapters"])
    return {chapter: height for height, chapter in enumerate(reversed(own["layers"]))}


class Asked(NamedTuple):
    """A call: how much had been written by then, and its arguments, which are kept alive so that no id is reused."""

    written: int
    given: list[Any]


class Watch:
    """Detects if a repeated call reads anything that has been written since the first call."""

    def __init__(self, written: dict[int, tuple[Record, set[str]]]) -> None:
        self.looks = False
        self._names = {number: names for number, (_, names) in written.items()}
        self._plain: list[tuple[Record, Any]] = [(record, type(record)) for record, _ in written.values()]
        _watching.append(self)
        for record, kind in self._plain:
            object.__setattr__(record, "__class__", _watched(kind))

    def see(self, record: object, name: str) -> None:
        self.looks = self.looks or name in self._names.get(id(record), ())

    def end(self) -> bool:
        for record, kind in self._plain:
            object.__setattr__(record, "__class__", kind)
        _watching.remove(self)
        return self.looks


_watching: list[Watch] = []


@cache
def _watched(kind: Any) -> Any:
    """Return a subclass of a record type that reports each attribute read to the active watches."""

    def read(self: Any, name: str) -> Any:
        for watch in _watching:
            watch.see(self, name)
        return kind.__getattribute__(self, name)

    return type(kind.__name__, (kind,), {"__slots__": (), "__getattribute__": read})


class Follower:
    """A profiler of a ruleset's functions that records the calls between chapters during an act."""

    def __init__(self, name: str, log: UndoLog) -> None:
        self.package = f"zareba_rulesets.{name}.chapters."
        self.height = floors(name)
        self.log = log
        self.acts = 0
        self.crossed: Counter[tuple[str, str]] = Counter()
        self.upwards: set[tuple[str, str]] = set()
        self.asked: Counter[str] = Counter()
        self.twice: Counter[str] = Counter()
        self.anew: Counter[str] = Counter()
        """Calls that were repeated after something they read had changed."""
        self.going_on = False
        self._frames: set[FrameType] = set()
        self._asked: dict[Hashable, Asked] = {}
        self._watches: dict[FrameType, Watch] = {}

    def begin(self) -> None:
        self.acts += 1
        self.going_on, self._asked, self._frames = True, {}, set()

    def end(self) -> None:
        self.going_on = False

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Suspend recording while an agent answers, since agents may read anything; then begin a new act."""
        self.end()
        yield
        self.begin()

    def chapter(self, frame: FrameType | None) -> str:
        """Return the chapter of a function, or that of its caller if the function is outside the chapters."""
        while frame is not None:
            name = frame.f_globals.get("__name__", "")
            if name.startswith(self.package):
                return str(name[len(self.package) :].split(".")[0])
            frame = frame.f_back
        return ""

    def __call__(self, frame: FrameType, event: str, arg: object) -> None:
        if event == "return" and frame in self._watches:
            self._count(frame.f_code.co_name, again=not self._watches.pop(frame).end())
        code = frame.f_code
        if event != "call" or not self.going_on or not frame.f_globals.get("__name__", "").startswith(self.package):
            return
        if code.co_flags & CO_NESTED or "self" in code.co_varnames[:1] or frame in self._frames:
            return  # methods and nested functions; resumed generators
        if code.co_flags & CO_GENERATOR:
            self._frames.add(frame)
        here, caller = self.chapter(frame), self.chapter(frame.f_back)
        if not caller or here == caller:
            return
        self.crossed[caller, here] += 1
        self.asked[code.co_name] += 1
        if self.height[here] > self.height[caller]:
            self.upwards.add((caller, here))
        given = [frame.f_locals[word] for word in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]]
        key = (code, *map(_told, given))
        before = self._asked.get(key)
        self._asked[key] = Asked(len(self.log), given)
        if before is not None:
            self._compare(frame, before)

    def _compare(self, frame: FrameType, before: Asked) -> None:
        written = self._written_since(before.written)
        if not written:
            self._count(frame.f_code.co_name, again=True)
        elif frame not in self._frames:  # a generator answers piece by piece
            self._watches[frame] = Watch(written)

    def _count(self, name: str, again: bool) -> None:
        (self.twice if again else self.anew)[name] += 1

    def _written_since(self, mark: int) -> dict[int, tuple[Record, set[str]]]:
        """Return the records written to, with the names of the fields. A list or dict counts as a field of its record."""
        found: dict[int, tuple[Record, set[str]]] = {}
        for owner, name, _ in self.log._entries[mark:]:
            while name is None:
                owner, name = self.log._homes[id(owner)]
                name = name if isinstance(owner, Record) else None
            found.setdefault(id(owner), (owner, set()))[1].add(name)
        return found


def _told(one: Any) -> Hashable:
    """Return a key for an argument of a call: plain values by value, everything else by identity."""
    if isinstance(one, tuple):
        return tuple(map(_told, one))
    return one if isinstance(one, (str, int, float, frozenset)) else id(one)


def follow(name: str, scenario: str = "river_ford", steps: int = 260) -> Follower:
    """Record every act of a game between doctrine players, or of its first steps."""
    game = load_rules(name).game(load_scenario(scenario))
    state = game.start()
    log = UndoLog(state)
    follower = Follower(name, log)

    class Followed(SeededTable):
        __slots__ = ()

        def choose(self, *args: Any, **words: Any) -> Any:
            with follower.aside():
                return super().choose(*args, **words)

        def place(self, *args: Any, **words: Any) -> Any:
            with follower.aside():
                return super().place(*args, **words)

        def confirm(self, *args: Any, **words: Any) -> Any:
            with follower.aside():
                return super().confirm(*args, **words)

        def each(self, *args: Any) -> Any:
            for one in super().each(*args):
                follower.begin()
                yield one

        def roll(self, *args: Any, **words: Any) -> Any:
            follower.end()
            return super().roll(*args, **words)

        def draw(self, *args: Any, **words: Any) -> Any:
            follower.end()
            return super().draw(*args, **words)

    table = Followed(game.rules, state, 7, {seat: make_agent("doctrine", game, seat, 7) for seat in game.seats})
    for _ in range(steps):
        if (step := game.play.next_step(state)) is None:
            break
        table.begin(step)
        with log.open():
            log.mark()
            sys.setprofile(follower)
            try:
                game.play.perform(table, state, step)
            finally:
                sys.setprofile(None)
                follower.end()
    return follower


@pytest.mark.parametrize("scenario", PLAYED)
@pytest.mark.parametrize("name", ruleset_names())
def test_no_chapter_asks_one_above_it_nor_the_same_twice(name: str, scenario: str) -> None:
    found = follow(name, scenario, PLAYED[scenario])
    assert found.acts > 50 and sum(found.crossed.values()) > 20
    assert not found.upwards and not found.twice


@pytest.mark.deep
@pytest.mark.parametrize("scenario", shipped_scenarios())
@pytest.mark.parametrize("name", ruleset_names())
def test_nor_in_any_battle(name: str, scenario: str) -> None:
    found = follow(name, scenario, 600)
    assert not found.upwards and not found.twice


def test_a_shot_of_risk_factor_asks_sight_for_its_lines_and_for_nothing_else() -> None:
    found = follow("risk_factor")
    assert found.crossed["fire", "sight"] == found.asked["lines_of_fire"] > 20


def _of_chapter(chapter: str, text: str) -> Callable[..., Any]:
    names: dict[str, Any] = {"__name__": f"zareba_rulesets.vcc.chapters.{chapter}"}
    exec(text, names)
    return names["said"]  # type: ignore[no-any-return]  # defined by the text


@pytest.mark.parametrize(("written", "again"), [("", True), ("facing", True), ("box", False), ("turn", True)])
def test_only_what_a_question_looks_at_makes_it_another(written: str, again: bool) -> None:
    game = load_rules("vcc").game(load_scenario("river_ford"))
    state = game.start()
    log = UndoLog(state)
    follower = Follower("vcc", log)
    unit = next(iter(state.units.values()))

    def between() -> None:
        if written:
            setattr(state if written == "turn" else unit, written, 3)

    sight = _of_chapter("sight", "def said(battle, name): return battle.units[name].box")
    fire = _of_chapter("fire", "def said(*asked):\n    for ask in asked: ask()")
    with log.open():
        sys.setprofile(follower)
        try:
            follower.begin()
            fire(lambda: sight(state, unit.id), between, lambda: sight(state, unit.id))
        finally:
            sys.setprofile(None)
    assert (follower.twice["said"], follower.anew["said"]) == ((1, 0) if again else (0, 1))


def test_a_question_to_a_chapter_above_is_seen() -> None:
    follower = Follower("vcc", UndoLog(load_rules("vcc").game(load_scenario("river_ford")).start()))
    sight = _of_chapter("sight", "def said(ask): ask()")
    sys.setprofile(follower)
    try:
        follower.begin()
        sight(_of_chapter("fire", "def said(): pass"))
    finally:
        sys.setprofile(None)
    assert follower.upwards == {("sight", "fire")}
