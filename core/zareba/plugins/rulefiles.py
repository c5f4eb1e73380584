"""House rules as people write them: a YAML file, a Python file, or a folder with `rule.yaml`, `rule.py` and what they need.

What is read is run: the very text that was read, not what a cache or another process has put in its place. The text of a
folder is that of all its files by name, so one digest vouches for all of it.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Any

from zareba.base.errors import FileError, ZarebaError
from zareba.base.state import canonical_json, digest
from zareba.base.yamlfile import parse_yaml, read_yaml
from zareba.house import watchdog
from zareba.house.outside import MODULES, refused
from zareba.rules.patch import Manifest, Patch, manifest_in

__all__ = [
    "CODE",
    "SUFFIXES",
    "HouseRule",
    "fits_version",
    "house_rule_in",
    "is_rule_folder",
    "name_in_file",
    "source_of",
    "systems_in",
    "texts_of",
]

SUFFIXES = (".yaml", ".yml", ".py")
SHEET, CODE = "rule.yaml", "rule.py"
MOST_FILES = 40
_ID = re.compile(r"""(?<=["'])[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+(?=\\?["'])""")


@dataclass(frozen=True)
class HouseRule:
    """A house rule of a session: what its YAML says, its Python module with hook functions, or both. `text` is its content."""

    name: str
    file: Path
    text: str
    manifest: Manifest | None = None
    module: ModuleType | None = None

    def patches(self, ruleset: str) -> list[Patch]:
        """What it changes of a ruleset without Python."""
        return self.manifest.patches(ruleset) if self.manifest is not None else []

    @property
    def required(self) -> list[str]:
        """The house rules that it needs before it."""
        return self.manifest.file.requires if self.manifest is not None else []

    @property
    def about(self) -> str:
        """What it says of itself: the first sentences of its Python, or the title and the why of its sheet."""
        said = ((self.module and self.module.__doc__) or "").strip().partition("\n\n")[0].replace("\n", " ")
        sheet = self.manifest.file if self.manifest is not None else None
        return said or (": ".join(filter(None, [sheet.title, sheet.why])) if sheet is not None else "")

    @property
    def ids(self) -> frozenset[str]:
        """The rule ids that it tells what it does by, as "HOUSE-WEATHER"."""
        return frozenset(_ID.findall(self.text))

    @property
    def systems(self) -> tuple[str, ...]:
        """The rulesets that it says it is for, in its sheet or as `RULESETS` in its Python; none: whatever that is for."""
        said = self.manifest.file.systems if self.manifest is not None else ()
        if said or self.module is not None:
            return said or tuple(getattr(self.module, "RULESETS", ()))
        return next((found for _, text in texts_of(self) if (found := systems_in(text))), ())


def systems_in(text: str) -> tuple[str, ...]:
    """The `RULESETS` that a Python text names, which is not run; none where it names none, or cannot be read."""
    try:
        for line in ast.parse(text).body:
            if isinstance(line, ast.Assign) and [getattr(one, "id", "") for one in line.targets] == ["RULESETS"]:
                return tuple(map(str, ast.literal_eval(line.value)))
    except (SyntaxError, TypeError, ValueError):
        pass
    return ()


def is_rule_folder(path: Path) -> bool:
    """Whether a folder is that of one house rule."""
    return (path / SHEET).is_file() or (path / CODE).is_file()


def name_in_file(path: Path) -> str:
    """By which name a file or folder of an installed package is known."""
    return path.stem if path.suffix in SUFFIXES else path.name


def source_of(path: Path) -> str:
    """The text of a house rule; of a folder the texts of all its files by name, as JSON."""
    if not path.is_dir():
        return _text(path, path.stem)
    if not is_rule_folder(path):
        raise ZarebaError(f"the folder {path} is no house rule; one has a {SHEET}, a {CODE}, or both")
    files = sorted(file for file in path.rglob("*") if file.suffix in SUFFIXES and "__pycache__" not in file.parts)
    if len(files) > MOST_FILES:
        raise ZarebaError(f"the house rule '{path.name}' ({path}) has {len(files)} files; keep it within {MOST_FILES}")
    return canonical_json({file.relative_to(path).as_posix(): _text(file, path.name) for file in files})


def _text(path: Path, name: str) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")  # some editors begin a file with a mark of its encoding
    except UnicodeDecodeError as error:
        raise ZarebaError(f"house rule '{name}' ({path}) is not UTF-8 text; save it as UTF-8") from error
    except OSError as error:
        raise ZarebaError(f"house rule '{name}' ({path}) cannot be read: {error.strerror}") from error


def texts_of(rule: HouseRule) -> Iterator[tuple[str, str]]:
    """The Python of a house rule, by file."""
    if rule.file.suffix == ".py":
        yield str(rule.file), rule.text
    elif rule.module is not None or is_rule_folder(rule.file):
        texts: Mapping[str, str] = json.loads(rule.text)
        yield from [(str(rule.file / name), text) for name, text in texts.items() if name.endswith(".py")]


def house_rule_in(path: Path, text: str, *, run: bool = True) -> HouseRule:
    """The house rule of a text that was read from a file or folder; its Python is run, unless told otherwise.

    Raises FileError with every fault of its YAML, or ZarebaError with what is wrong with its Python.
    """
    if path.suffix == ".py":
        return HouseRule(path.stem, path, text, module=_run(path, path.stem, text, {}) if run else None)
    if path.suffix in (".yaml", ".yml"):
        manifest = manifest_in(read_yaml(path) if path.is_file() else parse_yaml(text, str(path)))
        if not manifest.file.systems:
            raise manifest.refusal(("house_rule",), "say for which 'ruleset' it is, or for which 'rulesets'")
        return HouseRule(manifest.file.house_rule, path, text, manifest)
    texts: Mapping[str, str] = json.loads(text)
    sheet = manifest_in(parse_yaml(texts[SHEET], str(path / SHEET))) if SHEET in texts else None
    name = sheet.file.house_rule if sheet is not None else path.name
    module = _run(path / CODE, name, texts[CODE], texts) if CODE in texts and run else None
    return HouseRule(name, path, text, sheet, module)


def _run(path: Path, name: str, text: str, beside: Mapping[str, str]) -> ModuleType:
    """Run Python; what lies beside it in its folder it imports as `from . import helper`.

    A text that reaches outside the game is not run.
    """
    if reaches := refused(name, path, text):
        raise FileError(reaches)
    module = ModuleType(f"{MODULES}{digest([str(path), text, *beside.values()])[:12]}_{name.replace('.', '_')}")
    module.__file__ = str(path.resolve())
    if beside:
        module.__path__ = [str(path.parent)]
        module.__package__ = module.__name__
        sys.meta_path.insert(0, _Beside(module.__name__, name, path.parent, beside))
    sys.modules[module.__name__] = module  # where dataclasses and postponed annotations look for their names
    outermost = watchdog.runs()
    try:
        exec(compile(text, path, "exec", dont_inherit=True), module.__dict__)
    except (Exception, SystemExit, watchdog.Hangs) as error:
        del sys.modules[module.__name__]
        if isinstance(error, FileError):
            raise
        said = f"{type(error).__name__}: {error}"
        if isinstance(error, watchdog.Hangs):
            said = f"it did not come back within {watchdog.LIMIT:g} seconds"
        raise ZarebaError(f"house rule '{name}' ({path}{_line_in(error, path)}) cannot be loaded: {said}") from error
    finally:
        if outermost:
            watchdog.rests()
    systems = getattr(module, "RULESETS", ())
    if not isinstance(systems, (tuple, list)) or not all(isinstance(one, str) for one in systems):
        raise ZarebaError(f"house rule '{name}' ({path}): RULESETS is {systems!r}; write RULESETS = (\"vcc\",)")
    return module


def _line_in(error: BaseException, path: Path) -> str:
    """The line of a file on which something failed, as `:12`; "" where that cannot be told."""
    if isinstance(error, SyntaxError) and error.lineno:
        return f":{error.lineno}"
    found, trace = "", error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(path):
            found = f":{trace.tb_lineno}"
        trace = trace.tb_next
    return found


class _Beside(MetaPathFinder, Loader):
    """Finds the modules in the folder of a house rule among the texts that were read of it."""

    def __init__(self, package: str, rule: str, folder: Path, texts: Mapping[str, str]) -> None:
        self._package = package
        self._rule = rule
        self._folder = folder
        self._texts = texts

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """What is known of a module of the folder; None for all others."""
        package, _, name = fullname.rpartition(".")
        if package != self._package or f"{name}.py" not in self._texts:
            return None
        return spec_from_loader(fullname, self, origin=str(self._folder / f"{name}.py"))

    def exec_module(self, module: ModuleType) -> None:
        """Run its text."""
        file = f"{module.__name__.rpartition('.')[2]}.py"
        if reaches := refused(self._rule, self._folder / file, self._texts[file]):
            raise FileError(reaches)
        exec(compile(self._texts[file], self._folder / file, "exec", dont_inherit=True), module.__dict__)


_CLAUSE = re.compile(r"\s*(>=|<=|==|!=|>|<)\s*(\d+(?:\.\d+)*)\s*")


def fits_version(version: str, wanted: str) -> bool:
    """Whether a version is as wanted, `>=0.1,<2`; ZarebaError for what cannot be read."""
    have = _numbers(version)
    for clause in wanted.split(","):
        match = _CLAUSE.fullmatch(clause)
        if match is None:
            raise ZarebaError(f"'{wanted}' says no versions; write it as >=0.1,<2")
        need = _numbers(match[2])
        width = max(len(have), len(need))
        mine, theirs = (one + (0,) * (width - len(one)) for one in (have, need))
        holds: dict[str, Any] = {
            ">=": mine >= theirs,
            "<=": mine <= theirs,
            "==": mine == theirs,
            "!=": mine != theirs,
            ">": mine > theirs,
            "<": mine < theirs,
        }
        if not holds[match[1]]:
            return False
    return True


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version.partition("+")[0]))
