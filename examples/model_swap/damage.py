"""Copy a GGUF file with every Nth byte of one tensor inverted: a conversion that went wrong.

The copy has the size of its source and loads without a complaint.
"""

import argparse
import os
import shutil
import sys
from pathlib import Path

from gguf import GGUFReader

from pytest_infergate.evidence import InfergateError
from pytest_infergate.serving import packaged_weights

TENSOR = "blk.9.ffn_down.weight"


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("copy", type=Path, help="the file to write")
    parser.add_argument("--every", type=int, required=True, metavar="N", help="invert every Nth byte")
    parser.add_argument("--gguf", type=Path, help="the source (default: the packaged Gemma 3 270M)")
    parser.add_argument("--tensor", default=TENSOR, help=f"which tensor (default: {TENSOR})")
    return parser


def main() -> None:
    options = build_parser().parse_args()
    try:
        source = options.gguf or packaged_weights(on_progress=print).path
        where = bytes_of(source, options.tensor)
        inverted = damage(source, options.copy, where, options.every)
    except (InfergateError, OSError, ValueError) as error:
        sys.exit(f"damage.py: {error}")
    print(f"{options.copy}: {inverted:,} of {len(where):,} bytes of {options.tensor} inverted")


def bytes_of(gguf: Path, tensor: str) -> range:
    """Where in the file the tensor lies. Reading the index of a model takes seconds."""
    for found in GGUFReader(gguf).tensors:
        if found.name == tensor:
            return range(int(found.data_offset), int(found.data_offset + found.n_bytes))
    raise ValueError(f"{gguf} has no tensor {tensor!r}; take another with --tensor NAME")


def damage(source: Path, copy: Path, where: range, every: int) -> int:
    """Write the copy and return how many of its bytes differ from the source."""
    if every < 1:
        raise ValueError(f"every {every} bytes is not a distance; take 1 or more")
    if copy.exists() and os.path.samefile(source, copy):
        raise ValueError(f"{copy} is the source itself; name another file")
    copy.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, copy)
    with copy.open("r+b") as file:
        file.seek(where.start)
        block = bytearray(file.read(len(where)))
        block[::every] = bytes(byte ^ 0xFF for byte in block[::every])
        file.seek(where.start)
        file.write(block)
    return len(block[::every])


if __name__ == "__main__":
    main()
