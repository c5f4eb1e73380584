"""Play games with the workers of a dask scheduler: a remote one, or a local one that listens on the loopback address
only.

Needs the extra `distributed`. Dask gives the tasks of a dead worker to other workers. A task that has killed several
workers is played here, game by game, to name the game that kills its process. If no workers remain, the rest is played
here too.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from zareba.analysis.engines.engine import RunGames, play
from zareba.analysis.engines.pool import Pool, play_alone
from zareba.analysis.games.records import GameRecord, GameTask
from zareba.base.errors import ZarebaError
from zareba.plugins.content_digest import content_of

_TASKS_PER_THREAD = 4
"""Tasks submitted at a time per thread of the cluster. More would only delay an interrupt."""
_LONGEST_WAIT = 10
"""Seconds to wait for a scheduler, and for a task before checking that any worker is left to play it."""


@dataclass(slots=True)
class Dask:
    """An engine on a dask scheduler at an address such as `tcp://host:8786` or `tls://host:8786`.

    Without an address it starts `jobs` local workers. The certificates for TLS come from dask's configuration
    (`distributed.comm.tls`). `notify` receives messages for the user.
    """

    scheduler: str = ""
    jobs: int = 1
    notify: Callable[[str], None] | None = None
    _connection: ExitStack | None = field(default=None, init=False)
    _client: Any = field(default=None, init=False)

    def run_tasks(self, tasks: Sequence[GameTask], run_games: RunGames) -> Generator[list[GameRecord], None, None]:
        """Implement `Engine.run_tasks`."""
        waiting = iter(tasks)
        with self._connected() as client, client.as_current():
            unfinished = yield from self._play_until_all_are_gone(client, waiting, run_games)
        if unfinished:
            self._disconnect()
            if self.notify is not None:
                self.notify("all workers of the scheduler are gone; the remaining games are played on this machine")
            yield from Pool(self.jobs, self.notify).run_tasks([*unfinished, *waiting], run_games)

    @contextmanager
    def keep_workers(self) -> Iterator[Dask]:
        """Implement `Engine.keep_workers`. If all workers are gone, the next call connects again."""
        self._connection = ExitStack()
        try:
            yield self
        finally:
            self._disconnect()
            self._connection = None

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._client = None

    @contextmanager
    def _connected(self) -> Iterator[Any]:
        if self._connection is None:
            with ExitStack() as stack:
                yield self._connect(stack)
            return
        if self._client is None:
            self._client = self._connect(self._connection)
        yield self._client

    def _play_until_all_are_gone(
        self, client: Any, waiting: Iterator[GameTask], run_games: RunGames
    ) -> Generator[list[GameRecord], None, list[GameTask]]:
        """Play the waiting tasks. Return the unfinished ones if all workers are gone, or an empty list."""
        from distributed import wait
        from distributed.scheduler import KilledWorker

        under_way: dict[Any, GameTask] = {}
        threads = max(1, sum(client.nthreads().values()))
        try:
            while True:
                for task in islice(waiting, _TASKS_PER_THREAD * threads - len(under_way)):
                    under_way[client.submit(play, task, run_games, pure=False, retries=0)] = task
                if not under_way:
                    return []
                records: list[GameRecord] | None = None
                try:
                    future = next(iter(wait(list(under_way), _LONGEST_WAIT, return_when="FIRST_COMPLETED").done))
                    records = future.result(_LONGEST_WAIT)  # the result is on a worker, which may have died since
                except TimeoutError:
                    if client.status == "running" and client.nthreads():
                        continue
                    return list(under_way.values())
                except KilledWorker:
                    pass
                task = under_way.pop(future)
                yield play_alone(task, run_games) if records is None else records
        finally:
            client.cancel(list(under_way))

    def _connect(self, stack: ExitStack) -> Any:
        """Return a client of the scheduler. It is closed with the stack."""
        try:
            import dask
            from distributed import Client, LocalCluster
            from distributed.comm.addressing import get_address_host_port
        except ImportError as error:
            raise ZarebaError("--engine dask needs dask's scheduler: pip install 'zareba[distributed]'") from error
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        if self.scheduler:
            try:
                get_address_host_port(self.scheduler)  # without a port the client would wait until it times out
                client = stack.enter_context(Client(self.scheduler, timeout=_LONGEST_WAIT, set_as_default=False))
            except TypeError as error:  # how distributed reports missing certificates
                raise ZarebaError(
                    f"{self.scheduler} needs certificates: set them in dask's configuration (distributed.comm.tls)"
                ) from error
            except (OSError, ValueError, TimeoutError) as error:
                raise ZarebaError(
                    f"no dask scheduler answers at {self.scheduler}: {error or type(error).__name__}; 'dask scheduler' starts one"
                ) from error
        else:
            # A worker restarted by its nanny must not get the task that killed it, or it would die again at once.
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
        """Raise ZarebaError if there are no workers, or if a worker has a different zareba and would play different
        games.
        """
        try:
            client.wait_for_workers(1, timeout=_LONGEST_WAIT)
        except TimeoutError as error:
            raise ZarebaError(f"the scheduler at {self.scheduler} has no workers; 'dask worker' starts one") from error
        own_digest = content_of()
        for address, digest in client.run(_content).items():
            if digest != own_digest:
                raise ZarebaError(
                    f"the worker {address} has {digest if digest.startswith('no') else 'a different version of zareba or its rules'};"
                    " install the same version everywhere, otherwise the games would differ"
                )


def _content() -> str:
    """Return the digest of the code and rules of a worker, to be compared with that of the client."""
    try:
        return content_of()
    except Exception as error:  # noqa: BLE001  # a worker without zareba can fail with any error
        return f"no zareba ({error})"
