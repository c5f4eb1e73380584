"""The page of all hooks, generated from their words: `python -m tests.hook_reference` writes it anew."""

from __future__ import annotations

import inspect
from pathlib import Path
from textwrap import dedent

from zareba.plugins import hooks

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "hooks.md"
HEAD = """\
# Every hook

A house rule in Python is a file of functions marked `@hookimpl` (`from zareba.api import hookimpl`); each answers a hook of its
name, and takes only the arguments that it needs. House rules are asked in the order in which the session lists them. Every hook
of a house rule may also take `ruleset`, the id of the system that is played, and `settings`, its own. A rule that is for some
systems alone says which: `RULESETS = ("vcc",)` (in a folder, `rulesets` in its `rule.yaml`). This page is generated.
"""


def page() -> str:
    """The page as the hooks have it now."""
    found = [HEAD]
    for name, hook in vars(hooks).items():
        if name.startswith("zareba_"):
            arguments = ", ".join(inspect.signature(hook).parameters)
            text, _, example = (inspect.getdoc(hook) or "").partition("Example::\n")
            found.append(f"## {name}({arguments})\n\n{text.strip()}\n\n```python\n{dedent(example).strip()}\n```\n")
    return "\n".join(found)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
