"""Why a server could not be identified.

ProbeError
├── ServerUnreachable  nothing answers there, or only a gateway's error
├── ServerNeedsKey     it wants a key, or refuses the one given
├── ServerLoading      it is there and its model is not yet
├── NotAModelServer    something answers that is not a model server
├── ModelNotChosen     it lists several models and none was asked for, or lists none
└── ModelNotListed     it does not have the model that was asked for
"""

from __future__ import annotations

from ..evidence import InfergateError


class ProbeError(InfergateError):
    """The server's identity could not be established."""


class ServerUnreachable(ProbeError):
    """No server answers at the address."""


class ServerNeedsKey(ProbeError):
    """The server wants a key, or refuses the one it was given."""


class ServerLoading(ProbeError):
    """The server is still loading its model."""


class NotAModelServer(ProbeError):
    """What answers at the address is not a model server."""


class ModelNotChosen(ProbeError):
    """The model list does not decide which model is meant."""


class ModelNotListed(ProbeError):
    """The server does not list the model that was asked for."""
