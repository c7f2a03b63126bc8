"""Running code that a model wrote: isolated, limited, and believed only when its tests came to their end."""

from .choice import BackendName, choose_backend
from .job import Job
from .limits import Limits, SandboxError
from .outcome import EndReason, Outcome
from .sandbox import Sandbox

__all__ = [
    "BackendName",
    "EndReason",
    "Job",
    "Limits",
    "Outcome",
    "Sandbox",
    "SandboxError",
    "choose_backend",
]
