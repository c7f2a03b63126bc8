"""Whether a JPEG has all the scans that its picture is made of: a file that ends between two looks whole."""

from __future__ import annotations

import re

_START, _END, _SCAN = 0xD8, 0xD9, 0xDA
#: Headers of a frame (ITU-T T.81, table B.1), and those of progressive ones.
_FRAMES = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
_PROGRESSIVE = frozenset({0xC2, 0xC6, 0xCA, 0xCE})
_BARE = frozenset({0x01, _START, *range(0xD0, 0xD8)})
#: The end of a marker that ends a scan: no stuffed byte, no restart. More bytes of 255 may stand in front.
_NEXT = re.compile(rb"\xff[^\x00\xff\xd0-\xd7]")
_COEFFICIENTS = 64


def find_missing_scan(raw: bytes) -> str | None:
    """Return in words what the picture lacks; ``None``: nothing, or it is not written as a JPEG is.

    Every component has to be in a scan; of a progressive picture all coefficients of each, to their last bit.
    """
    components: bytes = b""
    is_progressive = False
    #: Component → for each coefficient how many of its bits are still to come; absent: all of them.
    to_come: dict[int, dict[int, int]] = {}
    at = 2
    while (marker := _NEXT.search(raw, at)) is not None:
        kind, at = raw[marker.end() - 1], marker.end()
        if kind == _END:
            break
        if kind in _BARE:
            continue
        segment = raw[at + 2 : at + int.from_bytes(raw[at : at + 2], "big")]
        at += 2 + len(segment)
        if kind in _FRAMES and len(segment) > 5:
            components, is_progressive = segment[6::3][: segment[5]], kind in _PROGRESSIVE
        elif kind == _SCAN and segment and len(segment) >= 4 + 2 * segment[0]:
            first, last, bits = segment[1 + 2 * segment[0] :][:3]
            for component in segment[1 : 1 + 2 * segment[0] : 2]:
                to_come.setdefault(component, {}).update(dict.fromkeys(range(first, last + 1), bits & 15))
    missing = [number for number in components if number not in to_come]
    if missing:
        return f"{len(missing)} of its {len(components)} components are not there"
    if is_progressive and any(
        to_come[number].get(coefficient) != 0 for number in components for coefficient in range(_COEFFICIENTS)
    ):
        return "scans that would make it sharp are not there"
    return None
