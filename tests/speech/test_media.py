"""Media that cannot be heard whole: each is refused, with the reason."""

from __future__ import annotations

import pickle
import struct
from pathlib import Path

import numpy
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from pytest_infergate.evidence import NoAnswer, Reason
from pytest_infergate.media import MediaFormat, recognise
from pytest_infergate.speech import UndecodableMedia, open_audio

from .clips import CONTAINERS, encoded, pictures_alone, tone, wav_of

TONE = tone(2.0)
WHOLE = {name: encoded([TONE], name) for name in CONTAINERS}
STREAMED = {
    "mp3 without a count of frames": encoded([TONE], "mp3", write_xing="0"),
    "webm of unknown length": encoded([TONE], "webm", live="1"),
    "mp4 in fragments": encoded(
        [TONE], "mp4", movflags="frag_keyframe+empty_moov+default_base_moof", frag_duration="500000"
    ),
    "mp4 with its index first": encoded([TONE], "mp4", movflags="faststart"),
    "mkv with pictures": encoded([TONE], "mkv", video=True),
    "wav of unknown length": wav_of((TONE * 32767).astype("<i2"), size=0xFFFF_FFFF),
}
PCM = (TONE * 32767).astype("<i2")
NOT_FINITE = [float("nan"), float("inf"), float("-inf")]


def refusal(raw: bytes) -> str:
    with pytest.raises(UndecodableMedia) as caught:
        open_audio(raw)
    assert caught.value.reason is Reason.UNDECODABLE_MEDIA
    detail = caught.value.detail
    assert len(detail.splitlines()) == 1
    return detail


@pytest.mark.parametrize("name", [*WHOLE, *STREAMED])
def test_what_is_whole_is_heard(name: str) -> None:
    assert open_audio({**WHOLE, **STREAMED}[name]).duration_s >= 2.0


#: In a WAV that does not know its length, the end of the file is the end.
CUT = [name for name in [*WHOLE, *STREAMED] if name != "wav of unknown length"]


@pytest.mark.parametrize("share", [0.02, 0.1, 0.5, 0.9, 0.97])
@pytest.mark.parametrize("name", CUT)
def test_what_is_cut_off_is_refused_wherever_it_was_cut(name: str, share: float) -> None:
    raw = {**WHOLE, **STREAMED}[name]
    refusal(raw[: int(len(raw) * share)])


@pytest.mark.parametrize(
    ("name", "share", "told"),
    [
        ("wav", 0.5, "is cut off: its header says 88,200 bytes of audio, 44,061 are there"),
        ("m4a", 0.5, "is cut off: its box 'mdat' says"),
        ("mkv", 0.5, "is cut off: its segment says"),
        ("ogg", 0.5, "is cut off: its last page is incomplete"),
        ("mp3", 0.5, "is damaged or cut off: it says 2.00 s, 0.97 s are there"),
        ("flac", 0.5, "packets do not decode"),
    ],
)
def test_a_cut_is_told_with_counts(name: str, share: float, told: str) -> None:
    assert told in refusal(WHOLE[name][: int(len(WHOLE[name]) * share)])


def test_an_mp4_without_index_says_so() -> None:
    raw = WHOLE["mp4"]
    assert "its index (the box 'moov') is not there" in refusal(raw[: raw.index(b"moov") - 4])


def test_an_ogg_cut_between_pages_is_cut() -> None:
    raw = WHOLE["ogg"]
    assert "not marked as the end of the stream" in refusal(raw[: raw.rindex(b"OggS")])


