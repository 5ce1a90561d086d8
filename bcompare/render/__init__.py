"""A report or its rows in one output format, one file each; `bcompare.formats` registers them."""
