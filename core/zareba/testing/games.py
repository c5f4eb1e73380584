"""Games under house rules for tests: played by AI players, queried for odds, or stepped through with a strict
script.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zareba.game import Game
from zareba.odds import odds
from zareba.registry import find_house_rule, load_rules
from zareba.renamed import METHODS, warn_renamed
from zareba.scenario import load_scenario
from zareba.session import Session
from zareba.table import ScriptedTable

_SECONDS_FOR_EXACT_ODDS = 120.0
"""Far longer than players wait, so that a busy machine does not turn exact odds into sampled ones."""


@dataclass(frozen=True)
class PlayedTestGame:
    """A finished game between AI players: its last state, a count of each kind of event, and the house-rule modifiers
    that applied.
    """

    game: Game[Any]
    state: Any
    event_counts: Counter[str]
    lines: Counter[str]
    log: tuple[str, ...]

    @property
    def turns(self) -> int:
        """The game turn in which it ended."""
        return self.game.game_turn(self.state)

    def state_variable(self, name: str) -> dict[str, Any]:
        """Return the values of a state variable by full name, such as `ammunition.rounds`, by unit or side; the value
        of a game variable is under "".
        """
        found = {key.partition("/"): value for key, value in self.state.own.items()}
        return {holder: value for (full, _, holder), value in found.items() if full == name}

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Return the member that had a name in the last release."""
            new = METHODS["PlayedTestGame"].get(name)
            if new is None:
                raise AttributeError(f"'PlayedTestGame' object has no attribute '{name}'")
            warn_renamed(f"PlayedTestGame.{name}", new)
            return getattr(self, new)


def game_with_rules(
    *house_rules: str | Path,
    ruleset: str = "vcc",
    scenario: str = "patrol_clash",
    settings: Mapping[str, Any] | None = None,
) -> Game[Any]:
    """Return the game of a scenario under house rules, given by name or path; raise ZarebaError if one of them is
    faulty.
    """
    rules = load_rules(ruleset, settings, [find_house_rule(str(rule)) for rule in house_rules])
    game: Game[Any] = rules.game(load_scenario(scenario))
    return game


def play(
    *house_rules: str | Path,
    ruleset: str = "vcc",
    scenario: str = "patrol_clash",
    seed: int = 1,
    player: str = "random",
    settings: Mapping[str, Any] | None = None,
) -> PlayedTestGame:
    """Play a game to its end between AI players; the same seed plays the same game."""
    game = game_with_rules(*house_rules, ruleset=ruleset, scenario=scenario, settings=settings)
    session = Session(game, dict.fromkeys(game.seats, player), seed)
    session.drive()
    events = [event for _, _, told in session.log() for event in told]
    lines = Counter(
        part.summary or part.id
        for _, reached in session.history.steps_backwards()
        for tally in reached.tallies
        for part in tally.parts()
        if "house rule " in part.source
    )
    said = tuple(sentence for event in events if (sentence := game.narrator.describe_event(event)))
    return PlayedTestGame(game, session.state, Counter(event.kind for event in events), lines, said)


def table_of(game: Game[Any], state: Any = None, script: Sequence[tuple[str, Any]] = ()) -> ScriptedTable:
    """Return a table with a strict script of pairs (purpose, answer): `with table_of(game, state, [("fire", [6])]) as
    table: ...`.

    Every question must match the next pair of the script, and every pair must be used.
    """
    return ScriptedTable(game.rules, game.start() if state is None else state, script)


def chances(
    procedure: str,
    *house_rules: str | Path,
    ruleset: str = "vcc",
    settings: Mapping[str, Any] | None = None,
    **facts: Any,
) -> dict[Any, Fraction]:
    """Return the exact odds of a procedure under house rules; raise AssertionError if they are not exact."""
    rules = load_rules(ruleset, settings, [find_house_rule(str(rule)) for rule in house_rules])
    asked = rules.ruleset.procedure(procedure)
    found = odds(rules, asked, asked.facts(**facts), seconds=_SECONDS_FOR_EXACT_ODDS)
    assert not found.samples, f"the odds of {procedure} are not exact here: {found.note}"
    return {outcome: Fraction(chance) for outcome, chance in found.outcomes.items()}


def golden(played: PlayedTestGame, file: Path) -> None:
    """Compare the log of a game with a file, word for word; write the file if it does not exist. Raises AssertionError
    if they differ.
    """
    text = "\n".join(played.log) + "\n"
    if not file.exists():
        file.write_text(text, encoding="utf-8")
        return
    was = file.read_text(encoding="utf-8")
    assert text == was, f"the game differs from the one in {file}; delete the file to record it again"
