"""`bcompare cite`."""

import sys
from typing import Annotated, Literal

import typer

from bcompare import version

BIBTEX = """\
@software{{bcompare,
  title   = {{bcompare: Bayesian comparison of classifiers from cross-validation results}},
  author  = {{{{the bcompare developers}}}},
  version = {{{version}}},
{release}}}

@article{{benavoli2017time,
  author  = {{Benavoli, Alessio and Corani, Giorgio and Dem{{\\v{{s}}}}ar, Janez and
             Zaffalon, Marco}},
  title   = {{Time for a Change: a Tutorial for Comparing Multiple Classifiers Through {{B}}ayesian
             Analysis}},
  journal = {{Journal of Machine Learning Research}},
  volume  = {{18}},
  number  = {{77}},
  year    = {{2017}},
}}

@article{{corani2017statistical,
  author  = {{Corani, Giorgio and Benavoli, Alessio and Dem{{\\v{{s}}}}ar, Janez and
             Mangili, Francesca and Zaffalon, Marco}},
  title   = {{Statistical Comparison of Classifiers Through {{B}}ayesian Hierarchical Modelling}},
  journal = {{Machine Learning}},
  volume  = {{106}},
  year    = {{2017}},
}}

@article{{corani2015bayesian,
  author  = {{Corani, Giorgio and Benavoli, Alessio}},
  title   = {{A {{B}}ayesian Approach for Comparing Cross-Validated Algorithms on Multiple Data
             Sets}},
  journal = {{Machine Learning}},
  volume  = {{100}},
  year    = {{2015}},
}}
"""


CFF = """\
cff-version: 1.2.0
message: If you use bcompare, please cite it, and the papers that `bcompare cite` prints.
type: software
title: "bcompare: Bayesian comparison of classifiers from cross-validation results"
version: {version}
license: BSD-3-Clause
authors:
  - name: the bcompare developers
{release}"""
CITATIONS = {"bibtex": BIBTEX, "cff": CFF}


def cite(
    format: Annotated[
        Literal["bibtex", "cff"],
        typer.Option(help="Or what stands in a CITATION.cff.", show_choices=True),
    ] = "bibtex",
) -> None:
    """Print BibTeX for this version, and for the papers of its tests."""
    text = CITATIONS[format].format(version=version.__version__, release=_release(format))
    sys.stdout.write(text)


def _release(format: str) -> str:
    """Return the lines on the release; in BibTeX what to write while there is none."""
    release = version.RELEASE
    if format == "cff":
        return "" if release is None else f'repository-code: "{release.url}"\ndoi: {release.doi}\n'
    if release is None:
        advice = "Not released yet: write the commit, and the day on which you fetched it"
        return f"  note    = {{{advice}}},\n"
    return (
        f"  year    = {{{release.year}}},\n  doi     = {{{release.doi}}},\n"
        f"  url     = {{{release.url}}},\n"
    )
