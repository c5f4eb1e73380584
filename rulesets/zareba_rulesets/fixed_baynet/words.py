from __future__ import annotations
def event_sentence(*a): return ""
def option_phrase(*a): return ""
def question_sentence(*a): return ""
