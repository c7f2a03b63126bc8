"""What to do about each reason for missing evidence: one line for every reason there is."""

from __future__ import annotations

from ..evidence import Reason

REMEDIES: dict[Reason, str] = {
    Reason.NOT_RUN: "go on with --infer-resume=RUN, without what stopped the session (-x, an interrupt, a "
    "lost worker)",
    Reason.SKIPPED: "take the skip away, or deselect these evaluations with -k or -m",
    Reason.EMPTY_DATASET: "add rows to the data set, or correct its path",
    Reason.NOTHING_EVALUATED: "let the test ask for a reply or record a score before it ends",
    Reason.EMPTY_REPLY: "look at the raw reply with infergate show; check the prompt, the chat template and "
    "whether reasoning used up max_tokens",
    Reason.NO_ANSWER: "look at the raw reply with infergate show; state the answer's form in the prompt, or "
    "use the extractor that fits it",
    Reason.TRUNCATED: "raise max_tokens, or allow=['truncated'] where a cut reply is what is measured",
    Reason.REFUSED: "look at the refusal with infergate show; change the prompt or the server's filter, or "
    "allow=['refused'] where a refusal is what is measured",
    Reason.UNREACHABLE: "check that the server runs and is named with --infer-server=URL; "
    "infergate doctor URL tries it",
    Reason.RATE_LIMITED: "lower --infer-concurrency, or raise the server's limit or --infer-retries",
    Reason.SERVER_ERROR: "read the server's log for the time of the exchange; lower --infer-concurrency "
    "if it is overloaded",
    Reason.BROKEN_STREAM: "read the server's log; check the proxy between, which may cut long streams",
    Reason.TIMEOUT: "raise --infer-timeout, or lower --infer-concurrency or max_tokens",
    Reason.CONTEXT_LIMIT: "serve the model with a larger context, or shorten the prompt or max_tokens",
    Reason.EVALUATOR_UNAVAILABLE: "install or start what the evaluator needs; the detail names it",
    Reason.EVALUATOR_ERROR: "mend the test or its fixtures; an error there says nothing about the model",
    Reason.EMPTY_REFERENCE: "give the sample a reference that is not empty after normalizing",
    Reason.UNDECODABLE_MEDIA: "replace the file; it does not decode to its end",
    Reason.INVALID_SCORE: "mend the evaluator; a score is a finite number within its declared range",
    Reason.FALLBACK_NOT_ALLOWED: "bring the preferred backend back, or allow the fallback",
    Reason.NOT_EXERCISED: "make the run use the feature; being enabled is not being exercised",
    Reason.INVALID_CONDITIONS: "serve what --infer-expect asks for, or correct the expectation; give hosts "
    "the same files",
}

#: Where stored replies were judged there is no server that could be reached, and nothing to go on with.
REPLAY_REMEDIES: dict[Reason, str] = {
    **REMEDIES,
    Reason.UNREACHABLE: "a stored reply answers what was asked then and nothing else; use the prompts, files "
    "and sampling of that run, or ask a server with --infer-server=URL",
    Reason.NOT_RUN: "judge that run again with --infer-replay=RUN, without what stopped the session (-x, an "
    "interrupt, a lost worker)",
}
