"""What a reply looks like, whatever it says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_infergate.traits import Lengths, byproduct_scores, loop_share, unexpected_script_share

LOOPS = [
    ("", 0.0, "nothing"),
    ("A short answer without any loop.", 0.0, "prose"),
    ("no no no", 0.0, "three times is rhetoric"),
    ("I am sorry. " * 40, 1.0, "a sentence over and over"),
    ("ha" * 200, 1.0, "without spaces"),
    ("The answer is 4. " + "So it is 4. " * 50, 0.97, "a loop after an answer"),
    ("\n".join(f"{n}. item {n}" for n in range(200)), 0.0, "a list that counts is no loop"),
    ("今天天气很好。" * 30, 1.0, "a script without spaces"),
]


@pytest.mark.parametrize(("text", "share", "why"), LOOPS)
def test_loops(text: str, share: float, why: str) -> None:
    assert loop_share(text) == pytest.approx(share, abs=0.03), why


@given(st.text(max_size=300))
def test_a_share_is_a_share(text: str) -> None:
    assert 0 <= loop_share(text) <= 1
    share = unexpected_script_share(text, "prompt")
    assert share is None or 0 <= share <= 1


SCRIPTS = [
    ("Paris", "What is the capital of France?", 0.0, "the prompt's script"),
    ("Париж", "What is the capital of France?", 1.0, "another script"),
    ("Paris 巴黎", "What is the capital of France?", 2 / 7, "two of seven letters"),
    ("東京です", "日本の首都は?", 0.0, "kana and characters belong together"),
    ("42", "How many?", None, "no letters in the reply"),
    ("four", "2+2=", None, "no letters in the prompt"),
    ("é", "e", 0.0, "an accent is no other script"),
]


@pytest.mark.parametrize(("text", "prompt", "share", "why"), SCRIPTS)
def test_scripts(text: str, prompt: str, share: float | None, why: str) -> None:
    found = unexpected_script_share(text, prompt)
    assert found == (None if share is None else pytest.approx(share)), why


def exchange(text: str | None, request: dict[str, object]) -> dict[str, object]:
    return {"reply": None if text is None else {"text": text}, "request": request}


def test_byproducts_never_gate_and_are_of_the_models_words() -> None:
    asked = {"messages": [{"role": "user", "content": [{"type": "text", "text": "Say it"}]}]}
    scores = byproduct_scores([exchange("yes", asked), exchange("да", asked), exchange(None, asked)])
    assert {one.name: one.value for one in scores} == {
        "reply_length": 5,
        "reply_loop": 0,
        "reply_unexpected_script": 1,
    }
    assert not any(one.gates for one in scores)
    assert byproduct_scores([exchange(" ", asked)]) == ()


def test_an_unusual_length_is_many_times_the_median() -> None:
    lengths = Lengths()
    for n in range(9):
        lengths.add(100, f"t/{n}#0")
    assert lengths.unusual() is None
    lengths.add(5000, "t/9#0")
    found = lengths.unusual()
    assert found is not None
    assert (found.count, found.longest, found.example, found.median) == (1, 5000, "t/9#0", 100)
    assert Lengths().unusual() is None
