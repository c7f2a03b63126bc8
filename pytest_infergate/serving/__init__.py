"""The model server: requests, the client, streams, prefetch."""

from .address import ServerAddress, ServerAddressError
from .client import Client
from .flags import Flag
from .prefetch import Prefetch, PrefetchError
from .request import Request, RequestError

__all__ = [
    "Client",
    "Flag",
    "Prefetch",
    "PrefetchError",
    "Request",
    "RequestError",
    "ServerAddress",
    "ServerAddressError",
]
