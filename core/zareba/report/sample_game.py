"""Narrate one game of each variant in the report: the field, the largest changes of each turn, and the ending."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any
from urllib.parse import urlencode

from zareba.agents import make_agent
from zareba.analysis.games.notable import check_rules, command_of_record, notable, plan_of_game
from zareba.analysis.games.records import GameRecord
from zareba.analysis.games.simulate import SOLO, STEP_LIMIT, game_for, solo_sides
from zareba.base.grammar import agreeing, in_a_sentence
from zareba.game import Game
from zareba.picture import picture
from zareba.presentation.board import Board
from zareba.presentation.narration import outcome_sentence
from zareba.session.score import ScoreChange, change_of
from zareba.table import RememberingTable

MOST_TOLD = 8
"""Limit on the number of variants for sample games. A sweep has more variants, all of one ruleset, and gets none."""
_EVENTS = 2
"""Most acts shown per turn, chosen by the size of the change."""
_SENTENCES = 3
_LEAST_CHANGE = 0.02
"""Acts that change the balance of forces by less than this share are left out."""


@dataclass(frozen=True, slots=True)
class TurnSummary:
    """A turn with events: its number, the acts as sentences, and the standing of the sides at its end."""

    turn: int
    acts: tuple[str, ...]
    stands: str


@dataclass(frozen=True, slots=True)
class SampleGame:
    """The most typical game of a variant. `field` is a data URL with the whole picture.

    `again` is the command that replays it step by step; `address` is where a server that shows the page replays it.
    """

    variant: str
    game: int
    again: str
    address: str
    field: str
    field_words: str
    turns: tuple[TurnSummary, ...]
    ending: str


def sample_games(summary: Mapping[str, Any], records: Sequence[GameRecord]) -> list[SampleGame]:
    """Return the most typical game of each variant, replayed as a narrative. Empty if this version cannot replay the
    games.

    Only games with the sides listed as in the scenario are considered, so that the colours of the sides match the
    rest.
    """
    header, variants = summary["header"], {one["name"]: one for one in summary["variants"]}
    if "scenario_digest" not in header or len(variants) > MOST_TOLD:
        return []
    as_written = [one for one in records if one.listed == one.sides[0]]
    ordinary = {one.variant: one.game for one in reversed(notable(as_written))}
    chosen = [one for one in as_written if ordinary[one.variant] == one.game]
    return [_told(header, variants[one.variant], one) for one in chosen]


def watch_address(variant: str, game: int) -> str:
    """Return the relative address at which a server that shows the report replays a game."""
    return f"watch?{urlencode({'variant': variant, 'game': game})}"


def _told(header: Mapping[str, Any], variant: Mapping[str, Any], record: GameRecord) -> SampleGame:
    column, plan = plan_of_game(header, variant, record.game)
    game = game_for(column, header["scenario"], solo_sides(plan.agents), turned=plan.turned)
    check_rules(header, column, game.rules)
    state = game.start()
    players = {side: name for side, name in plan.agents if name != SOLO}
    agents = {side: make_agent(name, game, side, plan.seed) for side, name in players.items()}
    table = RememberingTable(game.rules, state, plan.seed, agents)
    set_out: Board | None = None
    changes: list[ScoreChange] = []
    for _ in range(STEP_LIMIT):
        if (step := game.play.next_step(state)) is None:
            break
        turn = game.game_turn(state)
        if set_out is None and turn > 1:  # by then both sides are on the table
            set_out = game.display.drawn(state)
        table.begin(step)
        game.play.perform(table, state, step)
        changes.append(change_of(game, turn, table.events, state))
    board = set_out or game.display.drawn(state)
    svg = picture(game.scenario, board)
    return SampleGame(
        record.variant,
        record.game,
        command_of_record(record, column, header["scenario"]),
        watch_address(record.variant, record.game),
        f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}",
        board.headline,
        tuple(_turns(game, changes)),
        outcome_sentence(game.scenario, game.play.common_outcome(state)),
    )


def _turns(game: Game[Any], found: Sequence[ScoreChange]) -> Iterator[TurnSummary]:
    """Yield the turns with changes, each with the acts that changed most in it."""
    led, scored = 0.0, dict.fromkeys(game.seats, 0.0)
    for turn, acts in groupby(found, key=lambda one: one.turn):
        weighed = []
        for act in acts:
            moved = abs(act.lead - led) + (_LEAST_CHANGE if act.points != scored else 0.0)
            weighed.append((moved, act))
            led, scored = act.lead, act.points
        most = sorted((one for one in weighed if one[0] >= _LEAST_CHANGE and one[1].told), key=lambda one: -one[0])[
            :_EVENTS
        ]
        if most:
            told = [act for one in weighed if one in most for act in (one[1],)]  # in the order of play
            yield TurnSummary(turn, tuple("; ".join(act.told[:_SENTENCES]) for act in told), _stands(game, led, scored))


def _stands(game: Game[Any], lead: float, scored: Mapping[str, float]) -> str:
    """Return the points by the scenario's objectives, and which side has more strength left."""
    points = ", ".join(f"{game.narrator.name_of(side)} {value:g}" for side, value in scored.items())
    told = f"Points for the objectives: {points}"
    if abs(lead) < _LEAST_CHANGE:
        return f"{told}; strength is equal"
    ahead = game.narrator.name_of(
        game.seats[0] if lead > 0 else next(side for side in game.seats if side != game.seats[0])
    )
    leads = f"{in_a_sentence(ahead)} {agreeing(ahead, 'leads', 'lead')}"
    return f"{told}; in strength {leads} by {abs(lead):.0%}".replace("%", "\u00a0%")
