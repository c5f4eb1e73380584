"""Many games and many watchers at one server: nothing lost or doubled, how long answers take, whether memory stays flat.

    python tests/benchmarks/crowd.py [GAMES] [WATCHERS] [SECONDS]

Each game has one player, who answers twice a second; the watchers fetch the table whenever they are told to. What the
server works for an answer, with the looks of those who watch, says the same on a busy machine as on a quiet one; so does what
this program works itself, which has its share of the machine and of the waiting.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import sys
import tempfile
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter, process_time

import httpx2

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.web.chromium import Server

from zareba.journal import read_journal

RULESETS = ("vcc", "afriboria", "paychest", "fixed_baynet", "risk_factor")
BETWEEN = 0.5


async def begin(client: httpx2.AsyncClient, server: Server, number: int) -> tuple[str, str]:
    """A new game: the addresses of its player and of whoever watches."""
    seats = {"seat.patrol": "me", "seat.tribesmen": "random"}
    form = {"ruleset": RULESETS[number % len(RULESETS)], "seed": str(number), **seats}
    answer = await client.post(f"{server.home}/new/patrol_clash", data=form)
    mine = answer.headers["location"]
    name = mine.split("/")[2]
    listed = await client.post(f"{server.home}/links/{name}", data={"seat.patrol": "friend"})
    watch = re.findall(r"<b>whoever watches</b> <a href=\"(/game/[^\"]+)\"", listed.text)[0]
    return mine, watch


async def play(client: httpx2.AsyncClient, home: str, mine: str, until: float, shown: list[float]) -> int:
    """Answer until time is up; gives how many answers were accepted."""
    luck, accepted, ground = random.Random(mine), 0, ""
    while perf_counter() < until:
        await asyncio.sleep(BETWEEN * (0.5 + luck.random()))
        told = (await client.get(f"{home}{mine}/parts", params={"ground": ground})).json()
        ground = told.get("ground", "")
        count = told.get("question", "").count("data-option=")
        if not told.get("mine") or not count:
            if told.get("over"):
                return accepted
            continue
        start = perf_counter()
        answer = await client.post(
            f"{home}{mine}/do/answer",
            data={"version": told["version"], "ground": told["ground"], "option": luck.randrange(count)},
        )
        if answer.status_code == 200:
            shown.append(1000 * (perf_counter() - start))
            accepted += 1
    return accepted


async def watch(client: httpx2.AsyncClient, home: str, address: str, until: float) -> int:
    """Follow a game; gives how many times it was told of a change."""
    heard, ground = 0, ""
    try:
        async with client.stream("GET", f"{home}{address}/events", timeout=30) as stream:
            async for line in stream.aiter_lines():
                if line.startswith("data:"):
                    heard += 1
                    told = await client.get(f"{home}{address}/parts", params={"ground": ground})
                    ground = told.json().get("ground", "")  # as the page does, which has its ground already
                if perf_counter() > until:
                    break
    except httpx2.TransportError:
        pass
    return heard


def memory(pid: int) -> float:
    """Megabytes that a process holds."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return int(re.findall(r"VmRSS:\s+(\d+)", status)[0]) / 1024


async def crowd(games: int, watchers: int, seconds: float) -> None:
    with tempfile.TemporaryDirectory() as name:
        server = Server(Path(name))
        limits = httpx2.Limits(max_connections=games + watchers + 50)
        try:
            async with httpx2.AsyncClient(limits=limits, timeout=60) as client:
                await client.get(server.enter)
                chairs = [await begin(client, server, number) for number in range(games)]
                held, worked, own = [memory(server.pid)], server.processor_time, process_time()
                until = perf_counter() + seconds
                shown: list[float] = []
                playing = [asyncio.create_task(play(client, server.home, mine, until, shown)) for mine, _ in chairs]
                watching = [
                    asyncio.create_task(watch(client, server.home, chairs[number % games][1], until))
                    for number in range(watchers)
                ]
                while perf_counter() < until:
                    await asyncio.sleep(seconds / 5)
                    held.append(memory(server.pid))
                worked, own = server.processor_time - worked, process_time() - own
                accepted = await asyncio.gather(*playing)
                for task in watching:
                    task.cancel()
                heard = await asyncio.gather(*watching, return_exceptions=True)
        finally:
            server.kill()
        for (mine, _), count in zip(chairs, accepted, strict=True):
            entries = read_journal(Path(name) / f"{mine.split('/')[2]}.jsonl").entries
            kept = sum(entry.get("by") == "person" for entry in entries)
            assert kept == count, f"{mine}: {count} answers were accepted, {kept} are in the journal"
    print(
        json.dumps(
            {
                "games": games, "watchers": watchers, "seconds": seconds, "answers": len(shown),
                "told": sum(one for one in heard if isinstance(one, int)),
                "median_ms": round(median(shown)), "p95_ms": round(quantiles(shown, n=20)[-1]),
                "processors": round(worked / seconds, 2), "own_processors": round(own / seconds, 2),
                "server_ms_an_answer": round(1000 * worked / len(shown), 1), "load": round(os.getloadavg()[0], 1),
                "megabytes": [round(one) for one in held], "lost_or_doubled": 0,
            },
        )
    )  # fmt: skip


if __name__ == "__main__":
    given = [float(one) for one in sys.argv[1:]]
    numbers = [*given, *(50.0, 200.0, 300.0)[len(given) :]]
    asyncio.run(crowd(int(numbers[0]), int(numbers[1]), numbers[2]))
