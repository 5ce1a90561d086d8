"""Pictures as files: their formats, and that their bytes repeat."""

import struct
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from bcompare.basis.errors import ComputationError, InputError
from bcompare.plots.figure import picture, save
from bcompare.plots.sheet import Sheet
from tests.plots.pictures import PICTURES, draw

ROOT = Path(__file__).parents[2]
# One of each kind.
KINDS = sorted({name.partition("-")[0]: name for name in reversed(PICTURES)}.values())

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("name", "kind"), [*((name, "svg") for name in KINDS), ("posterior", "png"), ("simplex", "pdf")]
)
def test_the_same_picture_is_the_same_file(name: str, kind: str) -> None:
    assert picture(draw(name), kind) == picture(draw(name), kind)


def test_two_processes_write_the_same_file(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from bcompare.plots.figure import save\n"
        "from tests.plots.pictures import draw\n"
        "save(draw('regions-1'), sys.argv[1])\n"
    )
    paths = [tmp_path / "one.svg", tmp_path / "two.svg"]
    for path in paths:
        subprocess.run([sys.executable, "-c", code, path], check=True, cwd=ROOT)
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_the_users_settings_are_neither_used_nor_changed() -> None:
    import matplotlib as mpl

    plain = picture(draw("posterior"), "svg")
    with mpl.rc_context({"font.size": 30.0, "lines.linewidth": 9.0, "svg.hashsalt": "other"}):
        assert picture(draw("posterior"), "svg") == plain
        assert mpl.rcParams["font.size"] == 30.0
        assert mpl.rcParams["svg.hashsalt"] == "other"


@pytest.mark.parametrize(
    ("suffix", "start"), [(".svg", b"<?xml"), (".png", b"\x89PNG"), (".PDF", b"%PDF")]
)
def test_the_suffix_chooses_the_format(tmp_path: Path, suffix: str, start: bytes) -> None:
    path = tmp_path / f"picture{suffix}"
    save(draw("posterior"), path)
    assert path.read_bytes().startswith(start)


@pytest.mark.parametrize(("style", "pixels"), [("screen", 150), ("paper", 300)])
def test_a_png_has_the_pixels_that_its_style_asks_for(style: str, pixels: int) -> None:
    file = picture(draw("posterior", sheet=Sheet.of("column", style)), "png")
    assert struct.unpack(">I", file[16:20]) == (3.5 * pixels,)
    across, down, unit = struct.unpack(">IIB", file[file.index(b"pHYs") + 4 :][:9])
    assert (across, down, unit) == (round(pixels / 0.0254), round(pixels / 0.0254), 1)  # a metre


def test_the_file_is_as_wide_as_was_asked() -> None:
    root = ET.fromstring(picture(draw("posterior", sheet=Sheet.of("page", "paper")), "svg"))
    assert root.attrib["width"] == "504pt"


def test_a_folder_that_does_not_exist_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written: No such file"):
        save(draw("posterior"), tmp_path / "nowhere" / "picture.svg")


def test_without_matplotlib_the_message_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ComputationError, match=r'pip install "bcompare\[plot\]"'):
        draw("posterior")


def test_the_room_loads_matplotlib_only_to_draw_and_never_pyplot() -> None:
    code = (
        "import sys\n"
        "from bcompare.plots import figure, registry\n"
        "from tests.plots.pictures import draw\n"
        "assert 'matplotlib' not in sys.modules\n"
        "for name in sys.argv[1:]:\n"
        "    figure.picture(draw(name), 'png')\n"
        "assert 'matplotlib' in sys.modules\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code, *KINDS], check=True, cwd=ROOT)
