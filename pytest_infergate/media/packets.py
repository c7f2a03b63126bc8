"""The packets of one stream of an open container, counted as they are read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..evidence import UndecodableMedia
from .container import PROTECTED, is_encrypted


class Packets:
    """Read once, from the first packet to the last.

    ``count`` is how many packets with content the stream had so far, ``reached_s`` where the furthest packet
    of any stream ends. ``where`` names the file in errors.
    """

    def __init__(self, container: Any, stream: Any, where: str) -> None:
        self._container = container
        self._stream = stream
        self._where = where
        self.count = 0
        self.reached_s = 0.0

    def __iter__(self) -> Iterator[Any]:
        """Yield the stream's packets. Raises ``UndecodableMedia`` for one that is encrypted."""
        for packet in self._container.demux():
            if packet.pts is not None and packet.duration and packet.size:
                end = float((packet.pts + packet.duration) * packet.time_base)
                self.reached_s = max(self.reached_s, end)
            if packet.stream is not self._stream:
                continue
            if is_encrypted(packet):
                raise UndecodableMedia(f"{self._where} {PROTECTED}")
            self.count += packet.size > 0
            yield packet
