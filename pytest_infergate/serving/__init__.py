"""The model server: requests, the client, streams, prefetch."""

from .address import ServerAddress, ServerAddressError
from .client import Client
from .flags import Flag
from .request import Request, RequestError

__all__ = ["Client", "Flag", "Request", "RequestError", "ServerAddress", "ServerAddressError"]