def test_damage_that_a_checksum_shows_is_no_gap() -> None:
    raw = bytearray(WHOLE["flac"])
    raw[len(raw) // 2] ^= 0x40
    assert "is damaged or cut off" in refusal(bytes(raw))


def test_tags_and_padding_after_an_mp3_are_no_damage() -> None:
    for tail in (b"TAG" + bytes(125), bytes(500), b"APETAGEX" + bytes(40)):
        assert open_audio(WHOLE["mp3"] + tail).duration_s == pytest.approx(2.0)


def test_a_long_tag_in_front_is_passed_over() -> None:
    size = 20_000
    tag = (
        b"ID3\x03\0\0"
        + bytes([size >> 21 & 127, size >> 14 & 127, size >> 7 & 127, size & 127])
        + bytes(size)
    )
    assert open_audio(tag + WHOLE["mp3"]).format == "mp3"
    assert open_audio(tag + WHOLE["flac"]).format == "flac"


@pytest.mark.parametrize("size", [0, 0xFFFF_FFFF, 0x7FFF_FFFF, 0x7FFF_F000, 0xFFFF_FFFF - 36])
def test_the_size_that_a_stream_writes_is_no_cut(size: int) -> None:
    audio = open_audio(wav_of(PCM, size=size))
    assert audio.declared_duration_s is None
    assert audio.duration_s == pytest.approx(PCM.size / 16_000)


_WAVS = [name for name in CONTAINERS if name.startswith("wav")]
_MP4S = ["m4a", "mp4", "mov"]


@pytest.mark.parametrize("name", CONTAINERS)
def test_two_clips_in_one_file_are_heard_both_or_refused(name: str) -> None:
    """Servers that speak sentence by sentence send one file behind the other; players stop at the first."""
    twice = 2 * WHOLE[name]
    if name in (*_WAVS, *_MP4S):
        assert "is more than one clip: another " in refusal(twice)
    elif name == "mp3":  # the second begins with a count of frames, which is no frame
        assert "4.08 s are there" in refusal(twice)
    else:
        audio = open_audio(twice)
        assert audio.duration_s == pytest.approx(4.0, abs=0.2)
        assert sum(block.size for block in audio.blocks()) / 16_000 == pytest.approx(4.0, abs=0.2)


@pytest.mark.parametrize("name", _WAVS)
def test_what_a_wav_holds_behind_its_data_is_a_chunk_or_padding_or_little(name: str) -> None:
    whole = WHOLE[name]
    for behind in (
        b"",
        b"\x00",
        bytes(70_000),
        b"LIST\x04\x00\x00\x00INFO",
        b"id3 \x03\x00\x00\x00abc\x00",
        b"\xaa" * 36,
    ):
        assert open_audio(whole + behind).duration_s == pytest.approx(2.0)
    assert "70,000 bytes follow that are in no chunk of it" in refusal(whole + b"\xaa" * 70_000)
    assert "another WAV follows" in refusal(whole + b"LIST\x04\x00\x00\x00INFO" + whole)


def test_a_wav_whose_header_was_written_too_early_is_not_heard_in_part() -> None:
    assert "bytes follow that are in no chunk of it" in refusal(wav_of(PCM, size=4_000))


def test_padding_behind_an_mp4_is_no_other_clip() -> None:
    assert open_audio(WHOLE["m4a"] + bytes(70_000)).duration_s == pytest.approx(2.0, abs=0.1)


def test_a_wav_of_64_bit_sizes_is_read() -> None:
    raw = wav_of(PCM)
    long = struct.pack("<QQQI", len(raw) + 28, PCM.nbytes, PCM.size, 0)
    rf64 = b"RF64\xff\xff\xff\xffWAVEds64" + struct.pack("<I", len(long)) + long + raw[12:]
    rf64 = rf64.replace(b"data" + struct.pack("<I", PCM.nbytes), b"data\xff\xff\xff\xff")
    assert open_audio(rf64).declared_duration_s == pytest.approx(PCM.size / 16_000)
    assert "its header says" in refusal(rf64[:-1000])


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (b"", "audio of zero bytes"),
        (wav_of(PCM[:0]), "has an audio track of zero length"),
        (wav_of(PCM[:0], size=0xFFFF_FFFF), "has an audio track of zero length"),
        (wav_of(PCM)[:44], "is cut off: its header says 88,200 bytes of audio, 0 are there"),
        (wav_of(PCM)[:20], "cannot be opened"),
        (pictures_alone(), "has no audio track; it holds 1 video"),
        (b"<!DOCTYPE html><html><h1>Sign in</h1></html>", "it is an HTML page: '<!DOCTYPE html>"),
        (b"\n  <html><body>504</body></html>", "it is an HTML page"),
        (b'{"error": {"message": "no such voice"}}', 'it is text: \'{"error": {"message": "no such voice'),
        (b"hello", "it begins with b'hello'"),
        (bytes(5_000), "it begins with b'\\x00"),
        (b"\x89PNG\r\n\x1a\n" + bytes(50), "it is a PNG picture"),
        (b"FORM\0\0\0\0AIFF", "it is an AIFF file, which is not read; convert it"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "it is a Git LFS pointer; fetch"),
        (numpy.zeros(9_000, "<i2").tobytes(), "it begins with"),  # raw PCM has no rate
        (wav_of(PCM, rate=1), "has a sample rate of 1 Hz; 2,000 to 768,000 are read"),
        (wav_of(PCM, rate=0), "cannot be opened"),
        (wav_of((TONE * 32767).astype("<f4")), "full scale is 1: it is written in another scale"),
        (wav_of(TONE.astype("<f8") * 1e300), "samples that are no finite numbers"),
        (b"RIFF\0\0\0\0WAVE" + b"\xff" * 400, "(wav) cannot be opened"),
        (b"fLaC" + b"\xff" * 400, "(flac)"),
        (b"OggS" + b"\0" * 400, "(ogg)"),
        (b"\x1a\x45\xdf\xa3" + b"\xff" * 400, "(matroska)"),
        (b"\0\0\0\x18ftypmp42" + bytes(400), "(mp4)"),
    ],
)
def test_what_is_no_audio_says_what_it_is(raw: bytes, told: str) -> None:
    assert told in refusal(raw)


