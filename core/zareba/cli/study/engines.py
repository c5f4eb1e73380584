"""Select the engine that plays the games of a comparison."""

from __future__ import annotations

from enum import StrEnum

from zareba.analysis.engines.engine import Serial, TaskEngine
from zareba.analysis.engines.pool import Pool
from zareba.cli.output import print_to_stderr


class EngineName(StrEnum):
    """The engines: this process, local workers, or the workers of a dask scheduler."""

    serial = "serial"
    pool = "pool"
    dask = "dask"


def engine_of(where: EngineName, workers: int, scheduler: str | None) -> TaskEngine:
    """Return the engine. A pool of one worker plays in this process."""
    if where is EngineName.dask:
        from zareba.analysis.engines.dask import Dask

        return Dask(scheduler or "", workers, print_to_stderr)
    return Serial() if where is EngineName.serial or workers == 1 else Pool(workers, print_to_stderr)
