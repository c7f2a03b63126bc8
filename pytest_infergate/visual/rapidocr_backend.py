"""Reading text with RapidOCR, in this process and with the models of its wheel."""

from __future__ import annotations

import threading
from functools import lru_cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, files, version
from typing import TYPE_CHECKING, Any

from .text_reader import Box, ReaderIdentity, ReaderUnavailable, Reading, TextLine

if TYPE_CHECKING:
    from pathlib import Path

    import numpy
    from numpy.typing import NDArray

ENGINE = "rapidocr"
#: Below it the engine itself gives no text out.
LEAST_CONFIDENCE = 0.5
#: Below it, text is also read upside down where the engine's classifier says so. Not above: on a page of
#: clear text it turns a line now and then that stands upright.
_SURE = 0.8
#: The shorter side is enlarged to this for finding text. The engine's own 736 reads nothing more and takes
#: up to five times as long.
_FINDING_SIDE = 320
#: Larger pictures are refused: the engine would shrink them until letters are gone.
_LONGEST = 4096
_MOST_PIXELS = 9_000_000
#: The longer side by the shorter: slimmer pictures are widened; the engine would enlarge them without
#: bound.
_SLIMMEST = 8
_ROLES = {"Det": "_det_", "Cls": "_cls_", "Rec": "_rec_"}


