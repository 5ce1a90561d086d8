"""`bcompare rank`."""

from typing import Annotated

from bcompare.basis.messages import InputError
from bcompare.cli.groups import grouped, option
from bcompare.cli.input import Input
from bcompare.cli.options import Decision, Listed, RopeText, Scheduler, Seed, test_option
from bcompare.cli.parsing import parse_rope
from bcompare.cli.writing import check_destinations, draw_pictures, progress_bar, targets, write
from bcompare.formats import GATE_FORMATS, ITEM_FORMATS
from bcompare.methods import METHODS, load_method


@grouped
def rank(
    results: Input,
    choice: Decision,
    output: Listed,
    *,
    rope: RopeText = None,
    prefer: Annotated[
        str | None,
        option(
            "Among classifiers that surely lose no more than the rope, prefer the smallest mean of "
            "this column, such as model size or time.",
            "COL",
        ),
    ] = None,
    interval: Annotated[float, option("Probability of the credible intervals.", "P")] = 0.95,
    test: Annotated[
        list[str] | None,
        test_option("Also compare every pair by this test, such as hier; repeat for more."),
    ] = None,
    draws: Annotated[int, option("Monte Carlo draws.", "N", min=100)] = 10_000,
    top_k: Annotated[
        int | None, option("Also show the probability that each is among the first K.", "K")
    ] = None,
    seed: Seed = None,
    scheduler: Scheduler = None,
) -> None:
    """Say which classifier to take, and what another costs.

    One posterior of all classifiers together, on one data set or many: the place of each with its
    interval, tiers, the probability of being best, the regret of taking each, and every pair. For
    contrast: mean ranks, Friedman's test, Nemenyi's critical difference and Wilcoxon's tests.
    """
    from bcompare.cli.compare import check_size, executor_at, finish
    from bcompare.plots import check_family_picture
    from bcompare.ranking.best import Best
    from bcompare.ranking.family import rank as rank_all
    from bcompare.ranking.report import build_family_report

    check_destinations(results, output, refused=(*GATE_FORMATS, *ITEM_FORMATS))
    if scheduler is not None and not test:
        raise InputError(
            "--scheduler is for the pairs: name a test for them, such as --test hier, or leave it "
            "out, as the ranks take seconds"
        )
    borders = parse_rope(rope)
    settings = choice.settings()
    options = Best(draws, seed or 0, interval)
    scores = results.read(choice.classifiers_to_read(), cost_col=prefer)
    pairs = len(scores.classifiers) * (len(scores.classifiers) - 1) // 2
    for picture in output.pictures():
        check_family_picture(scores, picture.name, picture.sheet())
    check_size({chosen for _, chosen in targets(output)}, pairs)
    methods = [load_method(name)().seeded(seed) for name in dict.fromkeys(test or ())]
    for method in methods:
        if not METHODS[method.name].over:
            raise InputError(
                f"--test {method.name}: it answers for each data set separately; name a test over "
                "several"
            )
    with executor_at(scheduler) as executor, progress_bar(output, "drawing") as progress:
        family = rank_all(
            scores,
            *methods[:1],
            rope=borders,
            options=options,
            prefer=prefer,
            also=methods[1:],
            top_k=top_k,
            jobs=None,
            executor=executor,
            progress=progress,
            **settings,
        )
    write(build_family_report(family, details=output.details, top=output.top), output)
    draw_pictures(family, output)
    if family.study is not None:
        finish(family.study)
