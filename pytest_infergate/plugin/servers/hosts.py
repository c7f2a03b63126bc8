"""Workers of xdist on other hosts, for which loopback is another machine."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable

import pytest

from ...serving import ServerAddress
from ..options.settings import Settings


def refuse_loopback(config: pytest.Config, settings: Settings) -> None:
    """Raise ``pytest.UsageError`` where workers on other hosts would look for a server on their own.

    Another server may listen there, and would be measured unseen.
    """
    remote = next(filter(is_remote, _specs(config)), None)
    if remote is None:
        return
    for option, url in (
        ("--infer-server", settings.server),
        ("--infer-judge", settings.judge),
        ("--infer-against", settings.against),
        ("--infer-asr", settings.asr),
    ):
        if url is not None and (url == "embedded" or ServerAddress.parse(url).is_loopback):
            raise pytest.UsageError(
                f"{option}={url} is another machine on the worker {remote}; give the address under which "
                "every host reaches the server"
            )


def worker_total(config: pytest.Config) -> int:
    """Return the number of workers, 0 without xdist."""
    return sum(map(_processes, getattr(config.option, "tx", None) or ()))


def _processes(spec: str) -> int:
    """Return how many workers one ``--tx`` asks for; ``-n`` has become such by now."""
    times, star, _ = spec.partition("*")
    return int(times) if star and times.isdigit() else 1


def _specs(config: pytest.Config) -> Iterable[str]:
    return (*config.option.tx, *getattr(config.option, "px", ()))


def is_remote(spec: str) -> bool:
    """Say whether a worker's specification, such as ``2*ssh=user@host//chdir=dir``, names another host."""
    for part in spec.partition("*")[2 if spec.partition("*")[0].isdigit() else 0].split("//"):
        how, _, where = part.partition("=")
        if how in ("ssh", "vagrant_ssh"):
            return True
        if how == "socket":
            return not _is_loopback(where.rpartition(":")[0].strip("[]"))
    return False


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
