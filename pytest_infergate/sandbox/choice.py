"""Which backend runs the code."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from ..evidence import NoAnswer, Reason
from .bubblewrap import Bubblewrap
from .canary import check_canary
from .container import Container
from .limits import Limits
from .plain import PlainSubprocess
from .sandbox import ProcessSandbox, Sandbox
from .unusable import Unusable

_INSTALL = "install bubblewrap (apt-get install bubblewrap, dnf install bubblewrap)"


class BackendName(Enum):
    """What ``--infer-sandbox`` accepts; ``AUTO`` is the first that isolates and works."""

    AUTO = "auto"
    BUBBLEWRAP = "bubblewrap"
    CONTAINER = "container"
    SUBPROCESS = "subprocess"


_BACKENDS: dict[BackendName, tuple[Callable[[Limits | None], ProcessSandbox], ...]] = {
    BackendName.AUTO: (Bubblewrap, Container),
    BackendName.BUBBLEWRAP: (Bubblewrap,),
    BackendName.CONTAINER: (Container,),
    BackendName.SUBPROCESS: (PlainSubprocess,),
}


def choose_backend(name: BackendName | str = BackendName.AUTO, limits: Limits | None = None) -> Sandbox:
    """Return the first backend of that name that runs its canary right.

    Raises ``NoAnswer`` (``evaluator_unavailable``) with what to install where there is none: the code is
    then not run, and a backend without isolation is never taken unless it is named. Raises
    ``ValueError`` for a name that is none.
    """
    why: list[str] = []
    for make in _BACKENDS[BackendName(name)]:
        try:
            sandbox = make(limits)
            check_canary(sandbox)
        except Unusable as error:
            why.append(str(error))
        except NoAnswer as error:
            why.append(error.detail)
        else:
            return sandbox
    raise NoAnswer(
        Reason.EVALUATOR_UNAVAILABLE,
        f"no sandbox works here, no code was run: {'; '.join(why)}; {_INSTALL}, or start a container engine",
    )
