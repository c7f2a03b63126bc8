"""A data set: a file, its samples, and what must hold before the first of them is used."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from ..evidence import canonical_json, digest_bytes
from .csv_table import read_csv
from .errors import DatasetError, excerpt
from .json_array import read_json_array
from .jsonl import read_jsonl
from .limit import Limit
from .parquet import read_parquet
from .sample import Sample
from .sample_ids import SampleIds

#: Levels of arrays and objects in a row; the same on every Python, whose own limits differ.
MAX_DEPTH = 100

_Rows = Iterator[tuple[int, dict[str, Any]]]
_TEXT_READERS: dict[str, Callable[[Path], _Rows]] = {
    ".jsonl": read_jsonl,
    ".ndjson": read_jsonl,
    ".json": read_json_array,
    ".csv": partial(read_csv, delimiter=","),
    ".tsv": partial(read_csv, delimiter="\t"),
}
_READERS = {
    **_TEXT_READERS,
    **{f"{suffix}.gz": reader for suffix, reader in _TEXT_READERS.items()},
    ".parquet": read_parquet,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """``samples`` are those asked for, in file order; ``total`` is how many rows the file has.

    No samples: the file has no rows. That is for the caller to judge.
    """

    path: Path
    samples: tuple[Sample, ...]
    total: int


def load_dataset(path: Path, *, limit: Limit | None = None) -> Dataset:
    """Read the data set at ``path``, of the format that its suffix names.

    Every row and every id is checked, also of samples beyond ``limit`` (``None``: all are kept).
    Raises ``DatasetError``, whose message begins with file and line.
    """
    reader = _reader_of(path)
    ids = SampleIds(path)
    folder = path.parent
    samples = []
    for line, fields in reader(path):
        source = f"{path}:{line}"
        digest = _digest_of(fields, source)
        sample_id = ids.id_of(line, fields, digest)
        samples.append(Sample(id=sample_id, digest=digest, source=source, folder=folder, fields=fields))
    kept = len(samples) if limit is None else limit.of(len(samples))
    return Dataset(path=path, samples=tuple(samples[:kept]), total=len(samples))


def _reader_of(path: Path) -> Callable[[Path], _Rows]:
    suffixes = [suffix.lower() for suffix in path.suffixes[-2:]]
    suffix = "".join(suffixes) if suffixes[-1:] == [".gz"] else "".join(suffixes[-1:])
    if suffix not in _READERS:
        raise DatasetError(
            f"{path}: unknown data-set suffix {suffix!r}; accepted: {', '.join(sorted(_READERS))}"
        )
    return _READERS[suffix]


def _digest_of(fields: dict[str, Any], source: str) -> str:
    try:
        text = canonical_json(fields)
    except RecursionError as error:
        raise DatasetError(f"{source}: the row is nested too deeply; accepted: {MAX_DEPTH} levels") from error
    except ValueError as error:
        name = _first_unwritable(fields)
        raise DatasetError(
            f"{source}: the field {name!r} holds a number that is NaN or beyond a float's range; "
            "write null, leave the field out, or make it a string"
        ) from error
    except TypeError as error:
        name = _first_unwritable(fields)
        raise DatasetError(
            f"{source}: the field {name!r} is {excerpt(fields.get(name), 40)}, which JSON cannot hold; "
            "drop the column, or store media as files and their paths in the row"
        ) from error
    if text.count("[") + text.count("{") > MAX_DEPTH and _depth(fields) > MAX_DEPTH:
        raise DatasetError(f"{source}: the row is nested too deeply; accepted: {MAX_DEPTH} levels")
    # The encoder writes a lone surrogate as an escape; no request could carry it.
    if "\\ud" in text and not _is_encodable(fields):
        raise DatasetError(f"{source}: a string holds half of a surrogate pair; write the whole character")
    return digest_bytes(text.encode("ascii"))


def _first_unwritable(fields: dict[str, Any]) -> str:
    for name, value in fields.items():
        try:
            canonical_json(value)
        except (TypeError, ValueError):
            return name
    return next(iter(fields))


def _depth(value: Any) -> int:
    deepest = 0
    pending = [(value, 1)]
    while pending:
        item, level = pending.pop()
        if isinstance(item, (dict, list)):
            deepest = max(deepest, level)
            children = item.values() if isinstance(item, dict) else item
            pending.extend((child, level + 1) for child in children)
    return deepest


def _is_encodable(fields: dict[str, Any]) -> bool:
    try:
        json.dumps(fields, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
