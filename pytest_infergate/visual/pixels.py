"""Pixels of whatever mode and colour space as 8-bit sRGB with straight alpha."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from ..evidence import UndecodableMedia

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray
    from PIL import Image

    Bytes = NDArray[numpy.uint8]

#: Modes whose alpha is a channel of theirs. Others may have a transparent colour or palette entry.
_ALPHA_MODES = frozenset({"LA", "La", "PA", "RGBA", "RGBa"})


def has_alpha(image: Image.Image) -> bool:
    """Whether ``image`` can be seen through anywhere: a channel, or a colour that is declared transparent."""
    return image.mode in _ALPHA_MODES or "transparency" in image.info


def rgba_of(image: Image.Image, name: str) -> Bytes:
    """Return the pixels of a loaded ``image`` upright, as an array (height, width, 4), 0 to 255.

    The orientation tag is applied. 16 bits are scaled by 257, floats from 0 to 1 by 255, and colours of an
    embedded profile are converted to sRGB by Little CMS; a profile that is damaged or of another kind of
    colours is passed over, as browsers do. Raises ``UndecodableMedia``, which begins with ``name``, for
    samples whose full scale nobody can know.
    """
    import numpy

    profile = image.info.get("icc_profile")
    upright = _upright(image)
    colour, alpha = _split(upright, name)
    rgb = _srgb(colour, profile if isinstance(profile, bytes) else None)
    out: Bytes = numpy.empty((upright.height, upright.width, 4), numpy.uint8)
    out[..., :3] = numpy.asarray(rgb)
    out[..., 3] = 255 if alpha is None else alpha
    return out


def _upright(image: Image.Image) -> Image.Image:
    from PIL import ImageOps

    try:
        return ImageOps.exif_transpose(image)
    except Exception:  # a damaged EXIF block says nothing; its readers raise what its bytes lead them to
        return image


def _split(image: Image.Image, name: str) -> tuple[Image.Image, Any]:
    """Return the colours, in a mode without alpha, and the alpha, ``None`` where all is opaque."""
    import numpy
    from PIL import Image

    if image.mode.startswith("I;16"):
        deep = numpy.asarray(image).astype(numpy.uint32)
        seen = image.info.get("transparency")
        alpha = numpy.where(deep == seen, 0, 255) if isinstance(seen, int) else None
        return Image.fromarray(((deep + 128) // 257).astype(numpy.uint8)), alpha
    if image.mode == "F":
        return Image.fromarray(_scaled(numpy.asarray(image), name)), None
    if image.mode == "I":
        raise UndecodableMedia(
            f"{name} holds 32-bit integers, whose full scale nobody can know; write 8 or 16 bits"
        )
    if has_alpha(image):
        both = image.convert("RGBA")
        grey = image.mode in ("LA", "L", "1")
        return (image.convert("L") if grey else both.convert("RGB")), numpy.asarray(both.getchannel("A"))
    if image.mode in ("P", "1"):
        return image.convert("RGB" if image.mode == "P" else "L"), None
    return image, None


def _scaled(samples: NDArray[Any], name: str) -> Bytes:
    import numpy

    if not numpy.isfinite(samples).all():
        raise UndecodableMedia(f"{name} holds samples that are no finite numbers")
    low, high = float(samples.min()), float(samples.max())
    if low < 0 or high > 1:
        raise UndecodableMedia(
            f"{name} holds float samples from {low:g} to {high:g}, where 1 is full scale; write 0 to 1"
        )
    return numpy.round(samples * 255.0).astype(numpy.uint8)


def _srgb(colour: Image.Image, profile: bytes | None) -> Image.Image:
    from PIL import ImageCms

    if profile is None and colour.mode == "LAB":
        lab = ImageCms.createProfile("LAB")
        profile = ImageCms.ImageCmsProfile(lab).tobytes()
    if profile is not None:
        try:
            source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
            if _fits(source, colour.mode):
                srgb = ImageCms.createProfile("sRGB")
                converted = ImageCms.profileToProfile(colour, source, srgb, outputMode="RGB")
                if converted is not None:
                    return converted
        except (ImageCms.PyCMSError, OSError, ValueError):
            pass
    return colour.convert("RGB")


def _fits(profile: Any, mode: str) -> bool:
    spaces = {"RGB": "RGB", "L": "GRAY", "CMYK": "CMYK", "LAB": "Lab"}
    return spaces.get(mode) == str(profile.profile.xcolor_space).strip()
