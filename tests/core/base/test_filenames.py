"""File names that every operating system accepts."""

from __future__ import annotations

from pathlib import Path

import pytest

from zareba.base.errors import ZarebaError
from zareba.base.filenames import check_output, is_game_name, is_reserved, name_fault

RESERVED = [
    "CON",
    "con",
    "Nul",
    "prn",
    "AUX",
    "COM1",
    "com9",
    "LPT1",
    "lpt¹",
    "CONIN$",
    "nul.txt",
    "con.tar.gz",
    "aux .x",
]


@pytest.mark.parametrize("name", RESERVED)
def test_names_reserved_by_windows_are_refused_with_any_ending(name: str) -> None:
    assert is_reserved(name)
    assert name_fault(name)
    with pytest.raises(ZarebaError, match="is a reserved name on Windows; choose another"):
        check_output(Path("somewhere") / name)


@pytest.mark.parametrize("name", ["console", "com", "com10", "lpt", "null", "nul_and_void", "auxiliaries", "x.con"])
def test_names_that_only_resemble_reserved_ones_are_fine(name: str) -> None:
    assert not is_reserved(name)
    assert not name_fault(name)
    assert check_output(Path(name)) == Path(name)


@pytest.mark.parametrize("name", ["", " ", "   ", "\u00a0", "\u3000 ", "\u2800"])
def test_blanks_are_not_names(name: str) -> None:
    assert name_fault(name)
    assert not is_game_name(name)


@pytest.mark.parametrize("name", ["x ", " x", "x.", "x..", ".x", "..", "a/b", "a\\b", "a:b", "a*b", "a\nb", "x" * 61])
def test_names_that_a_file_system_changes_or_cannot_keep_are_refused(name: str) -> None:
    assert name_fault(name)


@pytest.mark.parametrize("name", ["club night 3", "Rorke", "a.b", "میوند", "شمشیر\u200cزنان", "पहली लड़ाई", "کابل ۱۸۸۰"])
def test_names_in_any_script_are_fine(name: str) -> None:
    assert name_fault(name) == ""
    assert is_game_name(name)


@pytest.mark.parametrize("path", [" ", "out/ ", "out.", "out/x ", "nul/x.html", "out /x.html"])
def test_outputs_that_windows_cannot_keep_are_refused(path: str) -> None:
    with pytest.raises(ZarebaError):
        check_output(Path(path))


@pytest.mark.parametrize("path", ["", ".", "..", "../x.html", "/dev/null", "out/report.html"])
def test_other_outputs_are_fine(path: str) -> None:
    assert check_output(Path(path)) == Path(path)


def test_an_existing_folder_may_have_any_name(tmp_path: Path) -> None:
    (tmp_path / "aux").mkdir()
    assert check_output(tmp_path / "aux" / "report.html")
