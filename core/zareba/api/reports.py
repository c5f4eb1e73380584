"""The public API for report sections and tables of quick sheets: the records of played games and the page elements."""

from zareba.analysis.games.records import GameRecord
from zareba.report.page import ReportSection, SheetTable

__all__ = ["GameRecord", "ReportSection", "SheetTable"]
