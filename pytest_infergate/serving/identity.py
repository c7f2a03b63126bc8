"""Who the server is: every field a value with the place it came from, or unknown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, TypeAlias

from ..evidence import canonical_json, digest

JSON: TypeAlias = "str | int | float | bool | list[JSON] | dict[str, JSON] | None"

#: The engine name of a server that speaks the OpenAI protocol and gave no proof of being anything else.
GENERIC = "generic"

#: What is asked about every server, one word for one meaning across engines. Other names can be declared.
VOCABULARY: Mapping[str, str] = {
    "model": "the id to send as `model`, as the server lists it",
    "owned_by": "the owner that the server's model list names",
    "engine_version": "version or build of the engine",
    "runtime": "the engine's own backend and its version",
    "model_path": "file, folder or repository that the weights were loaded from, as the engine names it",
    "model_variant": "which of several variants under one id is selected",
    "weights_digest": "digest of the weights (Ollama: of the model's manifest), `sha256:<hex>`",
    "weights_revision": "revision of the weights' repository, or the version their owner gave them",
    "quantization": "quantization scheme, in the engine's spelling",
    "n_params": "number of parameters",
    "size_bytes": "size of the weights in bytes",
    "context_length": "tokens that one request can hold, prompt and reply together, as now in force",
    "slots": "requests that are decoded at the same time",
    "chat_template_digest": "digest of the chat template's text",
    "kv_cache_type": "number format of the key-value cache",
    "flash_attention": "whether flash attention is on",
    "speculation": "speculative decoding as configured: its method, true, or false; says nothing of its use",
    "draft_model": "the model that drafts for speculative decoding",
    "prefix_cache": "whether prompts share a prefix cache, as configured",
    "system_fingerprint": "the fingerprint that replies carry",
    "launch_command": "the command line of the engine, secrets taken out",
    "loaded": "whether the model is in memory, as the engine says it",
    "started_at": "a value that the server's process takes when it starts; only its change means anything",
}

#: State that moves while the server stays the same.
VOLATILE = frozenset({"loaded", "started_at"})

#: Sampling fields of a request whose server defaults are recorded, in llama.cpp's spelling.
SAMPLING_FIELDS = (
    "temperature",
    "top_p",
    "top_k",
    "min_p",
    "typical_p",
    "seed",
    "repeat_penalty",
    "presence_penalty",
    "frequency_penalty",
    "max_tokens",
    "stop",
)


class Origin(Enum):
    """Where a value came from."""

    PROBED = "probed"
    REPLY = "reply"
    DECLARED = "declared"
    FILE = "file"


@dataclass(frozen=True, slots=True)
class Known:
    """A value and the place it came from."""

    value: JSON
    origin: Origin

    def __post_init__(self) -> None:
        canonical_json(self.value)  # refuses what a run folder could not hold

    def as_json(self) -> dict[str, Any]:
        return {"value": self.value, "origin": self.origin.value}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Known:
        return cls(value["value"], Origin(value["origin"]))

    def __str__(self) -> str:
        shown = self.value if isinstance(self.value, str) else canonical_json(self.value)
        return f"{shown} ({self.origin.value})"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerIdentity:
    """What is known of a model server.

    ``engine`` is the name of the engine that gave proof, ``generic`` where none did. ``url`` has no user,
    password or query. ``fields`` holds what is known, under the names of ``VOCABULARY`` and under names of
    the user's own for what was declared. ``sampling_defaults`` is what the server does for the fields of
    ``SAMPLING_FIELDS`` that a request does not send; a field that is not in it is unknown.
    """

    engine: str
    url: str
    fields: Mapping[str, Known]
    sampling_defaults: Mapping[str, Known] = field(default_factory=dict)

    @property
    def unknown(self) -> tuple[str, ...]:
        """The names of the vocabulary about which nothing is known. Unknown is neither zero nor false."""
        return tuple(name for name in VOCABULARY if name not in self.fields)

    @property
    def model(self) -> str:
        """The model id to send."""
        known = self.fields["model"].value
        assert isinstance(known, str)
        return known

    @property
    def fingerprint(self) -> str:
        """Digest of what the server is: not of where it listens, when it started or what it has loaded."""
        return digest(
            {
                "engine": self.engine,
                "fields": {name: k.value for name, k in self.fields.items() if name not in VOLATILE},
                "sampling_defaults": {name: k.value for name, k in self.sampling_defaults.items()},
            }
        )

    def known(self, name: str) -> Known | None:
        """Return what is known under ``name``; ``engine`` counts as a name. ``None``: unknown."""
        if name == "engine" and self.engine != GENERIC:
            return Known(self.engine, Origin.PROBED)
        return self.fields.get(name)

    def with_fields(self, fields: Mapping[str, Known]) -> ServerIdentity:
        """Return this identity with ``fields`` added, each replacing what was under its name."""
        return replace(self, fields={**self.fields, **fields})

    def as_json(self) -> dict[str, Any]:
        return {
            "engine": self.engine,
            "url": self.url,
            "fingerprint": self.fingerprint,
            "fields": {name: known.as_json() for name, known in self.fields.items()},
            "unknown": list(self.unknown),
            "sampling_defaults": {
                name: self.sampling_defaults[name].as_json() if name in self.sampling_defaults else None
                for name in SAMPLING_FIELDS
            },
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> ServerIdentity:
        """Read what ``as_json`` wrote; ``fingerprint`` and ``unknown`` follow from the fields."""
        return cls(
            engine=value["engine"],
            url=value["url"],
            fields={name: Known.from_json(known) for name, known in value["fields"].items()},
            sampling_defaults={
                name: Known.from_json(known)
                for name, known in value["sampling_defaults"].items()
                if known is not None
            },
        )
