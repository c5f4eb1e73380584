"""The report page: one self-contained file without scripts, every name escaped, readable without the plotting extra."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from typing import Any

import pytest
from tests.core.analysis.fabricated import run_games

from zareba.analysis.compare import Comparison, compare
from zareba.analysis.findings.findings import summarise
from zareba.analysis.games.records import Variant
from zareba.report import Report, render
from zareba.report.view import view_of

AGENTS = (("british", "doctrine"), ("zulu", "doctrine"))
NASTY = '<script>alert("x")</script>&amp;<!--$x^'
"""A name that is no markup in HTML and no formula in a plot."""


def comparison(name: str = "fierce one") -> Comparison:
    variants = (Variant("mild", "mild"), Variant(name, "fierce", (("bite", 0.01),), (name,)))
    notes = {name: (f"{name} at night",)}
    said = {name: ("british: the other side",)}
    return compare(name, variants, 8, 7, 1, AGENTS, run_games, header={"command": name}, notes=notes, overrides=said)


def page(of: Comparison) -> Report:
    return render(summarise(of), of.records)


class Tags(HTMLParser):
    """An HTML parser that collects tags, ids and attribute names, and checks that elements nest."""

    VOID = ("meta", "path", "use", "rect")

    def __init__(self, html: str) -> None:
        super().__init__()
        self.depth = 0
        self.unfolded: list[str] = []
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.depth += tag == "details"
        if not self.depth:
            self.unfolded.append(tag)
        self.attributes += attrs
        self.ids += [value for name, value in attrs if name == "id" and value]

    def handle_endtag(self, tag: str) -> None:
        self.depth -= tag == "details"


@pytest.fixture(scope="module")
def ordinary() -> str:
    return page(comparison()).html


def test_the_page_has_five_plots_and_both_themes(ordinary: str) -> None:
    assert Tags(ordinary).tags.count("svg") == 5
    assert "prefers-color-scheme: dark" in ordinary
    assert "@media print" in ordinary
    assert 'name="viewport"' in ordinary


def test_the_page_requests_and_runs_nothing(ordinary: str) -> None:
    tags = Tags(ordinary)
    assert not {"script", "link", "img", "iframe", "object"} & set(tags.tags)
    for name, value in tags.attributes:
        assert not name.startswith("on")
        if name in ("href", "xlink:href", "src"):
            assert value is not None and value.startswith(("#", "watch?variant=")), "a game to be watched, when clicked"


def test_ids_are_unique_and_references_hit(ordinary: str) -> None:
    tags = Tags(ordinary)
    assert len(tags.ids) == len(set(tags.ids))
    references = re.findall(r'(?:url\(#|href="#)([^")]+)', ordinary)
    assert references
    assert set(references) <= set(tags.ids)


def test_page_does_not_depend_on_personal_plot_settings(ordinary: str) -> None:
    import matplotlib

    with matplotlib.rc_context({"axes.grid": True, "font.size": 20}):
        assert page(comparison()).html == ordinary


def test_the_page_shows_the_values_of_the_summary(ordinary: str) -> None:
    summary = summarise(comparison())
    for metric in summary["metrics"]:
        assert metric["title"] in unescape(ordinary)
    assert "What losses come from" in ordinary
    assert "Results between AI players" in ordinary
    assert "fierce one at night" in ordinary
    assert "british: the other side" in ordinary
    assert "primary" in ordinary and "exploratory" in ordinary


def test_the_first_screen_names_a_system_before_any_table(ordinary: str) -> None:
    summary = summarise(comparison())
    first = ordinary[: ordinary.index("<table")]
    assert "Which ruleset shall we use?" in first
    of_one = summary | {"variants": [variant | {"ruleset": "mild"} for variant in summary["variants"]]}
    assert view_of(of_one).heading == "Which rules shall we use?"
    for row in summary["advice"]["rows"]:
        assert row["balance"]["words"] in first and all(measure["words"] in first for measure in row["measures"])
    for pick in summary["advice"]["picks"]:
        assert pick["wish"].lower() in first.lower(), "several wishes may share an answer"


def test_tables_plots_and_games_are_folded(ordinary: str) -> None:
    tags = Tags(ordinary)
    assert not {"table", "svg", "figure"} & set(tags.unfolded)
    assert ordinary.count("<details") > 8
    assert "with the commands that replay them" in ordinary


def test_the_answer_comes_first_and_the_terms_last(ordinary: str) -> None:
    order = ["shall we use?", 'class="picks"', 'class="first_screen"', "Certainty:", "How long does a game take?",
             "All numbers", 'id="terms"', "95 % confidence interval:", "Effect size:"]  # fmt: skip
    places = [ordinary.index(words) for words in order]
    assert places == sorted(places)
    assert ordinary.count("19 in 20") == 1, "each term is explained once"


def test_unsupported_parts_are_one_click_away(ordinary: str) -> None:
    leads = re.findall(r'leaves out <a href="#([\w-]+)">', ordinary)
    assert leads and "leaves out nothing" in ordinary
    for anchor in leads:
        after = ordinary[ordinary.index(f'id="{anchor}"') :]
        assert "<ul><li>" in after[: after.index("</ul>")]


def test_report_gives_an_upper_bound_for_unseen_lead_changes() -> None:
    summary = summarise(comparison())
    (measure,) = (measure for measure in summary["advice"]["rows"][0]["measures"] if measure["unit"] == "changes")
    measure |= {"value": 0.0, "low": 0.0, "high": 0.038}
    line = view_of(summary).first_screen.lines[0]
    assert "0.0 (0.0 to 0.04)" in [measure.figures for measure in line.measures]


def test_plots_are_placed_under_their_questions(ordinary: str) -> None:
    for question, picture in (("Who wins?", "Who wins"), ("How bloody is it?", "What losses come from")):
        after = ordinary[ordinary.index(f"<h2>{question}</h2>") :]
        assert picture in after[: after.index("<h2>", 4)]


def test_names_are_escaped_everywhere() -> None:
    html = page(comparison(NASTY)).html
    assert "<script" not in html
    assert "<!--" not in html
    assert "&lt;script&gt;" in html and "$x^" in html
    assert Tags(html).tags.count("svg") == 5


@pytest.mark.parametrize("missing", ["matplotlib", "jinja2"])
def test_without_the_extra_the_page_explains_how_to_get_plots(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    monkeypatch.delitem(sys.modules, "zareba.report.plots", raising=False)
    report = page(comparison(NASTY))
    tags = Tags(report.html).tags
    assert "svg" not in tags and "table" in tags and "script" not in tags
    assert "pip install &#39;zareba[report]&#39;" in report.html.replace("&#x27;", "&#39;")
    assert len(report.remarks) == 1
    assert "Decisive moment" in report.html


def test_a_partial_run_is_marked() -> None:
    whole = comparison()
    part: dict[str, Any] = {"records": whole.records[:10], "partial": True}
    assert "interrupted before the end" in page(replace(whole, **part)).html
