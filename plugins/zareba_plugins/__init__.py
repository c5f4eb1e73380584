"""The house rules, commanders and metric that come with zareba: small examples, one of each way to change a game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from zareba.api import Doctrine, hookimpl
from zareba.api.metrics import Metric
from zareba_plugins.metrics import PYRRHIC


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
