"""The only record of a session: its lines, and the file that only grows."""

from zareba.journal.journal import FORMAT, Journal, JournalFile, RulePlayed, games_folder, read_journal

__all__ = ["FORMAT", "Journal", "JournalFile", "RulePlayed", "games_folder", "read_journal"]
