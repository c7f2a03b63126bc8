"""Pictures and clips made on the spot, whole and damaged."""

from __future__ import annotations

import io
import random
import tempfile
from collections.abc import Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy
from numpy.typing import NDArray
from PIL import Image

Pixels = NDArray[numpy.uint8]

#: The colours of the four quarters, from the top left, row by row: which way is up can be seen.
QUARTERS = ((255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 0))
#: Name → container, codec, options of the codec.
CONTAINERS: dict[str, tuple[str, str, dict[str, str]]] = {
    "mp4": ("mp4", "libx264", {"crf": "18", "preset": "ultrafast"}),
    "mov": ("mov", "libx264", {"crf": "18", "preset": "ultrafast"}),
    "mkv": ("matroska", "libx264", {"crf": "18", "preset": "ultrafast"}),
    "webm": ("webm", "libvpx", {"b": "2M", "deadline": "realtime", "cpu-used": "8"}),
    "mkv in vp8": ("matroska", "libvpx", {"b": "2M", "deadline": "realtime", "cpu-used": "8"}),
    "webm in vp9": ("webm", "libvpx-vp9", {"b": "2M", "deadline": "realtime", "cpu-used": "8"}),
    "mp4 in mpeg4": ("mp4", "mpeg4", {"b": "4M"}),
}
_TICKS = Fraction(1, 1000)


