"""One self-contained page for a comparison: no script, no outside file, the same bytes every time."""

from __future__ import annotations

from zareba.report.page import Report, render

__all__ = ["Report", "render"]
