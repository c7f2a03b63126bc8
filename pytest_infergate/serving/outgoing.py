"""What is sent for one request: a JSON body, or a form with a file."""

from __future__ import annotations

import io
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from .deadline import Deadline
    from .transport import Answer, Transport


class Outgoing(Protocol):
    """A request made ready for one model; it can be sent several times."""

    def send(self, transport: Transport, deadline: Deadline) -> AbstractContextManager[Answer]:
        """Send it and give the head of the answer. Raises ``httpx.HTTPError`` for what goes wrong."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonBody:
    """A body of JSON for ``endpoint``."""

    endpoint: str
    body: bytes = field(repr=False)

    def send(self, transport: Transport, deadline: Deadline) -> AbstractContextManager[Answer]:
        return transport.post(self.endpoint, self.body, deadline)


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """Fields and a file for ``endpoint``."""

    endpoint: str
    fields: Mapping[str, str]
    name: str
    content: bytes = field(repr=False)
    media_type: str

    def send(self, transport: Transport, deadline: Deadline) -> AbstractContextManager[Answer]:
        file = (self.name, io.BytesIO(self.content), self.media_type)
        return transport.upload(self.endpoint, self.fields, file, deadline)
