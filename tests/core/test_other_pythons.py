"""The script that plays games on other Python versions: its messages and failures if none are installed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from tests import other_pythons

SECOND = {(3, 99): Path("/nowhere/python3.99")}


@pytest.mark.parametrize(
    ("found", "same", "demanded", "failed"),
    [
        ({}, None, False, False),
        ({}, None, True, True),
        (SECOND, None, False, False),
        (SECOND, None, True, True),
        (SECOND, True, True, False),
        (SECOND, False, False, True),
    ],
)
def test_single_python_is_reported_and_fails_if_two_are_required(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    found: dict[tuple[int, int], Path],
    same: bool | None,
    demanded: bool,
    failed: bool,
) -> None:
    monkeypatch.setattr(other_pythons, "other_pythons", lambda: found)
    monkeypatch.setattr(other_pythons, "plays_the_same", lambda version, python: same)
    monkeypatch.setattr(sys, "argv", ["other_pythons.py"])
    monkeypatch.setenv("OTHER_PYTHONS", "demanded" if demanded else "")
    with pytest.raises(SystemExit) as end:
        other_pythons.main()
    assert bool(end.value.code) is failed
    assert ("ONLY ONE PYTHON" in capsys.readouterr().out) is (same is None)


@pytest.mark.parametrize("found", [{}, SECOND])
def test_the_list_fails_when_it_is_empty(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], found: dict[tuple[int, int], Path]
) -> None:
    monkeypatch.setattr(other_pythons, "other_pythons", lambda: found)
    monkeypatch.setattr(sys, "argv", ["other_pythons.py", "--list"])
    with pytest.raises(SystemExit) as end:
        other_pythons.main()
    assert bool(end.value.code) is (not found)
    assert ("3.99" in capsys.readouterr().out) is bool(found)
