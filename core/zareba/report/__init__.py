"""The HTML report of a comparison: one self-contained file, without scripts, identical for identical input."""

from __future__ import annotations

from zareba.report.page import Report, render

__all__ = ["Report", "render"]
