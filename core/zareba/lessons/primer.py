"""The introduction of a ruleset for new players: the optional file `tutorial.yaml` in its folder."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from zareba.base.yamlfile import Text, YamlModel, read_yaml


class Primer(YamlModel):
    """`opening` describes the ruleset in a few lines. `questions` explains each kind of question, by its `why`, when it
    first comes up.

    Questions without an entry get the summary of their rule from the catalogue.
    """

    opening: Text = ""
    questions: dict[str, Text] = Field(default_factory=dict, max_length=60)


def read_primer(*folders: Path) -> Primer:
    """Return the primer of a ruleset from the first of its folders that has one, or an empty one if none has.

    Raises:
        FileError: with all problems at once.
    """
    file = next((file for folder in folders if (file := folder / "tutorial.yaml").is_file()), None)
    return Primer() if file is None else read_yaml(file).validate(Primer)
