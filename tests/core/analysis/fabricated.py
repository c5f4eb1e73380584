"""A substitute for the game runner: a toy battle whose results depend only on its task."""

from __future__ import annotations

import os
import random
import signal
import time
from pathlib import Path

from zareba.analysis.games.activity import ACTS
from zareba.analysis.games.records import CAUSES, Effort, GamePlan, GameRecord, GameTask
from zareba.base.errors import ZarebaError

SIDES = ("british", "zulu")


def run_games(task: GameTask) -> list[GameRecord]:
    """Two sides shoot at each other; `ruleset` and the setting `bite` decide how much each loses."""
    settings = dict(task.variant.settings)
    bite = {"mild": 0.06, "fierce": 0.12}.get(task.variant.ruleset, 0.08) + float(settings.get("bite", 0.0))
    return [_play(task, plan, bite) for plan in task.plans()]


def ignores_interrupts(task: GameTask) -> list[GameRecord]:
    """Run the games only if Ctrl-C has been blocked since the process started."""
    if signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ()):
        raise ValueError("a worker could be interrupted while it starts")
    return run_games(task)


def fails_in_game_6(task: GameTask) -> list[GameRecord]:
    if task.variant.name == "b" and task.first <= 6 < task.first + task.count:
        raise ValueError("the drummer is missing")
    return run_games(task)


def ruleset_refuses(task: GameTask) -> list[GameRecord]:
    raise ZarebaError("unit 'ghost' is not on the table")


def dies_in_game_6(task: GameTask) -> list[GameRecord]:
    if task.variant.name == "b" and task.first <= 6 < task.first + task.count:
        os._exit(3)
    return run_games(task)


def is_killed_the_first_time(task: GameTask) -> list[GameRecord]:
    """Kill the process as many times as there are files in the folder named by DEATHS, then run the games."""
    if task.variant.name == "b" and task.first <= 6 < task.first + task.count:
        for death in Path(os.environ["DEATHS"]).iterdir():
            death.unlink()
            os.kill(os.getpid(), signal.SIGKILL)
    return run_games(task)


def _play(task: GameTask, plan: GamePlan, bite: float) -> GameRecord:
    luck = random.Random(plan.seed)
    share = dict.fromkeys(SIDES, 1.0)
    strength = {side: [1.0] for side in SIDES}
    losses = {side: dict.fromkeys(CAUSES, 0.0) for side in SIDES}
    turns, first_loss = 0, None
    while turns < 12 and min(share.values()) > 0.4:
        turns += 1
        for side in SIDES:
            cause = luck.choice(("fire", "fire", "melee", "morale"))
            hit = min(round(bite * luck.random() * 2, 3), share[side])
            share[side] -= hit
            losses[side][cause] += hit
            if hit and first_loss is None:
                first_loss = turns
        for side in SIDES:
            strength[side].append(share[side])
    lead = share["british"] - share["zulu"]
    broken = min(share.values()) <= 0.4
    winner = None if abs(lead) < 0.05 else "british" if lead > 0 else "zulu"
    return GameRecord(
        variant=task.variant.name,
        scenario=task.scenario,
        game=plan.game,
        pair=plan.pair,
        seed=plan.seed,
        swapped=plan.swapped,
        listed=SIDES[plan.rotation],
        agents=dict(plan.agents),
        winner=winner,
        ground="strength",
        own_winner=winner,
        own_ground="",
        points={side: round(10 * share[side]) for side in SIDES},
        in_play=0,
        ending="collapse" if broken else "turn_limit",
        turns=turns,
        acts=dict.fromkeys(ACTS, 2 * turns),
        stake=0.5 * turns,
        weighed=6 * turns,
        unit_turns=6 * turns,
        idle=2 * turns,
        denied=turns,
        effort={side: Effort(4 * turns, 3 * turns, 13 * turns) for side in SIDES},
        dice=9 * turns,
        rolls=3 * turns,
        draws=turns,
        lookups=2 * turns,
        losses=losses,
        strength={side: tuple(shares) for side, shares in strength.items()},
        score=dict.fromkeys(SIDES, (0.0,) * (turns + 1)),
        first_loss=first_loss,
    )


def plays_slowly(task: GameTask) -> list[GameRecord]:
    """Run the games slowly enough for a worker to be killed meanwhile."""
    time.sleep(0.05)
    return run_games(task)
