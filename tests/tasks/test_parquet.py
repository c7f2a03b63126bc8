"""Parquet rows, read by real pyarrow."""

from __future__ import annotations

import builtins
from datetime import date
from decimal import Decimal

import pyarrow
import pytest
from pyarrow import parquet

from pytest_infergate.tasks import DatasetError, load_dataset


@pytest.fixture
def write(tmp_path):
    def write(columns):
        path = tmp_path / "a.parquet"
        parquet.write_table(pyarrow.table(columns), path)
        return path

    return write


def test_reads_rows_with_their_number(write):
    path = write({"id": [1, 2], "q": ["a", None], "tags": [["x"], []]})
    one, two = load_dataset(path).samples
    assert one == {"id": 1, "q": "a", "tags": ["x"]}
    assert two == {"id": 2, "q": None, "tags": []}
    assert (one.source, two.source) == (f"{path}:1", f"{path}:2")


def test_dates_and_decimals_become_strings(write):
    (sample,) = load_dataset(write({"d": [date(2026, 1, 2)], "p": [Decimal("1.50")]})).samples
    assert sample == {"d": "2026-01-02", "p": "1.50"}


def test_refuses_nan_and_bytes_by_row_and_column(write):
    with pytest.raises(DatasetError, match=r"a\.parquet:2: the field 'x' holds a number that is NaN"):
        load_dataset(write({"q": ["a", "b"], "x": [1.0, float("nan")]}))
    with pytest.raises(
        DatasetError, match=r"a\.parquet:1: the field 'b' is b'\\x01', which JSON cannot hold"
    ):
        load_dataset(write({"q": ["a"], "b": [b"\x01"]}))


def test_refuses_what_is_not_parquet(write, tmp_path):
    path = tmp_path / "b.parquet"
    path.write_bytes(b"junk")
    with pytest.raises(DatasetError, match=r"b\.parquet: cannot be read as Parquet: ") as caught:
        load_dataset(path)
    assert "\n" not in str(caught.value)


def test_without_pyarrow_the_message_says_what_to_install(tmp_path, monkeypatch):
    real_import = builtins.__import__

    def no_pyarrow(name, *args):
        if name.partition(".")[0] == "pyarrow":
            raise ImportError(name)
        return real_import(name, *args)

    monkeypatch.setattr(builtins, "__import__", no_pyarrow)
    with pytest.raises(DatasetError, match=r"needs pyarrow; pip install 'pytest-infergate\[parquet\]'$"):
        load_dataset(tmp_path / "a.parquet")
