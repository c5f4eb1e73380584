"""The introduction of a ruleset for new players: the optional file `tutorial.yaml` in its folder."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from zareba.base.yamlfile import Text, YamlModel, read_yaml

__all__ = ["Primer", "read_primer"]


class Primer(YamlModel):
    """`opening` describes the ruleset in a few lines. `questions` explains each kind of question, by its `why`, when it
    first comes up.

    Questions without an entry get the summary of their rule from the catalogue.
    """

    opening: Text = ""
    questions: dict[str, Text] = Field(default_factory=dict, max_length=60)


def read_primer(folder: Path) -> Primer:
    """Return the primer of the ruleset in a folder, or an empty one if it has none.

    Raises:
        FileError: with all problems at once.
    """
    file = folder / "tutorial.yaml"
    return read_yaml(file).validate(Primer) if file.is_file() else Primer()
