"""The HTML report: everything at once, in one page that needs nothing from anywhere else.

`contents` says what stands in it, as plain dicts; `report.html.jinja` how it is marked up, with
`style.css` and `script.js` put into it; `svg` puts pictures into it. Names from files are data,
never markup: the template escapes all that it is given.
"""