class RapidOcr:
    """The models are loaded with the first picture and kept; threads share them and take turns."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._engine: Any = None

    def __repr__(self) -> str:
        return "RapidOcr()"

    @property
    def identity(self) -> ReaderIdentity:
        return _identity()

    def alphabet(self) -> frozenset[str]:
        return _alphabet()

    def read(self, rgb: NDArray[numpy.uint8], *, find_all: bool = False) -> Reading:
        """See ``TextReader``. Pictures of more than 4096 pixels a side or 9 million in all are refused."""
        picture = _widened(rgb)
        height, width = picture.shape[:2]
        if max(height, width) > _LONGEST or height * width > _MOST_PIXELS:
            raise ReaderUnavailable(
                f"{ENGINE} reads pictures of at most {_LONGEST} pixels a side and {_MOST_PIXELS:,} in all; "
                f"this one has {rgb.shape[1]} x {rgb.shape[0]}; cut it, or make it smaller"
            )
        # The engine takes arrays for blue, green, red.
        bgr = picture[..., ::-1].copy()
        with self._lock:
            likeness = self._find(bgr) if find_all else None
            if likeness is not None and not likeness:
                return Reading(lines=())
            return self._read(bgr, likeness)

    def _find(self, bgr: NDArray[numpy.uint8]) -> dict[Box, float]:
        """Return how much each place looks like text."""
        found = self._ask(bgr, use_det=True, use_cls=False, use_rec=False)
        if found.boxes is None:
            return {}
        return {_box(box): float(score) for box, score in zip(found.boxes, found.scores, strict=True)}

    def _read(self, bgr: NDArray[numpy.uint8], likeness: dict[Box, float] | None) -> Reading:
        every = self._recognise(bgr, likeness, turn=False)
        if not every or min(line.confidence for line in every) < _SURE:
            every = _surest(every, self._recognise(bgr, likeness, turn=True))
        lines = tuple(line for line in every if line.confidence >= LEAST_CONFIDENCE and line.text.strip())
        doubtful = [line for line in every if line not in lines]
        if likeness is not None:
            told = {line.box for line in every}
            doubtful += [
                TextLine(text="", confidence=0.0, box=box, likeness=score)
                for box, score in likeness.items()
                if box not in told
            ]
        return Reading(lines=lines, doubtful=tuple(doubtful))

    def _recognise(
        self, bgr: NDArray[numpy.uint8], likeness: dict[Box, float] | None, *, turn: bool
    ) -> list[TextLine]:
        read = self._ask(bgr, use_det=True, use_cls=turn, use_rec=True, text_score=0.0)
        if not hasattr(read, "txts"):
            # What it returns where it logged an error of its own and went on.
            raise ReaderUnavailable(f"{ENGINE} found text and broke off before it had read it")
        return [
            TextLine(
                text=text,
                confidence=float(score),
                box=_box(box),
                likeness=None if likeness is None else likeness.get(_box(box), 1.0),
            )
            for text, score, box in zip(read.txts or (), read.scores or (), _boxes(read), strict=True)
        ]

    def _ask(self, bgr: NDArray[numpy.uint8], **steps: Any) -> Any:
        if self._engine is None:
            self._engine = _load()
        try:
            return self._engine(bgr, **steps)
        except Exception as error:  # onnxruntime's and OpenCV's errors have no common base
            raise ReaderUnavailable(f"{ENGINE} broke off: {_said(error)}") from error


def _load() -> Any:
    models = _models()
    try:
        import onnxruntime  # noqa: F401  # RapidOCR itself asks for it only with the first picture
        from rapidocr import RapidOCR
    except ImportError as error:
        raise ReaderUnavailable(
            f"reading text needs rapidocr and onnxruntime ({error}); pip install 'pytest-infergate[visual]'"
        ) from error
    # With the paths given nothing is ever downloaded.
    params: dict[str, Any] = {f"{role}.model_path": str(path) for role, path in models.items()}
    params |= {
        "Global.log_level": "critical",
        "Global.max_side_len": _LONGEST,
        "Det.limit_type": "min",
        "Det.limit_side_len": _FINDING_SIDE,
    }
    try:
        return RapidOCR(params=params)
    except Exception as error:  # its configuration raises what OmegaConf does
        raise ReaderUnavailable(f"{ENGINE} cannot be started: {_said(error)}") from error


@lru_cache(maxsize=1)
def _identity() -> ReaderIdentity:
    try:
        models = {path.name: f"sha256:{sha256(path.read_bytes()).hexdigest()}" for path in _models().values()}
    except (ReaderUnavailable, OSError):
        models = {}
    return ReaderIdentity(
        engine=ENGINE,
        version=_versions(),
        language="as the model",
        models=models,
        options={
            "least_confidence": LEAST_CONFIDENCE,
            "turned_below": _SURE,
            "finding_side": _FINDING_SIDE,
            "slimmest": _SLIMMEST,
        },
    )


def _versions() -> str | None:
    """Return the versions of all that decides the text; ``None`` without RapidOCR."""
    found = {}
    for name in (ENGINE, "onnxruntime", "opencv-python", "opencv-python-headless"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    if ENGINE not in found:
        return None
    own = found.pop(ENGINE)
    return f"{own} ({', '.join(f'{name} {other}' for name, other in found.items())})" if found else own


def _models() -> dict[str, Path]:
    """Return the models that the wheel brought: others that lie beside them were downloaded."""
    from pathlib import Path

    try:
        shipped = [Path(str(file.locate())) for file in files(ENGINE) or () if file.name.endswith(".onnx")]
    except PackageNotFoundError as error:
        raise ReaderUnavailable(
            "reading text needs rapidocr; pip install 'pytest-infergate[visual]'"
        ) from error
    models = {}
    for role, mark in _ROLES.items():
        of_role = [path for path in shipped if mark in path.name and path.is_file()]
        if len(of_role) != 1:
            named = ", ".join(sorted(path.name for path in of_role)) or "none"
            raise ReaderUnavailable(
                f"{ENGINE} {version(ENGINE)} ships {named} for {mark.strip('_')!r}; one model of each kind "
                "is needed: install rapidocr>=3.10 from its wheel"
            )
        models[role] = of_role[0]
    return models


@lru_cache(maxsize=1)
def _alphabet() -> frozenset[str]:
    model = _models()["Rec"]
    try:
        from onnxruntime import GraphOptimizationLevel, InferenceSession, SessionOptions

        options = SessionOptions()
        options.graph_optimization_level = GraphOptimizationLevel.ORT_DISABLE_ALL
        session = InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
        return frozenset(session.get_modelmeta().custom_metadata_map["character"].splitlines())
    except Exception as error:  # onnxruntime's errors have no common base
        raise ReaderUnavailable(
            f"{ENGINE}'s model {model.name!r} does not say what it can read: {_said(error)}"
        ) from error


def _widened(rgb: NDArray[numpy.uint8]) -> NDArray[numpy.uint8]:
    import numpy

    height, width = rgb.shape[:2]
    below, right = max(0, -(-width // _SLIMMEST) - height), max(0, -(-height // _SLIMMEST) - width)
    if not below and not right:
        return rgb
    return numpy.pad(rgb, ((0, below), (0, right), (0, 0)), mode="edge")


def _surest(upright: list[TextLine], turned: list[TextLine]) -> list[TextLine]:
    """Return the surer reading of each place. Both lists are in one order, and either may lack places."""
    every: list[TextLine] = []
    for line in upright:
        at = next((at for at, other in enumerate(turned) if other.box == line.box), None)
        if at is not None:
            every += turned[:at]
            line = max(line, turned[at], key=lambda one: one.confidence)
            turned = turned[at + 1 :]
        every.append(line)
    return every + turned


def _boxes(read: Any) -> Any:
    return () if read.boxes is None else read.boxes


def _box(corners: Any) -> Box:
    across = [float(corner[0]) for corner in corners]
    down = [float(corner[1]) for corner in corners]
    return round(min(across), 1), round(min(down), 1), round(max(across), 1), round(max(down), 1)


def _said(error: BaseException) -> str:
    words = " ".join(str(error).split()) or type(error).__name__
    return words if len(words) <= 200 else f"...{words[-197:]}"
