"""Extractors that other packages make known by name."""

from __future__ import annotations

from typing import Any

import pytest

from ...extract import Extractor
from ...tasks import DeclarationError


def extractor_named(name: str, config: pytest.Config, *, where: str) -> Extractor[Any]:
    """Return the extractor of that name that another package adds.

    Raises ``DeclarationError``, which begins with ``where``, for a name that nobody adds or two add, and for
    something added that is no extractor.
    """
    known: dict[str, Extractor[Any]] = {}
    for added in config.hook.pytest_infergate_extractors(config=config):
        for extractor in added:
            if not isinstance(extractor, Extractor):
                raise DeclarationError(
                    f"{where}: the hook pytest_infergate_extractors was given {extractor!r:.120}; it takes "
                    "values whose class derives from pytest_infergate.extract.Extractor"
                )
            other = known.setdefault(extractor.name, extractor)
            if other != extractor:
                raise DeclarationError(
                    f"{where}: two extractors are named {extractor.name!r}, {type(other).__module__} and "
                    f"{type(extractor).__module__} add them; import the one you mean and give it as a value"
                )
    if name not in known:
        names = ", ".join(map(repr, sorted(known))) or "none"
        raise DeclarationError(
            f"{where}: infer_extract({name!r}): no plugin adds an extractor of that name; known by name: "
            f"{names}; those of pytest-infergate are values, such as extract.number"
        )
    return known[name]
