"""Does the model remember what was said, and does it keep short when it is asked to?

Free-form evaluations: the test talks to the server itself. Without ``min_pass_rate`` each must pass.
"""

import pytest

from pytest_infergate import extract


@pytest.mark.infer_task(max_tokens=500)
def test_follow_up(infer):
    first = infer.chat("Name a prime number between 20 and 30. Reply with the number alone.")
    second = infer.chat(
        [*first.messages, {"role": "user", "content": "And the other one? Reply with the number alone."}]
    )
    assert {extract.number(first), extract.number(second)} == {23, 29}


@pytest.mark.infer_task(max_tokens=500)
@pytest.mark.parametrize("topic", ["rain", "bread", "music"])
def test_brevity(infer, topic):
    reply = infer.chat(f"Explain {topic} to a child in one sentence of at most 25 words.")
    words = len(reply.text.split())
    infer.score("words", words, unit="words", higher_is_better=False, low=1)
    assert topic in reply.text.lower()
    assert words <= 25
