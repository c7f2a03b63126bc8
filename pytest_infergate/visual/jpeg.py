"""Whether a JPEG holds all of its picture: libjpeg fills what is missing with grey and says nothing."""

from __future__ import annotations

import io

from ..evidence import UndecodableMedia
from ..media import name_of_error
from .jpeg_scans import find_missing_scan


def check_jpeg(raw: bytes, name: str) -> None:
    """Raise ``UndecodableMedia`` where ``raw`` lacks scans or FFmpeg does not decode it to its end.

    FFmpeg stops at damage.
    """
    import av

    missing = find_missing_scan(raw)
    if missing is not None:
        raise UndecodableMedia(f"{name} is cut off: {missing}")
    try:
        with av.open(io.BytesIO(raw), mode="r", format="jpeg_pipe") as container:
            container.streams.video[0].codec_context.options = {"err_detect": "bitstream+buffer+explode"}
            for packet in container.demux(video=0):
                packet.decode()
    except av.error.InvalidDataError as error:
        raise UndecodableMedia(f"{name} is damaged or cut off: {name_of_error(error)}") from error
    except av.error.FFmpegError:
        return  # a kind of JPEG that FFmpeg does not know, and libjpeg does
