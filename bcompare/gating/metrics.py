"""Several metrics in one decision: the demand on each."""

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import get_args

import numpy as np

from bcompare.basis.messages import InputError, Record, arg, as_options, nearest, respelled
from bcompare.columns.direction import direction_of, meaning_of
from bcompare.columns.vocabulary import METRICS
from bcompare.comparing.compare import as_scores
from bcompare.data.assumed_rope import NoRopeError, rope_for, without_rope
from bcompare.data.meaning import Direction
from bcompare.data.rope import Rope, RopeLike, read_only
from bcompare.data.scales import check_reach
from bcompare.data.scores import Scores, ScoresLike, at_extreme
from bcompare.gating.rule import NOT_BETTER, GateRule

# The name of a fixed value among classifiers.
BAR = "bar"

# The words of a demand that are fields by themselves.
FLAGS = {"better": "aim", "advisory": "advisory", "median": "median", "items": "items"}


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric of a decision.

    name : of its scores; empty for a single metric.
    lower : whether lower is better; None if the name tells.
    rope : differences that do not matter, in its unit; None for that of the gate.
    relative : the same as a share of the score, such as 0.05 for 5 %.
    aim : whether it must be better; otherwise it must not be worse.
    advisory : whether it is judged and shown, but never fails.
    bar : a fixed value in place of a baseline.
    median : whether a whole run is summarised by its median.
    items : whether claims are made of single items, too.
    """

    name: str = ""
    lower: bool | None = None
    rope: float | None = None
    relative: float | None = None
    aim: bool = False
    advisory: bool = False
    bar: float | None = None
    median: bool = False
    items: bool = False

    def __post_init__(self) -> None:
        is_number = isinstance(self.bar, int | float | np.number) and np.isfinite(self.bar)
        if self.bar is not None and not is_number:
            what = arg("metric", self.name) if self.name else arg("bar")
            raise InputError(f"{what}: a bar is a number, such as 0.85")

    @classmethod
    def parse(cls, text: str) -> "Metric":
        """Parse ``NAME`` or ``NAME: part, part``: its direction, its rope, and words.

        Raises
        ------
        InputError : a part that is none of these, or two that contradict each other.
        """
        name, _, rest = text.partition(":")
        before, _, last = name.rpartition(",")
        if before and (last.strip() in (*FLAGS, *get_args(Direction)) or last.endswith("%")):
            meant = arg("metric", f"{before}:{last}")
            raise InputError(f"{arg('metric', text)}: a colon follows the name: {meant}")
        metric = cls(name.strip())
        for part in filter(None, map(str.strip, rest.split(","))):
            if part in FLAGS:
                flag: Record = {FLAGS[part]: True}
                metric = replace(metric, **flag)
            elif part.startswith("bar "):
                metric = replace(metric, bar=_number(part.removeprefix("bar ")))
            elif part not in get_args(Direction):
                metric = metric._with_rope(part, text)
            elif metric.lower in (None, part == "lower"):
                metric = replace(metric, lower=part == "lower")
            else:
                raise InputError(
                    f"{arg('metric', text)}: both lower and higher: say which is better"
                )
        if not metric.name:
            raise InputError(f"{arg('metric', text)}: begin with its name, such as f1: better")
        return metric

    def _with_rope(self, part: str, text: str) -> "Metric":
        number = _number(part.removesuffix("%"))
        if not 0 <= number < (100 if part.endswith("%") else np.inf):
            raise InputError(
                f"{arg('metric', text)}: {part!r} is none of lower, higher, better, median, "
                "advisory, items, bar 0.85, and no rope such as 0.01 or 5%"
            )
        if (self.rope, self.relative) != (None, None):
            raise InputError(f"{arg('metric', text)}: two ropes: give one")
        if part.endswith("%"):
            return replace(self, relative=number / 100)
        return replace(self, rope=number)

    @property
    def less_is_better(self) -> bool:
        """Whether lower is better, as specified or by the name.

        Raises
        ------
        InputError : neither says it.
        """
        if self.lower is not None or not self.name:
            return bool(self.lower)
        direction = direction_of(self.name)
        if direction is None:
            either = (arg("metric", f"{self.name}: {word}") for word in get_args(Direction))
            near = nearest(self.name, METRICS)
            meant = f"; else, did you mean {near[0]}?" if near else ""
            raise InputError(
                f"metric {self.name}: the name does not say which scores are better: if the files "
                f"have such a column, say {' or '.join(either)}{meant}"
            )
        return direction == "lower"

    def addressed(self, message: str) -> str:
        """Return a message with advice in a shell as it is given for one of several metrics."""
        return respelled(message, self._addressed) if self.name else message

    def _addressed(self, option: str) -> str:
        name, *values = shlex.split(option)
        value = values[0] if values else ""
        kept = "lower" if self.less_is_better else "higher"
        direction = f"{kept}, " if self.lower is not None else ""
        if name == "--rope" and value.replace(".", "").isdecimal():
            advised = arg("metric", f"{self.name}: {direction}{value}")
        elif name == "--col" and value.startswith("score="):
            column = value.removeprefix("score=")
            unknown = direction_of(column) is None
            advised = arg("metric", f"{column}: {kept}" if unknown else column)
        elif name in ("--scale", "--failed") and value:
            blank = " " if name == "--failed" else ""
            advised = arg(name.removeprefix("--"), f"{self.name}:{blank}{value}")
        else:
            return option
        return as_options(advised)

    def named(self, message: str) -> str:
        """Return a message on the input of this metric, which it names."""
        about = f"metric {self.name}"
        addressed = self.addressed(message)
        is_named = not self.name or message.startswith((f"{about}: ", f"{about}, "))
        return addressed if is_named else f"{about}: {addressed}"

    @contextmanager
    def in_errors(self) -> Iterator[None]:
        """Let errors on the input name the metric."""
        try:
            yield
        except InputError as error:
            raise InputError(list(map(self.named, error.messages))) from error

    def direction_in_words(self, scores: Scores) -> str:
        """Return in words which of its scores are better, and how that is known."""
        word = "lower" if scores.lower_is_better else "higher"
        name = self.name or scores.metric
        by_name = direction_of(name)
        if by_name not in (None, word) and name.casefold() != "score":
            return f"{word} is better, although its name says {by_name}"
        is_said = self.lower is not None or by_name is None
        return f"{word} is better" if is_said else f"{word} is better (by its name)"

    def demand(self, rule: GateRule) -> GateRule:
        """The demand on the average."""
        return replace(rule, fail_if=NOT_BETTER) if self.aim else rule

    def directed(self, scores: Scores) -> Scores:
        """Return the scores, negated if lower is better and they were read otherwise.

        Raises
        ------
        InputError : scores that were read the other way round.
        """
        if not self.name and not scores.directed:
            choices = f"{arg('lower_is_better', False)} or {arg('lower_is_better', True)}"
            raise InputError(
                "the column's name does not say whether higher or lower scores are better, and a "
                f"gate does not assume it: say {choices}"
            )
        if not self.name or self.less_is_better == scores.lower_is_better:
            return scores
        if scores.lower_is_better:
            raise InputError(
                f"metric {self.name}: higher is better, and its scores were read with "
                f"{arg('lower_is_better', True)}: leave one of the two out"
            )
        datasets = (replace(d, table=read_only(-d.table)) for d in scores.datasets)
        answers = scores.answers and scores.answers.negated()
        return replace(scores, datasets=tuple(datasets), lower_is_better=True, answers=answers)

    def prepared(self, scores: Scores, rope: Rope, *baseline: str) -> tuple[Scores, Rope]:
        """Return the scores to compare, and the rope between them.

        If that is relative, the scores become shares of the baseline's mean.

        rope : as `ropes_of` gives it. baseline : its columns.

        Raises
        ------
        InputError : a rope by which nothing can be worse; if it is relative, a mean that is not
            above 0, or answers that are right or wrong.
        """
        if self.relative is None:
            # a wide rope that is given for errors or times may be meant
            if self.bar is None and not (scores.lower_is_better and self.rope is not None):
                check_reach(scores, rope, *baseline)
            return scores, rope
        baseline_columns = [scores.classifiers.index(name) for name in baseline]
        sign = -1.0 if scores.lower_is_better else 1.0
        datasets = []
        for dataset in scores.datasets:
            mean = sign * float(np.nanmean(dataset.table[:, baseline_columns]))
            scores_there = dataset.table[~np.isnan(dataset.table)]
            if mean <= 0 or (
                scores.unit.may_be_right_or_wrong and np.isin(scores_there, (-1, 0, 1)).all()
            ):
                why = (
                    f"the baseline's mean is {mean:g}, and a rope in per cent needs one above 0"
                    if mean <= 0
                    else "answers that are right or wrong have no rope in per cent"
                )
                raise InputError(
                    f"metric {self.name}, data set {dataset.name}: {why}: give it in the unit of "
                    "the scores"
                )
            datasets.append(replace(dataset, table=read_only(dataset.table / mean)))
        # a rope in per cent has no unit
        known_units = dict.fromkeys(scores.classifiers, 1.0)
        shares = replace(scores, datasets=tuple(datasets), scaled=known_units)
        return shares, rope

    def with_bar(self, scores: Scores) -> Scores:
        """Return the scores; beside them the bar, as a classifier that always scores just that.

        Raises
        ------
        InputError : there is a classifier of that name.
        """
        if self.bar is None:
            return scores
        if BAR in scores.classifiers:
            raise InputError(f"a classifier is called {BAR}, as is what it is judged by: rename it")
        value = -self.bar if scores.lower_is_better else self.bar
        datasets = []
        for dataset in scores.datasets:
            table = read_only(np.insert(dataset.table, 0, value, axis=1))
            present = np.insert(dataset.present, 0, values=True)
            datasets.append(replace(dataset, table=table, present=present))
        return replace(
            scores, classifiers=(BAR, *scores.classifiers), datasets=tuple(datasets), costs=None
        )


def combined(problems: Mapping[Metric, Sequence[str]], metrics: int) -> list[str]:
    """Return the problems with the input of so many metrics; those of all of them once."""
    first, *others = problems.values()
    # a line that goes on with the one before belongs to its metric
    shared = []
    for text in first:
        is_shared = all(text in texts for texts in others)
        if is_shared and not text.startswith("…"):
            shared.append(text)
    if len(problems) < metrics or metrics == 1:
        shared = []
    problem_texts = ((metric, text) for metric, texts in problems.items() for text in texts)
    return shared + [metric.named(text) for metric, text in problem_texts if text not in shared]


def demands(specs: Iterable[str], bar: float | None) -> list[Metric]:
    """Return the metrics of some specifications, of which all have a bar or none.

    specs : as of `Metric.parse`, or "" for an only metric. bar : of the only one.

    Raises
    ------
    InputError : some have one and some have not; one for several metrics.
    """
    metrics = [Metric.parse(spec) if spec else Metric() for spec in specs]
    if bar is not None and len(metrics) > 1:
        raise InputError(
            f"{arg('bar', bar)} is for one metric: of several give each its own, such as "
            f"{arg('metric', f'{metrics[0].name}: bar {bar:g}')}"
        )
    barred = [metric if bar is None else replace(metric, bar=bar) for metric in metrics]
    without = [metric.name for metric in barred if metric.bar is None]
    if 0 < len(without) < len(barred):
        raise InputError(
            f"metric {without[0]} has no bar, and others have one: judge those with a bar by a "
            "gate of their own"
        )
    return barred


def parts_of(
    scores: "ScoresLike | Mapping[str, ScoresLike]",
    bar: float | None = None,
    baseline: tuple[str, ...] = (),
) -> dict[Metric, Scores]:
    """Return the scores of each metric, or of the only one; beside them its bar, if there is one.

    scores : by the specification of their metric, "" for an only one. bar : of the only one.
    baseline : on whose terms frames are read.

    Raises
    ------
    InputError : no metric, the same one twice, or some with a bar and some without.
    """
    given: Mapping[str, ScoresLike] = scores if isinstance(scores, Mapping) else {"": scores}
    metrics = demands(given, bar)
    names = [metric.name for metric in metrics]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None or not names:
        raise InputError(
            f"metric {twice} is named twice: say all that is asked of it at once, such as "
            f"'{twice}: better, 1%'"
            if names
            else "no metric is named, and so there is nothing to judge"
        )
    if all(metric.advisory for metric in metrics):
        raise InputError(
            "every metric is advisory, so that nothing can fail: leave the word out of the metrics "
            "that matter"
        )
    parts = {}
    for asked, one in zip(metrics, given.values(), strict=True):
        part = as_scores(one, fewest=2 if asked.bar is None else 1, baseline=baseline)
        unknown = asked.name and asked.lower is None and direction_of(asked.name) is None
        metric = replace(asked, lower=True) if unknown and part.lower_is_better else asked
        parts[metric] = metric.with_bar(metric.directed(part))
    return parts


def ropes_of(
    parts: Mapping[Metric, Scores], rope: RopeLike | None, baseline: Sequence[str]
) -> dict[Metric, Rope]:
    """Return the rope of each metric: its own, that of the gate, or the usual one of its scale.

    rope : of the gate, if one was given. baseline : its name, or those of its runs.

    Raises
    ------
    InputError : of some metrics none was given, and none can be assumed; all are named.
    """
    ropes: dict[Metric, Rope] = {}
    errors: dict[Metric, NoRopeError] = {}
    for metric, part in parts.items():
        given = metric.relative if metric.rope is None else metric.rope
        name = metric.name or part.metric
        named = replace(at_extreme(part, []), metric=name, meaning=meaning_of(name))
        try:
            with metric.in_errors():
                ropes[metric] = rope_for(named, rope if given is None else given, baseline)
        except InputError as error:
            lacks = error.__cause__
            if not isinstance(lacks, NoRopeError):
                raise
            errors[metric] = lacks
    if errors:
        names = {metric.name or parts[metric].metric: error for metric, error in errors.items()}
        raise without_rope(names)
    return ropes


def _number(text: str) -> float:
    """Return the number that a text is, or NaN."""
    try:
        return float(text)
    except ValueError:
        return np.nan
