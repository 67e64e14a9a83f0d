"""Settings that all tests share."""

from __future__ import annotations

import pytest
from hypothesis import settings

# The laws are plain asserts in a library: have pytest explain them as it explains a test's own.
pytest.register_assert_rewrite("laws")

# The same examples on every run and no time limit on a slow machine: a red test is a real fault.
settings.register_profile("mossa", deadline=None, derandomize=True)
settings.load_profile("mossa")
