"""Transcripts: who heard what, and how far it is from the words that should be spoken."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

# Not lazy: what a test's code reaches is read without importing anything.
from .scripts import Script as Script
from .scripts import script as script

if TYPE_CHECKING:
    from ..evidence import UndecodableMedia as UndecodableMedia
    from ..media import MediaSourceError as MediaSourceError
    from .alignment import Alignment as Alignment
    from .alignment import AlignmentError as AlignmentError
    from .alignment import Operation as Operation
    from .alignment import Unit as Unit
    from .alignment import align as align
    from .alignment_text import aligned_text as aligned_text
    from .audio import Audio as Audio
    from .audio import open_audio as open_audio
    from .canary import canary_digest as canary_digest
    from .chain import AttemptOutcome as AttemptOutcome
    from .chain import Chain as Chain
    from .chain import Heard as Heard
    from .chain import TranscriptionAttempt as TranscriptionAttempt
    from .corpus import CorpusError as CorpusError
    from .corpus import CorpusRate as CorpusRate
    from .corpus import CorpusTally as CorpusTally
    from .faster_whisper import FasterWhisper as FasterWhisper
    from .languages import LanguageError as LanguageError
    from .languages import parse_language as parse_language
    from .normalizing import NORMALIZERS as NORMALIZERS
    from .normalizing import Normalizer as Normalizer
    from .normalizing import NormalizerError as NormalizerError
    from .normalizing import parse_normalizer as parse_normalizer
    from .openai_server import OpenAIServer as OpenAIServer
    from .openai_server import TranscriptionPort as TranscriptionPort
    from .repetition import Repetition as Repetition
    from .repetition import find_repetition as find_repetition
    from .transcriber import AbsentTranscriber as AbsentTranscriber
    from .transcriber import Transcriber as Transcriber
    from .transcriber import TranscriberError as TranscriberError
    from .transcriber import TranscriberIdentity as TranscriberIdentity
    from .transcriber import TranscriberUnavailable as TranscriberUnavailable
    from .transcript import Segment as Segment
    from .transcript import Transcript as Transcript
    from .transcript import TranscriptFlag as TranscriptFlag
    from .whisper_folder import WhisperFolder as WhisperFolder
    from .whisper_folder import find_whisper as find_whisper

#: Public name → the module that holds it. Loaded one by one: decoding and transcribing need heavy libraries.
_HOMES = {
    "AbsentTranscriber": "transcriber",
    "Alignment": "alignment",
    "AlignmentError": "alignment",
    "AttemptOutcome": "chain",
    "Audio": "audio",
    "Chain": "chain",
    "CorpusError": "corpus",
    "CorpusRate": "corpus",
    "CorpusTally": "corpus",
    "FasterWhisper": "faster_whisper",
    "Heard": "chain",
    "LanguageError": "languages",
    "MediaSourceError": ".media",
    "NORMALIZERS": "normalizing",
    "Normalizer": "normalizing",
    "NormalizerError": "normalizing",
    "OpenAIServer": "openai_server",
    "Operation": "alignment",
    "Repetition": "repetition",
    "Segment": "transcript",
    "Transcriber": "transcriber",
    "TranscriberError": "transcriber",
    "TranscriberIdentity": "transcriber",
    "TranscriberUnavailable": "transcriber",
    "Transcript": "transcript",
    "TranscriptFlag": "transcript",
    "TranscriptionAttempt": "chain",
    "TranscriptionPort": "openai_server",
    "UndecodableMedia": ".evidence",
    "Unit": "alignment",
    "WhisperFolder": "whisper_folder",
    "align": "alignment",
    "aligned_text": "alignment_text",
    "canary_digest": "canary",
    "find_repetition": "repetition",
    "find_whisper": "whisper_folder",
    "open_audio": "audio",
    "parse_language": "languages",
    "parse_normalizer": "normalizing",
}
__all__ = sorted([*_HOMES, "Script", "script"])


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(__all__)}")
    from importlib import import_module

    return getattr(import_module(f".{_HOMES[name]}", __name__), name)
