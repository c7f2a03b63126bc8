"""Draw the signs of signs.jsonl and encode the clips of clips.jsonl, into media/:

    python examples/visual/make_media.py

Needs the extra ``visual``. It stands in for the model that you serve: whatever writes pictures and clips
will do.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path

import av
from PIL import Image, ImageDraw, ImageFont

HERE = Path(__file__).resolve().parent
RATE, SECONDS = 24, 3
WIDTH, HEIGHT = 320, 180


def draw_sign(text: str, path: Path) -> None:
    image = Image.new("RGB", (320, 160), "#f5f0e0")
    draw = ImageDraw.Draw(image)
    draw.rectangle((6, 6, 313, 153), outline="#204060", width=4)
    draw.multiline_text((28, 32), text, font=ImageFont.load_default(32), fill="#204060", spacing=18)
    image.save(path)


def ball(time_s: float) -> Image.Image:
    """A ball that crosses the picture and bounces."""
    image = Image.new("RGB", (WIDTH, HEIGHT), "#d8e4f0")
    x, y = 40 + 80 * time_s, 150 - 100 * abs(math.sin(3 * time_s))
    ImageDraw.Draw(image).ellipse((x - 18, y - 18, x + 18, y + 18), fill="#c03030")
    return image


def sunrise(time_s: float) -> Image.Image:
    """A sun that comes up from behind a hill, and a sky that grows light."""
    light = int(60 * time_s)
    image = Image.new("RGB", (WIDTH, HEIGHT), (50 + light, 60 + light, 110 + light // 2))
    draw = ImageDraw.Draw(image)
    y = 150 - 35 * time_s
    draw.ellipse((135, y - 25, 185, y + 25), fill="#ffd040")
    draw.rectangle((0, 140, WIDTH, HEIGHT), fill="#305030")
    return image


def pendulum(time_s: float) -> Image.Image:
    """A pendulum that swings."""
    image = Image.new("RGB", (WIDTH, HEIGHT), "white")
    draw = ImageDraw.Draw(image)
    angle = 0.8 * math.cos(4 * time_s)
    x, y = 160 + 120 * math.sin(angle), 10 + 120 * math.cos(angle)
    draw.line((160, 10, x, y), fill="black", width=3)
    draw.ellipse((x - 16, y - 16, x + 16, y + 16), fill="#3050a0")
    return image


SCENES: dict[str, Callable[[float], Image.Image]] = {"ball": ball, "sunrise": sunrise, "pendulum": pendulum}


def encode(scene: Callable[[float], Image.Image], path: Path) -> None:
    """Write a clip of a scene in H.264."""
    with av.open(str(path), "w") as out:
        stream = out.add_stream("libx264", rate=RATE, options={"crf": "30"})
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        for number in range(RATE * SECONDS):
            out.mux(stream.encode(av.VideoFrame.from_image(scene(number / RATE))))
        out.mux(stream.encode(None))


def rows(name: str) -> Iterator[dict[str, str]]:
    yield from map(json.loads, (HERE / name).read_text(encoding="utf-8").splitlines())


def main() -> None:
    (HERE / "media").mkdir(exist_ok=True)
    for sign in rows("signs.jsonl"):
        draw_sign(sign["says"], HERE / sign["picture"])
    for clip in rows("clips.jsonl"):
        encode(SCENES[clip["id"]], HERE / clip["clip"])


if __name__ == "__main__":
    main()
