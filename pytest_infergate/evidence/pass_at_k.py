"""The chance that one of k tries succeeds."""

from __future__ import annotations

from math import comb


def pass_at_k(n: int, c: int, k: int) -> float:
    """Return the unbiased estimate of pass@k from ``n`` repeats of which ``c`` passed, 1 <= k <= n.

    1 - C(n-c, k) / C(n, k). Source: M. Chen et al., "Evaluating large language models trained on code"
    (2021). Raises ``ValueError`` for k > n: from n repeats nothing can be said of more.
    """
    if not 1 <= k <= n or not 0 <= c <= n:
        raise ValueError(f"pass@{k} of {c} passed in {n} repeats: accepted are 1 <= k <= n and 0 <= c <= n")
    return 1 - comb(n - c, k) / comb(n, k)
