"""A battle as a reinforcement-learning environment: PettingZoo's AEC interface for any ruleset and scenario (the extra
`rl`).

    from zareba.rl import env
    battle = env("patrol_clash", "vcc")
    battle.reset(seed=7)
    for side in battle.agent_iter():
        seen, reward, ended, cut, info = battle.last()
        battle.step(None if ended or cut else battle.action_space(side).sample(seen["action_mask"]))

The agents are the sides. An action is the index of one of the answers to the current question; the mask marks the
valid indices. A side sees only what its seat may see. The seed of `reset` determines the dice, as it does elsewhere in
zareba.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, get_args
from zlib import crc32

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from zareba.base.errors import ZarebaError
from zareba.picture import picture
from zareba.presentation.board import Board, BoardPiece, Kind, group_by_place
from zareba.registry import find_house_rule, load_rules
from zareba.scenario import load_scenario
from zareba.scenario.victory import points_in_play
from zareba.session import Session
from zareba.session.score import score_of_state
from zareba.table import Answer, Choose, Confirm, LazyOptions, Place

ANSWERS = 512
"""The number of answers that can be numbered; a question with more offers an evenly spaced selection."""
PIECES = 96
"""The maximum number of visible pieces; a unit of single figures is one piece."""
_KINDS: tuple[str, ...] = get_args(Kind)
_MEN = 30.0
"""The number of figures that counts as a full unit when sizes are scaled."""

HEAD = ("turn", "own points", "points of others", "own strength", "strength of others", "choose", "place", "confirm", "why", "actor")  # fmt: skip
"""The fields of the observation vector: the state of play and the current question; -1 if the side may not know a
value.
"""
PIECE = ("whose", "kind", "x", "y", "size", "states")
"""The fields of a piece: owner (1 own, -1 enemy, 0 neutral), kind, position and size from 0 to 1, and its number of
status marks.
"""
ANSWER = ("offered", "word", "piece", "x", "y")
"""The fields of an answer: its first word and the piece it names as numbers, and its position, if it has one."""


class BattleEnv(AECEnv[str, dict[str, Any], "int | None"]):  # type: ignore[misc]  # the library is optional
    """A battle between its sides. Make one with `env`.

    An observation has the `observation` (a vector as in `HEAD`), the `pieces` (rows as in `PIECE`), the `answers`
    (rows as in `ANSWER`, 0 where nothing is offered) and the `action_mask`. At the end, the winner by the common
    victory rule gets a reward of 1 and all other sides get -1; in a draw all get 0. After `most_choices` choices the
    battle is truncated without a reward.
    """

    metadata: ClassVar[dict[str, Any]] = {"name": "zareba_v0", "render_modes": ["human", "ansi", "svg"], "is_parallelizable": False}  # fmt: skip

    def __init__(
        self,
        scenario: str | Path,
        ruleset: str,
        *,
        settings: Mapping[str, Any] | None = None,
        house_rules: Sequence[str | Path] = (),
        most_choices: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ZarebaError(f"unknown render mode '{render_mode}'; the modes are {', '.join(self.metadata['render_modes'])}")  # fmt: skip
        super().__init__()
        self.render_mode = render_mode
        found = load_scenario(str(scenario))
        self._game = load_rules(ruleset, settings, [find_house_rule(str(name)) for name in house_rules]).game(found)
        self.possible_agents = list(found.sides)
        self.agents: list[str] = []
        self._most = most_choices
        self._chance = np.random.default_rng()
        self._session: Session | None = None
        seen = spaces.Dict(
            {
                "observation": spaces.Box(-1.0, 1.0, (len(HEAD),), np.float32),
                "pieces": spaces.Box(-1.0, 1.0, (PIECES, len(PIECE)), np.float32),
                "answers": spaces.Box(-1.0, 1.0, (ANSWERS, len(ANSWER)), np.float32),
                "action_mask": spaces.Box(0, 1, (ANSWERS,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self.action_spaces = {side: spaces.Discrete(ANSWERS) for side in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the observation space; the same object every time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the action space of a side; each side has its own space with its own random state."""
        return self.action_spaces[agent]

    @property
    def session(self) -> Session:
        """The current battle, with its log and its after-action report. Raises ZarebaError before `reset`."""
        if self._session is None:
            raise ZarebaError("the battle has not begun; call reset first")
        return self._session

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new battle. The same seed gives the same dice; without a seed, the sequence started by the last seed
        continues.
        """
        if seed is not None:
            self._chance = np.random.default_rng(seed)
            own = seed
        else:
            own = int(self._chance.integers(2**48))
        self._session = Session(self._game, dict.fromkeys(self.possible_agents, "human"), own)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {side: {} for side in self.agents}
        self._made = 0
        self.agent_selection = self.agents[0]
        self._go_on()

    def step(self, action: int | None) -> None:
        """Give the answer with this index and play on to the next question. None removes a side that is done."""
        side = self.agent_selection
        if self.terminations[side] or self.truncations[side]:
            self._was_dead_step(action)
            return
        answers = self._answers()
        if action is None or not 0 <= action < len(answers):
            raise ZarebaError(
                f"{action} is not an answer of {side}; there are {len(answers)}, numbered from 0 (action_mask)"
            )
        self._cumulative_rewards[side] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self.session.answer(answers[int(action)])
        self._made += 1
        self._go_on()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _go_on(self) -> None:
        """Play on to the next question or the end of the battle."""
        self.session.drive()
        question = self.session.pending
        if question is None:
            winner = self._game.play.common_outcome(self.session.state).winner
            self.terminations = dict.fromkeys(self.agents, True)
            if winner is not None:
                self.rewards = {side: 1.0 if side == winner else -1.0 for side in self.agents}
            return
        assert isinstance(question, (Choose, Place, Confirm)), "chance has been thrown"
        self.agent_selection = question.seat
        if self._most is not None and self._made >= self._most:
            self.truncations = dict.fromkeys(self.agents, True)

    def _answers(self) -> list[Answer]:
        """Return the numbered answers, in the order in which they are offered."""
        question = self.session.pending
        if question is None:
            return []
        if isinstance(question, Confirm):
            return [False, True]
        assert isinstance(question, (Choose, Place)), "chance has been thrown"
        offered = question.options if isinstance(question, Choose) else question.suggestions
        found: list[Answer] = list(offered.search_all() if isinstance(offered, LazyOptions) else offered)
        if len(found) <= ANSWERS:
            return found
        return [found[round(index * (len(found) - 1) / (ANSWERS - 1))] for index in range(ANSWERS)]

    def observe(self, agent: str) -> dict[str, Any]:
        """Return the current observation of a side, with the possible answers if the current question is for it."""
        game = self._game
        seen = game.sight.view(self.session.state, agent)
        board = game.display.labelled_board(seen)
        whole = group_by_place(
            board, {key: unit.name for key, unit in game.scenario.units.items()}, game.display.pieces(seen)
        )
        shown = whole.pieces[:PIECES]
        rows = {piece.id: row for row, piece in enumerate(shown)}
        asked = self._question_to(agent)
        answers = np.zeros((ANSWERS, len(ANSWER)), np.float32)
        mask = np.zeros(ANSWERS, np.int8)
        if asked is not None and not (self.terminations.get(agent) or self.truncations.get(agent)):
            for number, answer in enumerate(self._answers()):
                answers[number] = self._encode_answer(asked, answer, rows, whole)
                mask[number] = 1
        pieces = np.zeros((PIECES, len(PIECE)), np.float32)
        for row, piece in enumerate(shown):
            pieces[row] = _piece(piece, agent, board)
        return {
            "observation": self._head(agent, asked, rows),
            "pieces": pieces,
            "answers": answers,
            "action_mask": mask,
        }

    def _question_to(self, agent: str) -> Choose | Place | Confirm | None:
        """Return the current question to a side, or None."""
        question = self.session.pending
        if isinstance(question, (Choose, Place, Confirm)) and question.seat == agent:
            return question
        return None

    def _head(
        self, agent: str, asked: Choose | Place | Confirm | None, rows: Mapping[str, int]
    ) -> np.ndarray[Any, Any]:
        found = score_of_state(self._game, self.session.state, agent)
        most = points_in_play(self._game.scenario) or 1
        others = [side for side in self.possible_agents if side != agent]
        return np.clip(
            np.array(
                [
                    found.turn / found.turns,
                    found.points[agent] / most,
                    max((found.points[side] for side in others if side in found.points), default=-most) / most,
                    found.strength[agent],
                    max((found.strength[side] for side in others if side in found.strength), default=-1.0),
                    *(float(isinstance(asked, kind)) for kind in (Choose, Place, Confirm)),
                    _number(asked.why) if asked is not None else 0.0,
                    _row(asked.actor, rows) if asked is not None else 0.0,
                ],
                np.float32,
            ),
            -1.0,
            1.0,
        )

    def _encode_answer(
        self, asked: Choose | Place | Confirm, answer: Any, rows: Mapping[str, int], board: Board
    ) -> tuple[float, ...]:
        """Return an answer as numbers."""
        if isinstance(asked, Place):
            x, y = answer
            return 1.0, 0.0, 0.0, _share(x, board.columns), _share(y, board.rows)
        if isinstance(asked, Confirm):
            return 1.0, float(answer), 0.0, 0.0, 0.0
        words = [word for word in (answer if isinstance(answer, tuple) else (answer,)) if isinstance(word, str)]
        named = next((_row(word, rows) for word in words if word in rows), 0.0)
        x = y = 0.0
        cell = self._game.display.cell_of(self.session.state, asked, answer)
        if cell is not None and board.columns:
            x, y = _share(cell % board.columns, board.columns), _share(cell // board.columns, board.rows)
        return 1.0, _number(str(answer)) if not words else _number(words[0]), named, x, y

    def render(self) -> str | None:
        """Show the public view of the battle: as text (printed, in the mode for people) or as an SVG."""
        if self.render_mode is None:
            return None
        game = self._game
        board = game.display.labelled_board(game.sight.public(self.session.state))
        if self.render_mode == "svg":
            return picture(game.scenario, board)
        text = "\n".join(
            [board.headline, *(f"{board.sides.get(piece.side, piece.side)}: {piece.text}" for piece in board.pieces)]
        )
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """Close the battle."""
        if self._session is not None:
            self._session.close()


def env(scenario: str | Path, ruleset: str, **how: Any) -> BattleEnv:
    """Return the environment of a battle: `env("patrol_clash", "vcc")`; `BattleEnv` describes the other arguments.

    Raises ZarebaError for an unknown or invalid scenario, ruleset, setting or house rule.
    """
    return BattleEnv(scenario, ruleset, **how)


def _piece(piece: BoardPiece, agent: str, board: Board) -> tuple[float, ...]:
    men = sum(other.look.unit == piece.id for other in board.pieces) or piece.look.strength or 1
    return (
        0.0 if not piece.side else 1.0 if piece.side == agent else -1.0,
        (_KINDS.index(piece.look.kind) + 1) / len(_KINDS),
        _share(piece.x, board.columns),
        _share(piece.y, board.rows),
        min(1.0, men / _MEN),
        min(1.0, len(piece.look.states) / 5),
    )


def _share(number: float, of: float) -> float:
    """Return a position along one dimension of the board as a number from 0 to 1; positions beyond the edge count as
    the edge.
    """
    return min(1.0, max(0.0, number / of)) if of else 0.0


def _row(name: str, rows: Mapping[str, int]) -> float:
    return (rows[name] + 1) / PIECES if name in rows else 0.0


def _number(word: str) -> float:
    """Return a number above 0 and up to 1 for a word, the same on every machine."""
    return (crc32(word.encode()) % 9973 + 1) / 9973
