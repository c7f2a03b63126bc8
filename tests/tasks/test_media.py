"""Media: known by their bytes, never by their names."""

from __future__ import annotations

from base64 import b64decode

import pytest

from pytest_infergate.tasks import DatasetError
from pytest_infergate.tasks.media import MediaKind, check_media, media_part

PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
KNOWN = [
    (PNG, MediaKind.IMAGE, "image/png"),
    (b"\xff\xd8\xff\xe0\x00\x10JFIF", MediaKind.IMAGE, "image/jpeg"),
    (b"GIF89a....", MediaKind.IMAGE, "image/gif"),
    (b"RIFF\x10\x00\x00\x00WEBPVP8 ", MediaKind.IMAGE, "image/webp"),
    (b"BM\x10\x00", MediaKind.IMAGE, "image/bmp"),
    (b"II*\x00", MediaKind.IMAGE, "image/tiff"),
    (b"RIFF\x10\x00\x00\x00WAVEfmt ", MediaKind.AUDIO, "wav"),
    (b"ID3\x04\x00", MediaKind.AUDIO, "mp3"),
    (b"\xff\xfb\x90\x00", MediaKind.AUDIO, "mp3"),
    (b"\xff\xf3\x40\x00", MediaKind.AUDIO, "mp3"),
    (b"fLaC\x00", MediaKind.AUDIO, "flac"),
    (b"OggS\x00", MediaKind.AUDIO, "ogg"),
    (b"\x00\x00\x00\x1cftypM4A ", MediaKind.AUDIO, "m4a"),
]


@pytest.mark.parametrize(("raw", "kind", "expected"), KNOWN, ids=[case[2] for case in KNOWN])
def test_becomes_a_part_of_its_format(tmp_path, raw, kind, expected):
    path = tmp_path / "misnamed.txt"
    path.write_bytes(raw)
    check_media(path, kind, "a.jsonl:1")
    part = media_part(path, kind, "a.jsonl:1")
    if kind is MediaKind.IMAGE:
        head, _, data = part["image_url"]["url"].partition(",")
        assert (part["type"], head) == ("image_url", f"data:{expected};base64")
    else:
        data = part["input_audio"]["data"]
        assert (part["type"], part["input_audio"]["format"]) == ("input_audio", expected)
    assert b64decode(data) == raw


REFUSED = [
    (b"", MediaKind.IMAGE, "is empty"),
    (b"<svg/>", MediaKind.IMAGE, "begins with b'<svg/>'"),
    (PNG, MediaKind.AUDIO, "is image/png"),
    (b"fLaC\x00", MediaKind.IMAGE, "is flac"),
    (b"\xff\xf1\x50\x80", MediaKind.AUDIO, "begins with"),  # AAC, whose sync is that of MP3
    (b"\xff\xfea\x00", MediaKind.AUDIO, "begins with"),  # text in UTF-16
    (b"\xff", MediaKind.AUDIO, "begins with"),
    (b"RIFF\x10\x00\x00\x00AVI ", MediaKind.AUDIO, "begins with"),
]


@pytest.mark.parametrize(("raw", "kind", "what"), REFUSED)
@pytest.mark.parametrize("use", [check_media, media_part])
def test_refuses_what_is_not_of_its_kind(tmp_path, raw, kind, what, use):
    path = tmp_path / "a.png"
    path.write_bytes(raw)
    with pytest.raises(DatasetError) as caught:
        use(path, kind, "a.jsonl:7")
    text = str(caught.value)
    assert text.startswith(f"a.jsonl:7: the {kind.value} file {str(path)!r} {what}")
    assert "; accepted: " in text


@pytest.mark.parametrize("use", [check_media, media_part])
@pytest.mark.parametrize(
    ("name", "reason"), [("none.png", "No such file"), ("", "Is a directory"), ("a\0b", "embedded null byte")]
)
def test_refuses_what_cannot_be_read(tmp_path, use, name, reason):
    with pytest.raises(DatasetError, match=rf"^a\.jsonl:7: the image file .* cannot be read: {reason}"):
        use(tmp_path / name, MediaKind.IMAGE, "a.jsonl:7")
