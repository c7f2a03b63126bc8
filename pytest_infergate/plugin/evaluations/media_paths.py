"""Where the path of a clip or a picture resolves from."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike, fspath
from pathlib import Path

from ...tasks import Sample


def resolve_path(given: str | PathLike[str], *, sample: Sample, test_folder: Path) -> Path:
    """Return the path of a file: one in the row from the data-set file, any other from the test file."""
    text = fspath(given)
    is_from_row = sample.folder is not None and _holds(sample, text)
    return (sample.folder if is_from_row and sample.folder else test_folder) / text


def _holds(value: object, text: str) -> bool:
    if isinstance(value, Mapping):
        return any(_holds(inner, text) for inner in value.values())
    if isinstance(value, (list, tuple)):
        return any(_holds(inner, text) for inner in value)
    return isinstance(value, str) and value == text
