"""Count constructions that readers stumble over in docs, docstrings, comments and the texts of the program.

    python tests/plain_english.py PATH... [--show 20]

Each path has to stay below LIMIT odd constructions per 1,000 words; exit 1 otherwise. The markers are hints: a
rulebook's own words may carry one. `--show` prints that many places.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path

LIMIT = 1.0
SUFFIXES = (".md", ".py", ".yaml", ".j2", ".js")

MARKERS = {
    "'for' in the sense of 'because'": (
        r"[,;:] for (?:he|she|it|they|there|an?|the|no|what|who|each|its|their|one|nothing|neither|in|so|all|both|most|many|"
        r"that|this|these|those)\b"
    ),
    "a clause as the subject": (
        r"(?:^|[.;:] )(?:What|Whether|That|Who|Whom|Where|Which) [a-z][^.?;:]{0,60}? "
        r"(?:is|are|was|has|does|can|may|says|stands|lies|comes|goes|follows|counts) "
    ),
    "a passive without an agent": (
        r"\b(?:is|are|was|were|be) (?:said|told|asked|looked (?:for|at|through|up)|thought of|gone (?:by|through|to)|"
        r"known by|done by|taken (?:for|as)|kept (?:for|in|of))\b"
    ),
    "'whom' and 'of which'": r"\b(?:of which|whom)\b",
    "'other' as a predicate": r"\b(?:is|are|was|were) (?:another|others|other)\b(?! (?:than|way|one|side|kind))",
    "an archaic phrase": (
        r"\b(?:anew|by lot|as it were|at hand|thereby|therein|thereof|whence|nought|beside (?:the|it|them|other)|"
        r"of one's own|of (?:its|his|their) own|no further than|what is left)\b"
    ),
    "'nobody' or 'whoever'": r"\b(?:nobody|somebody|whoever|everybody|anybody)\b",
}
COMPILED = {name: re.compile(pattern, re.MULTILINE) for name, pattern in MARKERS.items()}
WORD = re.compile(r"[A-Za-z]{2,}")


def prose(path: Path) -> str:
    """Return the English of a file, with code replaced by X: comments, docstrings, and the texts that people read."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        text = re.sub(r"```.*?```", " ", text, flags=re.DOTALL)
        lines = [line for line in text.splitlines() if not line.startswith(("    ", "\t", "|", "#"))]
        return re.sub(r"`[^`]*`", "X", "\n".join(lines))
    if path.suffix == ".yaml":
        return re.sub(r"(?m)^\s*(?:- )?[\w .-]+:(?: |$)", " ", text)  # without the keys
    if path.suffix == ".j2":
        text = re.sub(r"\{\{.*?\}\}", "X", text, flags=re.DOTALL)
        return re.sub(r"\{[%#].*?[%#]\}|<[^>]*>", "\n", text, flags=re.DOTALL)
    is_test = "tests" in path.parts  # whose strings are data: old files, and texts that the program has
    parts = _script_texts(text) if path.suffix == ".js" else _python_texts(text, strings=not is_test)
    return "\n".join(dict.fromkeys(re.sub(r"`[^`]*`", "X", part) for part in parts))


def _script_texts(source: str) -> Iterator[str]:
    """Yield the comments of a JavaScript source, and its strings of several words."""
    for found in re.finditer(r'"([^"\n]*)"|`([^`]*)`|//(.*)|/\*(.*?)\*/', source, flags=re.DOTALL):
        text = next(filter(None, found.groups()), "")
        if " " in text:
            yield re.sub(r"\$\{[^}]*\}", "X", text)


def _python_texts(source: str, *, strings: bool) -> Iterator[str]:
    """Yield the comments and docstrings of a Python source and, if asked, its other strings of several words."""
    yielded: set[ast.expr] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr):
            yielded.add(node.value)
            if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
                yield cleandoc(node.value.value)
        elif not strings or node in yielded:
            continue
        elif isinstance(node, ast.JoinedStr):
            yielded.update(node.values)
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "X" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield cleandoc(node.value)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string.lstrip("# ")


def files_in(root: Path) -> list[Path]:
    """Return the files of a folder that have English texts, or the file itself."""
    if root.is_file():
        return [root]
    return sorted(path for path in root.rglob("*") if path.suffix in SUFFIXES and ".venv" not in path.parts)


def main() -> None:
    """Measure each path, and exit with 1 if one is above the limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--show", type=int, default=5, help="places to print for a path above the limit")
    given = parser.parse_args()
    failed = False
    for root in given.paths:
        words, found = 0, []
        for path in files_in(root):
            text = prose(path)
            words += len(WORD.findall(text))
            for name, pattern in COMPILED.items():
                for match in pattern.finditer(text):
                    around = " ".join(text[max(0, match.start() - 40) : match.end() + 60].split())
                    found.append(f"  {path}: {name}: ...{around}...")
        rate = 1000 * len(found) / max(1, words)
        print(f"{root}: {rate:.1f} odd constructions per 1,000 words (limit {LIMIT:g})")
        if rate > LIMIT:
            failed = True
            print("\n".join(found[: given.show]))
    sys.exit(failed)


if __name__ == "__main__":
    main()
