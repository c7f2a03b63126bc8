"""What all tests share."""

# pytester forgets every module that an inner session was the first to import: import them here, once.
import httpcore  # noqa: F401
import hypothesis
import jsonschema  # noqa: F401
import scipy.optimize
import scipy.special
import scipy.stats  # noqa: F401

import pytest_infergate.plugin.session  # noqa: F401

pytest_plugins = ["pytester"]

hypothesis.settings.register_profile("suite", deadline=None)
hypothesis.settings.load_profile("suite")
