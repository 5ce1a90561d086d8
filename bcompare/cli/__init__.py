"""The command line: parse, call, render; no arithmetic."""

from bcompare.basis.threads import limit_threads

limit_threads()  # here, for the modules of this package import NumPy
