"""Transcripts: who heard what, and how far it is from the words that should be spoken."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .alignment import Alignment as Alignment
    from .alignment import AlignmentError as AlignmentError
    from .alignment import Unit as Unit
    from .alignment import align as align
    from .audio import Audio as Audio
    from .audio import open_audio as open_audio
    from .media_source import MediaSourceError as MediaSourceError
    from .normalizing import NORMALIZERS as NORMALIZERS
    from .normalizing import Normalizer as Normalizer
    from .normalizing import NormalizerError as NormalizerError
    from .normalizing import parse_normalizer as parse_normalizer
    from .undecodable import UndecodableMedia as UndecodableMedia

#: Public name → the module that holds it. Loaded one by one: decoding and transcribing need heavy libraries.
_HOMES = {
    "NORMALIZERS": "normalizing",
    "Alignment": "alignment",
    "AlignmentError": "alignment",
    "Audio": "audio",
    "MediaSourceError": "media_source",
    "Normalizer": "normalizing",
    "NormalizerError": "normalizing",
    "UndecodableMedia": "undecodable",
    "Unit": "alignment",
    "align": "alignment",
    "open_audio": "audio",
    "parse_normalizer": "normalizing",
}
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(__all__)}")
    from importlib import import_module

    return getattr(import_module(f".{_HOMES[name]}", __name__), name)
