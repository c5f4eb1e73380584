"""Regenerate all schema files and the types of the vocabulary; list what rulesets must still decide about its words."""

import json
import sys

from zareba.base.errors import FileError, Problem
from zareba.registry import load_rules, ruleset_names
from zareba.scenario import scenario_schema
from zareba.schemas import COMMON, SCENARIO, WORD_TYPES, own_models, schema_path, schema_text, word_types

for name in (*COMMON, *own_models()):
    schema_path(name).write_text(schema_text(name), encoding="utf-8")
WORD_TYPES.write_text(word_types(), encoding="utf-8")
if SCENARIO.is_file():
    SCENARIO.write_text(json.dumps(scenario_schema(), indent=2) + "\n", encoding="utf-8")

problems: list[Problem] = []
for name in ruleset_names():
    try:
        load_rules(name)
    except FileError as error:
        problems += error.problems
if problems:
    sys.exit(str(FileError(problems)))
