"""The options that give a server, and those beside each, as a person is told of them."""

from __future__ import annotations

import re
from enum import Enum

_BESIDE = re.compile(r"--infer-(model|api-key-env)\b|\bINFER_API_KEY\b")


class ServerOption(Enum):
    """Which option gave a server."""

    SERVER = "--infer-server"
    JUDGE = "--infer-judge"
    AGAINST = "--infer-against"
    ASR = "--infer-asr"

    def name_options(self, text: str) -> str:
        """Return a message about the server under test with this server's own options in it."""
        if self is ServerOption.SERVER:
            return text
        return _BESIDE.sub(self._own, text)

    def _own(self, found: re.Match[str]) -> str:
        if found[1] is None:
            return f"INFER_{self.name}_API_KEY"
        # --infer-asr-model is the local model.
        name = "served-model" if self is ServerOption.ASR and found[1] == "model" else found[1]
        return f"{self.value}-{name}"
