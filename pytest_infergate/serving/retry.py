"""When to ask again, and after how long."""

from __future__ import annotations

import random
import re
import time
from datetime import timezone
from email.utils import parsedate_to_datetime

#: Answers that say "not now". Every other status is final: the same request fails the same way.
RETRIED_STATUSES = frozenset({429, 502, 503, 504})

_FIRST_DELAY_S = 0.5
_LONGEST_DELAY_S = 8.0
_LONGEST_ASKED_S = 86_400.0
_SECONDS = re.compile(r"[0-9]{1,400}(?:\.[0-9]{1,400})?")

# A generator of its own: the global one belongs to the tests.
_jitter = random.Random()


def backoff(attempt: int) -> float:
    """Return the seconds to wait after the ``attempt``-th attempt (from 1): doubling, jittered, bounded."""
    longest = min(_LONGEST_DELAY_S, _FIRST_DELAY_S * 2.0 ** min(attempt - 1, 16))
    return longest * _jitter.uniform(0.5, 1.0)


def parse_retry_after(value: str | None) -> float | None:
    """Return the seconds that a ``Retry-After`` header asks for; ``None`` where it asks nothing usable.

    Both forms of RFC 9110, section 10.2.3: seconds and an HTTP date. Negative, past, more than a day,
    and whatever is neither are not usable.
    """
    if value is None:
        return None
    text = value.strip()
    if _SECONDS.fullmatch(text):
        seconds = float(text)
    else:
        try:
            at = parsedate_to_datetime(text)
            # The oldest form of an HTTP date names no zone; all of them are UTC.
            seconds = (at if at.tzinfo else at.replace(tzinfo=timezone.utc)).timestamp() - time.time()
        except (TypeError, ValueError, IndexError, OverflowError):
            return None
        if seconds <= 0:
            return None
    return seconds if seconds <= _LONGEST_ASKED_S else None
