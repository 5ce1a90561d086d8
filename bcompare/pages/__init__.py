"""The HTML report: everything on one self-contained page.

`page` collects the content as plain dicts; `report.html.jinja` marks it up and includes
`style.css` and `script.js`; `inline` embeds the pictures. Names from files are data, never markup:
the template escapes everything.
"""
