"""`compare`: same seed, same numbers whatever the jobs; variants named on the command line; files and a headline."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

COMPARE = ("compare", "patrol_clash", "--rulesets=vcc", "--agents=random", "--games=4", "--seed=9")


def test_jobs_do_not_change_a_byte(run: Any) -> None:
    one = run(*COMPARE, "--jobs=1", "--out=one", "--json")
    two = run(*COMPARE, "--jobs=2", "--out=two", "--json")
    assert one.exit_code == two.exit_code == 0, one.stderr + two.stderr
    assert json.loads(one.stdout) == json.loads(two.stdout) == json.loads(Path("one/summary.json").read_text())
    for name in ("summary.json", "games.csv", "report.html"):
        assert Path("one", name).read_bytes() == Path("two", name).read_bytes()
        assert f"written: one/{name}" in one.stderr


def test_variants_change_settings_and_house_rules(run: Any, house_rule: Path) -> None:
    changes = f"--variant=ours=mg_overheat:off,box_inches:4,{house_rule}"
    result = run(*COMPARE, changes, "--jobs=1", "--json")
    summary = json.loads(result.stdout)
    plain, ours = summary["variants"]
    assert plain["name"] == "vcc" and plain["settings"] == {} and plain["house_rules"] == []
    assert ours["name"] == "ours" and ours["ruleset"] == "vcc"
    assert ours["settings"] == {"mg_overheat": "off", "box_inches": 4}
    assert ours["house_rules"] == [str(house_rule)]
    assert summary["header"]["rules_digests"]["vcc"] != summary["header"]["rules_digests"]["ours"]
    assert f"--variant=ours=mg_overheat:off,box_inches:4,{house_rule}" in summary["header"]["command"]


def test_the_headline_has_a_column_a_variant(run: Any) -> None:
    result = run(*COMPARE, "--variant=slow=box_inches:4", "--jobs=1", "--out=out")
    head, *rows = result.stdout.splitlines()
    assert head.split() == ["metric", "vcc", "slow"]
    assert any(row.startswith("Length") for row in rows)
    assert "Who wins? " in result.stdout
    assert "8/8 games" in result.stderr


def test_differing_players_change_sides(run: Any) -> None:
    args = [arg for arg in COMPARE if not arg.startswith("--agents")]
    summary = json.loads(run(*args, "--agents=doctrine,random", "--jobs=1", "--json").stdout)
    assert summary["header"]["agents"] == {"patrol": "doctrine", "tribesmen": "random"}
    assert summary["header"]["swapped"] is True


def test_a_parted_setting_is_told_apart(run: Any) -> None:
    result = run(*COMPARE, "--variant=a=figures_per_base.infantry:5", "--jobs=1", "--json")
    assert json.loads(result.stdout)["variants"][1]["settings"] == {"figures_per_base.infantry": 5}


def test_files_whose_writing_is_broken_off_are_not_there_at_all(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    write = Path.write_bytes

    def broken_off(file: Path, content: bytes) -> int:
        write(file, content[: len(content) // 2])
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "write_bytes", broken_off)
    result = run(*COMPARE, "--jobs=1", "--out=out")
    assert result.exit_code == 130
    assert "interrupted" in result.stderr
    assert list(Path("out").iterdir()) == []
