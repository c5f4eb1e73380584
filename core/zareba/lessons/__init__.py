"""The tutorial: a small battle that teaches a ruleset step by step, at the prompt or on the page."""

from __future__ import annotations

from zareba.lessons.battle import first_steps, start_tutorial
from zareba.lessons.on_page import PageLesson, page_lesson
from zareba.lessons.primer import Primer, read_primer
from zareba.lessons.teacher import Teacher, progress_file

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
