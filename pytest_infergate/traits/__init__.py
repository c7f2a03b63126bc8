"""What a reply looks like, whatever it says: loops, length, script. Pure.

By-products of replies already held, which never gate by themselves. A test can ask for one:
``assert loop_share(reply.text) < 0.5``.
"""

from .byproducts import NOTICES, Notice, byproduct, byproduct_scores
from .lengths import Lengths, UnusualLength
from .loops import loop_share
from .scripts import unexpected_script_share

__all__ = [
    "NOTICES",
    "Lengths",
    "Notice",
    "UnusualLength",
    "byproduct",
    "byproduct_scores",
    "loop_share",
    "unexpected_script_share",
]
