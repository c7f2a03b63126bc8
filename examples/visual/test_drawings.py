"""Drawings that a model writes as SVG: drawn, measured, and held against what was asked for."""

import pytest

PROMPT = """\
Shape: square, colour: white
SVG: <svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><rect x="16" y="16" width="32" height="32" fill="white"/></svg>

Shape: circle, colour: cyan
SVG: <svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><circle cx="32" cy="32" r="20" fill="cyan"/></svg>

Shape: circle, colour: teal
SVG: <svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><circle cx="32" cy="32" r="20" fill="teal"/></svg>

Shape: square, colour: lime
SVG: <svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><rect x="16" y="16" width="32" height="32" fill="lime"/></svg>

Shape: {shape}, colour: {colour}
SVG:"""  # noqa: E501 (an example is one line, as the answer is)


@pytest.mark.infer_task(
    dataset="drawings.jsonl",
    prompt=PROMPT,
    endpoint="completion",
    stop=["\n"],
    max_tokens=120,
    min_pass_rate=0.8,
)
@pytest.mark.infer_visual(require=["size", "not_blank", "colour_share", "matches"])
def test_drawing(visual, reply, sample):
    picture = visual.open(reply)
    visual.size(picture, 64, 64)
    visual.not_blank(picture)
    visual.check("colour_share", picture, sample["rgb"], at_least=0.2)
    visual.matches(picture, visual.open(sample["expected"]))
