"""The root of every error this package raises on purpose.

InfergateError
├── NoAnswer             a reply holds nothing to judge                   (carries its reason)
│   └── UndecodableMedia  audio, a picture or a video is not there whole
├── SchemaError          a JSON Schema is not usable as written
├── GoldError            a gold answer is none for its extractor          (extract/)
├── ExtractorError       an extractor is not usable as written            (extract/)
├── ToolError            a tool is not usable as written                  (tools/)
├── DatasetError         a data set cannot be read as it stands           (tasks/)
├── DeclarationError     a marker or a prompt is not usable as written    (tasks/)
├── MissingFieldError    a row has no such field; also a KeyError         (tasks/)
├── ServerAddressError   a server's URL is none                           (serving/)
├── ProbeError           a server could not be identified; has a tree     (serving/)
├── FieldValueError      FIELD=VALUE cannot be read                       (serving/)
├── EmbeddedServerError  the embedded server does not start               (serving/)
├── JudgeError           a judge cannot be asked as it was written        (judge/)
├── MediaSourceError     media were given as neither a file nor bytes     (media/)
├── RequestError         a request cannot be sent as it stands            (serving/)
├── PrefetchError        a key was taken that is not planned              (serving/)
├── TranscriberUnavailable  a transcriber gave nothing; ask another  (speech/)
├── TranscriberError     a transcriber refuses what it was asked          (speech/)
├── LanguageError        a language that no transcriber knows             (speech/)
├── NormalizerError      a normalizer does not exist, or not here         (speech/)
├── AlignmentError       two texts cannot be measured as was asked        (speech/)
├── CorpusError          more clips were scored than were expected        (speech/)
├── CheckError           a visual check cannot be made as written         (visual/)
├── ReaderUnavailable    a text reader is not there or broke off          (visual/)
├── SandboxError         a run of code cannot be asked for as written     (sandbox/)
├── RunFolderError       a run folder cannot be written, read or trusted  (runs/)
├── TreatmentError       a declared treatment names a field nobody knows  (compare/)
└── StatisticsError      a procedure has nothing to say about such numbers (compare/)
"""

from __future__ import annotations

from .reasons import Missing, Reason


class InfergateError(Exception):
    """Say in one line what is wrong, where, with which value, and what to do."""


class NoAnswer(InfergateError):
    """The reply holds nothing to judge: distinct from an answer that is wrong.

    ``reason`` is one of the model's reasons for missing evidence (``no_answer`` unless the
    reply was empty, truncated or refused); ``detail`` says what was looked for.
    """

    #: For subclasses whose ``__init__`` does not come here.
    reason: Reason = Reason.NO_ANSWER
    detail: str = ""

    def __init__(self, reason: Reason | str = Reason.NO_ANSWER, detail: object = "") -> None:
        self.reason = Reason(reason)
        self.detail = str(detail)
        super().__init__(f"{self.reason.value}: {self.detail}" if self.detail else self.reason.value)

    def __reduce__(self) -> tuple[type[NoAnswer], tuple[str, str]]:
        return type(self), (self.reason.value, self.detail)

    @property
    def missing(self) -> Missing:
        return Missing(self.reason, self.detail)