@pytest.mark.parametrize("value", NOT_FINITE)
@pytest.mark.parametrize("at", [0, 1_000, -1])
def test_samples_that_are_no_numbers_are_refused(value: float, at: int) -> None:
    samples = TONE.copy()
    samples[at] = value
    assert "samples that are no finite numbers" in refusal(wav_of(samples))


@pytest.mark.parametrize(
    "playlist",
    [
        "#EXTM3U\n#EXTINF:10,\n{secret}\n",
        "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nfile://{secret}\n#EXT-X-ENDLIST\n",
        "ffconcat version 1.0\nfile '{secret}'\n",
        "[playlist]\nFile1={secret}\n",
        "<?xml version='1.0'?><MPD><BaseURL>{secret}</BaseURL></MPD>",
        "v=0\nc=IN IP4 127.0.0.1\nm=audio 9 RTP/AVP 0\n",
    ],
)
def test_what_names_other_files_never_opens_them(tmp_path: Path, playlist: str) -> None:
    secret = tmp_path / "secret.wav"
    secret.write_bytes(WHOLE["wav"])
    path = tmp_path / "clip.wav"
    path.write_text(playlist.format(secret=secret), "utf-8")
    with pytest.raises(UndecodableMedia, match="is no audio or video"):
        open_audio(path)


@pytest.mark.parametrize("tag", [b"enca", b"drms"])
def test_protected_media_say_so(tag: bytes) -> None:
    assert "is encrypted (DRM)" in refusal(WHOLE["m4a"].replace(b"mp4a", tag, 1))


def test_media_under_common_encryption_say_so() -> None:
    raw = encoded(
        [TONE],
        "mp4",
        encryption_scheme="cenc-aes-ctr",
        encryption_key="00112233445566778899aabbccddeeff",
        encryption_kid="ffeeddccbbaa99887766554433221100",
    )
    assert "is encrypted (DRM)" in refusal(raw)


def test_the_reason_travels_between_processes() -> None:
    error = UndecodableMedia("no audio track")
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), again.reason, again.detail) == (UndecodableMedia, error.reason, error.detail)
    assert isinstance(again, NoAnswer)


@pytest.mark.parametrize("name", CONTAINERS)
def test_what_is_read_is_recognised(name: str) -> None:
    assert recognise(WHOLE[name][:64]) is not None


@given(st.one_of(st.binary(max_size=64), st.binary(max_size=32).map(lambda rest: b"ID3" + rest)))
@example(b"ID3")
@example(b"ID3\3\0\0\0\0\0\0" * 400)
def test_any_bytes_are_recognised_or_not(head: bytes) -> None:
    assert recognise(head) in (None, *MediaFormat)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    name=st.sampled_from(["wav", "flac", "mp3", "aac", "ogg", "m4a", "webm"]),
    places=st.lists(st.tuples(st.floats(0, 0.999), st.integers(0, 255)), min_size=1, max_size=8),
    end=st.floats(0.0, 1.0),
)
def test_damage_is_heard_or_refused_and_nothing_else(
    name: str, places: list[tuple[float, int]], end: float
) -> None:
    raw = bytearray(WHOLE[name])
    for place, value in places:
        raw[int(place * len(raw))] = value
    try:
        audio = open_audio(bytes(raw[: int(len(raw) * end)]))
        samples = audio.samples()
    except UndecodableMedia:
        return
    assert audio.duration_s > 0
    assert numpy.isfinite(samples).all()
