"""A cache of the answers of the listing commands and of the start page, in the user's cache folder.

Counting rules reads all YAML and code of every ruleset, which takes seconds. Hashing the files to check that nothing
has changed takes a moment.
"""

from __future__ import annotations

import json
import sys
import sysconfig
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import Any

from zareba.base.filenames import write_atomically
from zareba.base.installed import GROUPS, entry_points
from zareba.plugins.content_digest import fingerprint_of, packages


def cached_listing(*name: str, compute: Callable[[], tuple[Any, bool]]) -> Any:
    """Return the JSON-ready answer with this name from the cache, or the result of `compute`.

    `compute` returns the answer and whether it may be cached. The answer is recomputed if any byte has changed in
    zareba or in a package of rulesets or house rules, or if the Python version or the installed distributions have
    changed.
    """
    roots = _roots()
    key = _key(roots)
    file = _file(name)
    found = _read(file, key)
    if found is not None:
        return found[0]
    answer, may_be_cached = compute()
    if may_be_cached and not _unhashed_files(roots):
        _write(file, key, answer)
    return answer


def _file(parts: tuple[str, ...]) -> Path:
    from platformdirs import user_cache_path

    name = blake2b(json.dumps([sys.prefix, *parts]).encode(), digest_size=12).hexdigest()
    return user_cache_path("zareba") / f"listing-{name}.json"


def _read(file: Path, key: str) -> list[Any] | None:
    """Return the cached answer in a list of one; None if there is none for this key."""
    try:
        saved = json.loads(file.read_bytes())
    except (OSError, ValueError):
        return None
    is_valid = isinstance(saved, dict) and saved.get("key") == key and "answer" in saved
    return [saved["answer"]] if is_valid else None


def _write(file: Path, key: str, answer: Any) -> None:
    """Write the cache file atomically. If the folder is not writable, the answer is simply recomputed next time."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(file, json.dumps({"key": key, "answer": answer}), durable=False)
    except OSError:
        return


def _roots() -> list[Path]:
    """Return the folders of all packages that may affect an answer."""
    return list(packages())


def _key(roots: list[Path]) -> str:
    registered = (sorted((entry.name, entry.value) for entry in entry_points(group=group)) for group in GROUPS)
    return fingerprint_of(roots, sys.version, *_distributions(), *map(repr, registered))


def _distributions() -> list[str]:
    """Return the installed distributions with their versions."""
    folders = [Path(path) for path in sys.path if path]
    return sorted(
        entry.name
        for folder in folders
        if folder.is_dir()
        for entry in folder.iterdir()
        if entry.suffix == ".dist-info"
    )


def _unhashed_files(roots: list[Path]) -> list[Path]:
    """Return the loaded modules outside Python, installed distributions and the hashed folders. With such code nothing
    is cached.
    """
    paths = sysconfig.get_paths()
    known = [*roots, *(Path(paths[name]) for name in ("stdlib", "platstdlib", "purelib", "platlib"))]
    known = [path.resolve() for path in known]
    files = {
        Path(file).resolve()
        for name, module in list(sys.modules.items())
        if name != "__main__" and (file := getattr(module, "__file__", None))
    }
    return [file for file in files if not any(file.is_relative_to(folder) for folder in known)]
