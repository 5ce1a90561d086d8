"""`python -m bcompare`."""

from bcompare.cli.main import main

main()
