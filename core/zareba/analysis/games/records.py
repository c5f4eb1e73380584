"""Records of played games, and the file that keeps them during a comparison."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from zareba.base.errors import ZarebaError
from zareba.base.state import canonical_json, digest
from zareba.journal import Ledger, NotWritten, entry_line, read_ledger
from zareba.registry import find_house_rule, load_rules
from zareba.rules import Rules

# --- The input and output of a run of whole games: variants, tasks and one record per game ----------------------------
#
# All of it is plain data that can be pickled and converted to JSON and back, without times of day. The same seed gives
# the same bytes on every machine and with any number of workers.


Setting = bool | int | float | str

CAUSES = ("fire", "melee", "morale", "other")
"""Causes of losses. A record names every cause, with 0.0 for a cause without losses."""

ENDINGS = ("objectives", "collapse", "withdrawal", "turn_limit", "act_limit")
"""The ways a game ends. A ruleset may add its own; `act_limit` marks a game stopped by the runner."""


ACTIVITY = ("acts", "stake", "weighed", "unit_turns", "idle", "denied")
"""The fields of a record that are None in games whose acts at the table were not counted."""


@dataclass(frozen=True, slots=True)
class Variant:
    """One column of a comparison: a ruleset with settings `(name, value)` and house rules, in order."""

    name: str
    ruleset: str
    settings: tuple[tuple[str, Setting], ...] = ()
    house_rules: tuple[str, ...] = ()

    def rules(self) -> Rules:
        """Load the rules. Raises ZarebaError if the settings and house rules do not fit together."""
        return load_rules(self.ruleset, dict(self.settings), [find_house_rule(name) for name in self.house_rules])

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON-ready form."""
        return {
            "name": self.name,
            "ruleset": self.ruleset,
            "settings": dict(self.settings),
            "house_rules": list(self.house_rules),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Variant:
        """Return the variant written by `to_dict`."""
        return cls(data["name"], data["ruleset"], tuple(data["settings"].items()), tuple(data["house_rules"]))


@dataclass(frozen=True, slots=True)
class GamePlan:
    """One game to be played: its number, pair, seed and the agent of each side.

    `rotation` rotates the order in which the sides are listed (with two sides, 1 swaps them). Any advantage of the side
    listed first, such as the first move, thus goes to each side equally often.
    """

    game: int
    pair: int
    seed: int
    swapped: bool
    agents: tuple[tuple[str, str], ...]
    rotation: int = 0


@dataclass(frozen=True, slots=True)
class GameTask:
    """Games `first` to `first + count - 1` of one variant of a run with seed `seed`.

    `agents` gives `(side, agent)` in the order of the scenario's sides. With `swap`, games 2k and 2k + 1 are a pair:
    they share a seed, and in the second every agent plays the next side. With three sides, three games form such a
    group, and so on. The side listed first rotates from game to game, or from pair to pair.
    """

    variant: Variant
    scenario: str
    first: int
    count: int
    seed: int
    agents: tuple[tuple[str, str], ...]
    swap: bool = False

    def plans(self) -> Iterator[GamePlan]:
        """Yield the games of the task, in order."""
        sides = len(self.agents)
        for game in range(self.first, self.first + self.count):
            pair, shift = divmod(game, sides) if self.swap else (game, 0)
            yield GamePlan(
                game=game,
                pair=pair,
                seed=game_seed(self.seed, self.variant.ruleset, pair),
                swapped=shift > 0,
                agents=_rotate_agents(self.agents, shift),
                rotation=pair % sides,
            )

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON-ready form."""
        return {
            "variant": self.variant.to_dict(),
            "scenario": self.scenario,
            "first": self.first,
            "count": self.count,
            "seed": self.seed,
            "agents": dict(self.agents),
            "swap": self.swap,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> GameTask:
        """Return the task written by `to_dict`."""
        return cls(
            variant=Variant.from_dict(data["variant"]),
            scenario=data["scenario"],
            first=data["first"],
            count=data["count"],
            seed=data["seed"],
            agents=tuple(data["agents"].items()),
            swap=data["swap"],
        )


@dataclass(frozen=True, slots=True)
class Effort:
    """Questions to one side: decisions, those with more than one legal answer, and the total of answers offered.

    For the choice of a point, `options` counts the places that were searched.
    """

    decisions: int
    genuine: int
    options: int

    def to_dict(self) -> dict[str, int]:
        """Return the JSON-ready form."""
        return {"decisions": self.decisions, "genuine": self.genuine, "options": self.options}


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One finished game. Mappings are keyed by side id, in the order of the scenario's sides.

    - `winner`, `points`: by the common victory rule (`zareba.scenario.victory`); `ground` is the reason.
    - `own_winner`, `own_ground`: by the ruleset's own victory rule; `own_ground` is "" if it has none.
    - `listed`: the side that was listed first.
    - `in_play`: the most points that one side could score.
    - `turns`: game turns (`Game.game_turn`), whatever the rules call a turn. A turn cut short by the end of the game
      counts.
    - `losses`: per side and cause, the share of its strength lost for good (0 to 1).
    - `strength`: per side, the share still effective at the start and at the end of each turn, `turns + 1` numbers.
    - `score`: per side, the points at the same times.
    - `first_loss`: the turn of the first loss of any side, or None.
    - `rolls`, `dice`: throws made by the program, and the dice in them.
    - `acts`, `stake`, `weighed`, `unit_turns`, `idle`, `denied`: see `zareba.analysis.games.activity`. None in games
      whose acts at the table were not counted (`zareba.analysis.games.simulate.ACTIVITY_GAMES`).
    - `chances`: the first side's chance to win at the end of each turn but the last; empty if not requested
      (`zareba.analysis.games.simulate`).
    """

    variant: str
    scenario: str
    game: int
    pair: int
    seed: int
    swapped: bool
    listed: str
    agents: Mapping[str, str]
    winner: str | None
    ground: str
    own_winner: str | None
    own_ground: str
    points: Mapping[str, float]
    in_play: int
    ending: str
    turns: int
    acts: Mapping[str, int] | None
    stake: float | None
    weighed: int | None
    unit_turns: int | None
    idle: int | None
    denied: int | None
    effort: Mapping[str, Effort]
    dice: int
    rolls: int
    draws: int
    lookups: int
    losses: Mapping[str, Mapping[str, float]]
    strength: Mapping[str, tuple[float, ...]]
    score: Mapping[str, tuple[float, ...]]
    first_loss: int | None
    chances: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        sides = tuple(self.agents)
        for name in ("points", "effort", "losses", "strength", "score"):
            if tuple(getattr(self, name)) != sides:
                raise self._error(f"'{name}' does not name the sides {', '.join(sides)} in this order")
        for side in (self.winner, self.own_winner, self.listed):
            if side is not None and side not in sides:
                raise self._error(f"'{side}' is no side")
        if any(tuple(causes) != CAUSES for causes in self.losses.values()):
            raise self._error(f"'losses' does not name the causes {', '.join(CAUSES)} in this order")
        for name in ("strength", "score"):
            if any(len(numbers) != self.turns + 1 for numbers in getattr(self, name).values()):
                raise self._error(f"'{name}' needs {self.turns + 1} numbers a side: the start, each turn's end")

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides, in the order of the scenario."""
        return tuple(self.agents)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON-ready form."""
        return {
            "variant": self.variant,
            "scenario": self.scenario,
            "game": self.game,
            "pair": self.pair,
            "seed": self.seed,
            "swapped": self.swapped,
            "listed": self.listed,
            "agents": dict(self.agents),
            "winner": self.winner,
            "ground": self.ground,
            "own_winner": self.own_winner,
            "own_ground": self.own_ground,
            "points": dict(self.points),
            "in_play": self.in_play,
            "ending": self.ending,
            "turns": self.turns,
            "acts": None if self.acts is None else dict(self.acts),
            "stake": self.stake,
            "weighed": self.weighed,
            "unit_turns": self.unit_turns,
            "idle": self.idle,
            "denied": self.denied,
            "effort": {side: effort.to_dict() for side, effort in self.effort.items()},
            "dice": self.dice,
            "rolls": self.rolls,
            "draws": self.draws,
            "lookups": self.lookups,
            "losses": {side: dict(causes) for side, causes in self.losses.items()},
            "strength": {side: list(shares) for side, shares in self.strength.items()},
            "score": {side: list(scored) for side, scored in self.score.items()},
            "first_loss": self.first_loss,
            "chances": list(self.chances),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> GameRecord:
        """Return the record written by `to_dict`. Raises ZarebaError if sides or turns do not match."""
        return cls(
            **{
                **data,
                "effort": {side: Effort(**effort) for side, effort in data["effort"].items()},
                "strength": {side: tuple(shares) for side, shares in data["strength"].items()},
                "score": {side: tuple(scored) for side, scored in data["score"].items()},
                "chances": tuple(data["chances"]),
            }
        )

    def _error(self, what: str) -> ZarebaError:
        """Return an error that names this game."""
        return ZarebaError(f"record of game {self.game} of variant '{self.variant}': {what}")


def game_seed(run_seed: int, ruleset: str, pair: int) -> int:
    """Return the seed of one game (48 bits, exact in JSON and in any spreadsheet).

    Variants of one ruleset share the seed and therefore their luck; different rulesets do not.
    """
    hashed = hashlib.blake2b(f"{run_seed}/{ruleset}/{pair}".encode(), digest_size=6)
    return int.from_bytes(hashed.digest(), "big")


def _rotate_agents(agents: tuple[tuple[str, str], ...], shift: int) -> tuple[tuple[str, str], ...]:
    """Return each side with the agent of the side `shift` places after it."""
    names = [name for _, name in agents]
    return tuple(zip((side for side, _ in agents), names[shift:] + names[:shift], strict=True))


# --- Save the games of a comparison on disk as they finish, so that an interrupted run loses none ---------------------
#
# The file is next to the report. The same command continues from it, and removes it once the report is written.


FILE_KIND = "list of games"


class GameCheckpoint:
    """A file with the finished games of a comparison. Use it as a context manager.

    `records` are the games that it held at the start; `has_games` is True if it holds any now. `identity` contains
    everything that the numbers depend on. If a write fails, `warn` receives one message, and the games are written
    with the next ones.
    """

    def __init__(
        self, folder: Path, identity: Mapping[str, Any], warn: Callable[[str], None], save_file: Path | None = None
    ) -> None:
        """Open a file next to the report, or the file `save_file`, which is kept after the report is written."""
        self.path = save_file or folder / f"games-{digest(identity)[:12]}.jsonl"
        self._is_kept = save_file is not None
        self._warn = warn
        self._has_warned = False
        self._unwritten: list[GameRecord] = []
        self._ledger = Ledger(self.path, FILE_KIND, new=not self.path.exists())
        try:
            self.records = self._read_games({"comparison": dict(identity)})
            self.has_games = bool(self.records)
        except BaseException:
            self._ledger.close()
            raise

    def _read_games(self, header: dict[str, Any]) -> tuple[GameRecord, ...]:
        """Return the games in the file, and write the header if there is none. Raises ZarebaError for another file."""
        lines = read_ledger(self.path, FILE_KIND)
        if not lines.entries:
            # Overwrite only an incomplete header; anything else is a user's file.
            if not entry_line(header).startswith(self.path.read_bytes()):
                raise ZarebaError(
                    f"{self.path} already exists and holds no games; remove it, or choose another"
                    f" {'--save-games' if self._is_kept else '--out'}"
                )
            self._ledger.cut(0)
            self._ledger.write(header)
            return ()
        if lines.damage:
            self._ledger.cut(lines.good)
        try:
            if canonical_json(lines.entries[0]) != canonical_json(header):
                raise ValueError("it begins with another comparison")
            return tuple(GameRecord.from_dict(data) for entry in lines.entries[1:] for data in entry["games"])
        except (ZarebaError, LookupError, TypeError, ValueError, AttributeError) as error:
            raise ZarebaError(
                f"{self.path} does not hold the games of this comparison; remove it, or choose another"
                f" {'--save-games' if self._is_kept else '--out'}"
            ) from error

    def write(self, records: Sequence[GameRecord]) -> None:
        """Write these games, and any that could not be written before."""
        self._unwritten += records
        try:
            self._ledger.write({"games": [record.to_dict() for record in self._unwritten]})
        except NotWritten as error:
            if not self._has_warned:
                self._warn(f"{error}; play continues, and writing is tried again with the next games")
            self._has_warned = True
        else:
            self._has_warned = False
            self._unwritten = []
            self.has_games = True

    def remove(self) -> None:
        """Delete the file, unless it is a `save_file`. The report contains its games."""
        if not self._is_kept:
            self.path.unlink()

    def __enter__(self) -> GameCheckpoint:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ledger.close()
