"""Hypothesis strategies, and a contract test, for people who write extractors and engines.

``wrapped(answer)``: a known answer in the words of a model. ``replies()``: replies of every kind.
``streams(reply)``: the bytes of a streamed reply, cut anywhere. ``check_extractor(extractor, answers)``: the
contract of an extractor, in one line of a test. Needs the extra ``hypothesis``.
"""

try:
    import hypothesis as _hypothesis  # noqa: F401
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "pytest_infergate.strategies needs Hypothesis; pip install 'pytest-infergate[hypothesis]'",
        name="hypothesis",
    ) from error

from .contract import BrokenPromise, Promise, check_extractor
from .replying import replies
from .streaming import streams
from .wrapping import EVERY_WRAPPING, Wrapped, Wrapping, wrapped

__all__ = [
    "EVERY_WRAPPING",
    "BrokenPromise",
    "Promise",
    "Wrapped",
    "Wrapping",
    "check_extractor",
    "replies",
    "streams",
    "wrapped",
]
