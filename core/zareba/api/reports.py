"""What a section of a report or a table of quick sheets imports: the records of whole games, and what the pages show."""

from zareba.analysis.games.records import GameRecord
from zareba.report.plugin_sections import ReportSection, SheetTable

__all__ = ["GameRecord", "ReportSection", "SheetTable"]
