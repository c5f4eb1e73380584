"""The cache of listing commands: used only while every byte of its sources is unchanged."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from zareba.plugins import listing_cache as module
from zareba.plugins.listing_cache import cached_listing

Ask = Callable[[], int]


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a package that is the only source of the cache, which is in a folder of the test."""
    folder = tmp_path / "package"
    (folder / "within").mkdir(parents=True)
    (folder / "a.py").write_text("one = 1\n", encoding="utf-8")
    (folder / "within" / "b.yaml").write_text("two: 2\n", encoding="utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(module, "_roots", lambda: [folder])
    monkeypatch.setattr(module, "_unhashed_files", lambda roots: [])
    return folder


@pytest.fixture
def ask() -> Ask:
    """Return a function that requests a listing and returns how often it has been computed so far."""
    worked_out: list[int] = []

    def again() -> int:
        def work_out() -> tuple[object, bool]:
            worked_out.append(1)
            return {"rows": [1, None]}, True

        assert cached_listing("rows", compute=work_out) == {"rows": [1, None]}
        return len(worked_out)

    return again


def test_a_listing_is_computed_once(root: Path, ask: Ask) -> None:
    assert [ask(), ask(), ask()] == [1, 1, 1]


def change_a_byte(root: Path) -> None:
    file = root / "within" / "b.yaml"
    before = file.stat()
    file.write_text("two: 3\n", encoding="utf-8")
    # Same length and same time: only the content differs.
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.mark.parametrize(
    "change",
    [
        change_a_byte,
        lambda root: (root / "new.py").write_text("", encoding="utf-8"),
        lambda root: (root / "a.py").unlink(),
        lambda root: (root / "a.py").rename(root / "c.py"),
    ],
)
def test_any_changed_file_updates_the_listing(root: Path, ask: Ask, change: Callable[[Path], object]) -> None:
    assert [ask(), ask()] == [1, 1]
    change(root)
    assert [ask(), ask()] == [2, 2]


def test_a_new_distribution_updates_the_listing(
    root: Path, ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert [ask(), ask()] == [1, 1]
    (tmp_path / "site" / "zulu-1.0.dist-info").mkdir(parents=True)
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path / "site")])
    assert [ask(), ask()] == [2, 2]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"key": "other", "answer": 5}', "\x00"])
def test_a_damaged_cache_file_is_recomputed(root: Path, ask: Ask, tmp_path: Path, text: str) -> None:
    assert ask() == 1
    (file,) = (tmp_path / "cache" / "zareba").iterdir()
    file.write_text(text, encoding="utf-8")
    assert [ask(), ask()] == [2, 2]


def test_listing_is_recomputed_without_a_cache_folder(root: Path, ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file", encoding="utf-8")
    assert [ask(), ask()] == [1, 2]


def test_uncacheable_listings_are_not_cached(root: Path) -> None:
    told = iter("ab")
    assert [cached_listing("rows", compute=lambda: (next(told), False)) for _ in "ab"] == ["a", "b"]


def test_listings_from_unknown_code_are_not_cached(
    root: Path, ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_unhashed_files", lambda roots: [tmp_path / "stray.py"])
    assert [ask(), ask()] == [1, 2]


def test_code_created_in_memory_is_excluded_from_the_hashes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = [Path(__file__).parents[3]]
    before = module._unhashed_files(known)
    assert not any(file.is_relative_to(known[0]) or "site-packages" in file.parts for file in before)
    stray = ModuleType("stray")
    stray.__file__ = str(tmp_path / "stray.py")
    monkeypatch.setitem(sys.modules, "stray", stray)
    assert set(module._unhashed_files(known)) - set(before) == {tmp_path.resolve() / "stray.py"}
