"""The command line starts quickly: no command imports modules it does not need."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from zareba.cli import COMMANDS, command_function

HEAVY = (
    "pydantic",
    "ruamel",
    "rich",
    "matplotlib",
    "pyarrow",
    "jinja2",
    "concurrent.futures",
    "zareba.registry",
    "zareba.scenario",
    "zareba.session",
)


def _imported(*args: str) -> set[str]:
    """Return the modules loaded after a command has run in a separate process."""
    program = (
        "import sys\n"
        f"sys.argv = ['zareba', *{list(args)!r}]\n"
        "from zareba.cli import main\n"
        "try:\n    main()\n"
        "except SystemExit as end:\n    assert not end.code, end.code\n"
        "print(*sys.modules, file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(done.stderr.split())


def test_help_imports_nothing_heavy() -> None:
    modules = _imported("--help")
    assert "typer" in modules
    assert [name for name in HEAVY if name in modules] == []


def test_odds_leave_plotting_and_reports_alone() -> None:
    modules = _imported("odds", "vcc", "morale", "bases=4", "--json")
    assert not modules & {"matplotlib", "pyarrow", "jinja2", "zareba.report", "zareba.analysis"}


@pytest.mark.parametrize("args", [("rules", "vcc"), ("odds", "vcc", "--list")])
def test_second_listing_reads_no_files(args: tuple[str, ...]) -> None:
    heavy = {"ruamel", "zareba.registry", "zareba.scenario", "zareba_rulesets"}
    assert _imported(*args) & heavy
    assert not _imported(*args) & heavy


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_its_summary_and_an_example(name: str) -> None:
    command = COMMANDS[name]
    function = command_function(name)
    assert function.__doc__.splitlines()[0] == command.summary
    assert f"Example: zareba {name}" in function.__doc__


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_every_command_shows_its_example(run: Any, name: str) -> None:
    result = run(name, "--help")
    assert result.exit_code == 0
    assert f"Example: zareba {name}" in result.stdout
    assert result.stdout.startswith(f"Usage: zareba {name}")


def test_the_help_lists_every_command(run: Any) -> None:
    shown = run("--help").stdout
    assert [name for name in COMMANDS if f"\n  {name} " not in shown] == []
    assert max(map(len, shown.splitlines())) <= 80
