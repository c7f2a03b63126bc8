from __future__ import annotations

from .adapters import ADAPTERS
from .behaviour import behaviour, corpus_digest, recorded
from .corpus import CORPUS
from .outcome import outcome

_UPDATE = "then run `python -m tests.extract.relock`"


def test_behaviour_changes_only_with_the_version() -> None:
    lock, now = recorded(), behaviour()
    assert lock["corpus"] == corpus_digest(), f"the corpus changed: leave the adapters as they are, {_UPDATE}"
    changed = [name for name, entry in now.items() if lock["adapters"].get(name) != entry]
    silent = [
        name for name in changed if lock["adapters"].get(name, {}).get("version") == now[name]["version"]
    ]
    assert not silent, (
        f"{', '.join(silent)} answers otherwise than recorded under the same version: scores would be "
        f"compared that mean different things. Raise its `version`, {_UPDATE}"
    )
    assert not changed, f"{', '.join(changed)} is not recorded in this version: {_UPDATE}"
    assert lock["adapters"].keys() == now.keys(), f"an adapter is gone: {_UPDATE}"


def test_the_corpus_says_something_about_every_adapter() -> None:
    assert len(CORPUS) >= 150
    for extractor in ADAPTERS.values():
        answered = 0
        for text in CORPUS:
            try:
                answered += not hasattr(outcome(extractor, text), "group")
            except AssertionError:
                continue
        assert 5 <= answered <= len(CORPUS)
