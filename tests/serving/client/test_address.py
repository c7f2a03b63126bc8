"""Server URLs as people write them."""

from __future__ import annotations

import pytest

from pytest_infergate.evidence import InfergateError
from pytest_infergate.serving import ServerAddress


@pytest.mark.parametrize(
    ("url", "api"),
    [
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080/v1"),
        ("http://127.0.0.1:8080/", "http://127.0.0.1:8080/v1"),
        ("http://127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1"),
        ("http://127.0.0.1:8080/v1/", "http://127.0.0.1:8080/v1"),
        (" HTTP://Host.test/v1 ", "http://host.test/v1"),
        ("https://host.test/team/llm", "https://host.test/team/llm/v1"),
        ("https://host.test/team/llm/v1/", "https://host.test/team/llm/v1"),
        ("http://host.test/v1/chat/completions", "http://host.test/v1"),
        ("http://host.test/v1/models?x=1", "http://host.test/v1"),
        ("http://[::1]:8080", "http://[::1]:8080/v1"),
        ("https://user:secret@host.test:1/v1", "https://host.test:1/v1"),
    ],
)
def test_the_api_is_found(url: str, api: str) -> None:
    address = ServerAddress.parse(url)
    assert address.api == api
    assert address.root == api.removesuffix("/v1")


@pytest.mark.parametrize(
    ("url", "is_loopback"),
    [
        ("http://127.0.0.1", True),
        ("http://127.8.0.1", True),
        ("http://[::1]", True),
        ("http://localhost", True),
        ("http://a.localhost", True),
        ("http://10.0.0.1", False),
        ("http://localhost.test", False),
    ],
)
def test_loopback_is_known(url: str, is_loopback: bool) -> None:
    assert ServerAddress.parse(url).is_loopback is is_loopback


def test_user_and_password_become_basic_authorization_and_are_shown_nowhere() -> None:
    address = ServerAddress.parse("http://me:p%40ss@host.test")
    assert address.authorization == "Basic bWU6cEBzcw=="
    assert "p@ss" in address.secrets
    for shown in (str(address), repr(address)):
        assert not any(secret in shown for secret in (*address.secrets, "me:"))


@pytest.mark.parametrize(
    "url",
    [
        "",
        "host",
        "localhost:8080",
        "ftp://host",
        "http://",
        "http:///v1",
        "http://h:port",
        "http://[::1",
        "embedded",
        "http://a..b",
        "http://a b",
        "http://a\x00b",
        "me:hunter2@host.test",
        "http://me:hunter2@:80",
        "http://me:hunter2/x@h",
    ],
)
def test_what_is_no_url_of_a_server_is_refused_without_its_password(url: str) -> None:
    with pytest.raises(InfergateError, match=r"accepted: http\(s\)://host:port") as caught:
        ServerAddress.parse(url)
    assert "hunter2" not in str(caught.value)
