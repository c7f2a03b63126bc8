"""Files of audio, pictures and video: where their bytes are, what they say they are."""

from .container import (
    PROTECTED,
    STRICT,
    check_av,
    declared_seconds,
    is_protected,
    name_of_error,
    open_container,
    streams_in_words,
)
from .cut import find_cut, mp3_frame_bytes, says_its_length, wav_seconds
from .format import HEAD, MediaFormat, describe, id3_length, recognise
from .matroska_checksum import find_wrong_checksum
from .packets import Packets
from .rest import find_rest
from .source import MediaSource, MediaSourceError, find_source

__all__ = [
    "HEAD",
    "PROTECTED",
    "STRICT",
    "MediaFormat",
    "MediaSource",
    "MediaSourceError",
    "Packets",
    "check_av",
    "declared_seconds",
    "describe",
    "find_cut",
    "find_rest",
    "find_source",
    "find_wrong_checksum",
    "id3_length",
    "is_protected",
    "mp3_frame_bytes",
    "name_of_error",
    "open_container",
    "recognise",
    "says_its_length",
    "streams_in_words",
    "wav_seconds",
]
