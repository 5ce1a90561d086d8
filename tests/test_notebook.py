"""The notebook of the sample data runs in a real kernel, and shows tables and pictures."""

import base64
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.long

nbformat: Any = pytest.importorskip("nbformat", reason="needs nbclient: make test installs it")
nbclient: Any = pytest.importorskip("nbclient", reason="needs nbclient: make test installs it")

NOTEBOOK = Path(__file__).parents[1] / "sample_data" / "notebook.ipynb"
PYPLOT = "import matplotlib.pyplot"


def executed(*before: str) -> list[Any]:
    """The cells of code of the notebook, run in a new kernel after these lines."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    for line in before:
        notebook.cells.insert(0, nbformat.v4.new_code_cell(line))
    nbclient.NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
    return [cell for cell in notebook.cells if cell.cell_type == "code"][len(before) :]


def shown(cell: Any) -> Any:
    """What the last line of a cell shows, by its kind of data."""
    (output,) = [each for each in cell.outputs if "data" in each]
    return output.data


@pytest.mark.parametrize("before", [(), (PYPLOT,)], ids=["without pyplot", "with pyplot"])
def test_tables_and_pictures_appear(before: tuple[str, ...]) -> None:
    _, scores, table, pair, regret = executed(*before)
    assert shown(scores)["text/plain"] == "<Scores: 3 classifiers, 1 data set, 300 rows>"
    assert "<table" in shown(table)["text/html"]
    assert "logistic" in shown(table)["text/html"]
    for cell in (pair, regret):
        picture = base64.b64decode(shown(cell)["image/png"])
        assert picture.startswith(b"\x89PNG")
        assert len(picture) > 5000
