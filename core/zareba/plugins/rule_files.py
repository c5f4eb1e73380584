"""House rule files: a YAML file, a Python file, or a folder with `rule.yaml`, `rule.py` and the files they need.

zareba runs exactly the text that it has read, not a cached or later version of the file. The text of a folder is that
of all its files by name, so a single digest identifies it.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Any

from zareba.base.errors import FileError, ZarebaError
from zareba.base.state import canonical_json, digest
from zareba.base.yamlfile import parse_yaml, read_yaml
from zareba.house_rules import hook_function
from zareba.house_rules.source_check import MODULES, impurity_problems
from zareba.renamed import API, HOOKS, warn_renamed
from zareba.rules.patch import Manifest, Patch, manifest_in

SUFFIXES = (".yaml", ".yml", ".py")
MANIFEST, CODE = "rule.yaml", "rule.py"
MOST_FILES = 40
_LONGEST_TITLE = 40
"""Most characters of the title of a house rule in its docstring."""
_ID = re.compile(r"""(?<=["'])[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+(?=\\?["'])""")
_STAR = re.compile(r"^from zareba\.api import \*", re.MULTILINE)


@dataclass(frozen=True)
class HouseRule:
    """A house rule of a session: its YAML, its Python module with hook functions, or both. `text` is its content."""

    name: str
    file: Path
    text: str
    manifest: Manifest | None = None
    module: ModuleType | None = None

    def patches(self, ruleset: str) -> list[Patch]:
        """Return its YAML changes to a ruleset."""
        return self.manifest.patches(ruleset) if self.manifest is not None else []

    def ruleset_id_in(self, lineage: Sequence[str]) -> str:
        """Return the id under which it knows a ruleset: the first of `lineage` that it names, so that a house rule for
        a ruleset also fits the rulesets that extend it; the first of all if it names none.
        """
        named = self.systems or [system for system in lineage if re.search(rf"""\\?["']{system}\\?["']""", self.text)]
        return next((system for system in lineage if system in named), lineage[0])

    @property
    def required(self) -> list[str]:
        """The house rules that must come before it."""
        return self.manifest.file.requires if self.manifest is not None else []

    @property
    def title(self) -> str:
        """Its title for players; see `title_in`."""
        return title_in(self.name, self.file, self.text)

    @property
    def description(self) -> str:
        """Its description: the first paragraph of the Python docstring, or the title and the reason in the YAML."""
        docstring = ((self.module and self.module.__doc__) or "").strip().partition("\n\n")[0].replace("\n", " ")
        manifest = self.manifest.file if self.manifest is not None else None
        return docstring or (": ".join(filter(None, [manifest.title, manifest.why])) if manifest is not None else "")

    @property
    def ids(self) -> frozenset[str]:
        """The rule ids that it uses in questions and events, such as "HOUSE-WEATHER"."""
        return frozenset(_ID.findall(self.text))

    @property
    def systems(self) -> tuple[str, ...]:
        """The rulesets that it declares, in its YAML or as `RULESETS` in its Python; if empty, it is for any
        ruleset.
        """
        declared = self.manifest.file.systems if self.manifest is not None else ()
        if declared or self.module is not None:
            return declared or tuple(getattr(self.module, "RULESETS", ()))
        return next((found for _, text in texts_of(self) if (found := systems_in(text))), ())


def title_in(name: str, file: Path, text: str) -> str:
    """Return the title of a house rule from its text, without running it.

    It is the title in the YAML, or the words before the colon in the Python docstring, or else the name in words.
    """
    with suppress(ZarebaError, ValueError, SyntaxError, TypeError):  # a faulty rule has at least a name
        texts = {MANIFEST: text} if file.suffix in (".yaml", ".yml", "") else {CODE: text}
        if not file.suffix and text.startswith("{"):
            texts = json.loads(text)
        title = parse_yaml(texts[MANIFEST], MANIFEST).data.get("title", "") if MANIFEST in texts else ""
        if title := title or python_title_in(texts.get(CODE, ""))[0]:
            return str(title)
    return title_from_name(name)


def title_from_name(name: str) -> str:
    """Return a title for a house rule that has none: its name in words, with a capital first letter."""
    return f"{name[:1].upper()}{name[1:]}".replace("_", " ")


def python_title_in(text: str) -> tuple[str, str]:
    """Return the title ("" for none) and the description of a house rule in Python, without running it.

    They are the two parts of the first paragraph of its docstring: "Dig in: a unit may take cover instead of shooting".
    """
    paragraph = (ast.get_docstring(ast.parse(text)) or "").split("\n\n")[0]
    title, _, about = paragraph.partition(": ")
    return (title, about) if about and len(title) <= _LONGEST_TITLE else ("", paragraph)


def systems_in(text: str) -> tuple[str, ...]:
    """Return the `RULESETS` of a Python text without running it; empty if there are none or the text has a syntax
    error.
    """
    try:
        for line in ast.parse(text).body:
            if isinstance(line, ast.Assign) and [getattr(target, "id", "") for target in line.targets] == ["RULESETS"]:
                return tuple(map(str, ast.literal_eval(line.value)))
    except (SyntaxError, TypeError, ValueError):
        pass
    return ()


def is_rule_folder(path: Path) -> bool:
    """Return True if a folder contains one house rule."""
    return (path / MANIFEST).is_file() or (path / CODE).is_file()


def name_in_file(path: Path) -> str:
    """Return the name of a house rule from its file or folder in an installed package."""
    return path.stem if path.suffix in SUFFIXES else path.name


def source_of(path: Path) -> str:
    """Return the text of a house rule. The text of a folder is a JSON object with the texts of all its files by
    name.
    """
    if not path.is_dir():
        return _text(path, path.stem)
    if not is_rule_folder(path):
        raise ZarebaError(f"the folder {path} is not a house rule; it needs a {MANIFEST}, a {CODE}, or both")
    files = sorted(file for file in path.rglob("*") if file.suffix in SUFFIXES and "__pycache__" not in file.parts)
    if len(files) > MOST_FILES:
        raise ZarebaError(f"the house rule '{path.name}' ({path}) has {len(files)} files; keep it within {MOST_FILES}")
    return canonical_json({file.relative_to(path).as_posix(): _text(file, path.name) for file in files})


def _text(path: Path, name: str) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")  # some editors start a file with a byte order mark
    except UnicodeDecodeError as error:
        raise ZarebaError(f"house rule '{name}' ({path}) is not UTF-8 text; save it as UTF-8") from error
    except OSError as error:
        raise ZarebaError(f"house rule '{name}' ({path}) cannot be read: {error.strerror}") from error


def texts_of(rule: HouseRule) -> Iterator[tuple[str, str]]:
    """Yield the Python texts of a house rule, each after its file name."""
    if rule.file.suffix == ".py":
        yield str(rule.file), rule.text
    elif rule.module is not None or is_rule_folder(rule.file):
        texts: Mapping[str, str] = json.loads(rule.text)
        yield from [(str(rule.file / name), text) for name, text in texts.items() if name.endswith(".py")]


def house_rule_in(path: Path, text: str, *, run: bool = True) -> HouseRule:
    """Return the house rule in a text that was read from a file or folder; by default, Python code in it is run.

    Raises FileError with all faults of its YAML, or ZarebaError with the fault of its Python.
    """
    if path.suffix == ".py":
        return HouseRule(path.stem, path, text, module=_run(path, path.stem, text, {}) if run else None)
    if path.suffix in (".yaml", ".yml"):
        manifest = manifest_in(read_yaml(path) if path.is_file() else parse_yaml(text, str(path)))
        if not manifest.file.systems:
            raise manifest.refusal(("house_rule",), "name the 'ruleset', or the 'rulesets', that it is for")
        return HouseRule(manifest.file.house_rule, path, text, manifest)
    texts: Mapping[str, str] = json.loads(text)
    folder_manifest = manifest_in(parse_yaml(texts[MANIFEST], str(path / MANIFEST))) if MANIFEST in texts else None
    name = folder_manifest.file.house_rule if folder_manifest is not None else path.name
    module = _run(path / CODE, name, texts[CODE], texts) if CODE in texts and run else None
    return HouseRule(name, path, text, folder_manifest, module)


def _run(path: Path, name: str, text: str, other_files: Mapping[str, str]) -> ModuleType:
    """Run Python code; files next to it in its folder can be imported as `from . import helper`.

    Code that reaches outside the game is not run.
    """
    if faults := impurity_problems(name, path, text):
        raise FileError(faults)
    module = ModuleType(f"{MODULES}{digest([str(path), text, *other_files.values()])[:12]}_{name.replace('.', '_')}")
    module.__file__ = str(path.resolve())
    if other_files:
        module.__path__ = [str(path.parent)]
        module.__package__ = module.__name__
        sys.meta_path.insert(0, _FolderImporter(module.__name__, name, path.parent, other_files))
    if _STAR.search(text):  # `import *` gives only current names, and the text may use those of the last release
        api = import_module("zareba.api")
        names = [old for old in API["zareba.api"] if re.search(rf"\b{old}\b", text)]
        module.__dict__.update({old: getattr(api, old) for old in names})
    sys.modules[module.__name__] = module  # dataclasses and postponed annotations resolve their names here
    outermost = hook_function.start_watch()
    try:
        exec(compile(text, path, "exec", dont_inherit=True), module.__dict__)
    except (Exception, SystemExit, hook_function.RuleTimeout) as error:
        del sys.modules[module.__name__]
        if isinstance(error, FileError):
            raise
        fault = f"{type(error).__name__}: {error}"
        if isinstance(error, hook_function.RuleTimeout):
            fault = f"it did not return within {hook_function.LONGEST_RUN:g} seconds"
        raise ZarebaError(f"house rule '{name}' ({path}{_line_in(error, path)}) cannot be loaded: {fault}") from error
    finally:
        if outermost:
            hook_function.stop_watch()
    for old, new in HOOKS.items():
        if old in module.__dict__:
            warn_renamed(f"{path}: the hook {old}", new)
            module.__dict__[new] = module.__dict__.pop(old)
    systems = getattr(module, "RULESETS", ())
    if not isinstance(systems, (tuple, list)) or not all(isinstance(system, str) for system in systems):
        raise ZarebaError(f"house rule '{name}' ({path}): RULESETS is {systems!r}; write RULESETS = (\"vcc\",)")
    return module


def _line_in(error: BaseException, path: Path) -> str:
    """Return the line of a file that failed, as `:12`; "" if it is unknown."""
    if isinstance(error, SyntaxError) and error.lineno:
        return f":{error.lineno}"
    line, trace = "", error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(path):
            line = f":{trace.tb_lineno}"
        trace = trace.tb_next
    return line


class _FolderImporter(MetaPathFinder, Loader):
    """Imports the modules in the folder of a house rule from the texts that were read."""

    def __init__(self, package: str, rule: str, folder: Path, texts: Mapping[str, str]) -> None:
        self._package = package
        self._rule = rule
        self._folder = folder
        self._texts = texts

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of a module of the folder; None for any other module."""
        package, _, name = fullname.rpartition(".")
        if package != self._package or f"{name}.py" not in self._texts:
            return None
        return spec_from_loader(fullname, self, origin=str(self._folder / f"{name}.py"))

    def exec_module(self, module: ModuleType) -> None:
        """Run the text of the module."""
        file = f"{module.__name__.rpartition('.')[2]}.py"
        if faults := impurity_problems(self._rule, self._folder / file, self._texts[file]):
            raise FileError(faults)
        exec(compile(self._texts[file], self._folder / file, "exec", dont_inherit=True), module.__dict__)


_CLAUSE = re.compile(r"\s*(>=|<=|==|!=|>|<)\s*(\d+(?:\.\d+)*)\s*")


def fits_version(version: str, wanted: str) -> bool:
    """Return True if a version satisfies a specification such as `>=0.1,<2`; raise ZarebaError for an invalid
    specification.
    """
    have = _numbers(version)
    for clause in wanted.split(","):
        match = _CLAUSE.fullmatch(clause)
        if match is None:
            raise ZarebaError(f"'{wanted}' is not a version range; write it as >=0.1,<2")
        need = _numbers(match[2])
        width = max(len(have), len(need))
        installed, required = (part + (0,) * (width - len(part)) for part in (have, need))
        holds: dict[str, Any] = {
            ">=": installed >= required,
            "<=": installed <= required,
            "==": installed == required,
            "!=": installed != required,
            ">": installed > required,
            "<": installed < required,
        }
        if not holds[match[1]]:
            return False
    return True


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version.partition("+")[0]))
