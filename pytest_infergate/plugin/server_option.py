"""The options that give a server, and those beside each, as a person is told of them."""

from __future__ import annotations

import re
from enum import Enum

_BESIDE = re.compile(r"--infer-(?=(?:model|api-key-env)\b)|\bINFER_(?=API_KEY\b)")


class ServerOption(Enum):
    """Which option gave a server."""

    SERVER = "--infer-server"
    JUDGE = "--infer-judge"
    AGAINST = "--infer-against"

    def name_options(self, text: str) -> str:
        """Return a message about the server under test with this server's own options in it."""
        if self is ServerOption.SERVER:
            return text
        variable = f"INFER_{self.name}_"
        return _BESIDE.sub(lambda found: f"{self.value}-" if "--" in found[0] else variable, text)
