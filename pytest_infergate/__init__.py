"""A pytest plugin that turns model evaluation into a quality gate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import extract as extract
    from . import tools as tools
    from .evidence import NoAnswer as NoAnswer
    from .evidence import Reply as Reply

__version__ = "0.1.0"
__all__ = ["NoAnswer", "Reply", "__version__", "extract", "tools"]


def __getattr__(name: str) -> Any:
    # Lazy, since pytest imports this package in every session that has it installed.
    if name in ("extract", "tools"):
        from importlib import import_module

        return import_module(f".{name}", __name__)
    if name in ("NoAnswer", "Reply"):
        from . import evidence

        return getattr(evidence, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(__all__)}")
