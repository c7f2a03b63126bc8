"""Opening what a test names as a picture or a clip: where its path resolves from, and what it is."""

from __future__ import annotations

from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...evidence import Reply
from ..evaluations.media_paths import resolve_path
from .visual_checks import not_installed

if TYPE_CHECKING:
    from ...tasks import Sample
    from ...visual import Clip, Picture

#: What a string of a reply may hold and the path of a file does not.
_NO_PATH = ("\n", "<", "://", "data:")


def open_media(
    source: bytes | str | PathLike[str] | Reply, *, sample: Sample, test_folder: Path
) -> Picture | Clip:
    """Open ``source`` as ``visual.open_visual`` does; a path in the row resolves from the data-set file.

    Any other path resolves from the test file. Raises what ``open_visual`` raises, and ``NoAnswer``
    (``evaluator_unavailable``) where a library is not installed.
    """
    try:
        from ...visual import open_visual

        return open_visual(resolve(source, sample=sample, test_folder=test_folder))
    except ImportError as error:
        raise not_installed(error) from error


def resolve(
    source: bytes | str | PathLike[str] | Reply, *, sample: Sample, test_folder: Path
) -> bytes | str | PathLike[str] | Reply:
    """Return ``source`` with a path made absolute; anything but a path as it is."""
    if not isinstance(source, (str, PathLike)):
        return source
    text = fspath(source)
    if not isinstance(text, str) or not text.strip() or any(mark in text.lower() for mark in _NO_PATH):
        return source
    return resolve_path(text, sample=sample, test_folder=test_folder)


def media_json(media: Picture | Clip) -> dict[str, Any]:
    """Return what a record says of what was looked at."""
    from ...visual import Picture

    if isinstance(media, Picture):
        return {
            "kind": "picture",
            "sha256": media.sha256,
            "source": media.source,
            "format": media.format,
            "width": media.width,
            "height": media.height,
            "mode": media.mode,
            "bit_depth": media.bit_depth,
            "has_alpha": media.has_alpha,
            "frames": media.frames,
        }
    return {
        "kind": "clip",
        "sha256": media.sha256,
        "source": media.source,
        "format": media.container,
        "codec": media.codec,
        "width": media.width,
        "height": media.height,
        "duration_s": media.duration_s,
        "frames": media.frame_count,
        "header_frames": media.header_frames,
        "has_audio": media.has_audio,
        "warnings": list(media.warnings),
    }
