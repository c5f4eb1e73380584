"""The extensions shipped with zareba: house rules, AI players, a metric, a report section, a quick-sheet table, a
command.

The package uses only the public API, like any third-party package.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from zareba.api import Doctrine, hookimpl
from zareba.api.metrics import Metric
from zareba.api.reports import ReportSection, SheetTable
from zareba_plugins.dice_chances import CHANCES
from zareba_plugins.metrics import PYRRHIC
from zareba_plugins.narrow_victories import NARROWEST


@hookimpl
def zareba_house_rules() -> Iterable[Path]:
    """Return every house rule file in `rules`."""
    found = (Path(__file__).parent / "rules").glob("*/*")
    return [file for file in found if file.suffix in (".yaml", ".py") or (file / "rule.yaml").is_file()]


@hookimpl
def zareba_agents() -> Mapping[str, Callable[..., Any]]:
    """Return two AI players: one values enemy losses half as much again, the other its own losses."""
    return {"bold": partial(Doctrine, aggression=1.5), "cautious": partial(Doctrine, caution=1.5)}


@hookimpl
def zareba_metrics() -> Sequence[Metric]:
    """Return one metric: how often winning costs more than losing."""
    return [PYRRHIC]


@hookimpl
def zareba_sections() -> Sequence[ReportSection]:
    """Return one report section: the narrowest victory for each variant."""
    return [NARROWEST]


@hookimpl
def zareba_sheets() -> Sequence[SheetTable]:
    """Return one quick-sheet table: the chances of common dice rolls."""
    return [CHANCES]


@hookimpl
def zareba_commands() -> Mapping[str, Callable[..., Any]]:
    """Return the command that carries survivors into the next battle."""
    from zareba_plugins.campaign import campaign

    return {"campaign": campaign}
