"""The options that `--help` shows: those that most people use; `--help-all` shows all."""

from collections.abc import Sequence
from typing import Any

HELP_ALL = "--help-all"

COMMON = frozenset({
    "--help", "--help-all", "--version", "--show-config",
    "--lower-is-better", "--dataset", "--preset", "--col",
    "--classifier", "--rope", "--alpha", "--left", "--right", "--baseline",
    "--format", "--output", "--plot", "--details", "--also", "--sensitivity",
    "--prior", "--over", "--test",
    "--prefer", "--candidate", "--fail-if", "--metric", "--undecided", "--effect", "--sd",
    "--datasets",
})  # fmt: skip


def hide_rare(command: Any, arguments: Sequence[str]) -> list[str]:
    """Hide rare options unless all are requested; return the arguments without that request."""
    asked = HELP_ALL in arguments
    for inner in [command, *getattr(command, "commands", {}).values()]:
        options = [p for p in inner.params if p.param_type_name == "option"]
        for flag in (option for option in options if option.is_flag):
            flag.metavar = ""  # flags need no type
        hidden = [option for option in options if not COMMON & set(option.opts)]
        for parameter in hidden:
            parameter.hidden = not asked
        if hidden and not asked and inner.name != "bcompare":
            inner.epilog = f"{len(hidden)} more options: bcompare {inner.name} {HELP_ALL}"
    return ["--help" if word == HELP_ALL else word for word in arguments]
