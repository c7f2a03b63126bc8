"""What models write around an answer, which stands for ``{}``.

Nothing here holds an answer of any kind by itself: no digit, no single letter from B on, and no word for
yes or no but those of a retraction.
"""

from __future__ import annotations

SENTENCES = (
    "The answer is {}.",
    "The answer is: {}",
    "So the final answer is {}.",
    "Therefore, the answer is {}",
    "Answer: {}",
    "Final answer: {}",
    "**Answer:** {}",
    "<answer>{}</answer>",
)
FOREIGN = (
    "La réponse est {}.",
    "Réponse : {}",
    "Die Antwort ist {}.",
    "Antwort: {}",
    "La respuesta es {}.",
    "La risposta è {}.",
    "A resposta é {}.",
    "Ответ: {}",
    "答案是{}。",
    "答案：{}",
    "答えは{}です。",
    "정답은 {}입니다.",
    "الإجابة هي {}",
    "उत्तर: {}",
)
MARKDOWN = ("**{}**", "*{}*", "__{}__", "`{}`", "### {}", "> {}", "***{}***")
LATEX = (
    "${}$",
    "\\({}\\)",
    "\\boxed{{{}}}",
    "$\\boxed{{{}}}$",
    "$$\\boxed{{{}}}$$",
    "\\[ \\boxed{{{}}} \\]",
    "\\fbox{{{}}}",
)
UNITS = ("{} kg", "{} km/h", "${}", "€{}", "{} €", "{}%", "{} %", "{} apples", "{} miles per hour", "{} USD")
WORKING = (
    "Let me work through this carefully.",
    "Sure! Let's go through it step by step.",
    "Okay, so this needs some thought. First look at what is given, then at what is asked.",
    "Voyons cela ensemble.",
    "我们来一步一步地分析。",
)
CLOSING = (
    "Let me know if you need anything else!",
    "I hope this helps!",
    "Feel free to ask if anything is unclear.",
)
#: ``{0}`` is taken back, ``{1}`` is meant.
RETRACTIONS = (
    "{0} Wait, no — {1}",
    "{0}\n\nWait, no. {1}",
    "{0} Hmm, wait, that is wrong. {1}",
    "{0}\n\nActually, let me correct that: {1}",
)
