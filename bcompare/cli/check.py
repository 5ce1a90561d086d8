"""`bcompare check`."""

from typing import Annotated

from bcompare.cli.groups import grouped, output_option
from bcompare.cli.input import Input
from bcompare.cli.options import Classifiers, Output
from bcompare.cli.writing import check_destinations, write


@grouped
def check(
    results: Input,
    choice: Classifiers,
    output: Output,
    *,
    scores: Annotated[
        bool, output_option("Also show the mean score of each classifier, with its standard error.")
    ] = False,
    details: Annotated[
        bool, output_option("Also show the data sets that are like the others.")
    ] = False,
) -> None:
    """Show what is in the files, and which tests can run."""
    from bcompare.reading.profile import profile_results
    from bcompare.report.check import build_check_report

    check_destinations(results, output)
    options = results.read_options(choice.classifiers_to_read())
    profile = profile_results(*results.files(), options=options)
    write(build_check_report(profile, scores=scores, details=details), output)
    if profile.error is not None:
        raise profile.error
