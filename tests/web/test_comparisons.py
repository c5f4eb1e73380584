"""Comparisons on the page: starting, watching, stopping, continuing and reading them; their games on the table."""

from __future__ import annotations

import json
import re
import time
from html import unescape
from typing import Any
from urllib.parse import urlsplit

import pytest
from tests.web.conftest import Chair, Club

ASKED = {"scenario": "patrol_clash", "rulesets": ["vcc", "afriboria"], "games": "4", "seed": "3", "player": "random"}


def started(club: Club, **fields: Any) -> str:
    answer = club.client.post("/comparisons", data={**ASKED, **fields})
    assert answer.status_code == 303, unescape(answer.text)
    return str(answer.headers["location"])


def wait(club: Club, address: str, seconds: float = 120) -> Any:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        told = club.client.get(f"{address}/progress").json()
        if told["state"] != "under_way":
            return told
        time.sleep(0.2)
    raise AssertionError("the comparison did not end")


@pytest.mark.usefixtures("no_matplotlib")
def test_a_comparison_shows_progress_a_report_and_games_on_the_table(club: Club) -> None:
    """The sides get forces of equal points, which the page, the report and the games show."""
    assert 'name="equal_points"' in club.client.get("/comparisons").text
    address = started(club, equal_points="1", games="2")
    assert "forces of equal points; 2 games each" in club.client.get(address).text
    first = club.client.get(address).text
    assert 'data-state="under_way"' in first and "Stop and report the games so far" in first
    assert wait(club, address)["state"] == "done"
    page = club.client.get(address).text
    assert "Read the report" in page
    assert "no rulebook here prices units" in unescape(page)
    report = club.client.get(f"{address}/report.html")
    assert "script-src" not in report.headers["content-security-policy"]
    assert "default-src 'none'" in report.headers["content-security-policy"] and "<script" not in report.text
    assert f'<a href="{address}">Back to the comparison</a>' in report.text
    summary = json.loads(club.client.get(f"{address}/summary.json").text)
    assert summary["header"]["games"] == 2 and summary["header"]["seed"] == 3
    assert summary["header"]["title"].endswith("forces of equal points")
    links = [unescape(link) for link in re.findall(r'href="(watch\?[^"]+)"', report.text)]
    assert links and all(re.fullmatch(r"watch\?variant=(vcc|afriboria)&game=[01]", link) for link in links)
    opened = club.client.get(f"{address}/{links[0]}")
    assert opened.status_code == 303 and opened.headers["location"].endswith("#replay")
    assert club.client.get(f"{address}/{links[0]}").headers["location"] == opened.headers["location"]
    watcher = Chair(club, urlsplit(opened.headers["location"]).path)
    told = watcher.parts()
    assert told["over"] and not told["seat"]
    assert watcher.get("/at?step=0").status_code == 200
    assert "Finished games: 1" in club.client.get("/").text
    assert address in club.client.get("/comparisons").text


@pytest.mark.usefixtures("no_matplotlib")
def test_a_comparison_interrupted_by_a_restart_continues_and_can_be_stopped_with_a_report(
    club: Club,
) -> None:
    address, folder = "/comparisons/patrol_clash-1", club.folder / "comparisons" / "patrol_clash-1"
    folder.mkdir(parents=True)
    asked = {
        "title": "Patrol clash",
        "words": "vcc; games each: 600",
        "command": ["compare", "patrol_clash", "--rulesets", "vcc", "--games", "600", "--jobs", "1", "--seed", "1"],
    }
    (folder / "asked.json").write_text(json.dumps(asked))
    (folder / "said.txt").write_text("4/600 games\n")
    page = club.client.get(address).text
    assert "Interrupted" in page and "Continue" in page
    assert club.client.post(f"{address}/again").status_code == 303
    refused = club.client.post("/comparisons", data=ASKED)
    assert refused.status_code == 400 and "is running; wait until it ends" in unescape(refused.text)
    until = time.monotonic() + 60
    while " of 600 games" not in club.client.get(f"{address}/progress").json()["html"]:
        assert time.monotonic() < until
        time.sleep(0.2)
    assert club.client.post(f"{address}/stop").status_code == 303
    assert wait(club, address)["state"] == "stopped"
    summary = json.loads(club.client.get(f"{address}/summary.json").text)
    played = summary["variants"][0]["games"]
    assert summary["header"]["partial"] and 0 < played < 600
    assert club.client.post(f"{address}/stop").status_code == 409


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"scenario": "../../etc/passwd"}, "there is no scenario"),
        ({"scenario": "patrol_clsh"}, "did you mean 'patrol_clash'"),
        ({"rulesets": ["vcc", "--help"]}, "there is no ruleset"),
        ({"rulesets": []}, "choose at least one"),
        ({"games": "2001"}, "at most 2000 games"),
        ({"games": "-3"}, "whole number"),
        ({"player": "/bin/sh"}, "there is no player"),
        ({"variants": "mine = ./evil.py"}, "there is no house rule"),
        ({"variants": "--out = gatling_never_jams"}, "write a variant as"),
        ({"variants": "a = mg_overheat:maybe"}, "mg_overheat"),
        ({"variants": "nothing"}, "write a variant as"),
        ({"seed": "x"}, "whole number"),
    ],
)
def test_invalid_comparisons_are_refused_and_start_nothing(club: Club, fields: dict[str, Any], told: str) -> None:
    answer = club.client.post("/comparisons", data={**ASKED, **fields})
    assert answer.status_code == 400 and told in unescape(answer.text), unescape(answer.text)[:1500]
    assert "Your comparisons" not in club.client.get("/comparisons").text
    assert not (club.folder / "comparisons").exists() or not list((club.folder / "comparisons").iterdir())


def test_other_visitors_cannot_open_comparisons_and_names_cannot_leave_the_folder(club: Club) -> None:
    stranger = club.stranger()
    assert stranger.get("/comparisons").status_code == 403
    assert stranger.post("/comparisons", data=ASKED).status_code == 403
    for name in ("nothing-1", "..%2f..%2fetc-1", "x"):
        assert club.client.get(f"/comparisons/{name}").status_code in (404, 409)
        assert club.client.get(f"/comparisons/{name}/report.html").status_code in (404, 409)
        assert club.client.get(f"/comparisons/{name}/watch?variant=vcc&game=0").status_code in (404, 409)
