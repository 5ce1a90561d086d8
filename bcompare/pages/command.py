"""`bcompare report`."""

import shlex
import sys
from typing import Annotated

from bcompare.basis.atomic import write_atomically
from bcompare.basis.messages import as_options
from bcompare.cli.groups import grouped, output_option
from bcompare.cli.input import Input
from bcompare.cli.options import AnyTest, Choice, Output, Quiet, RopeText, Seed
from bcompare.cli.parsing import parse_rope
from bcompare.cli.writing import check_page, print_notes, progress_bar

PAGE = "report.html"
# With more classifiers there are too many pairs for sections of a page: it is a leaderboard.
MOST_IN_PAIRS = 6


@grouped
def report(
    results: Input,
    choice: Choice,
    *,
    rope: RopeText = None,
    test: AnyTest = None,
    seed: Seed = None,
    output: Annotated[
        list[str] | None,
        output_option(
            "The page to write. Default: report.html.", "FILE.html", names=("--output", "-o")
        ),
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Write one HTML page with everything, to share.

    The page holds its pictures and needs no network. It says who wins, by how much and with which
    probability, then what that rests on, and which command makes the page again. For more than six
    classifiers it has a leaderboard with places and tiers; name a test or a pair to get every pair.
    """
    from bcompare.comparing.compare import as_method, compare
    from bcompare.data.assumed_rope import rope_for
    from bcompare.data.pairs import choose_pairs
    from bcompare.pages.page import check_installed, render_page
    from bcompare.ranking.best import Best
    from bcompare.ranking.family import rank

    check_installed()
    pages = output or [PAGE]
    for path in pages:
        check_page(results, path)
    given = parse_rope(rope)  # before reading
    scores = results.read(choice.classifiers_to_read())
    borders = rope_for(scores, given)
    settings = choice.settings() | {"rope": borders}
    count = len(scores.classifiers)
    asked = (test, choice.left, choice.right) != (None, None, None)
    is_leaderboard = count > MOST_IN_PAIRS and not asked and borders.is_symmetric
    study = None
    with progress_bar(Output(quiet=quiet)) as progress:
        if not is_leaderboard:
            method = as_method(test, scores).seeded(seed)
            pairs = choose_pairs(scores.classifiers, left=choice.left, right=choice.right)
            study = compare(scores, method, pairs=pairs, jobs=None, progress=progress, **settings)
        options = Best(seed=seed or 0)
        judged = count > 2 and borders.is_symmetric
        family = rank(scores, options=options, **settings) if judged else None
    shown = study or family
    if not quiet and shown is not None:
        print_notes(shown.notes)
    command = shlex.join(["bcompare", *sys.argv[1:]])
    page = as_options(render_page(study, family, command=command, files_read=scores.files))
    for path in pages:
        write_atomically(path, page.encode("utf-8", errors="replace"))
        if not quiet:
            sys.stderr.write(f"{path} written, {len(page) / 1000:,.0f} kB\n")
