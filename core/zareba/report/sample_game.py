"""Narrate one game of each variant in the report: the field, the largest changes of each turn, and the ending."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any
from urllib.parse import urlencode

from zareba.agents import make_agent
from zareba.analysis.games.notable import check_rules, command_of_record, notable, plan_of_game
from zareba.analysis.games.records import GameRecord
from zareba.analysis.games.simulate import SOLO, STEP_LIMIT, game_for, solo_sides
from zareba.base.grammar import agreeing, in_a_sentence, join_sentences, percent
from zareba.game import Game
from zareba.picture import picture
from zareba.presentation.board import Board
from zareba.presentation.narration import outcome_sentence
from zareba.session.score import ScoreChange, change_of
from zareba.table import RememberingTable

MOST_SAMPLE_GAMES = 8
"""A comparison of more variants than this has no sample games. It is usually a sweep of one ruleset."""
_MOST_ACTS = 2
"""The largest number of acts shown for a turn. Those with the largest changes are chosen."""
_MOST_SENTENCES = 3
"""The largest number of sentences shown for an act."""
_LEAST_CHANGE = 0.02
"""Acts that change the balance of forces by less than this share are left out."""


@dataclass(frozen=True, slots=True)
class TurnSummary:
    """A turn with its most important acts."""

    turn: int
    acts: tuple[str, ...]
    """The sentences of each act."""
    standing: str
    """The points and the strength of the sides at the end of the turn."""


@dataclass(frozen=True, slots=True)
class SampleGame:
    """The most typical game of a variant."""

    variant: str
    game: int
    replay_command: str
    """The command that replays the game step by step."""
    address: str
    """The relative address at which a server that shows the page replays the game."""
    field: str
    """The picture of the battlefield as a data URL."""
    field_text: str
    """The text for readers who cannot see the picture."""
    turns: tuple[TurnSummary, ...]
    ending: str


def sample_games(summary: Mapping[str, Any], records: Sequence[GameRecord]) -> list[SampleGame]:
    """Return the most typical game of each variant, replayed as a narrative. Empty if this version cannot replay the
    games.

    Only games with the sides listed as in the scenario are considered, so that the colours of the sides match the
    rest.
    """
    header, variants = summary["header"], {variant["name"]: variant for variant in summary["variants"]}
    if "scenario_digest" not in header or len(variants) > MOST_SAMPLE_GAMES:
        return []
    as_written = [record for record in records if record.listed == record.sides[0]]
    # `notable` lists the most typical game of each variant first, so it wins in reversed order.
    typical = {notable_game.variant: notable_game.game for notable_game in reversed(notable(as_written))}
    chosen = [record for record in as_written if typical[record.variant] == record.game]
    return [_replay(header, variants[record.variant], record) for record in chosen]


def watch_address(variant: str, game: int) -> str:
    """Return the relative address at which a server that shows the report replays a game."""
    return f"watch?{urlencode({'variant': variant, 'game': game})}"


def _replay(header: Mapping[str, Any], variant: Mapping[str, Any], record: GameRecord) -> SampleGame:
    """Replay a game with the AI players and the seed of its record, and return its narrative."""
    column, plan = plan_of_game(header, variant, record.game)
    game = game_for(column, header["scenario"], solo_sides(plan.agents), rotation=plan.rotation)
    check_rules(header, column, game.rules)
    state = game.start()
    players = {side: name for side, name in plan.agents if name != SOLO}
    agents = {side: make_agent(name, game, side, plan.seed) for side, name in players.items()}
    table = RememberingTable(game.rules, state, plan.seed, agents)
    first_board: Board | None = None
    changes: list[ScoreChange] = []
    for _ in range(STEP_LIMIT):
        if (step := game.play.next_step(state)) is None:
            break
        turn = game.game_turn(state)
        if first_board is None and turn > 1:  # by then both sides are on the table
            first_board = game.display.labelled_board(state)
        table.begin(step)
        game.play.perform(table, state, step)
        changes.append(change_of(game, turn, table.events, state))
    board = first_board or game.display.labelled_board(state)
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


def _turns(game: Game[Any], changes: Sequence[ScoreChange]) -> Iterator[TurnSummary]:
    """Yield the turns with changes, each with the acts that changed most in it."""
    lead, points = 0.0, dict.fromkeys(game.seats, 0.0)
    for turn, acts in groupby(changes, key=lambda change: change.turn):
        acts_with_size = []
        for act in acts:
            size = abs(act.lead - lead) + (_LEAST_CHANGE if act.points != points else 0.0)
            acts_with_size.append((size, act))
            lead, points = act.lead, act.points
        shown = [(size, act) for size, act in acts_with_size if size >= _LEAST_CHANGE and act.sentences]
        largest = sorted(shown, key=itemgetter(0), reverse=True)[:_MOST_ACTS]
        if largest:
            in_order = [act for size, act in acts_with_size if (size, act) in largest]
            sentences = tuple(join_sentences(act.sentences[:_MOST_SENTENCES]) for act in in_order)
            yield TurnSummary(turn, sentences, _standing(game, lead, points))


def _standing(game: Game[Any], lead: float, points: Mapping[str, float]) -> str:
    """Return the points by the scenario's objectives, and which side has more strength left."""
    points_by_side = ", ".join(
        f"{in_a_sentence(game.narrator.name_of(side))} {value:g}" for side, value in points.items()
    )
    score = f"Points for the objectives: {points_by_side}"
    if abs(lead) < _LEAST_CHANGE:
        return f"{score}; strength is equal"
    ahead = game.narrator.name_of(
        game.seats[0] if lead > 0 else next(side for side in game.seats if side != game.seats[0])
    )
    leads = f"{in_a_sentence(ahead)} {agreeing(ahead, 'leads', 'lead')}"
    return f"{score}; in strength {leads} by {percent(abs(lead))}"
