"""What the tests and the notebooks that pytest runs (nbval) share."""

import os
import tempfile

import pytest
from hypothesis import HealthCheck, settings

# A loaded machine is no failure.
settings.register_profile("tests", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("tests")

# No test sees or writes the progress of whoever runs it.
HOME = tempfile.TemporaryDirectory(prefix="ragteach-tests-")
os.environ["RAGTEACH_HOME"] = HOME.name


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    """Run notebooks as `ragteach build` does, with static pictures for widgets; their kernels inherit it from here."""
    if item.path.suffix == ".ipynb":
        os.environ["RAGTEACH_STATIC"] = "1"
    else:
        os.environ.pop("RAGTEACH_STATIC", None)
