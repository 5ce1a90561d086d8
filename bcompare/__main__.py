"""`python -m bcompare`."""

from bcompare.cli.main import program

program()
