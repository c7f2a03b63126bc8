"""The model server: who it is, what is asked of it, and what comes back."""

from .address import ServerAddress, ServerAddressError
from .any_request import AnyRequest
from .audio_requests import SpeechRequest, TranscriptionRequest
from .client import Client
from .conversation import conversation_of
from .embedded import CacheType, EmbeddedServer, start_embedded
from .engines import ENGINES, Engine
from .expectations import check_expectations, declare_fields, parse_field_value
from .flags import Flag
from .identity import Known, Origin, ServerIdentity
from .identity_change import IdentityChange, IdentityComparison
from .picture_request import PictureRequest
from .prefetch import Prefetch, PrefetchError
from .probe import confirm_identity, engine_of, probe_server
from .probe_errors import ProbeError, ServerLoading, ServerNeedsKey, ServerUnreachable
from .prompt_tokens import PromptTokenizer
from .request import Request, RequestError
from .same_server import differing_fields
from .steering import steer
from .upload import Uploaded, Uploader
from .weights import packaged_weights

__all__ = [
    "ENGINES",
    "AnyRequest",
    "CacheType",
    "Client",
    "EmbeddedServer",
    "Engine",
    "Flag",
    "IdentityChange",
    "IdentityComparison",
    "Known",
    "Origin",
    "PictureRequest",
    "Prefetch",
    "PrefetchError",
    "ProbeError",
    "PromptTokenizer",
    "Request",
    "RequestError",
    "ServerAddress",
    "ServerAddressError",
    "ServerIdentity",
    "ServerLoading",
    "ServerNeedsKey",
    "ServerUnreachable",
    "SpeechRequest",
    "TranscriptionRequest",
    "Uploaded",
    "Uploader",
    "check_expectations",
    "confirm_identity",
    "conversation_of",
    "declare_fields",
    "differing_fields",
    "engine_of",
    "packaged_weights",
    "parse_field_value",
    "probe_server",
    "start_embedded",
    "steer",
]
