"""Markdown's emphasis in one spelling."""

from __future__ import annotations

import re

_LETTER = r"[^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"  # of scripts that write spaces
_UNDERSCORES = re.compile(rf"(?<!{_LETTER})(?<!\\)(_{{1,3}})(?=[^\s_])([^_\n]{{1,80}})(?<=\S)\1(?!{_LETTER})")


def with_asterisks(text: str) -> str:
    """Return ``text`` with ``__42__`` as ``**42**``, as long as before; names such as ``a_1`` stay."""
    if "_" not in text:
        return text
    return _UNDERSCORES.sub(lambda found: "*" * len(found[1]) + found[2] + "*" * len(found[1]), text)
