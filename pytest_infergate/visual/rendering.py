"""Documents drawn in a process of their own, with limits of time and memory."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from ..evidence import NoAnswer, Reason, UndecodableMedia
from . import renderer

#: Seconds that drawing one document may take.
SECONDS = 20.0
_NO_FONT = re.compile(r"No fonts with an? (\S+) character were found")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendering:
    """A PNG of a document, what drew it (library and version), and how many pages the document has."""

    png: bytes
    renderer: str
    pages: int


def render(kind: str, content: bytes, name: str, *numbers: float) -> Rendering:
    """Draw ``content``, a document of ``kind`` (``svg``, ``pdf``); ``numbers`` are dpi and pixels for a PDF.

    Raises ``UndecodableMedia``, which begins with ``name``, where it cannot be drawn, and ``NoAnswer``
    (``evaluator_unavailable``) where the library or a font for its text is not there.
    """
    package = {"svg": "resvg_py", "pdf": "pypdfium2"}[kind]
    command = [sys.executable, str(Path(renderer.__file__)), kind, *map(str, numbers)]
    try:
        done = subprocess.run(command, input=content, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired as error:
        raise UndecodableMedia(f"{name} takes longer than {SECONDS:g} s to draw; make it simpler") from error
    told = done.stderr.decode("utf-8", "replace")
    last = told.strip().splitlines()[-1] if told.strip() else "nothing was said"
    if done.returncode == renderer.NOT_INSTALLED:
        raise NoAnswer(
            Reason.EVALUATOR_UNAVAILABLE,
            f"drawing a {kind} needs {package} ({last}); pip install 'pytest-infergate[visual]'",
        )
    if done.returncode == renderer.REFUSED:
        raise UndecodableMedia(f"{name} cannot be drawn: {last}")
    line, _, png = done.stdout.partition(b"\n")
    if done.returncode or not png:
        raise UndecodableMedia(
            f"{name} ends the program that draws it (exit code {done.returncode}): nested too deeply, or it "
            "needs too much memory"
        )
    unseen = sorted(set(_NO_FONT.findall(told)))
    if unseen:
        raise NoAnswer(
            Reason.EVALUATOR_UNAVAILABLE,
            f"no font on this machine has {', '.join(unseen[:8])}, which {name} writes; install one",
        )
    return Rendering(png=png, renderer=_named(package), pages=int(json.loads(line)["pages"]))


def _named(package: str) -> str:
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return package
