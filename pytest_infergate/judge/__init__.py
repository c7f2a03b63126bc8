"""A model as judge: what it is asked, how its answer is read, when it counts. Pure.

A judge gives verdicts in a fixed form; anything else that it says is missing evidence, never a verdict.
"""

from .agreement import Agreement, measure_agreement
from .asks import Ask, plan_asks, sampling_of
from .boundary import boundary_of
from .canary import SHIPPED_CANARIES, Canary, canary_problem, read_canary
from .case import Case
from .decision import decide
from .errors import JudgeError
from .form import VerdictForm
from .judgement import Judgement
from .kappa import Kappa, cohen_kappa
from .picture_canary import picture_canaries
from .picture_case import PictureCase
from .picture_prompts import PICTURE_PROMPT_VERSION
from .prompts import PROMPT_VERSION
from .verdict import JudgeVerdict
from .verdict_json import read_vote, verdict_schema
from .vote import Vote

__all__ = [
    "PICTURE_PROMPT_VERSION",
    "PROMPT_VERSION",
    "SHIPPED_CANARIES",
    "Agreement",
    "Ask",
    "Canary",
    "Case",
    "JudgeError",
    "JudgeVerdict",
    "Judgement",
    "Kappa",
    "PictureCase",
    "VerdictForm",
    "Vote",
    "boundary_of",
    "canary_problem",
    "cohen_kappa",
    "decide",
    "measure_agreement",
    "picture_canaries",
    "plan_asks",
    "read_canary",
    "read_vote",
    "sampling_of",
    "verdict_schema",
]
