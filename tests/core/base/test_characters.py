"""Invisible characters: some are part of the spelling, others only hide or reverse text."""

from __future__ import annotations

import pytest

from zareba.base.hidden_characters import UNSEEN, fold, is_one_line

SPELT = {
    "Persian, between letters": "شمشیر\u200cزنان",
    "Persian, a plural": "تفنگ\u200cها",
    "Persian, after a digit": "گردان ۲\u200cام",
    "Persian, after a Latin word": "Gatling\u200cها",
    "Persian, the year of the Hijra": "۱۲۵۹ ه\u200d.ش",
    "Urdu": "بے\u200cخبر",
    "Pashto": "غازي\u200cان",
    "Hindi, a half letter": "क्\u200dष",
    "Hindi, a letter that does not join": "सिपाही क्\u200cष",
    "Marathi": "सर\u200dदार",
    "Bengali": "র\u200d্যাফেল",
    "Sinhala": "ශ්\u200dරී",
}

HIDDEN = {
    "between Latin letters": "fusi\u200cliers",
    "a joiner between Latin letters": "fusi\u200dliers",
    "at the end": "شمشیر\u200c",
    "at the beginning": "\u200cشمشیر",
    "a joiner at the beginning": "\u200dشمشیر",
    "twice": "شمشیر\u200c\u200cزنان",
    "a joiner twice": "क्\u200d\u200dष",
    "one joiner after the other": "क्\u200c\u200dष",
    "before a space": "شمشیر\u200c زنان",
    "after a space": "شمشیر \u200cزنان",
    "between Greek letters": "α\u200cβ",
    "between digits": "1\u200c2",
    "in a picture": "\U0001f468\u200d\U0001f469",
    "a zero-width space": "شم\u200bشیر",
    "a mark of direction": "شم\u200fشیر",
    "an Arabic mark of direction": "شم\u061cشیر",
    "a turn of direction": "شم\u202eشیر",
    "an isolate": "شم\u2067شیر",
    "a byte order mark": "شم\ufeffشیر",
    "a soft hyphen": "शि\u00adव",
}


@pytest.mark.parametrize("text", SPELT.values(), ids=SPELT)
def test_joiners_are_spelling_in_the_scripts_that_use_them(text: str) -> None:
    assert not UNSEEN.search(text)
    assert is_one_line(text)


@pytest.mark.parametrize("text", HIDDEN.values(), ids=HIDDEN)
def test_hidden_and_text_reversing_characters_are_found(text: str) -> None:
    assert UNSEEN.search(text)
    assert not is_one_line(text)


@pytest.mark.parametrize("text", ["two\nlines", "a\ttab", "a\x1b[2Jb"])
def test_several_lines_are_not_one_line(text: str) -> None:
    assert not is_one_line(text)


def test_texts_are_compared_without_case_and_joiners() -> None:
    assert fold("شمشیر\u200cزنان") == fold("شمشیرزنان")
    assert fold("Straße Of KABUL") == "strasse of kabul"
