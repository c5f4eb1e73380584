"""The files of a comparison: `summary.json`, `games.csv`, `games.parquet` and `report.html`."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Any

from zareba.analysis.answers.summary import summarise
from zareba.analysis.compare import Comparison
from zareba.analysis.games.records import GameRecord
from zareba.analysis.games.replayed import again
from zareba.errors import ZarebaError
from zareba.report import render

__all__ = ["Written", "games_csv", "make_folder", "write_outputs"]

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")


@dataclass(frozen=True, slots=True)
class Written:
    """The files written, and a sentence for each that is missing something."""

    files: tuple[Path, ...]
    remarks: tuple[str, ...]


def make_folder(out_dir: Path) -> None:
    """Make the folder for the files of a comparison; raises ZarebaError when nothing can be written there."""
    try:
        out_dir.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=out_dir):
            pass
    except OSError as error:
        raise _unwritable(out_dir, error) from error


def write_outputs(comparison: Comparison, out_dir: Path) -> Written:
    """Write all files of a comparison into `out_dir`, which is made if need be; each is whole even if this is broken off.

    The same comparison gives the same bytes. Without the extra `report` there is no Parquet file and the
    report has no plots. Raises ZarebaError when the folder cannot be written.
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
        with TemporaryDirectory(dir=out_dir) as apart:
            for name, content in contents.items():
                (Path(apart) / name).write_bytes(content)
            files = tuple((Path(apart) / name).replace(out_dir / name) for name in contents)
    except OSError as error:
        raise _unwritable(out_dir, error) from error
    return Written(files, tuple(remarks))


def _unwritable(out_dir: Path, error: OSError) -> ZarebaError:
    return ZarebaError(f"cannot write to {out_dir}: {error.strerror}; choose another --out")


def games_csv(comparison: Comparison) -> str:
    """One line a game, with the command that plays it once more. Text that a spreadsheet would take for a formula gets an apostrophe in front."""
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
    variants = {one.name: one for one in comparison.variants}
    return [
        _row(record) | {"again": again(record, variants[record.variant], comparison.scenario)}
        for record in comparison.records
    ]


def _row(record: GameRecord) -> dict[str, Any]:
    """A record laid flat: one column a number, `strength_<side>` a list with the share at each turn's end."""
    row: dict[str, Any] = {
        "variant": record.variant,
        "scenario": record.scenario,
        "game": record.game,
        "pair": record.pair,
        "seed": record.seed,
        "swapped": record.swapped,
        "listed": record.listed,
        "winner": record.winner,
        "ground": record.ground,
        "own_winner": record.own_winner,
        "own_ground": record.own_ground,
        "in_play": record.in_play,
        "ending": record.ending,
        "turns": record.turns,
        "first_loss": record.first_loss,
        "dice": record.dice,
        "rolls": record.rolls,
        "draws": record.draws,
        "lookups": record.lookups,
    }
    row |= {"stake": float(record.stake), "unit_turns": record.unit_turns, "idle": record.idle, "denied": record.denied}
    row |= {f"acts_{act.replace(' ', '_').replace('-', '_')}": number for act, number in record.acts.items()}
    for side, agent in record.agents.items():
        row[f"agent_{side}"] = agent
        row[f"points_{side}"] = float(record.points[side])
        for name, count in record.effort[side].to_dict().items():
            row[f"{name}_{side}"] = count
        for cause, share in record.losses[side].items():
            row[f"lost_{side}_{cause}"] = float(share)
        row[f"strength_{side}"] = [float(share) for share in record.strength[side]]
        row[f"score_{side}"] = [float(scored) for scored in record.score[side]]
    row["chances"] = [float(chance) for chance in record.chances]
    return row


def _cell(value: Any) -> Any:
    if isinstance(value, list):
        return " ".join(repr(share) for share in value)
    if isinstance(value, str) and value.lstrip(" ").startswith(_FORMULA_STARTS):
        return f"'{value}"
    return value
