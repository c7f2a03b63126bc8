"""What checks of pictures and clips cost, beside scikit-image and pixelmatch in the same process.

    python benchmarks/visual.py [--runs 5] [--seconds 60] [--without-pixelmatch]

To reach on two cores: the structural similarity of two pictures of 1920 x 1080 within 300 ms, their
difference in pixels within 150 ms, and ``not_blank`` and ``not_frozen`` of a minute of 1280 x 720 at ten
times real time or more, in memory that does not grow with the length. Needs scikit-image, pixelmatch and
the extra ``visual``.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import tempfile
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from skimage import data
from skimage.metrics import structural_similarity as of_skimage

from pytest_infergate.visual.checks.matches import matches
from pytest_infergate.visual.checks.no_black_gap import no_black_gap
from pytest_infergate.visual.checks.not_blank import not_blank
from pytest_infergate.visual.checks.not_frozen import not_frozen
from pytest_infergate.visual.clip import open_clip
from pytest_infergate.visual.difference_picture import png_of
from pytest_infergate.visual.perceptual_hash import perceptual_hash
from pytest_infergate.visual.picture import open_picture
from pytest_infergate.visual.pixel_difference import pixel_difference
from pytest_infergate.visual.ssim import structural_similarity

FPS = 30


def timed(call: Callable[[], object]) -> float:
    begun = time.perf_counter()
    call()
    return time.perf_counter() - begun


def in_turn(calls: dict[str, Callable[[], object]], runs: int) -> dict[str, float]:
    """Return the median seconds of each, A B A B …, after one call of each that does not count."""
    seconds: dict[str, list[float]] = {name: [] for name in calls}
    for run in range(runs + 1):
        for name, call in calls.items():
            taken = timed(call)
            if run:
                seconds[name].append(taken)
    return {name: statistics.median(column) for name, column in seconds.items()}


def full_hd() -> tuple[np.ndarray, np.ndarray]:
    """Return a photograph of 1920 x 1080 and the same with noise."""
    photo = np.kron(data.camera(), np.ones((3, 4), np.uint8))[:1080, :1920].copy()
    noise = np.random.default_rng(1).normal(0, 8, photo.shape)
    return photo, np.clip(photo + noise, 0, 255).astype(np.uint8)


def in_colour(grey: np.ndarray) -> np.ndarray:
    return np.dstack([grey, grey, grey, np.full_like(grey, 255)])


def report_pictures(runs: int, with_pixelmatch: bool) -> None:
    photo, noisy = full_hd()
    one, other = in_colour(photo), in_colour(noisy)
    patched = one.copy()
    patched[100:400, 100:500] = other[100:400, 100:500]
    pictures = [open_picture(png_of(pixels)) for pixels in (one, other)]
    calls: dict[str, Callable[[], object]] = {
        "structural similarity": lambda: structural_similarity(photo, noisy),
        "  scikit-image": lambda: of_skimage(photo, noisy),
        "matches, ssim, a check": lambda: matches(*pictures, method="ssim", limit=0.01),
        "pixels, all differ": lambda: pixel_difference(one, other),
        "pixels, 114,000 differ": lambda: pixel_difference(one, patched),
        "  and edges forgiven": lambda: pixel_difference(one, patched, forgive_antialiasing=True),
        "perceptual hash": lambda: perceptual_hash(photo),
    }
    median = in_turn(calls, runs)
    print(f"1920 x 1080, median of {runs}")
    for name, seconds in median.items():
        print(f"  {name:26} {seconds * 1000:8.1f} ms")
    ratio = median["  scikit-image"] / median["structural similarity"]
    print(f"  scikit-image takes {ratio:.1f} times as long as our structural similarity")
    if with_pixelmatch:
        from pixelmatch import pixelmatch

        flat = patched.tobytes(), one.tobytes()
        for ours, edges_count in (("pixels, 114,000 differ", True), ("  and edges forgiven", False)):
            seconds = timed(
                lambda count=edges_count: pixelmatch(*flat, 1920, 1080, threshold=0, includeAA=count)
            )
            print(
                f"  pixelmatch takes {seconds / median[ours]:.0f} times as long as our {ours.strip()!r} "
                f"(once: {seconds:.2f} s)"
            )


def write_clip(path: Path, seconds: int) -> None:
    """Encode a photograph that a square moves over, 1280 x 720."""
    ground = np.kron(data.astronaut(), np.ones((2, 3, 1), np.uint8))[:720, :1280]
    with av.open(str(path), "w") as out:
        stream = out.add_stream("libx264", rate=FPS, options={"preset": "ultrafast", "crf": "23"})
        stream.width, stream.height, stream.pix_fmt = 1280, 720, "yuv420p"
        stream.codec_context.time_base = Fraction(1, FPS)
        for tick in range(seconds * FPS):
            pixels = ground.copy()
            left = tick * 4 % 1100
            pixels[300:420, left : left + 120] = (250, 220, 40)
            frame = av.VideoFrame.from_ndarray(pixels, format="rgb24")
            frame.pts = tick
            out.mux(stream.encode(frame))
        out.mux(stream.encode())


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def report_clip(seconds: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        short, long = Path(folder, "short.mp4"), Path(folder, "long.mp4")
        write_clip(short, max(1, seconds // 6))
        write_clip(long, seconds)
        for check in (not_blank, not_frozen):
            assert check(open_clip(short)).passed, "the clip moves and shows something"
        peak = peak_mb()
        begun = time.perf_counter()
        clip = open_clip(long)
        opened = time.perf_counter()
        for check in (not_blank, not_frozen):
            assert check(clip).passed, "the clip moves and shows something"
        checked = time.perf_counter()
        assert no_black_gap(clip).passed, "the clip is not black"
        again = time.perf_counter() - checked
        print(f"1280 x 720, {seconds} s")
        print(f"  opening, every frame decoded {seconds / (opened - begun):8.1f} times real time")
        print(f"  not_blank and not_frozen     {seconds / (checked - opened):8.1f} times real time")
        print(f"  no_black_gap after these     {seconds / again:8.1f} times real time")
        print(f"  all of it                    {seconds / (checked - begun + again):8.1f} times real time")
        print(f"  memory: {peak_mb() - peak:.1f} MB more at its peak than for {max(1, seconds // 6)} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--without-pixelmatch", action="store_true")
    chosen = parser.parse_args()
    report_clip(chosen.seconds)
    report_pictures(chosen.runs, not chosen.without_pixelmatch)


if __name__ == "__main__":
    main()
