"""Files and frames become tables of cells, not yet understood.

    options.py, presets.py   how to read, as chosen by the user or known of a program
    programs.py              results of known programs → rows
    sources.py               the arguments: files, standard input, LABEL=FILE, folders
    conversion.py            compressed files and UTF-16, and what converts other formats
    markup.py, workbook.py   ARFF, Markdown, LaTeX and texts of programs → CSV; Excel → CSV
    documents.py             JSON of any shape → records
    tables.py                a table: named columns of texts or numbers; names as codes
    text.py                  text → a table, by pandas or the csv module; its separator and quotes
    frames.py                pandas frames, Parquet, JSON and Inspect's logs → a table
    cells.py                 numbers as people write them
    problems.py              problems, collected so that all are shown at once

Nothing is imported here, so that `bcompare.files.options` stays cheap.
"""
