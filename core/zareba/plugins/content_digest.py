"""Fingerprints of the installed code and data that answers and games depend on: zareba and all its extension
packages.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path

from zareba.base.installed import GROUPS, entry_points


def packages() -> list[Path]:
    """Return the folders of zareba and of each installed package of rulesets or house rules, or the file of a
    single-file package.
    """
    names = {"zareba", *(entry.module.partition(".")[0] for group in GROUPS for entry in entry_points(group=group))}
    paths: list[Path] = []
    for name in sorted(names):
        spec = find_spec(name)
        if spec is not None:
            paths += map(Path, spec.submodule_search_locations or [spec.origin or ""])
    return paths


def fingerprint_of(roots: Iterable[Path], *texts: str) -> str:
    """Return a fingerprint of all files in these folders, with their paths, and of the texts."""
    digest = blake2b(digest_size=20)
    for text in (*texts, *map(str, roots)):
        digest.update(f"{text}\0".encode())
    for root in roots:
        for file in _files_below(root):
            digest.update(f"{file}\0".encode())
            with file.open("rb") as stream:
                digest.update(stream.read())
    return digest.hexdigest()


def content_of() -> str:
    """Return a fingerprint of the installed files that does not depend on their location: equal files on two machines
    give the same.
    """
    digest = blake2b(digest_size=20)
    for root in sorted(packages(), key=lambda path: path.name):
        for file in _files_below(root):
            digest.update(f"{root.name}/{file.relative_to(root).as_posix()}\0".encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()


def _files_below(root: Path) -> Iterator[Path]:
    """Yield a file itself, or all files in a folder, in an order that does not depend on the file system."""
    if root.is_file():
        yield root
    for folder, subfolders, names in os.walk(root):
        subfolders[:] = sorted(name for name in subfolders if name != "__pycache__")  # os.walk visits these
        yield from (Path(folder, name) for name in sorted(names))
