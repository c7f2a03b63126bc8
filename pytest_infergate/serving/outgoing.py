"""What is sent for one request: a JSON body, or a form with a file."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from .deadline import Deadline
    from .transport import Answer, Transport


class Outgoing(Protocol):
    """A request made ready for one model; it can be sent several times."""

    @property
    def optional(self) -> str | None:
        """The field that it can do without, where a server refuses it; ``None``: there is none."""
        ...

    @property
    def left_out(self) -> str | None:
        """The field that it does without; ``None``: it is whole."""
        ...

    def plainer(self) -> Outgoing:
        """Return it without its optional field."""
        ...

    def send(self, transport: Transport, deadline: Deadline) -> AbstractContextManager[Answer]:
        """Send it and give the head of the answer. Raises ``httpx.HTTPError`` for what goes wrong."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonBody:
    """A body of JSON for ``endpoint``; ``optional`` and ``left_out`` as ``Outgoing`` has them."""

    endpoint: str
    body: bytes = field(repr=False)
    optional: str | None = None
    left_out: str | None = None

    def plainer(self) -> JsonBody:
        if self.optional is None:
            return self
        fields = json.loads(self.body)
        del fields[self.optional]
        return JsonBody(
            endpoint=self.endpoint, body=json.dumps(fields).encode("ascii"), left_out=self.optional
        )

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
    optional: None = None
    left_out: None = None

    def plainer(self) -> Form:
        return self

    def send(self, transport: Transport, deadline: Deadline) -> AbstractContextManager[Answer]:
        file = (self.name, io.BytesIO(self.content), self.media_type)
        return transport.upload(self.endpoint, self.fields, file, deadline)
