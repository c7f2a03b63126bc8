"""Options of several commands: what they accept, in the plugin's own words where it has them too."""

from __future__ import annotations

import argparse
import math


def option_help() -> dict[str, str]:
    """Return the plugin's words for its options, by name, so that one option is described in one way."""
    from ..plugin.options.table import OPTIONS

    return {option.name: option.help for option in OPTIONS}


def add_comparison_options(parser: argparse.ArgumentParser) -> None:
    """Add what decides a comparison: ``--margin`` and ``--treatment``."""
    help = option_help()
    parser.add_argument("--margin", metavar="X", type=share, help=help["margin"])
    parser.add_argument("--treatment", metavar="FIELD,…", type=field_names, help=help["treatment"])


def share(text: str) -> float:
    """Parse a part of a rate."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:  # NaN is in no range
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 to 1; write 5 % as 0.05")
    return number


def field_names(text: str) -> tuple[str, ...]:
    """Parse names of identity fields, given with commas between them."""
    names = tuple(name.strip() for name in text.split(","))
    if not all(names):
        raise argparse.ArgumentTypeError(
            f"{text!r} is not names of identity fields, such as quantization,kv_cache_type"
        )
    return names


def seconds(text: str) -> float:
    """Parse a number of seconds."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not (math.isfinite(number) and number >= 0):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds, 0 or more")
    return number
