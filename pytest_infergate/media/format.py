"""What kind of media bytes are, by their first bytes and never by a name."""

from __future__ import annotations

from enum import Enum

#: Bytes from the start of a file that ``recognise`` and ``describe`` look at.
HEAD = 4096
_SHOWN = 60


class MediaFormat(Enum):
    """A container that is read; the value is its name in records."""

    WAV = "wav"
    FLAC = "flac"
    MP3 = "mp3"
    AAC = "aac"
    OGG = "ogg"
    MP4 = "mp4"
    MATROSKA = "matroska"

    @property
    def demuxer(self) -> str:
        """FFmpeg's name of what reads it: the only one that is ever tried."""
        return "mov" if self is MediaFormat.MP4 else self.value


def recognise(head: bytes) -> MediaFormat | None:
    """Return what ``head``, the first bytes of a file, begins; ``None``: nothing that is read.

    An ID3 tag in front is passed over where it ends within ``head``, and stands for mp3 where it does not.
    """
    if head[:3] == b"ID3":
        while tag := id3_length(head):
            head = head[tag:]
        return MediaFormat.MP3 if head[:3] == b"ID3" else recognise(head) or MediaFormat.MP3
    if head[:4] in (b"RIFF", b"RF64") and head[8:12] == b"WAVE":
        return MediaFormat.WAV
    if head[4:8] in (b"ftyp", b"moov", b"wide", b"mdat", b"styp"):
        return MediaFormat.MP4
    for magic, media_format in _MAGIC:
        if head.startswith(magic):
            return media_format
    # Eleven sync bits; then for mp3 a version that is not reserved and layer III, for ADTS layer 0.
    frame = head.lstrip(b"\0")[:2]
    if len(frame) == 2 and frame[0] == 0xFF and frame[1] & 0xE0 == 0xE0:
        if frame[1] & 0xF6 == 0xF0:
            return MediaFormat.AAC
        if frame[1] & 0x06 == 0x02 and frame[1] & 0x18 != 0x08:
            return MediaFormat.MP3
    return None


def id3_length(head: bytes) -> int:
    """Return how many bytes the ID3v2 tag takes that ``head`` begins with; 0: there is none."""
    if head[:3] != b"ID3" or len(head) < 10:
        return 0
    size = 0
    for byte in head[6:10]:  # seven bits of each
        size = size << 7 | byte & 0x7F
    return 10 + size


def describe(head: bytes) -> str:
    """Say in words what ``head`` begins, where it is nothing that is read."""
    lowered = head[:HEAD].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    shown = " ".join(head[:_SHOWN].decode("utf-8", "replace").split())
    if lowered.startswith((b"<!doctype html", b"<html", b"<head", b"<body")):
        return f"it is an HTML page: {shown!r}"
    if lowered.startswith((b"#extm3u", b"ffconcat", b"[playlist]")):
        return "it is a playlist, and files that it names are never opened"
    for magic, what in _OTHER:
        if head.startswith(magic):
            return f"it is {what}"
    if lowered[:1] in (b"{", b"[", b"<"):
        return f"it is text: {shown!r}"
    return f"it begins with {head[:12]!r}"


_MAGIC = (
    (b"fLaC", MediaFormat.FLAC),
    (b"OggS", MediaFormat.OGG),
    (b"\x1a\x45\xdf\xa3", MediaFormat.MATROSKA),
)
_OTHER = (
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"%PDF", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1f\x8b", "a gzip file"),
    (b"FORM", "an AIFF file, which is not read; convert it to wav or flac"),
    (b"version https://git-lfs", "a Git LFS pointer; fetch the file with `git lfs pull`"),
)
