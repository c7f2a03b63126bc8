"""Rows of a Parquet file, through pyarrow."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import Any

from .errors import DatasetError, listed


def read_parquet(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield row number, from 1, and fields of each row.

    Dates and times become ISO 8601 strings and decimals strings; what else JSON cannot hold is left
    for the reader of rows to refuse. Raises ``DatasetError``.
    """
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise DatasetError(
            f"{path}: reading .parquet needs pyarrow; pip install 'pytest-infergate[parquet]'"
        ) from error
    number = 0
    try:
        with parquet.ParquetFile(path) as file:
            names = file.schema_arrow.names
            if len(set(names)) != len(names):
                twice = sorted({name for name in names if names.count(name) > 1})
                raise DatasetError(f"{path}: columns stand twice: {listed(twice)}; rename one of each")
            for batch in file.iter_batches(batch_size=4096):
                for row in batch.to_pylist():
                    number += 1
                    yield number, {name: _as_json(value) for name, value in row.items()}
    except (OSError, pyarrow.ArrowException) as error:
        reason = " ".join(str(error).split())
        raise DatasetError(f"{path}: cannot be read as Parquet: {reason}; write the file again") from error


def _as_json(value: Any) -> Any:
    if isinstance(value, (datetime, date, time)):
        return value.isoformat()
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, (list, tuple)):
        return [_as_json(item) for item in value]
    if isinstance(value, dict):
        return {name: _as_json(item) for name, item in value.items()}
    return value
