"""Many games and many watchers at one server: no lost or repeated answers, response times, and constant memory.

    python tests/benchmarks/crowd.py [GAMES] [WATCHERS] [SECONDS]

Each game has one player, who answers about twice a second; watchers fetch the table whenever they are notified. The
server's processor time for an answer, including its watchers, does not depend on how busy the machine is. The same is
true of the processor time of this program, which competes with the server.
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
from urllib.parse import urlencode

import httpx2

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.web.chromium import Server

from zareba.journal import read_journal

RULESETS = ("vcc", "afriboria", "paychest", "fixed_baynet", "risk_factor")
BETWEEN = 0.5


async def begin(client: httpx2.AsyncClient, server: Server, number: int) -> tuple[str, str]:
    """Begin a game; return the addresses of its player and of a watcher."""
    seats = {"seat.patrol": "me", "seat.tribesmen": "random"}
    form = {"ruleset": RULESETS[number % len(RULESETS)], "seed": str(number), **seats}
    answer = await client.post(f"{server.home}/new/patrol_clash", data=form)
    mine = answer.headers["location"]
    name = mine.split("/")[2]
    listed = await client.post(f"{server.home}/links/{name}", data={"seat.patrol": "friend"})
    watch = re.findall(r"<b>whoever watches</b> <a href=\"(/game/[^\"]+)\"", listed.text)[0]
    return mine, watch


class Page:
    """The minimal communication of a page with its server, over one connection that stays open.

    A general HTTP client would use as much processor time as the server and so measure itself.
    """

    def __init__(self, port: int) -> None:
        self._port = port
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def ask(self, path: str, form: dict[str, object] | None = None) -> tuple[int, bytes]:
        """Send a request; return the status and the body of the answer."""
        reader = await self.send(path, form)
        status, length = int((await reader.readline()).split()[1]), 0
        while (line := await reader.readline()) != b"\r\n":
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        return status, await reader.readexactly(length)

    async def send(self, path: str, form: dict[str, object] | None = None) -> asyncio.StreamReader:
        """Send a request; return the stream with its answer."""
        if self._reader is None or self._writer is None:
            self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port, limit=2**20)
        head = f"{'GET' if form is None else 'POST'} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\n"
        body = b"" if form is None else urlencode(form).encode()
        more = (
            ""
            if form is None
            else f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n"
        )
        self._writer.write(f"{head}{more}Accept: application/json\r\n\r\n".encode() + body)
        return self._reader

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()


async def play(port: int, mine: str, until: float, shown: list[float]) -> int:
    """Answer until time is up; return the number of accepted answers."""
    page, luck, accepted, ground = Page(port), random.Random(mine), 0, ""
    while perf_counter() < until:
        await asyncio.sleep(BETWEEN * (0.5 + luck.random()))
        told = json.loads((await page.ask(f"{mine}/parts?ground={ground}"))[1])
        ground = told["ground"]
        count = told["question"].count("data-option=")
        if not told["mine"] or not count:
            if told["over"]:
                break
            continue
        answer = {"version": told["version"], "ground": ground, "option": luck.randrange(count)}
        start = perf_counter()
        status, _ = await page.ask(f"{mine}/do/answer", answer)
        if status == 200:
            shown.append(1000 * (perf_counter() - start))
            accepted += 1
    page.close()
    return accepted


async def watch(port: int, address: str, until: float, heard: list[float]) -> None:
    """Follow a game; record for each change the time from its notification to the table."""
    stream, page, ground = Page(port), Page(port), ""
    try:
        events = await stream.send(f"{address}/events")
        while perf_counter() < until and (line := await events.readline()):
            if line.startswith(b"data:"):
                start = perf_counter()
                _, told = await page.ask(f"{address}/parts?ground={ground}")
                heard.append(1000 * (perf_counter() - start))
                at = told.index(b'"ground": "') + len(b'"ground": "')
                ground = told[at : told.index(b'"', at)].decode()  # like the page, which already has its terrain
    finally:
        stream.close()
        page.close()


def memory(pid: int) -> float:
    """Return the memory of a process in megabytes."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return int(re.findall(r"VmRSS:\s+(\d+)", status)[0]) / 1024


async def crowd(games: int, watchers: int, seconds: float) -> None:
    with tempfile.TemporaryDirectory() as name:
        server = Server(Path(name))
        try:
            async with httpx2.AsyncClient(timeout=60) as client:
                await client.get(server.enter)
                chairs = [await begin(client, server, number) for number in range(games)]
            held, worked, own = [memory(server.pid)], server.processor_time, process_time()
            until = perf_counter() + seconds
            shown: list[float] = []
            heard: list[float] = []
            playing = [asyncio.create_task(play(server.port, mine, until, shown)) for mine, _ in chairs]
            watching = [
                asyncio.create_task(watch(server.port, chairs[number % games][1], until, heard))
                for number in range(watchers)
            ]
            while perf_counter() < until:
                await asyncio.sleep(seconds / 5)
                held.append(memory(server.pid))
            worked, own = server.processor_time - worked, process_time() - own
            accepted = await asyncio.gather(*playing)
            for task in watching:
                task.cancel()
            await asyncio.gather(*watching, return_exceptions=True)
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
                "median_ms": round(median(shown)), "p95_ms": round(quantiles(shown, n=20)[-1]), "told": len(heard),
                "told_median_ms": round(median(heard)), "told_p95_ms": round(quantiles(heard, n=20)[-1]),
                "processors": round(worked / seconds, 2), "own_processors": round(own / seconds, 2),
                "server_ms_an_answer": round(1000 * worked / len(shown), 1), "load": round(os.getloadavg()[0], 1),
                "megabytes": [round(size) for size in held], "lost_or_doubled": 0,
            },
        )
    )  # fmt: skip


if __name__ == "__main__":
    given = [float(text) for text in sys.argv[1:]]
    numbers = [*given, *(50.0, 200.0, 300.0)[len(given) :]]
    asyncio.run(crowd(int(numbers[0]), int(numbers[1]), numbers[2]))
