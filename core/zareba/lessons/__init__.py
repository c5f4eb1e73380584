"""The tutorial: a small battle that teaches a ruleset step by step, at the prompt or on the page."""

from __future__ import annotations

from zareba.lessons.teacher import (
    PageLesson,
    Primer,
    Teacher,
    first_steps,
    page_lesson,
    progress_file,
    read_primer,
    start_tutorial,
)

__all__ = [
    "PageLesson",
    "Primer",
    "Teacher",
    "first_steps",
    "page_lesson",
    "progress_file",
    "read_primer",
    "start_tutorial",
]
