"""Which column plays which part: from a header and the options."""

from bcompare.basis.arguments import arg
from bcompare.basis.errors import InputError
from bcompare.data.units import ROWS
from bcompare.reading.advice import readings
from bcompare.reading.block import Wanted
from bcompare.reading.finder import Finder
from bcompare.reading.options import ReadOptions
from bcompare.reading.parts import KEYS, ROLES, Layout, Names
from bcompare.reading.presets import MEANS, PRESETS, fitted
from bcompare.reading.problems import quoted


def find_layout(header: tuple[str, ...], names: Names, options: ReadOptions) -> Layout:
    """The columns of a header by their parts.

    Raises
    ------
    InputError : with every column that is missing, ambiguous or named twice, and every
        expression that fits nothing.
    """
    options = fitted(options, header)
    finder = Finder(header, names.title)
    scores = finder.means(options) if options.preset == MEANS else finder.scores(options)
    split = finder.split(options)
    told = {*(scores[0].tells if scores else ()), *(split.expression.groups if split else ())}
    columns = finder.keys(options, told)
    where = tuple(finder.condition(text) for text in options.where)
    named = {role for role in ROLES if getattr(options, f"{role}_col") is not None}
    has = told | named | columns.keys()
    if "classifier" not in has and names.classifier is None:
        finder.missing("classifier")
    unit = finder.unit(has, columns, options)
    if unit == "fold":
        finder.check_iterations(has, named, options)
    elif named & {"run", "fold", "iteration"}:
        finder.problem(
            f"rows are {ROWS[unit]}, which have no runs and folds; drop {arg('run_col')}, "
            f"{arg('fold_col')} and {arg('iteration_col')}"
        )
    optional = set(KEYS) - has
    if "iteration" in has or unit in ("item", "seed") or options.preset == MEANS:
        optional -= {"run", "fold"}
    finder.check_absent(optional, columns, has, options)
    finder.check_shared(columns, scores)
    fold = options.fold_col
    if fold and "seed" in fold.casefold() and options.rho is None:
        finder.problem(
            f"column {quoted(fold)} counts seeds, not folds, so the correlation of the scores is "
            f"not 1/folds; say {readings(fold)}"
        )
    sizes = finder.sizes() if options.rho is None else None
    cost = finder.cost(options.cost_col)
    if finder.problems:
        raise InputError(list(dict.fromkeys(finder.problems)))
    metric = finder.metric(columns, scores, options)
    instead = finder.instead(columns, options)
    keys = [column for role in columns.values() for column in role]
    keys += [*instead.values(), *([split.column] if split else [])]
    errors = "" if options.preset is None else PRESETS[options.preset].errors
    failed = header.index(errors) if errors in header else None
    blank = [*([metric[1]] if metric else []), *([] if failed is None else [failed])]
    values = [
        *(score.column for score in scores),
        *(sizes or ()),
        *([] if cost is None else [cost]),
    ]
    return Layout(
        header=header,
        columns=columns,
        scores=scores,
        split=split,
        sizes=sizes,
        cost=cost,
        instead=instead,
        metric=metric,
        failed=failed,
        wanted=Wanted(
            keys=tuple(dict.fromkeys([*keys, *blank])),
            values=tuple(dict.fromkeys(values)),
            blank=(*columns.get("cluster", ()), *instead, *blank),
            where=tuple(condition for condition in where if condition),
            na=options.na,
            grades=options.grades or {},
        ),
        unit=unit,
        notes=finder.notes(),
    )
