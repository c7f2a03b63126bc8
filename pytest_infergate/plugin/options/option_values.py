"""Reading the value of one option. Each raises ``ValueError`` for what it does not take."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from .rescore_choice import RescoreChoice

if TYPE_CHECKING:
    from ...tasks import Limit


#: The name of a model in a cache, alone or behind its owner's.
_MODEL_NAME = re.compile(r"[A-Za-z0-9][\w.-]*(?:/[A-Za-z0-9][\w.-]*)?")


class Explained(ValueError):
    """A value error whose text adds to the line."""


def parse_server(text: str, working: Path) -> tuple[str, Path | None]:
    text = text.strip()
    if text == "embedded":
        return text, None
    if text.startswith("embedded:"):
        path = working / text.removeprefix("embedded:")
        if not os.path.isfile(path):
            raise Explained(f"no such file: {path}")
        return "embedded", path
    return parse_url(text), None


def parse_url(text: str) -> str:
    text = text.strip()
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError
    if parts.query or parts.fragment:
        raise Explained("leave out the query and the fragment")
    try:
        _ = parts.port
    except ValueError:
        raise Explained("the port is not a number from 0 to 65535") from None
    return text.rstrip("/")


def parse_name(text: str) -> str:
    if not text.isidentifier():
        raise ValueError
    return text


def parse_sandbox(text: str) -> str:
    from ...sandbox import BackendName

    return BackendName(text.strip()).value


def parse_limit(text: str) -> Limit:
    from ...evidence import InfergateError
    from ...tasks import parse_limit

    try:
        return parse_limit(text)
    except InfergateError:
        raise ValueError from None


def parse_run(text: str, working: Path) -> Path:
    path = working / text
    if not os.path.isdir(path):
        if os.path.exists(path):
            raise Explained("it is a file; a baseline file holds no run, name the run that it was saved of")
        raise Explained(f"no such folder: {path}")
    return path


def parse_share(text: str) -> float:
    number = float(text)
    if not 0 <= number <= 1:
        raise ValueError
    return number


def parse_fields(text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(","))
    if not all(names):
        raise ValueError
    return names


def parse_choice(yes: str, no: str) -> Callable[[str], bool]:
    """Return what reads one of two words: ``yes`` is true."""

    def parse(text: str) -> bool:
        if text not in (yes, no):
            raise ValueError
        return text == yes

    return parse


def parse_transcriber(text: str, working: Path) -> str:
    """Return the folder of a local model, absolute, or the name of one."""
    path = working / text
    if os.path.isdir(path):
        return str(path)
    if not _MODEL_NAME.fullmatch(text):
        raise Explained(f"no such folder: {path}")
    return text


def parse_rescore(text: str) -> frozenset[RescoreChoice] | None:
    """Return what is judged again, ``None``: everything."""
    if text.strip() == "all":
        return None
    return frozenset(RescoreChoice(name.strip()) for name in text.split(","))


def whole(low: int, high: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        number = int(text)
        if not low <= number <= high:
            raise ValueError
        return number

    return parse


def seconds(low: float) -> Callable[[str], float]:
    def parse(text: str) -> float:
        number = float(text)
        if not low <= number < 1e9:  # NaN and infinity fall through both sides
            raise ValueError
        return number

    return parse
