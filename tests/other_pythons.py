"""Replay the recorded games on every other Python version on this machine. They must be identical to the last bit.

    python tests/other_pythons.py [--list]

Interpreters from 3.11 on come from the PATH and from pyenv, one of each minor version. Each gets its own virtual
environment inside the current one and replays the recorded games. A game that differs is a failure.

If no other Python could replay the games, because none exists or nothing can be installed for it, a prominent message
says so. With OTHER_PYTHONS=demanded in the environment this is a failure too. The build sets it on machines with
several Pythons. `--list` prints the others and plays nothing; it fails if there are none.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
TESTS = ["tests/core/base/test_exact.py", "tests/rulesets/test_golden.py", "tests/rulesets/test_games.py"]
NEEDED = ["pytest", "pytest-xdist", "pytest-benchmark", "hypothesis"]
OLDEST = (3, 11)
RULE = "=" * 96


def other_pythons() -> dict[tuple[int, int], Path]:
    """Return the interpreters of other minor versions, newest last."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    named = [shutil.which(f"python3.{minor}") for minor in range(OLDEST[1], 30)]
    candidates = [*(Path(name) for name in named if name), *sorted(pyenv.glob("3.*/bin/python3"), reverse=True)]
    found: dict[tuple[int, int], Path] = {}
    for candidate in candidates:
        version = _version(candidate)
        if version is not None and version >= OLDEST and version != sys.version_info[:2]:
            found.setdefault(version, candidate)
    return dict(sorted(found.items()))


def _version(python: Path) -> tuple[int, int] | None:
    """Return the minor version of an interpreter; None if it does not run or is not CPython."""
    ask = "import sys; print(*sys.version_info[:2], sys.implementation.name)"
    run = subprocess.run([python, "-c", ask], capture_output=True, text=True, check=False)
    words = run.stdout.split()
    return (int(words[0]), int(words[1])) if run.returncode == 0 and words[2:] == ["cpython"] else None


def environment(version: tuple[int, int], python: Path) -> Path | None:
    """Return the interpreter of an environment with zareba, creating it if needed. None if that fails."""
    folder = Path(sys.prefix) / "pythons" / "{}.{}".format(*version)
    inside, stamp = folder / "bin" / "python", folder / ".installed"
    project = ROOT / "pyproject.toml"
    if stamp.exists() and stamp.stat().st_mtime >= project.stat().st_mtime:
        return inside
    for command in (
        [str(python), "-m", "venv", str(folder)],
        [
            str(inside),
            *["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--editable"],
            str(ROOT),
            *NEEDED,
        ],
    ):
        if subprocess.run(command, check=False).returncode:
            return None
    stamp.touch()
    return inside


def plays_the_same(version: tuple[int, int], python: Path) -> bool | None:
    """Return True if an interpreter plays the same games; None if it cannot be tried."""
    name, inside = "Python {}.{}".format(*version), environment(version, python)
    if inside is None:
        print(f"LEFT OUT: {name} ({python}): nothing could be installed for it", flush=True)
        return None
    command = [str(inside), "-m", "pytest", "-q", "-n", "2", "-p", "no:cacheprovider", "--benchmark-disable", *TESTS]
    run = subprocess.run(command, cwd=ROOT, env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}, check=False)
    print(f"{name}: {'other games' if run.returncode else 'the same games'}", flush=True)
    return run.returncode == 0


def main() -> None:
    """Replay the games on each interpreter and report the results."""
    pythons = other_pythons()
    if "--list" in sys.argv:
        print("\n".join("{}.{} {}".format(*version, python) for version, python in pythons.items()))
        sys.exit(not pythons)
    played = [plays_the_same(version, python) for version, python in pythons.items()]
    alone = all(same is None for same in played)
    if alone:
        here = "{}.{}".format(*sys.version_info)
        print(
            f"{RULE}\nONLY ONE PYTHON: games were played on {here} alone; nothing says that others play the same.\n{RULE}"
        )
    sys.exit(False in played or (alone and os.environ.get("OTHER_PYTHONS") == "demanded"))


if __name__ == "__main__":
    main()
