"""Values by name, of any kind: JSON objects, rows of files, keyword arguments."""

from typing import Any

Record = dict[str, Any]
