"""What a metric imports besides `zareba.api`: the records of whole games, and what is measured of them."""

from zareba.analysis.games.measures import lost
from zareba.analysis.games.metrics import Metric, Sample, Scope
from zareba.analysis.games.records import GameRecord

__all__ = ["GameRecord", "Metric", "Sample", "Scope", "lost"]
