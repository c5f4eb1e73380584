"""Write the schemas anew."""

from zareba.schemas import SCHEMAS, schema_path, written

for name in SCHEMAS:
    schema_path(name).write_text(written(name), encoding="utf-8")
