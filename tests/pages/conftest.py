"""The browser that pages are opened in, and pages that are made soon."""

from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import pytest


@pytest.fixture(scope="module", autouse=True)
def drawn_once() -> Iterator[None]:
    """Rankings without more draws where a verdict is at its border, which take most of the time."""
    with patch("bcompare.ranking.family.MOST_DRAWN", 0):
        yield


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from tests.pages.test_browser import CHROMIUM, playwright

    with playwright.sync_playwright() as tools:
        started = tools.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()
