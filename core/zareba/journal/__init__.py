"""The journal: the append-only file that records a session."""

from zareba.journal.journal import FORMAT, Journal, JournalFile, RulePlayed, games_folder, read_journal

__all__ = ["FORMAT", "Journal", "JournalFile", "RulePlayed", "games_folder", "read_journal"]
