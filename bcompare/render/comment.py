"""A comment on a merge request: Markdown after a hidden marker, by which a bot finds it again."""

from bcompare.render import markdown
from bcompare.report.build import Report


def render(report: Report) -> str:
    """Return the comment; the first line depends on the gate's name only."""
    name = str(report.document()["name"]).replace("--", "- -").replace(">", "")
    return f"<!-- {name} -->\n{markdown.render(report)}"
