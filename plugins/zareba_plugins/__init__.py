"""What comes with zareba as a package of anybody's would: house rules, commanders, a metric, a section, a table of sheets, a command."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from zareba.api import Doctrine, hookimpl
from zareba.api.metrics import Metric
from zareba.api.reports import ReportSection, SheetTable
from zareba_plugins.chances import CHANCES
from zareba_plugins.metrics import PYRRHIC
from zareba_plugins.narrow import NARROWEST


@hookimpl
def zareba_house_rules() -> Iterable[Path]:
    """Give every house rule file in `rules`."""
    found = (Path(__file__).parent / "rules").glob("*/*")
    return [file for file in found if file.suffix in (".yaml", ".py") or (file / "rule.yaml").is_file()]


@hookimpl
def zareba_agents() -> Mapping[str, Callable[..., Any]]:
    """Give two commanders of other tempers: one counts what he inflicts half again, the other what he suffers."""
    return {"bold": partial(Doctrine, aggression=1.5), "cautious": partial(Doctrine, caution=1.5)}


@hookimpl
def zareba_metrics() -> Sequence[Metric]:
    """Give one metric: how often winning costs more than losing."""
    return [PYRRHIC]


@hookimpl
def zareba_sections() -> Sequence[ReportSection]:
    """Give one section of reports: the game that was nearly lost, for each variant."""
    return [NARROWEST]


@hookimpl
def zareba_sheets() -> Sequence[SheetTable]:
    """Give one table of quick sheets: how often dice come to a number."""
    return [CHANCES]


@hookimpl
def zareba_commands() -> Mapping[str, Callable[..., Any]]:
    """Give the command that carries the men who are left into the next battle."""
    from zareba_plugins.campaign import campaign

    return {"campaign": campaign}
