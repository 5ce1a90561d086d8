"""The looks of gates with optional stopping: a file that each look continues."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bcompare.basis.atomic import append_atomically
from bcompare.basis.messages import InputError, Record, arg
from bcompare.gating.anytime import AnytimeGate, Bets


@dataclass(frozen=True, slots=True)
class History:
    """The last look of the gate of one name in a file; size : of the file, in bytes.

    Each look appends a line of JSON, which the next one must continue: the error rate over all
    looks rests on the same claims, and on data that only grow at their end.
    """

    path: str
    name: str
    last: Record | None = None
    size: int = 0

    @classmethod
    def read(cls, path: str, name: str) -> "History":
        """Read a file; a missing one has no look.

        Raises
        ------
        InputError : a file that cannot be read, or a line that no gate has written.
        """
        if Path(path).exists() and not Path(path).is_file():
            raise InputError(f"{path}: not a plain file; name one for the history")
        try:
            content = Path(path).read_bytes()
            lines = content.decode().splitlines()
        except FileNotFoundError:
            return cls(path, name)
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{path}: cannot be read: {error}") from None
        last = None
        for number, line in enumerate(lines, 1):
            try:
                look = json.loads(line)
                Bets.of_record(look["bets"])
                last = look if look["name"] == name else last
            except (ValueError, TypeError, KeyError, RecursionError):
                raise InputError(
                    f"{path}, line {number}: not a look of gate-anytime; remove the line, or name "
                    "another file"
                ) from None
        return cls(path, name, last, len(content))

    def bets(self, declared: Bets, alpha: float) -> Bets:
        """Return the bets to continue: as declared, or those of the last look.

        Raises
        ------
        InputError : other bets than those of the last look.
        """
        if self.last is None:
            return declared
        before = Bets.of_record(self.last["bets"])
        same = declared in (Bets(seed=declared.seed), before)
        if not same or declared.seed not in (None, before.seed) or alpha != self.last["alpha"]:
            raise InputError(
                f"{self.path}: bets were declared as {before.describe()} at "
                f"{arg('alpha', self.last['alpha'])}: go on with the same, or begin another history"
            )
        return before

    def add(self, judged: AnytimeGate, summary: str) -> None:
        """Append a look, dated now.

        Raises
        ------
        InputError : other claims, ropes or first items than at the last look, or another order of
            these; a larger cluster; another gate has taken this look in the meantime.
        """
        declared = judged.declared()
        if self.last is not None:
            self._check(judged, declared, self.last["bets"])
        look = {
            "time": datetime.now(UTC).isoformat(timespec="seconds"),
            "name": self.name,
            "outcome": judged.outcome,
            "summary": summary,
            "alpha": judged.gate.rule.alpha,
            "bets": declared,
        }
        line = json.dumps(look, ensure_ascii=False)
        append_atomically(self.path, f"{line}\n".encode(), self.size)

    def _check(self, judged: AnytimeGate, now: Record, last: Record) -> None:
        problem = ""
        if now["claims"] != last["claims"]:
            problem = (
                "the candidates, metrics or data sets differ from those of the last look, whose "
                "claims share alpha: go on with the same"
            )
        elif now["ropes"] != last["ropes"]:
            ropes = zip(last["ropes"], now["ropes"], strict=True)
            before = next(tuple(one) for one, other in ropes if one != other)
            problem = f"the last look had {arg('rope', before)}: go on with the same"
        elif now["largest_cluster"] > last["largest_cluster"]:
            problem = (
                f"a cluster has {now['largest_cluster']:,} items, but the bets were made for "
                f"{last['largest_cluster']:,} at most: declare the size of the largest by "
                f"{arg('largest')}"
            )
        elif judged.digest(last["seen"]) != last["digest"]:
            problem = (
                f"the last look saw {max(last['seen']):,} {judged.observations}, but the results "
                "no longer begin with these, with the same scores in the same order: append new "
                "ones at the end, and nothing to those that were seen"
            )
        if problem:
            raise InputError(f"{self.path}: {problem}, or begin another history")
