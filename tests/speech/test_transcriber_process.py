"""A real server over a real model, preferred, and killed in mid-session."""

from __future__ import annotations

from pytest_infergate.evidence import Missing, Reason
from pytest_infergate.serving import Uploader, probe_server
from pytest_infergate.speech import Chain, FasterWhisper, OpenAIServer, TranscriberIdentity, open_audio

from .asr_server import start_process
from .espeak import spoken
from .whisper_models import tiny_en_folder


def test_a_server_is_preferred_and_its_death_shows_in_every_later_clip(tiny_en: FasterWhisper) -> None:
    audio = open_audio(spoken("The garden gate is open, and the dog is sleeping in the sun."))
    with start_process(tiny_en_folder()) as server:
        known = probe_server(server.url)
        assert known.model == "whisper-tiny.en"
        who = TranscriberIdentity(backend=known.engine, backend_version=None, model=known.model)
        uploader = Uploader(server.url, timeout=60, retries=0)
        chain = Chain([OpenAIServer(uploader, who), tiny_en])
        assert chain.identity is not None
        assert chain.identity.response_format == "verbose_json"
        before = chain.hear(audio, "en", allow_fallback=False)
        server.kill()
        allowed = chain.hear(audio, "en", allow_fallback=True)
        forbidden = chain.hear(audio, "en", allow_fallback=False)
        uploader.close()
    assert (before.missing, before.fallback, before.identity) == (None, None, chain.identity)
    assert before.transcript is not None
    assert "garden gate" in before.transcript.text
    assert before.transcript.segments
    assert allowed.missing is None
    assert allowed.identity == tiny_en.identity
    assert allowed.fallback is not None
    assert allowed.fallback.preferred == str(chain.identity)
    assert f"could not connect to {server.url}" in allowed.fallback.because
    assert forbidden.fallback is not None
    assert isinstance(forbidden.missing, Missing)
    assert forbidden.missing.reason is Reason.FALLBACK_NOT_ALLOWED
    assert forbidden.transcript is not None
    assert allowed.transcript is not None
    assert forbidden.transcript.text == allowed.transcript.text
