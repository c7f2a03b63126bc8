"""Pictures and video: opening what a model made, and checks with a measured value beside each verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .check import Check as Check
    from .check import CheckError as CheckError
    from .check import CheckResult as CheckResult
    from .clip import Clip as Clip
    from .clip import open_clip as open_clip
    from .frame import Frame as Frame
    from .opening import open_visual as open_visual
    from .picture import Picture as Picture
    from .picture import open_picture as open_picture

#: Public name → the module that holds it. Loaded one by one: decoding and measuring need heavy libraries.
_HOMES = {
    "Check": "check",
    "CheckError": "check",
    "CheckResult": "check",
    "Clip": "clip",
    "Frame": "frame",
    "Picture": "picture",
    "open_clip": "clip",
    "open_picture": "picture",
    "open_visual": "opening",
}
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(__all__)}")
    from importlib import import_module

    return getattr(import_module(f".{_HOMES[name]}", __name__), name)
