"""Every engine plays the same games: this process, local workers and a dask scheduler, even if workers are killed."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from multiprocessing import active_children
from pathlib import Path
from shutil import which

import pytest
from tests.core.analysis.fabricated import SIDES, dies_in_game_6, fails_in_game_6, plays_slowly, run_games

from zareba.analysis.compare import compare
from zareba.analysis.engines.dask import Dask
from zareba.analysis.engines.engine import RunGames, Serial, TaskEngine
from zareba.analysis.engines.pool import Pool
from zareba.analysis.games.records import GameRecord, Variant
from zareba.base.errors import ZarebaError

ROOT = Path(__file__).parents[3]
AGENTS = tuple(zip(SIDES, ("x", "y"), strict=True))
NAMED = "game 6 of variant 'b' killed its process; repeat it with: zareba play toy --ruleset=fierce --seed=[0-9]+ "
VARIANTS = (Variant("a", "mild"), Variant("b", "fierce"))
needs_dask = pytest.mark.skipif(
    find_spec("distributed") is None, reason="the dask engine is not tested: the extra 'distributed' is missing"
)


def played(engine: TaskEngine, games: int = 60, batch: int = 4, how: RunGames = run_games) -> tuple[GameRecord, ...]:
    return compare("toy", VARIANTS, games, 11, 1, AGENTS, how, engine=engine, batch=batch).records


@pytest.mark.parametrize("batch", [1, 3, 60, 1000])
def test_task_size_changes_no_game(batch: int) -> None:
    assert played(Serial(), batch=batch) == played(Serial())


@pytest.fixture
def importable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let worker processes import the tests."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")])))


def test_workers_are_reused_and_stopped_at_the_end(importable: None) -> None:
    def workers() -> set[int | None]:
        return {process.pid for process in active_children()}

    before, right = workers(), played(Serial())
    with Pool(2).keep_workers() as engine:
        assert played(engine) == right
        first = workers() - before
        assert len(first) == 2 and played(engine) == right and workers() - before == first
        with pytest.raises(ZarebaError, match=NAMED):
            played(engine, how=dies_in_game_6)
        assert played(engine) == right, "new workers replaced the dead ones"
        assert not workers() & first
    assert workers() == before


@needs_dask
@pytest.mark.deep
def test_dask_workers_are_reused(importable: None) -> None:
    with Dask(jobs=2).keep_workers() as engine:
        assert played(engine) == played(engine) == played(Serial())


@needs_dask
@pytest.mark.deep
def test_local_workers_play_the_same_games(importable: None) -> None:
    assert played(Dask(jobs=2)) == played(Pool(2)) == played(Serial())


@needs_dask
@pytest.mark.deep
def test_a_game_that_fails_under_dask_is_named(importable: None) -> None:
    with pytest.raises(
        ZarebaError,
        match="game 6 of variant 'b' failed: ValueError: the drummer is missing; repeat it with: zareba play toy",
    ):
        played(Dask(jobs=1), how=fails_in_game_6)


@needs_dask
@pytest.mark.deep
def test_a_game_that_kills_every_process_is_named(importable: None) -> None:
    kept: list[GameRecord] = []
    with pytest.raises(ZarebaError, match=NAMED):
        compare("toy", VARIANTS, 40, 11, 1, AGENTS, dies_in_game_6, engine=Dask(jobs=2), batch=2, keep=kept.extend)
    assert kept and all(record in played(Serial(), games=40) for record in kept)


@needs_dask
def test_an_unreachable_scheduler_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zareba.analysis.engines.dask._LONGEST_WAIT", 0.5)
    with pytest.raises(ZarebaError, match=r"no dask scheduler answers at tcp://127\.0\.0\.1:1: "):
        played(Dask("tcp://127.0.0.1:1"))


@needs_dask
@pytest.mark.parametrize("address", ["nonsense", "tcp://localhost", "ftp://localhost:8786"])
def test_invalid_scheduler_address_is_reported_at_once(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("distributed.Client", None)
    with pytest.raises(ZarebaError, match=f"no dask scheduler answers at {address}: .*address"):
        played(Dask(address))


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ZarebaError, match=r"zareba\[distributed\]"):
        played(Dask())


@contextmanager
def cluster(folder: Path, workers: int, *safe: str) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """Start a scheduler and its workers as separate processes on the loopback interface. Dead workers are not
    restarted. `safe` holds options for both.
    """
    file = folder / "scheduler.json"
    with ExitStack() as stack:

        def begun(*command: str) -> subprocess.Popen[bytes]:
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder)
            stack.callback(process.wait)
            stack.callback(process.kill)
            return process

        begun(
            sys.executable,
            "-m",
            "distributed.cli.dask_scheduler",
            "--host=127.0.0.1",
            "--port=0",
            "--no-dashboard",
            f"--scheduler-file={file}",
            *safe,
            *(["--protocol=tls"] if safe else []),
        )
        _until(file.exists)
        address = re.search(r'"address": "([^"]+)"', file.read_text(encoding="utf-8"))
        assert address is not None
        hands = [
            begun(
                sys.executable,
                "-m",
                "distributed.cli.dask_worker",
                address[1],
                "--nthreads=1",
                "--no-nanny",
                "--no-dashboard",
                "--host=127.0.0.1",
                *safe,
            )
            for _ in range(workers)
        ]
        yield address[1], hands


def _until(holds: object, seconds: float = 60.0) -> None:
    assert callable(holds)
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.05)


@needs_dask
@pytest.mark.deep
@pytest.mark.parametrize("kills", [0, 1, 5])
def test_killed_workers_lose_no_game_and_change_none(kills: int, tmp_path: Path, importable: None) -> None:
    """A real scheduler has two workers more than are killed during play."""
    from distributed import Client

    with cluster(tmp_path, kills + 2) as (address, workers):
        with Client(address, set_as_default=False) as client:
            client.wait_for_workers(kills + 2, timeout=240)
        left = list(workers[:kills])
        seen = 0

        def keep(records: Sequence[GameRecord]) -> None:
            nonlocal seen
            seen += len(records)
            if left and seen >= 20 * (kills - len(left) + 1):
                left.pop().send_signal(signal.SIGKILL)

        found = compare(
            "toy", VARIANTS, 200, 11, 1, AGENTS, plays_slowly, engine=Dask(address), batch=2, keep=keep
        ).records  # fmt: skip
        assert not left, "all workers were killed during play"
        assert sum(worker.poll() is not None for worker in workers) == kills
    assert found == played(Serial(), games=200)


@needs_dask
@pytest.mark.deep
@pytest.mark.skipif(
    which("openssl") is None, reason="TLS is not tested: openssl, which makes the certificate, is missing"
)
def test_a_scheduler_with_tls_accepts_trusted_clients(tmp_path: Path, importable: None) -> None:
    import dask
    import distributed  # noqa: F401  # sets its defaults before the test changes them

    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    made = ("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1")
    subprocess.run(["openssl", *made, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    safe = (f"--tls-ca-file={certificate}", f"--tls-cert={certificate}", f"--tls-key={key}")
    trusted = {
        "distributed.comm.tls.ca-file": str(certificate),
        "distributed.comm.tls.client.cert": str(certificate),
        "distributed.comm.tls.client.key": str(key),
    }
    with cluster(tmp_path, 2, *safe) as (address, _):
        assert address.startswith("tls://127.0.0.1:")
        with dask.config.set(trusted):
            assert played(Dask(address)) == played(Serial())
        with pytest.raises(ZarebaError, match="needs certificates: set them"):
            played(Dask(address))


@needs_dask
@pytest.mark.deep
def test_games_are_played_locally_if_every_worker_is_gone(tmp_path: Path, importable: None) -> None:
    told: list[str] = []
    with cluster(tmp_path, 2) as (address, workers):

        def keep(records: Sequence[GameRecord]) -> None:
            for worker in workers:
                worker.send_signal(signal.SIGKILL)

        engine = Dask(address, 2, told.append)
        found = compare("toy", VARIANTS, 200, 11, 1, AGENTS, plays_slowly, engine=engine, batch=2, keep=keep).records
    assert found == played(Serial(), games=200)
    assert "are gone; the remaining games are played on this machine" in told[0]


@needs_dask
@pytest.mark.deep
def test_a_game_that_kills_every_worker_of_a_scheduler_is_named(tmp_path: Path, importable: None) -> None:
    """Dead workers are not restarted, so none remain; the games finished before are kept."""
    kept: list[GameRecord] = []
    with cluster(tmp_path, 2) as (address, _), pytest.raises(ZarebaError, match=NAMED):
        compare("toy", VARIANTS, 40, 11, 1, AGENTS, dies_in_game_6, engine=Dask(address, 2), batch=2, keep=kept.extend)
    assert kept and all(record in played(Serial(), games=40) for record in kept)
