"""Workers of a dask scheduler: one that runs elsewhere, or one of our own on this machine, heard on the loopback alone.

Needs the extra `distributed`. Dask gives the tasks of a worker that has died to the others. A task under which several have
died is no accident: it is played here, game by game, to name the one that kills its process. Where nobody is left to play,
what is left is played here as well.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from zareba.analysis.engines.pool import Pool, alone
from zareba.analysis.engines.task import RunGames, play
from zareba.analysis.games.records import GameRecord, GameTask
from zareba.base.errors import ZarebaError
from zareba.plugins.content_digest import content_of

__all__ = ["Dask"]

UNDER_WAY = 4
"""Tasks a thread of the cluster that are given out at a time: more would only make an interrupt wait."""
SECONDS = 10
"""How long a scheduler is waited for, and a task before it is asked whether anybody is left to play it."""


@dataclass(slots=True)
class Dask:
    """Played by the workers of the scheduler at an address, as `tcp://host:8786` or `tls://host:8786`; without one, by `jobs` of our own.

    Certificates for TLS are those of dask's configuration (`distributed.comm.tls`). `tell` hears what is worth telling.
    """

    scheduler: str = ""
    jobs: int = 1
    tell: Callable[[str], None] | None = None
    _held: ExitStack | None = field(default=None, init=False)
    _client: Any = field(default=None, init=False)

    def played(self, tasks: Sequence[GameTask], run_games: RunGames) -> Generator[list[GameRecord], None, None]:
        """As every engine."""
        waiting = iter(tasks)
        with self._connected() as client, client.as_current():
            left = yield from self._until_deserted(client, waiting, run_games)
        if left:
            self._disconnect()
            if self.tell is not None:
                self.tell(
                    "the workers of the scheduler are all gone; what is left is played by processes of this machine"
                )
            yield from Pool(self.jobs, self.tell).played([*left, *waiting], run_games)

    @contextmanager
    def kept(self) -> Iterator[Dask]:
        """As every engine. Where all workers are gone, others are looked for the next time."""
        self._held = ExitStack()
        try:
            yield self
        finally:
            self._disconnect()
            self._held = None

    def _disconnect(self) -> None:
        if self._held is not None:
            self._held.close()
            self._client = None

    @contextmanager
    def _connected(self) -> Iterator[Any]:
        if self._held is None:
            with ExitStack() as stack:
                yield self._connect(stack)
            return
        if self._client is None:
            self._client = self._connect(self._held)
        yield self._client

    def _until_deserted(
        self, client: Any, waiting: Iterator[GameTask], run_games: RunGames
    ) -> Generator[list[GameRecord], None, list[GameTask]]:
        """Have played what is waiting; ends with the tasks that came to nothing when nobody was left, none when all is played."""
        from distributed import wait
        from distributed.scheduler import KilledWorker

        under_way: dict[Any, GameTask] = {}
        threads = max(1, sum(client.nthreads().values()))
        try:
            while True:
                for task in islice(waiting, UNDER_WAY * threads - len(under_way)):
                    under_way[client.submit(play, task, run_games, pure=False, retries=0)] = task
                if not under_way:
                    return []
                records: list[GameRecord] | None = None
                try:
                    future = next(iter(wait(list(under_way), SECONDS, return_when="FIRST_COMPLETED").done))
                    records = future.result(SECONDS)  # it lies with a worker, who may have died since
                except TimeoutError:
                    if client.status == "running" and client.nthreads():
                        continue
                    return list(under_way.values())
                except KilledWorker:
                    pass
                task = under_way.pop(future)
                yield alone(task, run_games) if records is None else records
        finally:
            client.cancel(list(under_way))

    def _connect(self, stack: ExitStack) -> Any:
        """A client of the scheduler, which is let go when the stack is closed."""
        try:
            import dask
            from distributed import Client, LocalCluster
            from distributed.comm.addressing import get_address_host_port
        except ImportError as error:
            raise ZarebaError("--engine dask needs dask's scheduler: pip install 'zareba[distributed]'") from error
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        if self.scheduler:
            try:
                get_address_host_port(self.scheduler)  # an address without a port keeps a client waiting
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
            # A worker that its nanny starts again must not be given what killed it: it would die before it has begun.
            stack.enter_context(dask.config.set({"distributed.scheduler.allowed-failures": 0}))
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
        return client

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
