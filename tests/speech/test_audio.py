"""What a clip is said to be, and the samples that a transcriber gets of it."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import numpy
import pytest

from pytest_infergate.speech import Audio, MediaSourceError, UndecodableMedia, open_audio
from pytest_infergate.speech.audio import RATE as HEARD_RATE

from .clips import CONTAINERS, FORMATS, RATE, encoded, tone, wav_of

JFK = Path(__file__).resolve().parents[3] / "shared" / "data" / "jfk.flac"


def frequency(samples: numpy.ndarray) -> float:  # type: ignore[type-arg]
    """Return the strongest frequency in Hz of samples at 16 kHz."""
    spectrum = numpy.abs(numpy.fft.rfft(samples * numpy.hanning(samples.size)))
    return float(numpy.argmax(spectrum)) * HEARD_RATE / samples.size


@pytest.mark.parametrize("name", CONTAINERS)
def test_every_container_is_heard_as_it_sounds(name: str) -> None:
    audio = open_audio(encoded([tone(2.0, hertz=440)], name))
    assert audio.format == FORMATS.get(name, name.split(" ")[0])
    assert (audio.sample_rate, audio.channels, audio.audio_tracks) == (CONTAINERS[name][2], 1, 1)
    # Encoders add up to a frame or two at the end.
    assert 2.0 <= audio.duration_s < 2.1
    assert 0.27 < audio.peak < 0.35
    assert not audio.is_silent
    samples = audio.samples()
    assert samples.dtype == numpy.float32
    assert abs(samples.size - audio.duration_s * HEARD_RATE) <= 16
    assert abs(frequency(samples) - 440) < 1


@pytest.mark.parametrize("name", CONTAINERS)
def test_silence_in_every_container_is_silence(name: str) -> None:
    audio = open_audio(encoded([tone(1.0) * 0], name))
    assert audio.is_silent
    assert audio.samples().size > 0


@pytest.mark.parametrize("name", ["mp4", "mov", "mkv", "webm"])
def test_of_a_video_the_audio_track_is_heard(name: str) -> None:
    audio = open_audio(encoded([tone(2.0, hertz=600)], name, video=True))
    assert abs(frequency(audio.samples()) - 600) < 1


@pytest.mark.parametrize("rate", [8_000, 11_025, 12_000, 16_000, 22_050, 32_000, 44_100, 48_000, 96_000])
def test_every_rate_is_heard_at_the_right_speed(rate: int) -> None:
    raw = (tone(1.5, hertz=700, rate=rate) * 32767).astype("<i2")
    audio = open_audio(wav_of(raw, rate=rate))
    assert audio.duration_s == pytest.approx(1.5, abs=1e-3)
    assert abs(frequency(audio.samples()) - 700) < 1


@pytest.mark.parametrize(
    ("kind", "scale", "offset"),
    [("u1", 127, 128), ("<i2", 32767, 0), ("<i4", 2**31 - 1, 0), ("<f4", 1, 0), ("<f8", 1, 0)],
)
def test_every_sample_format_has_the_same_full_scale(kind: str, scale: float, offset: float) -> None:
    wave = tone(0.5, level=0.5, rate=16_000).astype(numpy.float64)
    audio = open_audio(wav_of(numpy.round(wave * scale + offset, 6).astype(kind)))
    assert audio.peak == pytest.approx(0.5, abs=0.01)
    assert numpy.abs(audio.samples() - wave).max() < 0.02


def test_what_the_bytes_are_decides_and_not_the_name(tmp_path: Path) -> None:
    for name in ("wav", "flac", "mp3", "ogg", "m4a", "webm"):
        path = tmp_path / f"{name.replace(' ', '_')}.txt"
        path.write_bytes(encoded([tone(0.5)], name))
        assert open_audio(path).format == FORMATS.get(name, name)


def test_a_file_and_its_bytes_are_the_same_clip(tmp_path: Path) -> None:
    raw = encoded([tone(0.5)], "flac")
    path = tmp_path / "clip.flac"
    path.write_bytes(raw)
    of_path, of_text, of_bytes = open_audio(path), open_audio(str(path)), open_audio(bytearray(raw))
    assert of_path.path == of_text.path == path
    assert of_bytes.path is None
    assert {one.sha256 for one in (of_path, of_text, of_bytes)} == {hashlib.sha256(raw).hexdigest()}
    assert of_path.as_json() == of_text.as_json() == of_bytes.as_json()
    with of_path.open() as one, of_bytes.open() as other:
        assert one.read() == other.read() == raw


def test_the_bytes_stand_in_no_message_or_repr() -> None:
    assert len(repr(open_audio(encoded([tone(1.0)])))) < 500


def test_channels_are_mixed_down_by_their_mean() -> None:
    audio = open_audio(encoded([tone(1.0, hertz=300), tone(1.0, hertz=300) * 0]))
    assert (audio.channels, audio.channel) == (2, None)
    assert audio.peak == pytest.approx(0.3, abs=0.01)
    assert numpy.abs(audio.samples()).max() == pytest.approx(0.15, abs=0.02)


def test_channels_that_cancel_each_other_out_are_no_silence() -> None:
    audio = open_audio(encoded([tone(1.0), -tone(1.0)]))
    assert audio.channel == 0
    assert not audio.is_silent
    assert numpy.abs(audio.samples()).max() == pytest.approx(0.3, abs=0.02)


def test_speech_in_one_of_many_channels_is_heard() -> None:
    quiet = tone(1.0) * 0
    audio = open_audio(encoded([quiet, quiet, tone(1.0), quiet, quiet, quiet], "flac"))
    assert (audio.channels, audio.channel) == (6, 2)
    assert numpy.abs(audio.samples()).max() == pytest.approx(0.3, abs=0.02)


def test_blocks_are_the_samples_in_pieces() -> None:
    audio = open_audio(encoded([tone(2.3)], "flac"))
    blocks = list(audio.blocks(0.5))
    assert [block.size for block in blocks[:-1]] == [8_000] * 4
    assert 0 < blocks[-1].size < 8_000
    assert numpy.array_equal(numpy.concatenate(blocks), audio.samples())


def test_real_speech_is_heard_whole() -> None:
    if not JFK.exists():
        pytest.skip("the shared data are not here")
    audio = open_audio(JFK)
    assert (audio.duration_s, audio.declared_duration_s, audio.is_silent) == (11.0, 11.0, False)
    assert audio.samples().size == 11 * HEARD_RATE


# Silence


def of_16_bits(samples: numpy.ndarray) -> Audio:  # type: ignore[type-arg]
    return open_audio(wav_of((samples * 32767).astype("<i2")))


def noise(low: int, high: int, seconds: float = 2.0) -> numpy.ndarray:  # type: ignore[type-arg]
    return numpy.random.default_rng(7).integers(low, high + 1, round(seconds * HEARD_RATE))


@pytest.mark.parametrize(
    ("raw", "is_silent", "why"),
    [
        (noise(0, 0).astype("<i2"), True, "digital silence"),
        (noise(-1, 1).astype("<i2"), True, "dither of 16 bits"),
        ((128 + noise(-1, 1)).astype("u1"), True, "dither of 8 bits"),
        (numpy.full(32_000, 3_000, "<i2"), True, "a constant is not heard"),
        (noise(-300, 300).astype("<i2"), False, "noise that is heard"),
        ((tone(1.0, level=0.003, rate=16_000) * 32767).astype("<i2"), False, "soft, 50 dB below full scale"),
        ((128 + tone(1.0, level=0.05, rate=16_000) * 127).astype("u1"), False, "soft, with 8 bits"),
        (numpy.zeros(1, "<i2"), True, "one sample"),
    ],
)
def test_silence_is_what_nobody_hears(raw: numpy.ndarray, is_silent: bool, why: str) -> None:  # type: ignore[type-arg]
    assert open_audio(wav_of(raw)).is_silent is is_silent, why


def test_a_word_after_long_silence_is_not_silent() -> None:
    clip = numpy.zeros(60 * HEARD_RATE, numpy.float32)
    clip[-4_800:] = tone(0.3, level=0.1, rate=HEARD_RATE)
    assert not of_16_bits(clip).is_silent
    assert not of_16_bits(clip[::-1]).is_silent


# What was given


@pytest.mark.parametrize("given", [3, None, 1.5, ["a.wav"], numpy.zeros((16_000, 2)), b"".__class__])
def test_what_is_neither_path_nor_bytes_is_refused(given: object) -> None:
    with pytest.raises(MediaSourceError, match="as the path of a file or as the bytes of one; got"):
        open_audio(given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1:9/clip.wav",
        "https://example.org/a.mp3",
        "data:audio/wav;base64,UklGRg==",
        "file:///etc/hostname",
        "concat:a.mp3|b.mp3",
        "ftp://example.org/a.wav",
        "lavfi:anullsrc",
        "s3://bucket/clip.wav",
    ],
)
def test_an_address_is_never_fetched(address: str) -> None:
    with pytest.raises(UndecodableMedia, match="is an address; audio is read from files and bytes only"):
        open_audio(address)


def test_a_file_whose_name_looks_like_an_address_is_a_file(tmp_path: Path) -> None:
    path = tmp_path / "take:1.wav"
    path.write_bytes(encoded([tone(0.5)]))
    assert open_audio(path).format == "wav"


def test_what_is_no_regular_file_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")  # opening it would wait for a writer
    for path, what in ((tmp_path, "a directory"), (tmp_path / "pipe", "a device or pipe")):
        with pytest.raises(UndecodableMedia, match=f"no regular file but {what}"):
            open_audio(path)


@pytest.mark.parametrize("name", ["absent.wav", "no/such/folder/a.wav"])
def test_an_absent_file_says_so(tmp_path: Path, name: str) -> None:
    with pytest.raises(UndecodableMedia, match=r"^undecodable_media: there is no file '.*wav'$"):
        open_audio(tmp_path / name)
    with pytest.raises(UndecodableMedia, match="cannot be read"):
        open_audio("nul\0.wav")


def test_a_file_that_changes_afterwards_is_not_heard(tmp_path: Path) -> None:
    path = tmp_path / "clip.wav"
    path.write_bytes(encoded([tone(0.5)]))
    audio = open_audio(path)
    path.write_bytes(encoded([tone(0.9)]))
    with pytest.raises(UndecodableMedia, match="was changed while it was being evaluated"):
        audio.samples()
    path.unlink()
    with pytest.raises(UndecodableMedia, match="cannot be read: No such file"):
        audio.samples()


def test_an_hour_is_heard_in_bounded_memory(tmp_path: Path) -> None:
    second = (128 + tone(1.0, rate=8_000) * 127).astype("u1")
    path = tmp_path / "hour.wav"
    path.write_bytes(wav_of(numpy.tile(second, 3600), rate=8_000))
    (tmp_path / "second.wav").write_bytes(wav_of(second, rate=8_000))
    code = """
import resource, sys
from pytest_infergate.speech import open_audio

def heard(name):
    audio = open_audio(name)
    count = sum(block.size for block in audio.blocks())
    return count, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024

heard(sys.argv[1])
before = heard(sys.argv[1])[1]
count, after = heard(sys.argv[2])
print(count, after - before)
"""
    done = subprocess.run(
        [sys.executable, "-c", code, tmp_path / "second.wav", path],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    count, megabytes = map(int, done.stdout.split())
    assert abs(count - 3600 * HEARD_RATE) <= 16
    # An hour of samples has 230 MB, the file 29.
    assert megabytes < 25


def test_the_tone_of_a_clip_has_the_rate_of_the_test() -> None:
    assert tone(1.0).size == RATE
