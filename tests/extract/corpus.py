"""The recorded corpus of the lock test: replies of every kind, in many languages, clean and messy.

The texts are those of the tables beside this file, each as it stands and in the dress that replies wear.
"""

# ruff: noqa: E501  (a reply is one line)
from __future__ import annotations

from . import (
    test_boxed,
    test_choice,
    test_code,
    test_json_value,
    test_reasoning,
    test_retraction,
    test_tool_calls,
    test_yes_no,
)
from . import test_number as test_number_

_MESSY = [
    "Sure! Let's break it down.\n\n1. Each box has 12 eggs.\n2. 7 boxes: 7 × 12 = 84.\n3. Minus 4 broken: 84 − 4 = 80.\n\n**80 eggs**",
    "Okay, so first we add 15 + 27 = 42. Hmm, wait. The question asks for half, so 42 / 2 = 21.\n\nSo the answer is 21.",
    "Let x be the price. 3x + 2 = 17 ⇒ x = 5. Therefore the price is $5.00 per kilo.",
    "Pour résoudre, on calcule 3,5 × 2 = 7. La réponse est donc 7 €.",
    "Zuerst 1.200 € minus 20 % = 960 €. Antwort: 960 €",
    "首先，3 × 4 = 12。然后加上 8，得到 20。答案：20",
    "まず、5人が3個ずつ買うので15個です。答えは15個です。",
    "먼저 12 + 30 = 42 입니다. 정답은 42입니다.",
    "الإجابة هي ٤٢",
    "उत्तर: ४२",
    "Сначала сложим 12 и 30. Ответ: **42**",
    "La respuesta correcta es la opción C) mercurio.",
    "I'm sorry, but I can't help with that.",
    "I need more information to answer this question.",
    "The capital of France is Paris.",
    "<think>\nThe user wants the sum. 5+7=12. Or is it 13? 12.\n</think>\n\nThe sum is **12**.",
    "Looking at the options:\n(A) is too small\n(B) fits\n(C) is too big\n\nThe answer is **(B)**.",
    "```python\nfrom typing import List\n\n\ndef solve(xs: List[int]) -> int:\n    return max(xs) - min(xs)\n\n\nprint(solve([3, 9, 4]))\n# 6\n```\n"
    "This runs in O(n).",
    "Here's the JSON you asked for:\n\n```json\n{\n  \"name\": \"Ada\",\n  \"age\": 36,\n  \"tags\": [\"a\", \"b\"]\n}\n```\n\nLet me know if you need more!",
    "{\"a\": 1}<|im_end|>",
    "Thus, $$\\int_0^1 x\\,dx = \\boxed{\\tfrac{1}{2}}$$",
    "True. Water boils at a lower temperature on a mountain.",
    "No, since 91 = 7 × 13 is not prime.",
    "Final answer: 3/8 (≈ 0.375)",
    "The train leaves at 14:35 and arrives at 17:05, so the trip takes 150 minutes.",
    "Total: 1 234 567,89 kr",
    "Answer: B\nBut one could also argue for C.",
    "Answer: -3.2e-5 mol/L",
    "a" * 300,
    "((((((((((",
]  # fmt: skip


def _texts() -> list[str]:
    tables = [
        *(test_number_.ANNOUNCED + test_number_.UNANNOUNCED),
        *test_number_.NOTHING,
        *((f"The answer is {written}.",) for written, _ in test_number_.WRITTEN),
        *(test_choice.LETTERS + test_choice.TEXTS),
        *test_boxed.FOUND,
        *((f"\\boxed{{{one}}}",) for one, _ in test_boxed.SAME),
        *test_yes_no.CASES,
        *test_code.PYTHON,
        *test_json_value.CASES,
        *test_tool_calls.TEXTS,
        *test_reasoning.CASES,
        *(
            (template.format("42", "B"),)
            for template, _ in test_retraction.REPLACED + test_retraction.KEPT + test_retraction.TAKEN
        ),
        *((text,) for _, text, _, _ in test_retraction.OF_ONE_KIND),
    ]
    return list(dict.fromkeys([*_MESSY, *(str(row[0]) for row in tables)]))


CORPUS = _texts()
