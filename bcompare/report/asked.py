"""What is asked about results, as a document."""

from bcompare.basis.messages import Record, as_options
from bcompare.columns.question import AskedError
from bcompare.report.fields import head


def asked_document(error: AskedError) -> Record:
    """Return what is asked, for JSON: `command` is the line to complete."""
    return {
        **head(""),
        "outcome": "asked",
        "problems": [as_options(message) for message in error.messages],
        **error.question.record(error.call),
    }
