"""A check of our own: how much of a picture is of one colour."""

from pytest_infergate.visual import CheckError, CheckResult, Picture


def colour_share(media, rgb, *, at_least):
    """Hold the share of a picture's pixels that are exactly ``rgb``, such as ``"#ff0000"``, to a limit."""
    if not isinstance(media, Picture):
        raise CheckError(f"colour_share got {media!r:.80}; accepted: a picture")
    levels = bytes.fromhex(rgb.removeprefix("#"))
    of_colour = (media.rgba == (*levels, 255)).all(axis=2)
    share = float(of_colour.mean())
    return CheckResult(
        name="colour_share",
        version="1",
        passed=share >= at_least,
        value=share,
        unit="ratio",
        higher_is_better=True,
        limit=at_least,
        detail=f"{of_colour.sum():,} of {of_colour.size:,} pixels are {rgb}",
    )


def pytest_infergate_visual_checks(config):
    return {"colour_share": colour_share}
