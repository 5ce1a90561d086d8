"""What the user named as results."""

from os import PathLike
from typing import BinaryIO, TypeAlias

Readable: TypeAlias = "str | PathLike[str] | BinaryIO"
