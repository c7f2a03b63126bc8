"""The names of schemas: what they are of, and a version that only grows."""

from __future__ import annotations


def is_newer(schema: object, known: str) -> bool:
    """Whether a schema that a file names is a later version of the ``known`` one."""
    name, _, version = schema.rpartition("/") if isinstance(schema, str) else ("", "", "")
    ours, _, own = known.rpartition("/")
    return name == ours and version.isascii() and version.isdigit() and int(version[:9]) > int(own)
