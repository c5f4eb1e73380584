"""Workers of a dask scheduler: one that runs elsewhere, or one of our own on this machine, heard on the loopback alone.

Needs the extra `distributed`. Dask gives the tasks of a worker that has died to the others. One that has died with a task
several times over is no accident: its games are then played singly, to name the one that kills its process.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any

from zareba.analysis.engines.task import RunGames, failure, play, singles
from zareba.analysis.games.records import GameRecord, GameTask
from zareba.base.errors import ZarebaError
from zareba.plugins.installed import content_of

__all__ = ["Dask"]

UNDER_WAY = 4
"""Tasks a thread of the cluster that are given out at a time: more would only make an interrupt wait."""
DEATHS = 3
"""Workers that may die with a task under way, for whatever reason, before it is looked at game by game."""
SECONDS = 10
"""How long a scheduler is waited for."""


@dataclass(frozen=True, slots=True)
class Dask:
    """Played by the workers of the scheduler at an address, as `tcp://host:8786` or `tls://host:8786`; without one, by `jobs` of our own.

    Certificates for TLS are those of dask's configuration (`distributed.comm.tls`). `tell` hears what is worth telling.
    """

    scheduler: str = ""
    jobs: int = 1
    tell: Callable[[str], None] | None = None

    def played(self, tasks: Sequence[GameTask], run_games: RunGames) -> Generator[list[GameRecord], None, None]:
        """As every engine."""
        with self._client() as client:
            yield from self._all(client, tasks, run_games)

    def _all(
        self, client: Any, tasks: Sequence[GameTask], run_games: RunGames
    ) -> Generator[list[GameRecord], None, None]:
        from distributed import as_completed

        waiting = iter(tasks)
        under_way: dict[Any, GameTask] = {}
        done = as_completed(loop=client.loop)

        def give_out(task: GameTask) -> None:
            future = client.submit(play, task, run_games, pure=False, retries=0)
            under_way[future] = task
            done.add(future)

        threads = max(1, sum(client.nthreads().values()))
        try:
            for task in islice(waiting, UNDER_WAY * threads):
                give_out(task)
            for future in done:
                task = under_way.pop(future)
                yield _result(client, future, task, run_games)
                if (following := next(waiting, None)) is not None:
                    give_out(following)
        finally:
            client.cancel(list(under_way))

    @contextmanager
    def _client(self) -> Iterator[Any]:
        try:
            import dask
            from distributed import Client, LocalCluster
        except ImportError as error:
            raise ZarebaError("--engine dask needs dask's scheduler: pip install 'zareba[distributed]'") from error
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        with ExitStack() as stack:
            stack.enter_context(dask.config.set({"distributed.scheduler.allowed-failures": DEATHS}))
            if self.scheduler:
                try:
                    client = stack.enter_context(Client(self.scheduler, timeout=SECONDS, set_as_default=False))
                except TypeError as error:  # so distributed says that it has no certificates
                    raise ZarebaError(
                        f"{self.scheduler} wants certificates: name them in dask's configuration (distributed.comm.tls)"
                    ) from error
                except (OSError, ValueError, TimeoutError) as error:
                    raise ZarebaError(
                        f"no dask scheduler answers at {self.scheduler}: {error or type(error).__name__}; 'dask scheduler' starts one"
                    ) from error
            else:
                cluster = stack.enter_context(
                    LocalCluster(
                        n_workers=self.jobs,
                        threads_per_worker=1,
                        host="127.0.0.1",
                        dashboard_address=None,
                        silence_logs=logging.CRITICAL,
                    )
                )
                client = stack.enter_context(Client(cluster, set_as_default=False))
            self._check(client)
            yield client

    def _check(self, client: Any) -> None:
        """Raises ZarebaError where nobody is there to play, or a worker has another zareba, and so other games."""
        try:
            client.wait_for_workers(1, timeout=SECONDS)
        except TimeoutError as error:
            raise ZarebaError(f"the scheduler at {self.scheduler} has no workers; 'dask worker' starts one") from error
        ours = content_of()
        for address, theirs in client.run(_content).items():
            if theirs != ours:
                raise ZarebaError(
                    f"the worker {address} has {theirs if theirs.startswith('no') else 'another version of zareba or of its rules'};"
                    " install the same everywhere, or the games would not be the same"
                )


def _content() -> str:
    """What a worker plays with, to be compared with what is asked for."""
    try:
        return content_of()
    except Exception as error:  # noqa: BLE001  # a worker without zareba fails in ways of its own
        return f"no zareba ({error})"


def _result(client: Any, future: Any, task: GameTask, run_games: RunGames) -> list[GameRecord]:
    from distributed.scheduler import KilledWorker

    try:
        records: list[GameRecord] = future.result()
    except KilledWorker:
        records = []
        for game in singles(task):
            try:
                records += client.submit(play, game, run_games, pure=False, retries=0).result()
            except KilledWorker:
                raise failure(game, "killed its process") from None
    return records
