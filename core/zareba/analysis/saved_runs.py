"""Read saved games again and merge one or several runs, to make a report without playing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from zareba.analysis.compare import Comparison
from zareba.analysis.games.records import FILE_KIND, GameRecord, Variant
from zareba.base.errors import ZarebaError
from zareba.base.state import canonical_json
from zareba.journal import read_ledger


def merge_runs(files: Sequence[Path]) -> Comparison:
    """Return the games of several saved files as one comparison, in the order of the files.

    The files must hold the same battle, rules, players and version of zareba; only the seeds differ. Games keep their
    pairs and are numbered on from file to file. Raises ZarebaError for files that do not match, and for two with the
    same seed, whose games would count twice.
    """
    runs = [_read(file) for file in files]
    first = runs[0][0]
    records: list[GameRecord] = []
    seeds: dict[int, Path] = {}
    games = pairs = 0
    for file, (identity, new) in zip(files, runs, strict=True):
        if _without_seed(identity) != _without_seed(first):
            keys = sorted(key for key in {*first, *identity} if key != "seed" and first.get(key) != identity.get(key))
            raise ZarebaError(f"{file} and {files[0]} cannot be merged: they differ in {', '.join(keys)}")
        if (other := seeds.setdefault(identity["seed"], file)) is not file:
            raise ZarebaError(f"{file} and {other} have the same seed and therefore the same games; use only one")
        records += [replace(record, game=record.game + games, pair=record.pair + pairs) for record in new]
        games += max((record.game for record in new), default=-1) + 1
        pairs += max((record.pair for record in new), default=-1) + 1
    if not records:
        raise ZarebaError(f"there are no games in {', '.join(map(str, files))}")
    variants = tuple(Variant.from_dict(variant) for variant in first["variants"])
    order = {variant.name: index for index, variant in enumerate(variants)}
    header_keys = ("zareba", "title", "sides", "titles", "scenario_digest", "rules_digests")
    return Comparison(
        scenario=first["scenario"],
        variants=variants,
        games=games,
        seed=first["seed"],
        agents=tuple(first["agents"].items()),
        records=tuple(sorted(records, key=lambda record: (order[record.variant], record.game))),
        partial=len(records) < games * len(variants),
        header={key: first[key] for key in header_keys}
        | {"seeds": list(seeds), "banks": [file.name for file in files]},
        notes={name: tuple(lines) for name, lines in first["notes"].items()},
        overrides={name: tuple(lines) for name, lines in first["overrides"].items()},
    )


def _without_seed(identity: Mapping[str, Any]) -> str:
    return canonical_json({key: value for key, value in identity.items() if key != "seed"})


def _read(file: Path) -> tuple[dict[str, Any], list[GameRecord]]:
    if not file.is_file():
        raise ZarebaError(f"there is no file of saved games {file}; 'zareba compare --save-games FILE' makes one")
    lines = read_ledger(file, FILE_KIND)
    try:
        identity = lines.entries[0]["comparison"]
        for key in ("scenario", "variants", "seed", "agents", "notes", "overrides", "titles", "sides"):
            identity[key]
        return identity, [GameRecord.from_dict(data) for entry in lines.entries[1:] for data in entry["games"]]
    except (ZarebaError, LookupError, TypeError, ValueError, AttributeError) as error:
        raise ZarebaError(f"{file} is not a file of saved games that this version can read") from error
