"""Write the files of a comparison: `summary.json`, `games.csv`, `games.parquet` and `report.html`."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Any

from zareba.analysis.compare import Comparison
from zareba.analysis.findings.findings import summarise
from zareba.analysis.games.notable import command_of_record
from zareba.analysis.games.samples import as_columns
from zareba.base.errors import ZarebaError
from zareba.base.filenames import check_output
from zareba.report import render

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")
"""Characters with which a spreadsheet begins a formula."""


@dataclass(frozen=True, slots=True)
class WrittenFiles:
    """The files of a comparison after they are written."""

    summary: Mapping[str, Any]
    """The content of `summary.json`."""
    files: tuple[Path, ...]
    remarks: tuple[str, ...]
    """A remark about each missing part."""


def make_folder(out_dir: Path) -> None:
    """Create the folder for the files of a comparison. Raises ZarebaError if it is not writable."""
    check_output(out_dir)
    try:
        out_dir.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=out_dir):
            pass
    except OSError as error:
        raise _unwritable(out_dir, error) from error


def write_outputs(comparison: Comparison, out_dir: Path) -> WrittenFiles:
    """Write all files of a comparison into `out_dir`, creating it if needed. An interruption leaves no partial file.

    The same comparison gives the same bytes. Without the extra `report` there is no Parquet file, and the report has
    no plots. Raises ZarebaError if the folder cannot be written.
    """
    summary = summarise(comparison)
    report = render(summary, comparison.records)
    contents = {
        "summary.json": (json.dumps(summary, indent=2, ensure_ascii=False, allow_nan=False) + "\n").encode(),
        "games.csv": games_csv(comparison).encode(),
        "report.html": report.html.encode(),
    }
    remarks = list(report.remarks)
    parquet = _games_parquet(comparison)
    if parquet is None:
        remarks.append("games.parquet needs pyarrow: pip install 'zareba[report]'; games.csv has the same games.")
    else:
        contents["games.parquet"] = parquet
    make_folder(out_dir)
    try:
        with TemporaryDirectory(dir=out_dir) as temporary:
            for name, content in contents.items():
                (Path(temporary) / name).write_bytes(content)
            files = tuple((Path(temporary) / name).replace(out_dir / name) for name in contents)
    except OSError as error:
        raise _unwritable(out_dir, error) from error
    return WrittenFiles(summary, files, tuple(remarks))


def _unwritable(out_dir: Path, error: OSError) -> ZarebaError:
    return ZarebaError(f"cannot write to {out_dir}: {error.strerror}; choose another --out")


def games_csv(comparison: Comparison) -> str:
    """Return a CSV file with one line per game, including the command that replays it.

    Text that a spreadsheet would read as a formula is prefixed with an apostrophe.
    """
    rows = _rows(comparison)
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow([_cell(name) for name in rows[0]])
    writer.writerows([_cell(value) for value in row.values()] for row in rows)
    return buffer.getvalue()


def _games_parquet(comparison: Comparison) -> bytes | None:
    try:
        import pyarrow  # type: ignore[import-untyped]  # pyarrow ships no types
        from pyarrow import parquet
    except ImportError:
        return None
    buffer = io.BytesIO()
    parquet.write_table(pyarrow.Table.from_pylist(_rows(comparison)), buffer)
    return buffer.getvalue()


def _rows(comparison: Comparison) -> list[dict[str, Any]]:
    variants = {variant.name: variant for variant in comparison.variants}
    return [
        as_columns(record) | {"again": command_of_record(record, variants[record.variant], comparison.scenario)}
        for record in comparison.records
    ]


def _cell(value: Any) -> Any:
    if isinstance(value, list):
        return " ".join(repr(share) for share in value)
    if isinstance(value, str) and value.lstrip(" ").startswith(_FORMULA_STARTS):
        return f"'{value}"
    return value