def quarters(width: int = 32, height: int = 16) -> Image.Image:
    """Return a picture of four quarters of the colours of ``QUARTERS``."""
    image = Image.new("RGB", (width, height))
    for number, colour in enumerate(QUARTERS):
        left, top = number % 2 * width // 2, number // 2 * height // 2
        image.paste(colour, (left, top, left + width // 2, top + height // 2))
    return image


def gradient(width: int = 64, height: int = 48) -> Image.Image:
    """Return a picture in which no two rows and no two columns are alike."""
    rows, columns = numpy.mgrid[:height, :width]
    planes = (columns * 255 // width, rows * 255 // height, (rows * columns) % 256)
    return Image.fromarray(numpy.stack(planes, axis=-1).astype(numpy.uint8))


def saved(image: Image.Image, kind: str = "PNG", **options: Any) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def moving(count: int = 30, width: int = 160, height: int = 90) -> list[Pixels]:
    """Return frames in which a white square goes over a gradient, and no two neighbours are alike."""
    ground = numpy.asarray(gradient(width, height)) // 2
    side = height // 3
    frames = []
    for number in range(count):
        frame = ground.copy()
        left = number * 5 % (width - side)
        frame[side : 2 * side, left : left + side] = 255
        frames.append(frame)
    return frames


def frozen(count: int = 30, width: int = 160, height: int = 90) -> list[Pixels]:
    """Return frames that are all alike."""
    return moving(1, width, height) * count


def half_frozen(count: int = 30, width: int = 160, height: int = 90) -> list[Pixels]:
    """Return frames that move in the first half, and then stay as the last of it."""
    first = moving(count // 2, width, height)
    return first + [first[-1]] * (count - len(first))


def black(count: int = 30, width: int = 160, height: int = 90) -> list[Pixels]:
    return [numpy.zeros((height, width, 3), numpy.uint8)] * count


def black_gap(count: int = 30, gap: int = 10, width: int = 160, height: int = 90) -> list[Pixels]:
    """Return moving frames of which ``gap`` in the middle are black."""
    frames = moving(count, width, height)
    at = (count - gap) // 2
    frames[at : at + gap] = black(gap, width, height)
    return frames


def encoded(
    frames: Sequence[Pixels],
    name: str = "mp4",
    *,
    rate: int = 30,
    times: Sequence[float] | None = None,
    sound: bool = False,
    **options: str,
) -> bytes:
    """Return a clip of ``frames``, ``rate`` a second or shown at ``times`` in seconds."""
    container, codec, settings = CONTAINERS[name]
    height, width = frames[0].shape[:2]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "clip")
        with av.open(str(path), "w", format=container, options=options) as out:
            stream: Any = out.add_stream(codec, rate=rate)
            stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
            stream.options = settings
            if times is not None:
                stream.codec_context.time_base = _TICKS
            audio: Any = None
            if sound:
                audio = out.add_stream(
                    "libopus" if container == "webm" else "aac", rate=48_000, layout="mono"
                )
            for number, pixels in enumerate(frames):
                frame = av.VideoFrame.from_ndarray(pixels, format="rgb24")
                if times is not None:
                    frame.pts, frame.time_base = round(times[number] * 1000), _TICKS
                out.mux(stream.encode(frame))
            out.mux(stream.encode(None))
            if audio is not None:
                _add_sound(out, audio, len(frames) / rate)
        return path.read_bytes()


def sound_alone(seconds: float = 0.5) -> bytes:
    """Return an MP4 without a video track."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "clip")
        with av.open(str(path), "w", format="mp4") as out:
            _add_sound(out, out.add_stream("aac", rate=48_000, layout="mono"), seconds)
        return path.read_bytes()


def without_a_frame() -> bytes:
    """Return an MP4 as it is when a stream was ended before its first fragment."""
    raw = encoded(moving(5), "mp4", movflags="frag_keyframe+empty_moov+default_base_moof")
    return raw[: raw.index(b"moof") - 4]


def of_two_sizes() -> bytes:
    """Return a WebM of two frames of 64 x 48 pixels and two of 96 x 48."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "clip")
        with av.open(str(path), "w", format="webm") as out:
            stream: Any = out.add_stream("libvpx", rate=30)
            stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
            for number, frame in enumerate([*moving(2, 64, 48), *moving(2, 96, 48)]):
                encoder: Any = av.CodecContext.create("libvpx", "w")  # one a frame: each is a key frame
                encoder.width, encoder.height, encoder.pix_fmt = frame.shape[1], frame.shape[0], "yuv420p"
                encoder.time_base = _TICKS
                picture = av.VideoFrame.from_ndarray(frame, format="rgb24")
                picture.pts, picture.time_base = number * 100, _TICKS
                for packet in [*encoder.encode(picture), *encoder.encode(None)]:
                    packet.stream = stream
                    out.mux(packet)
        return path.read_bytes()


def animated(
    frames: Iterable[Image.Image], kind: str = "GIF", shown_ms: int | list[int] = 100, **options: Any
) -> bytes:
    """Return a moving picture; neighbouring frames that are alike become one of a GIF or PNG."""
    first, *others = frames
    lossless = {"lossless": True} if kind == "WEBP" else {}
    return saved(
        first, kind, save_all=True, append_images=others, duration=shown_ms, loop=0, **lossless, **options
    )


def cut(raw: bytes, share: float = 0.5) -> bytes:
    """Return the first ``share`` of ``raw``."""
    return raw[: int(len(raw) * share)]


def flipped(raw: bytes, count: int = 200, seed: int = 0, begin: float = 0.3, end: float = 0.7) -> bytes:
    """Return ``raw`` with ``count`` bytes between two shares of its length turned over."""
    chance = random.Random(seed)
    damaged = bytearray(raw)
    for _ in range(count):
        damaged[chance.randrange(int(len(raw) * begin), int(len(raw) * end))] ^= 0xFF
    return bytes(damaged)


def rotated(mp4: bytes, degrees: int) -> bytes:
    """Return an MP4 whose track header asks for a turn clockwise by ``degrees``, as telephones write it."""
    one = 1 << 16
    cosine, sine = {90: (0, one), 180: (-one, 0), 270: (0, -one)}[degrees]
    upright = b"".join(n.to_bytes(4, "big", signed=True) for n in (one, 0, 0, 0, one, 0, 0, 0, 1 << 30))
    turned = b"".join(
        n.to_bytes(4, "big", signed=True) for n in (cosine, sine, 0, -sine, cosine, 0, 0, 0, 1 << 30)
    )
    at = mp4.index(upright, mp4.index(b"tkhd"))
    return mp4[:at] + turned + mp4[at + len(turned) :]


def svg(body: str, attributes: str = 'width="40" height="20"') -> bytes:
    return f'<svg xmlns="http://www.w3.org/2000/svg" {attributes}>{body}</svg>'.encode()


def pdf(content: str = "0 0 1 rg 0 0 72 36 re f", size: str = "144 72", pages: int = 1) -> bytes:
    """Return a PDF whose pages, of ``size`` points, are drawn by ``content``."""
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{'3 0 R ' * pages}] /Count {pages} >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {size}] /Contents 4 0 R /Resources << >> >>",
        f"<< /Length {len(content)} >>\nstream\n{content}\nendstream",
    ]
    out, places = "%PDF-1.4\n", []
    for number, text in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{text}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    end = f"trailer << /Size 5 /Root 1 0 R >>\nstartxref\n{len(out)}\n%%EOF\n"
    return f"{out}xref\n0 5\n0000000000 65535 f \n{table}{end}".encode()


def _add_sound(out: Any, stream: Any, seconds: float) -> None:
    steps = numpy.arange(round(seconds * 48_000)) / 48_000
    tone = (0.3 * numpy.sin(2 * numpy.pi * 440 * steps)).astype(numpy.float32)
    frame = av.AudioFrame.from_ndarray(tone[None, :], format="fltp", layout="mono")
    frame.sample_rate, frame.pts = 48_000, 0
    form = stream.codec_context.format.name
    resampler = av.AudioResampler(
        format=form, layout="mono", rate=48_000, frame_size=stream.frame_size or None
    )
    for piece in [*resampler.resample(frame), *resampler.resample(None)]:
        out.mux(stream.encode(piece))
    out.mux(stream.encode(None))
