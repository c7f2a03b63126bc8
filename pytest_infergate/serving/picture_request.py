"""What is asked of a server that draws."""

from __future__ import annotations

import json
from dataclasses import dataclass

from ..evidence import Reply
from .flags import Flag
from .outgoing import JsonBody
from .picture_answer import read_picture
from .recorded_request import RecordedRequest
from .whole_answer import WholeAnswer

#: Fields that the request says in its own terms, and those whose answer is another one.
_OWN = ("model", "prompt", "stream", "partial_images")
#: The field that says that bytes are to come and no address; servers whose answers always do refuse it.
_FORM = "response_format"


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureRequest(RecordedRequest):
    """Have a picture drawn; the reply's artifact is that picture.

    ``options`` are fields of the body: size, n, response_format, output_format, seed and the like. ``allow``
    are the reasons for missing evidence that the caller lifts. Raises ``RequestError`` for what is no JSON.
    """

    prompt: str

    def __post_init__(self) -> None:
        self._record("picture", {"prompt": self.prompt}, _OWN)

    def outgoing(self, model: str) -> JsonBody:
        """Return what asks ``model``; a server that does not know ``response_format`` is asked without."""
        body = {"model": model, "prompt": self.prompt, **self.options}
        return JsonBody(
            endpoint=self.endpoint,
            body=json.dumps(body, allow_nan=False).encode("ascii"),
            optional=_FORM if _FORM in self.options else None,
        )

    def assembly(self, *, status: int, content_type: str) -> WholeAnswer:
        """Return what takes the bytes of the answer."""
        return WholeAnswer(read_picture, content_type=content_type, is_timed=False)

    def flags_of(self, reply: Reply) -> tuple[str, ...]:
        """Name the format of the picture where it is another one than ``output_format``."""
        asked, artifact = self.options.get("output_format"), reply.artifact
        if not isinstance(asked, str) or artifact is None or not artifact.media_type.startswith("image/"):
            return ()
        wanted = asked.lower().removeprefix("image/").removeprefix(".").replace("jpg", "jpeg")
        if artifact.media_type == f"image/{wanted}":
            return ()
        return (f"{Flag.OUTPUT_FORMAT.value}:{artifact.media_type}",)
