"""The public API for metrics, in addition to `zareba.api`: the records of played games and their measures."""

from zareba.analysis.games.measures import lost
from zareba.analysis.games.metrics import Metric, Sample, Scope
from zareba.analysis.games.records import GameRecord

__all__ = ["GameRecord", "Metric", "Sample", "Scope", "lost"]
