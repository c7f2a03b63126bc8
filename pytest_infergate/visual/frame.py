"""One frame of a clip, its pixels converted when they are asked for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Bytes = NDArray[numpy.uint8]


class Frame(ABC):
    """A frame: ``index`` from 0, ``time_s`` since the first frame, and ``duration_s``, until the next.

    The last frame lasts as long as the file says, and as the one before it where the file does not say.
    """

    __slots__ = ("duration_s", "index", "time_s")

    def __init__(self, index: int, time_s: float, duration_s: float) -> None:
        self.index = index
        self.time_s = time_s
        self.duration_s = duration_s

    @property
    @abstractmethod
    def rgb(self) -> Bytes:
        """The pixels, upright: (height, width, 3), uint8, sRGB; what is transparent is on white."""

    @property
    @abstractmethod
    def grey(self) -> Bytes:
        """The brightness, upright: (height, width), uint8, 0 black to 255 white; cheaper than ``rgb``."""

    @property
    @abstractmethod
    def coded_grey(self) -> tuple[Bytes, bytes]:
        """The brightness as the file codes it, upright, and which of 0 to 255 each of the 256 codes is.

        Codes rise with the brightness. Cheaper than ``grey``; it cannot be written to.
        """


class VideoFrame(Frame):
    """A frame as FFmpeg decoded it; ``turns``: quarter turns counter-clockwise to stand upright."""

    __slots__ = ("_decoded", "_turns")

    def __init__(self, index: int, time_s: float, duration_s: float, decoded: Any, turns: int) -> None:
        super().__init__(index, time_s, duration_s)
        self._decoded = decoded
        self._turns = turns

    @property
    def rgb(self) -> Bytes:
        return self._upright(self._decoded.to_ndarray(format="rgb24"))

    @property
    def grey(self) -> Bytes:
        import numpy

        coded, levels = self.coded_grey
        raw = coded.tobytes() if levels is _AS_CODED else coded.tobytes().translate(levels)
        grey: Bytes = numpy.frombuffer(raw, numpy.uint8).reshape(coded.shape)
        return grey

    @property
    def coded_grey(self) -> tuple[Bytes, bytes]:
        decoded = self._decoded
        if decoded.format.name not in _EIGHT_BITS_OF_LUMA:
            return self._upright(decoded.to_ndarray(format="gray")), _AS_CODED
        import numpy

        plane = decoded.planes[0]
        is_full = decoded.format.name.startswith("yuvj") or decoded.color_range == _FULL_RANGE
        lines = numpy.frombuffer(plane, numpy.uint8)[: plane.line_size * decoded.height]
        coded = lines.reshape(decoded.height, plane.line_size)[:, : decoded.width]
        return self._upright(coded), _AS_CODED if is_full else _FROM_VIDEO_RANGE

    def _upright(self, pixels: Bytes) -> Bytes:
        if not self._turns:
            return pixels
        import numpy

        return numpy.ascontiguousarray(numpy.rot90(pixels, self._turns))


class AnimationFrame(Frame):
    """A frame of a GIF, an animated PNG or WebP, with straight alpha."""

    __slots__ = ("rgba",)

    def __init__(self, index: int, time_s: float, duration_s: float, rgba: Bytes) -> None:
        super().__init__(index, time_s, duration_s)
        self.rgba = rgba

    @property
    def rgb(self) -> Bytes:
        import numpy

        alpha = self.rgba[..., 3:].astype(numpy.uint32)
        if alpha.min() == 255:
            return numpy.ascontiguousarray(self.rgba[..., :3])
        return ((self.rgba[..., :3] * alpha + 255 * (255 - alpha) + 127) // 255).astype(numpy.uint8)

    @property
    def grey(self) -> Bytes:
        import numpy
        from PIL import Image

        return numpy.array(Image.fromarray(self.rgb).convert("L"))

    @property
    def coded_grey(self) -> tuple[Bytes, bytes]:
        return self.grey, _AS_CODED


#: AVCOL_RANGE_JPEG: brightness from 0 to 255. Otherwise, also where nothing is said, it is from 16 to 235.
_FULL_RANGE = 2
#: Formats whose first plane is brightness, a byte a pixel.
_EIGHT_BITS_OF_LUMA = frozenset(
    {
        *("yuv420p", "yuv422p", "yuv444p", "yuv411p", "yuv440p", "nv12", "nv21", "yuva420p", "yuva444p"),
        *("yuvj420p", "yuvj422p", "yuvj444p"),
    }
)
#: Brightness that is coded as 0 to 255.
_AS_CODED = bytes(range(256))
#: Brightness from 16 to 235 as 0 to 255, as FFmpeg's own conversion to grey has it.
_FROM_VIDEO_RANGE = bytes(max(0, min(255, round((level - 16) * 255 / 219))) for level in range(256))
