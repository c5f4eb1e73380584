"""Regenerate all schema files."""

from zareba.schemas import COMMON, own_models, schema_path, written

for name in (*COMMON, *own_models()):
    schema_path(name).write_text(written(name), encoding="utf-8")
