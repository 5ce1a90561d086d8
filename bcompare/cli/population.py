"""Options that the tests over several data sets share."""

from dataclasses import dataclass
from typing import Annotated, Any

from bcompare.cli.groups import option
from bcompare.methods import METHODS


def test_option(help: str) -> Any:
    """Return the option that names a registered test."""
    return option(help, "TEST", completion=_tests)


def _tests(incomplete: str) -> list[str]:
    return [name for name in METHODS if name.startswith(incomplete)]


AnyTest = Annotated[
    str | None,
    test_option(
        f"{', '.join(METHODS)}. Default: ttest on one data set, hier over several, signrank for "
        "means.",
    ),
]
Seed = Annotated[
    int | None,
    option("Of random numbers, where a test uses any: the same seed, the same bytes.", "N", min=0),
]


@dataclass(frozen=True)
class OtherTests:
    """Other tests to run next to the requested one."""

    also: Annotated[bool, option("Show what the other tests over data sets say.")] = False
    seed: Seed = None
