"""What is asked of the model about a sample."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..evidence import InfergateError, InputFile
from .endpoint import Endpoint
from .errors import DatasetError, DeclarationError, did_you_mean, excerpt, listed
from .media import MediaKind, check_media
from .messages import MediaPart, check_messages, compile_messages, fill_messages, leaves
from .sample import Sample
from .template import Template, computed_text, parse_template

_COMPLETION_REMEDY = 'accepted with endpoint="completion": one string; use endpoint="chat" for messages'


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A parsed prompt. ``body`` is a template, compiled messages, or the user's callable.

    ``system`` is put first, ``None``: there is none. ``where`` begins the messages of errors,
    ``test_folder`` is what literal paths resolve from.
    """

    body: Template | tuple[Any, ...] | Callable[[Sample], object]
    system: Template | None
    endpoint: Endpoint
    where: str
    test_folder: Path

    def check(self, samples: Iterable[Sample]) -> None:
        """Check that every sample can be asked, before anything is sent.

        Each field that the prompt uses is there and not null, each media file is there and of its
        kind. A callable is called once a sample. Raises ``DatasetError`` with file and line of the
        row, ``DeclarationError`` where the prompt is at fault.
        """
        seen: set[tuple[Path, MediaKind]] = set()
        for sample in samples:
            for leaf in leaves((self.system, self._body_for(sample))):
                text = leaf.path if isinstance(leaf, MediaPart) else leaf
                self._check_fields(text, sample)
                if isinstance(leaf, MediaPart):
                    path = leaf.resolve(sample, self.test_folder)
                    if (path, leaf.kind) not in seen:
                        check_media(path, leaf.kind, sample.source if text.is_from_row else self.where)
                        seen.add((path, leaf.kind))

    def render(
        self, sample: Sample, note: Callable[[InputFile], None] | None = None
    ) -> str | tuple[Mapping[str, Any], ...]:
        """Return what to send for ``sample``: messages for chat, a string for completion.

        Pictures become ``image_url`` parts with a data URL, audio ``input_audio`` parts; ``note``
        is told of each file. Raises what ``check`` raises.
        """
        body = self._body_for(sample)
        if self.endpoint is Endpoint.COMPLETION:
            assert isinstance(body, Template)
            return body.render(sample)
        if isinstance(body, Template):
            body = ({"role": "user", "content": body},)
        if self.system is not None:
            body = ({"role": "system", "content": self.system}, *body)
        return tuple(fill_messages(body, sample, self.test_folder, note))

    def _body_for(self, sample: Sample) -> Template | tuple[Any, ...]:
        if not callable(self.body):
            return self.body
        name = getattr(self.body, "__name__", type(self.body).__name__)
        where = f"{self.where}: the prompt callable {name!r} on sample {sample.id!r} ({sample.source})"
        try:
            made = self.body(sample)
        except InfergateError:
            raise  # a field that the row does not have: the message says it all
        except (Exception, SystemExit) as error:
            raise DeclarationError(
                f"{where} raised {type(error).__name__}: {excerpt(str(error), 200)}; it takes the sample and "
                "returns a string or messages"
            ) from error
        return _compile_body(made, computed_text, self.system, self.endpoint, where)

    def _check_fields(self, template: Template, sample: Sample) -> None:
        for name in template.fields:
            if sample.fields.get(name) is not None:
                continue
            if sample.folder is None:
                raise DeclarationError(
                    f"{self.where}: the prompt uses the field {name!r}, there is no data set, and sample "
                    f"{sample.id!r} has {listed(sample.fields)}; "
                    "give dataset=…, or write literal braces as {{ and }}"
                )
            if name in sample:
                template.render(sample)  # says that the field is null
            raise DatasetError(
                f"{sample.source}: sample {sample.id!r} has no field {name!r}, which the prompt uses"
                f"{did_you_mean(name, sample.fields)}; its fields: {listed(sample.fields)}; "
                "correct the row or the prompt"
            )


def parse_prompt(
    prompt: object, *, system: object = None, endpoint: Endpoint, where: str, test_folder: Path
) -> Prompt:
    """Read a marker's ``prompt`` and ``system``.

    ``prompt`` is a template, a list of messages whose strings are templates, or a callable that takes
    the sample and returns a string or messages, neither of them templates. Raises
    ``DeclarationError`` that begins with ``where``.
    """
    parsed_system = None
    if system is not None:
        if not isinstance(system, str) or not system.strip():
            raise DeclarationError(f"{where}: system={excerpt(system)}; accepted: a string that is not blank")
        if endpoint is Endpoint.COMPLETION:
            raise DeclarationError(
                f'{where}: system={excerpt(system)} with endpoint="completion", which has no system message; '
                'put it at the front of the prompt, or use endpoint="chat"'
            )
        parsed_system = parse_template(system, f"{where}: system")
    body: Template | tuple[Any, ...] | Callable[[Sample], object]
    if callable(prompt):
        if inspect.iscoroutinefunction(prompt):
            raise DeclarationError(
                f"{where}: the prompt callable {excerpt(prompt)} is async; write a plain def"
            )
        body = prompt
    else:
        place = f"{where}: prompt"
        body = _compile_body(prompt, lambda text: parse_template(text, place), parsed_system, endpoint, place)
    return Prompt(body=body, system=parsed_system, endpoint=endpoint, where=where, test_folder=test_folder)


def _compile_body(
    body: object,
    parse: Callable[[str], Template],
    system: Template | None,
    endpoint: Endpoint,
    where: str,
) -> Template | tuple[Any, ...]:
    if isinstance(body, str):
        if not body.strip():
            raise DeclarationError(f"{where}: the prompt is {body!r}; accepted: a text that is not blank")
        return parse(body)
    if endpoint is Endpoint.COMPLETION and isinstance(body, (list, tuple)):
        raise DeclarationError(f"{where}: the prompt is a list of messages; {_COMPLETION_REMEDY}")
    messages = check_messages(body, where)
    if system is not None and any(message["role"] == "system" for message in messages):
        raise DeclarationError(f"{where}: a system message beside system=…; give one of the two")
    return compile_messages(messages, parse)
