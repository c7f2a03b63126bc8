"""The commands of ``infergate``, a file each."""

from .agreement import add_agreement
from .answer import Answer
from .baseline import add_baseline
from .compare import add_compare
from .doctor import add_doctor
from .init import add_init
from .merge import add_merge
from .new import add_new
from .row import add_row
from .show import add_show
from .swap import add_swap
from .validate import add_validate

__all__ = [
    "Answer",
    "add_agreement",
    "add_baseline",
    "add_compare",
    "add_doctor",
    "add_init",
    "add_merge",
    "add_new",
    "add_row",
    "add_show",
    "add_swap",
    "add_validate",
]
