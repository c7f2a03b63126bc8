"""What turns speech into words: who it is, and how it is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from ..evidence import InfergateError, digest

if TYPE_CHECKING:
    from .audio import Audio
    from .transcript import Transcript


class TranscriberUnavailable(InfergateError):
    """A transcriber gave nothing that could be a transcript: another one may be asked."""


class TranscriberError(InfergateError):
    """A transcriber refuses what it was asked, or cannot be asked so: no other one makes up for that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriberIdentity:
    """Who transcribes. ``None``: not known.

    ``backend`` is the program, ``backend_version`` its version with those of the libraries that decide the
    words. ``weights_digest`` is ``sha256:<hex>`` of the weights, ``compute_type`` the one in effect,
    ``device`` its kind (cpu, cuda). ``options`` must be JSON: the decoding options in effect, as far as
    they are known. ``response_format`` is the one that a server answers in: the same server may hear other
    words in another one (vllm-project/vllm#58029). Two scores mean the same only where all of it is equal.
    """

    backend: str
    backend_version: str | None
    model: str
    weights_digest: str | None = None
    device: str | None = None
    compute_type: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    response_format: str | None = None

    @property
    def digest(self) -> str:
        return digest(self.as_json())

    def as_json(self) -> dict[str, Any]:
        return {
            "backend": self.backend,
            "backend_version": self.backend_version,
            "model": self.model,
            "weights_digest": self.weights_digest,
            "device": self.device,
            "compute_type": self.compute_type,
            "options": dict(self.options),
            "response_format": self.response_format,
        }

    def __str__(self) -> str:
        """Say all but the options in one line."""
        parts = [
            f"{self.backend} {self.backend_version or '(version unknown)'}",
            f"model {self.model}",
            f"weights {self.weights_digest or 'unknown'}",
        ]
        if self.compute_type or self.device:
            parts.append(
                f"{self.compute_type or 'compute type unknown'} on {self.device or 'unknown device'}"
            )
        if self.response_format:
            parts.append(self.response_format)
        return ", ".join(parts)


class Transcriber(Protocol):
    """A way to have a clip transcribed."""

    @property
    def identity(self) -> TranscriberIdentity:
        """Who it is, as far as is known by now: what it answers in may be known after the first answer."""
        ...

    def transcribe(self, audio: Audio, language: str | None) -> Transcript:
        """Return what is heard in ``audio``; ``language`` is a Whisper code, ``None``: the backend chooses.

        Raises ``TranscriberUnavailable`` where another one may be asked, ``TranscriberError`` where not.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class AbsentTranscriber:
    """A transcriber that is known beforehand not to be there: it raises ``error`` for every clip."""

    identity: TranscriberIdentity
    error: TranscriberUnavailable | TranscriberError

    def transcribe(self, audio: Audio, language: str | None) -> Transcript:
        raise type(self.error)(str(self.error))
