"""`zareba check` reads a Python house rule without running it, and reports the errors a reviewer would find."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from zareba.base.errors import ZarebaError
from zareba.cli import app
from zareba.plugins.entry_points import house_rule_files
from zareba.plugins.placeholder_check import invalid_texts, unfilled_placeholders
from zareba.plugins.static_check import source_faults, unrun_house_rule
from zareba.registry import find_house_rule, load_rules, ruleset, ruleset_names

HEAD = "from zareba.api import Modifier, hookimpl\n"
HOOK = "\n@hookimpl\ndef zareba_turn(table):\n    table.emit('note', 'H-1', text='dawn')\n"
BOOM = "\nraise RuntimeError('this ran')\n"
Check = Callable[..., Any]


@pytest.fixture
def check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Check:
    """Return a function that writes a house rule and checks it with the given options."""
    monkeypatch.chdir(tmp_path)

    def run(text: str, *options: str, name: str = "club.py") -> Any:
        (tmp_path / name).write_text(text, encoding="utf-8")
        return CliRunner().invoke(app, ["check", *options, name])

    return run


# --- the rule does not run --------------------------------------------------------------------------------------------


def test_python_is_read_and_not_run_unless_asked(check: Check) -> None:
    read = check(HEAD + HOOK + BOOM)
    assert (read.exit_code, read.stdout) == (0, "club.py: fine\n")
    assert "its Python was read, not run; 'zareba check --run club.py' runs it" in read.stderr
    for option in (["--run"], ["--play", "1"]):
        run = check(HEAD + HOOK + BOOM, *option)
        assert run.exit_code == 1 and "this ran" in run.stderr
    fine = check(HEAD + HOOK, "--run")
    assert (fine.exit_code, fine.stdout, fine.stderr) == (0, "club.py: fine\n", "")


def test_folders_evenings_and_required_rules_do_not_run_either(check: Check, tmp_path: Path) -> None:
    folder = tmp_path / "storm"
    folder.mkdir()
    (folder / "rule.py").write_text(HEAD + HOOK + BOOM, encoding="utf-8")
    (folder / "rule.yaml").write_text("house_rule: storm\nruleset: vcc\n", encoding="utf-8")
    done = CliRunner().invoke(app, ["check", str(folder)])
    assert done.exit_code == 0 and "not run" in done.stderr
    (tmp_path / "club.py").write_text(HEAD + HOOK + BOOM, encoding="utf-8")
    evening = "evening: Friday\nruleset: vcc\nscenario: patrol_clash\nhouse_rules: [club.py]\n"
    done = check(evening, name="friday.yaml")
    assert done.exit_code == 0 and "the Python of club.py was read, not run" in done.stderr
    needs = "house_rule: needs\nruleset: vcc\nrequires: [./club.py]\nchanges:\n  - {set: mg_overheat, to: 'off'}\n"
    done = check(needs, name="needs.yaml")
    assert "this ran" not in done.stderr


# --- imports ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("from zareba_rulesets.vcc.chapters.fire import fire", "belongs to a ruleset.*zareba.api.call"),
        ("import zareba_rulesets.vcc", "belongs to a ruleset"),
        ("from zareba_rulesets import vcc as rules", "belongs to a ruleset"),
        ("def f():\n    from zareba_rulesets.vcc.forces import Battle", "belongs to a ruleset"),
        (
            "from zareba.house_rules import Kept",
            "'zareba.house_rules.Kept' is private to zareba.*import from zareba.api",
        ),
        ("import zareba.registry", "'zareba.registry' is private"),
        ("import zareba\nload = zareba.registry.load_rules", "'zareba.registry' is private"),
        ("from zareba import registry", "'zareba.registry' is private"),
    ],
)
def test_imports_of_rulesets_and_of_private_modules_are_refused(check: Check, line: str, said: str) -> None:
    done = check(f"{HEAD}{line}\n{HOOK}")
    assert done.exit_code == 1
    assert __import__("re").search(f"club.py:[23]:\\d+: house rule 'club': .*{said}", done.stderr), done.stderr


def test_api_names_may_be_imported(check: Check) -> None:
    text = "import zareba\nfrom zareba import hookimpl\nfrom zareba.api.metrics import Metric\nimport zareba.api\nimport math\n"
    assert check(text + HOOK.replace("@hookimpl", "@zareba.hookimpl")).exit_code == 0


def test_a_rule_with_private_imports_still_loads(tmp_path: Path) -> None:
    file = tmp_path / "club.py"
    file.write_text(f"{HEAD}from zareba_rulesets.vcc.forces import Battle\n{HOOK}", encoding="utf-8")
    load_rules("vcc", None, [find_house_rule(str(file))])


def test_the_helper_modules_of_an_installed_rule_are_checked_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "sudan_club"
    (package / "rules").mkdir(parents=True)
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "helpers.py").write_text("from zareba_rulesets.vcc.forces import Battle\n", encoding="utf-8")
    rule = package / "rules" / "dust.py"
    rule.write_text(f"{HEAD}from sudan_club.helpers import Battle\n{HOOK}", encoding="utf-8")
    monkeypatch.setattr("zareba.plugins.static_check.packages", lambda: [package])
    (found,) = source_faults(unrun_house_rule(rule))
    assert found.file == str(package / "helpers.py") and "belongs to a ruleset" in found.message


# --- honest mistakes --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("import numpy as np\ndef f():\n    return np.random.default_rng().integers(6)", 4),
        ("from numpy.random import randint", 2),
        ("from numpy import random as dice", 2),
        ("import numpy.random", 2),
        ("from scipy.stats import norm\ndef f():\n    return norm.rvs()", 4),
        ("import scipy.stats as st\ndef f():\n    return st.norm(0, 1).rvs(3)", 4),
        ("from statistics import NormalDist\ndef f():\n    return NormalDist(0, 1).samples(3)", 4),
        ("def f(unit):\n    return hash(unit.spec.id) % 6", 3),
        ("seen = {}\ndef f(unit):\n    seen[unit] = True", 4),
        ("seen = []\ndef f(unit):\n    seen.append(unit)", 4),
        ("seen: set[str] = set()\ndef f(unit):\n    def g():\n        seen.add(unit)", 5),
        ("from collections import Counter\nseen = Counter()\ndef f(unit):\n    seen[unit] += 1", 5),
        ("def f(unit, seen=[]):\n    seen.append(unit)", 3),
        ("def f(unit, *, seen={}):\n    seen[unit] = 1", 3),
        ("def f():\n    f.count = 1", 3),
        ("class Memory:\n    shots = 0\ndef f():\n    Memory.shots += 1", 5),
        ("class Memory:\n    pass\nmemory = Memory()\ndef f():\n    memory.shots = 1", 6),
        ("import itertools\nturns = itertools.count()\ndef f():\n    return next(turns)", 5),
        ("def f(work):\n    while True:\n        try:\n            work()\n        except BaseException:\n            pass", 6),
        ("def f(work):\n    try:\n        work()\n    except:\n        pass", 5),
    ],
)  # fmt: skip
def test_common_mistakes_are_found_at_their_line(check: Check, text: str, line: int) -> None:
    done = check(f"{HEAD}{text}\n{HOOK}")
    assert done.exit_code == 1
    assert f"club.py:{line}:" in done.stderr


@pytest.mark.parametrize(
    "text",
    [
        "import numpy as np\ndef f(a):\n    return np.mean(a)",
        "from statistics import mean\ndef f(samples):\n    return mean(samples)",
        "from zareba.api import StateVariable\nrounds = StateVariable('rounds', 3)\ndef f(table, unit):\n    rounds[table, unit] = 2\n    rounds.add(table, unit, -1)",
        "TABLE = {1: 'dust'}\nTABLE[2] = 'rain'\ndef f(n):\n    return TABLE[n]",
        "def f(units):\n    seen = set()\n    for unit in units:\n        seen.add(unit)\n    return seen",
        "seen = []\ndef f(seen):\n    seen.append(1)",
        "def f(work):\n    try:\n        work()\n    except BaseException:\n        raise",
        "def f(unit):\n    unit.mark('jest')\n    unit.bases = 2",
    ],
)
def test_correct_code_is_not_reported(check: Check, text: str) -> None:
    done = check(f"{HEAD}{text}\n{HOOK}")
    assert done.exit_code == 0, done.stderr


# --- names and conditions ---------------------------------------------------------------------------------------------


MODIFIER = (
    HEAD
    + "\n@hookimpl\ndef zareba_modifiers():\n    return {'fire_dice': [Modifier('far', 'H-1', 'add', 1, when=%s)]}\n"
)


@pytest.mark.parametrize(
    ("when", "said"),
    [
        ("{'band': 'extreme'}", "there is no value of this fact 'extreme'"),
        ("{'band': 'lang'}", "did you mean 'long'?"),
        ("{'band': {'not': 'lang'}}", "did you mean 'long'?"),
        ("{'band': {'in': ['long', 'lang']}}", "there is no value of this fact 'lang'; did you mean 'long'?"),
        ("{'bnad': 'long'}", "there is no fact of fire_dice called 'bnad'; did you mean 'band'?"),
    ],
)
def test_a_condition_that_never_holds_is_refused_in_python_as_in_yaml(
    check: Check, tmp_path: Path, when: str, said: str
) -> None:
    text = MODIFIER % when
    read = check(text)
    assert read.exit_code == 1 and said in read.stderr and "club.py:5:" in read.stderr
    run = check(text.replace("(", "(  # ", 0), "--run")
    assert run.exit_code == 1 and said in run.stderr
    with pytest.raises(ZarebaError, match="far"):
        load_rules("vcc", None, [find_house_rule(str(tmp_path / "club.py"))])


def test_the_same_condition_is_refused_in_yaml(check: Check) -> None:
    entry = "{rule: H-1, summary: far, when: {band: extreme}, add: 1}"
    text = f"house_rule: far\nruleset: vcc\nchanges:\n  - add: tallies.fire_dice.modifiers.far\n    entry: {entry}\n"
    done = check(text, name="far.yaml")
    assert done.exit_code == 1 and "there is no value of this fact 'extreme'" in done.stderr


def test_conditions_that_can_hold_are_not_reported(check: Check) -> None:
    text = (MODIFIER % "{'band': 'long', 'game.turn': 3}").replace("fire_dice", "shooting")
    assert check("RULESETS = ('vcc',)\n" + text).exit_code == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def zareba_modifiers():\n    return {'fire_dcie': []}", "there is no tally 'fire_dcie'; did you mean 'fire_dice'?"),
        ("def zareba_procedures(ruleset):\n    return {'fire.shoot': len} if ruleset == 'vcc' else {}", "there is no procedure 'fire.shoot'"),
        ("def zareba_trun(table):\n    pass", "implements a hook that does not exist: zareba_trun; did you mean 'zareba_turn'?"),
        ("def zareba_turn(tabel):\n    pass", "zareba_turn has the argument tabel; its possible arguments are"),
        ("async def zareba_turn(table):\n    pass", "async def"),
        ("def zareba_steps(ruleset):\n    return {}", "changes nothing in"),
    ],
)  # fmt: skip
def test_names_that_do_not_exist_are_found_without_running(check: Check, text: str, said: str) -> None:
    done = check(f"{HEAD}\n@hookimpl\n{text}\n")
    assert done.exit_code == 1 and said in done.stderr


# --- placeholders -----------------------------------------------------------------------------------------------------

WORDS = HEAD + "\n@hookimpl\ndef zareba_words():\n    return {%r: %r}\n"
IN_YAML = "house_rule: plain\nruleset: vcc\nwords:\n  event rallied: %s\n"


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("{unit} rallies with {dei}", "{dei}, which no such event fills under vcc; did you mean {die}?"),
        ("{unit} rallies in {weather}", "{weather}, which no such event fills under vcc; it may have {die} and {unit}"),
        ("{unit} rallies with {}", "{}, which no such event fills under vcc; it may have {die} and {unit}"),
    ],
)
def test_a_placeholder_that_no_event_of_its_kind_fills_is_refused(
    check: Check, tmp_path: Path, template: str, said: str
) -> None:
    text = "RULESETS = ('vcc',)\n" + WORDS % ("event rallied", template)
    for option in ([], ["--run"]):
        read = check(text, *option)
        assert read.exit_code == 1 and "club.py:6:30: house rule 'club': the text for 'event rallied'" in read.stderr
        assert said in " ".join(read.stderr.split())
    sheet = check(IN_YAML % f"'{template}'", name="plain.yaml")
    assert sheet.exit_code == 1 and "plain.yaml:4:3: words.event rallied: house rule 'plain'" in sheet.stderr
    assert said in " ".join(sheet.stderr.split())
    with pytest.raises(ZarebaError, match="no such event fills"):
        load_rules("vcc", None, [find_house_rule(str(tmp_path / "club.py"))])


def test_an_event_without_fields_has_no_placeholders(check: Check) -> None:
    told = "\n@hookimpl\ndef zareba_turn(table):\n    table.tell('dust', 'H-1')\n"
    done = check(WORDS % ("event dust", "{who} is in the dust") + told)
    assert done.exit_code == 1 and "{who}, which no such event fills under afriboria" in done.stderr
    assert done.stderr.rstrip().endswith("; it has none")


def test_the_placeholders_of_questions_and_options_are_checked_without_running(check: Check) -> None:
    done = check(WORDS % ("question fire at", "{unit}: fire at whom?"))
    assert done.exit_code == 1 and "club.py:5:33:" in done.stderr and "{actor}, {seat}, {side}" in done.stderr


@pytest.mark.parametrize(
    "text",
    [
        WORDS % ("event rallied", "{unit} takes heart again"),
        WORDS % ("event note", "{anything}"),
        WORDS % ("event charge", "{unit} charges {{home}}"),
        # A rule fills the placeholders of the events that it emits.
        HEAD + "\n@hookimpl\ndef zareba_turn(table):\n    table.tell('gun', 'H-1', hour=table.turn)\n"
        "\n@hookimpl\ndef zareba_words():\n    return {'event gun': 'the {hour} o clock gun'}\n",
        # Fields that are computed in play may have any name.
        HEAD + "\n@hookimpl\ndef zareba_turn(table):\n    table.tell('gun', 'H-1', **{'hour': 6})\n"
        "\n@hookimpl\ndef zareba_words():\n    return {'event gun': 'the {hour} o clock gun'}\n",
    ],
)
def test_placeholders_that_are_filled_are_not_reported(check: Check, text: str) -> None:
    done = check(text)
    assert done.exit_code == 0, done.stderr


@pytest.mark.parametrize("name", sorted(house_rule_files()))
def test_the_texts_of_shipped_rules_are_filled(name: str) -> None:
    rule = unrun_house_rule(house_rule_files()[name])
    finds = [partial(ruleset, name) for name in rule.systems or ruleset_names()]
    assert [*invalid_texts(rule), *unfilled_placeholders(rule, finds, [rule])] == []
