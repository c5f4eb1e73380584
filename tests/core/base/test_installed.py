"""Entry points of installed packages are found at once after a package has been added."""

from __future__ import annotations

from pathlib import Path

import pytest

from zareba.base.installed import entry_points


def install(folder: Path, name: str) -> None:
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(f"[zareba.tests]\n{name} = {name}:play\n", encoding="utf-8")


def test_a_package_added_to_a_folder_or_in_a_new_folder_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def names() -> list[str]:
        return sorted(entry.name for entry in entry_points("zareba.tests"))

    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    monkeypatch.syspath_prepend(str(tmp_path / "one"))
    assert names() == []
    install(tmp_path / "one", "sudan")
    assert names() == ["sudan"]
    install(tmp_path / "two", "zulu")
    assert names() == ["sudan"]
    monkeypatch.syspath_prepend(str(tmp_path / "two"))
    assert names() == ["sudan", "zulu"]
