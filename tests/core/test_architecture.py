"""Rules for the source tree: light imports, no circles of imports, and no machine-specific paths."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping, Set
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HEAVY = ("pydantic", "ruamel", "rich", "matplotlib", "typer", "pyarrow", "jinja2", "numpy")
TEXT = {".py", ".yaml", ".yml", ".md", ".toml", ".json", ".j2", ".cfg", ".txt", ".css", ".js", ".html", ""}
MACHINE_PATH = re.compile(r"(?<![\w.~*])/(?:work|home|root|Users|mnt)/[\w.-]|\b[A-Z]:\\\\?Users")


def files() -> Iterator[Path]:
    """Yield every text file of the project."""
    tops = [path for path in ROOT.iterdir() if path.is_file() and path.name != ".git"]  # a file in a linked worktree
    folders = [
        path
        for name in ("core", "rulesets", "plugins", "examples", "tests", "docs", "schema", ".ci")
        for path in (ROOT / name).rglob("*")
    ]
    for path in sorted([*tops, *folders]):
        if path.is_file() and path.suffix in TEXT and "__pycache__" not in path.parts:
            yield path


def loaded_by(statement: str) -> set[str]:
    """Return the top-level names of all modules that a statement loads in a fresh process."""
    script = f"import sys\n{statement}\nprint(*{{name.partition('.')[0] for name in sys.modules}})"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_importing_zareba_is_light() -> None:
    names = loaded_by("import zareba")
    assert "zareba" in names
    assert names.isdisjoint(HEAVY)


def test_pytest_loads_little_of_zareba_in_projects_that_do_not_use_it() -> None:
    assert loaded_by("import zareba.testing.fixtures").isdisjoint(HEAVY)


def test_the_engine_loads_no_ruleset_and_no_house_rule_until_asked() -> None:
    names = loaded_by("import zareba.session, zareba.analysis.games.simulate, zareba.odds")
    assert "pydantic" in names
    assert names.isdisjoint({"zareba_rulesets", "zareba_plugins", "matplotlib", "rich", "typer"})


def test_no_file_names_a_path_of_one_machine() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in files()
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), start=1)
        if MACHINE_PATH.search(line)
    ]
    assert not found, "\n".join(found)


def test_the_search_for_machine_paths_finds_them() -> None:
    for path in ("work", "home", "root", "Users"):
        assert MACHINE_PATH.search(f"see /{path}/x/y.py")
    assert not MACHINE_PATH.search("https://example.org/home/x and hills.work/x")


def imports(source: str, known: Set[str]) -> Iterator[str]:
    """Yield the modules among `known` that a source text imports anywhere, also if only for type checking."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module:
            for name in node.names:
                module = f"{node.module}.{name.name}"
                yield from {module if module in known else node.module} & known
        elif isinstance(node, ast.Import):
            yield from {name.name for name in node.names} & known


def in_order(texts: Mapping[str, str]) -> list[str]:
    """Return the module names in an order in which each follows its imports. Raises CycleError if there is a cycle."""
    return list(
        TopologicalSorter({name: set(imports(text, set(texts))) for name, text in texts.items()}).static_order()
    )


def sources(folder: Path, top: Path = ROOT / "core") -> dict[str, str]:
    """Return the source text of each module in a folder, by its full name; `top` is on the import path."""
    return {
        ".".join(file.relative_to(top).with_suffix("").parts).removesuffix(".__init__"): file.read_text("utf-8")
        for file in folder.rglob("*.py")
    }


def test_no_files_of_the_core_import_each_other_in_a_circle() -> None:
    order = in_order(sources(ROOT / "core" / "zareba"))
    assert (
        order.index("zareba.table.table") < order.index("zareba.rules.resolved") < order.index("zareba.plugins.ruleset")
    )


RULESETS = sorted(path.parent for path in (ROOT / "rulesets" / "zareba_rulesets").glob("*/__init__.py"))


@pytest.mark.parametrize("folder", RULESETS, ids=lambda folder: folder.name)
def test_no_files_of_a_ruleset_import_each_other_in_a_circle(folder: Path) -> None:
    in_order(sources(folder, folder.parents[1]))


def entries(folder: Path) -> list[str]:
    """Return the names of the Python files and folders in a folder."""
    return [
        path.name
        for path in sorted(folder.iterdir())
        if (path.suffix == ".py" and path.name != "__init__.py") or (path.is_dir() and any(path.glob("*.py")))
    ]


def test_the_search_for_circles_finds_them() -> None:
    with pytest.raises(CycleError):
        in_order({"one": "def late():\n    from two import x", "two": "import one"})


@pytest.mark.parametrize("folder", RULESETS, ids=lambda folder: folder.name)
def test_chapter_files_are_in_the_order_of_the_import_contract(folder: Path) -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    layers = next(
        contract["layers"]
        for contract in contracts
        if contract.get("containers") == [f"zareba_rulesets.{folder.name}.chapters"]
    )
    said = ast.get_docstring(ast.parse((folder / "chapters" / "__init__.py").read_text(encoding="utf-8"))) or ""
    assert re.findall(r"\w+", said.partition(":")[2]) == layers[::-1]
    assert sorted(layers) == sorted(name.removesuffix(".py") for name in entries(folder / "chapters"))
