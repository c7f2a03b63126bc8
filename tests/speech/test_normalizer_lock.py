"""A normalizer changes only with its version: figures of two versions are not compared."""

from __future__ import annotations

from .normalizer_corpus import CORPUS
from .normalizer_lock import behaviour, recorded, silent_changes

_UPDATE = "then run `python -m tests.speech.normalizer_lock`"


def test_normal_forms_change_only_with_the_version() -> None:
    lock, now = recorded(), behaviour()
    silent = silent_changes(lock, now)
    assert not silent, (
        f"another normal form than recorded under the same version: {silent}. Rates would be compared that"
        f" mean different things: raise the version, {_UPDATE}"
    )
    assert lock["rows"].keys() == set(CORPUS), f"the corpus changed: {_UPDATE}"


def test_digests_change_only_with_the_version() -> None:
    lock, now = recorded(), behaviour()
    silent = [
        name
        for name, digest in now["digests"].items()
        if lock["versions"][name] == now["versions"][name] and lock["digests"][name] != digest
    ]
    assert not silent, f"the tables of {silent} changed under the same version: raise it, {_UPDATE}"
    ours = ("none", "basic", "english")
    assert [lock["versions"][name] for name in ours] == [now["versions"][name] for name in ours], _UPDATE


def test_the_corpus_is_one_of_different_texts() -> None:
    assert len(CORPUS) == len(set(CORPUS))
    assert len(CORPUS) >= 150
    rows = recorded()["rows"].values()
    assert sum(row["basic"] != row["none"] for row in rows) >= 80
    assert sum(row["english"] != row["basic"] for row in rows) >= 80
