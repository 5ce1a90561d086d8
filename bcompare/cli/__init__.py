"""The command line: parse, call, render; no arithmetic.

    main.py                   the commands, by name, and errors
    groups.py, options.py     groups of options; those that many commands share
    input.py                  the options of what to read
    parsing.py, defaults.py   values of options; defaults from a file
    command.py                Typer's classes; which options `--help` shows
    compare.py                a command for each test; check.py, explain.py
    writing.py, streams.py    output, notes and progress

A new option of several commands is a field of a group in `options.py`; `command.py` says where
`--help` shows it, and `defaults.py` whether a file may set it.
"""

from bcompare.basis.threads import limit_threads

limit_threads()  # here, for the modules of this package import NumPy
