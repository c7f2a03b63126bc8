"""Whatever is asked of a server."""

from __future__ import annotations

from typing import TypeAlias

from .audio_requests import SpeechRequest, TranscriptionRequest
from .picture_request import PictureRequest
from .request import Request

AnyRequest: TypeAlias = Request | TranscriptionRequest | SpeechRequest | PictureRequest
