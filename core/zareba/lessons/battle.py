"""The battle of the tutorial."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from zareba.game.parts.play import sets_up
from zareba.scenario import Scenario
from zareba.scenario.load import parse_scenario
from zareba.session import Session, new_session

_SEED = 1
"""All pupils get the same dice."""


def first_steps() -> Scenario:
    """Return the tutorial scenario."""
    file = resources.files("zareba.lessons") / "first_steps.yaml"
    return parse_scenario(file.read_text(encoding="utf-8"), file.name)


def start_tutorial(ruleset: str, path: Path | None = None, think: float | None = None) -> Session:
    """Return the tutorial battle with both sides set up, recorded in a new journal at `path`.

    A person plays the first side, and doctrine the other. `think` is the time that an AI player may take for a choice,
    in seconds.
    """
    battle = first_steps()
    yours, *others = battle.sides
    seats = {yours: "human", **dict.fromkeys(others, "doctrine")}
    session = new_session(ruleset, battle, seats, seed=_SEED, path=path)
    session.think = think
    session.drive()
    while (now := session.history.now) is not None and sets_up(now.step):
        value, reason = session.suggestion()
        session.answer(value, by="doctrine", reason=reason)
        session.drive()
    return session
