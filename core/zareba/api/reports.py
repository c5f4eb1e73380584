"""What a section of a report imports besides `zareba.api`: the records of whole games, and what the page shows."""

from zareba.analysis.games.records import GameRecord
from zareba.report.sections import ReportSection

__all__ = ["GameRecord", "ReportSection"]
