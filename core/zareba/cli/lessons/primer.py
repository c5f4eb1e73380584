"""What a ruleset says of itself to somebody who plays it for the first time: `tutorial.yaml` in its folder, if it has one."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from zareba.base.yamlfile import Text, YamlModel, read_yaml

__all__ = ["Primer", "read_primer"]


class Primer(YamlModel):
    """`opening` tells how the system thinks, in a few lines. `questions` says at the first question of a kind, by its
    `why`, what is decided there and on what it depends; for those left out the catalogue's line of their rule is told.
    """

    opening: Text = ""
    questions: dict[str, Text] = Field(default_factory=dict, max_length=60)


def read_primer(folder: Path) -> Primer:
    """The primer of the ruleset in a folder, an empty one where it has none.

    Raises:
        FileError: with all faults at once.
    """
    file = folder / "tutorial.yaml"
    return read_yaml(file).validate(Primer) if file.is_file() else Primer()
