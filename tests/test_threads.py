"""Functions compute in one thread, whatever the program's own setting is, and restore it."""

import os
from typing import Any

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

import bcompare
from bcompare.basis.threads import THREAD_LIMITS, in_one_thread

SCORES = bcompare.read_scores("sample_data/results.csv", datasets=("iris", "two_hard"))


def threads() -> set[int]:
    return {
        library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"
    }


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A program with two threads of its own."""
    for name in THREAD_LIMITS:
        monkeypatch.delenv(name, raising=False)
    with threadpool_limits(2, user_api="blas"):
        if threads() != {2}:
            pytest.skip("linear algebra has one thread here: run with more cores")
        yield


def test_a_comparison_limits_them_and_restores(program: None) -> None:
    seen = []
    bcompare.compare(SCORES, "ttest", progress=lambda done, total: seen.append(threads()))
    bcompare.rank(SCORES, rope=0.01, progress=lambda done, total: seen.append(threads()))
    assert seen
    assert all(limited == {1} for limited in seen)
    assert threads() == {2}


def test_an_error_restores_them(program: None) -> None:
    @in_one_thread
    def fails() -> None:
        assert threads() == {1}
        raise KeyError

    with pytest.raises(KeyError):
        fails()
    assert threads() == {2}


def test_a_command_has_limited_them_by_its_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in THREAD_LIMITS:
        monkeypatch.setenv(name, "1")
    monkeypatch.setattr("threadpoolctl.threadpool_limits", None)  # not called
    assert in_one_thread(lambda: os.environ["OMP_NUM_THREADS"])() == "1"
