"""The engines, in the order in which the probe asks for their proof. Imitators come before the imitated."""

from .engine import Engine
from .generic import Generic
from .llama_cpp_python import LlamaCppPython
from .llamacpp import LlamaCpp
from .lmstudio import LmStudio
from .localai import LocalAi
from .mlx_lm import MlxLm
from .ollama import Ollama
from .sglang import Sglang
from .tabbyapi import TabbyApi
from .tgi import Tgi
from .vllm import Vllm

#: The order matters: LocalAI and SGLang answer Ollama's paths, TabbyAPI serves ``/props``, and ``/health``
#: may be asked only once SGLang is excluded.
ENGINES: tuple[Engine, ...] = (
    LlamaCpp(),
    LocalAi(),
    TabbyApi(),
    LmStudio(),
    Sglang(),
    Vllm(),
    Tgi(),
    Ollama(),
    LlamaCppPython(),
    MlxLm(),
    Generic(),
)

__all__ = ["ENGINES", "Engine"]
