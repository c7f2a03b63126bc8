"""Reading text with Tesseract, a program that has to be installed on the machine."""

from __future__ import annotations

import os
import re
import shutil
import struct
import subprocess
from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha256
from io import BytesIO
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from .text_reader import Box, ReaderIdentity, ReaderUnavailable, Reading, TextLine

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

ENGINE = "tesseract"
#: Automatic page segmentation; and one block of text, which alone finds a single letter.
_PAGE, _BLOCK = "3", "6"
_DEADLINE_S = 120
#: Which part of a file of trained data holds the characters of its network: TESSDATA_LSTM_UNICHARSET in
#: tessdatamanager.h.
_UNICHARSET = 21
_WORD = "5"


class Tesseract:
    """Tesseract 5 with the trained data of one language or of several, such as ``eng+deu``."""

    def __init__(self, language: str = "eng") -> None:
        self._language = language

    def __repr__(self) -> str:
        return f"Tesseract({self._language!r})"

    @property
    def identity(self) -> ReaderIdentity:
        return _identity(self._language)

    def alphabet(self) -> frozenset[str]:
        return _alphabet(self._language)

    def read(self, rgb: NDArray[numpy.uint8], *, find_all: bool = False) -> Reading:
        """See ``TextReader``. The likeness of a line is its confidence, the least of its words'."""
        from PIL import Image

        png = BytesIO()
        Image.fromarray(rgb).save(png, "PNG")
        asked = ["stdin", "stdout", "-l", self._language, "--psm", _BLOCK if find_all else _PAGE, "tsv"]
        words = [
            cells
            for line in _run(asked, png.getvalue()).splitlines()
            if (cells := line.split("\t"))[0] == _WORD
        ]
        return Reading(
            lines=tuple(
                line
                for _, of_line in groupby(words, key=lambda cells: cells[1:5])
                if (line := _line(list(of_line), find_all)).text.strip()
            )
        )


def _line(words: list[list[str]], find_all: bool) -> TextLine:
    boxes = [_box(cells[6:10]) for cells in words]
    confidence = min(float(cells[10]) for cells in words) / 100
    return TextLine(
        text=" ".join(cells[11] for cells in words),
        confidence=confidence,
        box=(
            min(box[0] for box in boxes),
            min(box[1] for box in boxes),
            max(box[2] for box in boxes),
            max(box[3] for box in boxes),
        ),
        likeness=confidence if find_all else None,
    )


def _box(cells: Iterable[str]) -> Box:
    left, top, width, height = map(float, cells)
    return left, top, left + width, top + height


def _run(arguments: list[str], given: bytes = b"") -> str:
    program = shutil.which(ENGINE)
    if program is None:
        raise ReaderUnavailable("there is no program 'tesseract'; install it (Debian: tesseract-ocr)")
    try:
        done = subprocess.run(
            [program, *arguments],
            input=given,
            capture_output=True,
            timeout=_DEADLINE_S,
            check=False,
            # One thread: several take longer for small pictures.
            env={**os.environ, "OMP_THREAD_LIMIT": "1"},
        )
    except subprocess.TimeoutExpired as error:
        raise ReaderUnavailable(f"{ENGINE} was not done after {_DEADLINE_S} s") from error
    except OSError as error:
        raise ReaderUnavailable(f"{program!r} cannot be run: {error.strerror}") from error
    if done.returncode:
        said = " ".join(done.stderr.decode("utf-8", "replace").split())
        raise ReaderUnavailable(f"{ENGINE} ended with {done.returncode}: {said:.200}")
    return done.stdout.decode("utf-8", "replace")


@lru_cache(maxsize=8)
def _identity(language: str) -> ReaderIdentity:
    try:
        models = {
            path.name: f"sha256:{sha256(path.read_bytes()).hexdigest()}" for path in _trained_data(language)
        }
        found: str | None = _version()
    except (ReaderUnavailable, OSError):
        models, found = {}, None
    return ReaderIdentity(
        engine=ENGINE,
        version=found,
        language=language,
        models=models,
        options={"psm": _PAGE, "psm_to_find_all": _BLOCK},
    )


@lru_cache(maxsize=1)
def _version() -> str:
    first = _run(["--version"]).partition("\n")[0]
    return first.removeprefix(ENGINE).strip() or "unknown"


@lru_cache(maxsize=8)
def _trained_data(language: str) -> tuple[Path, ...]:
    listed = _run(["--list-langs"])
    folder = re.search(r'"(.+)"', listed.partition("\n")[0])
    if folder is None:
        raise ReaderUnavailable(
            f"{ENGINE} {_version()} does not say where its trained data are; install 5 or later"
        )
    paths = tuple(Path(folder[1]) / f"{part}.traineddata" for part in language.split("+"))
    for path in paths:
        if not path.is_file():
            there = ", ".join(sorted(other.stem for other in path.parent.glob("*.traineddata"))) or "none"
            raise ReaderUnavailable(f"{ENGINE} has no trained data for {path.stem!r}; it has {there}")
    return paths


@lru_cache(maxsize=8)
def _alphabet(language: str) -> frozenset[str]:
    return frozenset().union(*map(_characters_of, _trained_data(language)))


def _characters_of(path: Path) -> frozenset[str]:
    """Read the characters out of a file of trained data: a count, offsets of its parts, and the parts."""
    try:
        raw = path.read_bytes()
        (count,) = struct.unpack_from("<i", raw)
        offsets = struct.unpack_from(f"<{count}q", raw, 4)
        begin = offsets[_UNICHARSET]
        end = min((offset for offset in offsets if offset > begin), default=len(raw))
        if begin < 0:
            raise ValueError("it has no network")
        lines = raw[begin:end].decode("utf-8").splitlines()[1:]
    except (OSError, struct.error, IndexError, ValueError) as error:
        raise ReaderUnavailable(f"{str(path)!r} does not say what it can read: {error}") from error
    # Entries of several characters are ligatures and marks of the format's own.
    return frozenset(line.partition(" ")[0] for line in lines if line)
