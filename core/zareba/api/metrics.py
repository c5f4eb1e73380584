"""What a metric imports besides `zareba.api`: the records of whole games, and what is measured of them."""

from zareba.analysis.measures import lost
from zareba.analysis.metrics import Metric, Sample, Scope
from zareba.analysis.records import GameRecord

__all__ = ["GameRecord", "Metric", "Sample", "Scope", "lost"]
