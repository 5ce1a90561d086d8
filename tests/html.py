"""What a page of HTML holds."""

from html.parser import HTMLParser


class Page(HTMLParser):
    """Elements, their ids, where they lead and what they load; cells, and text outside of code."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.cells: list[str] = []
        self.words: list[str] = []
        self._open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self._open.append(tag)
        self.cells += [""] if tag == "td" else []
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            elif name in ("src", "href") or name.endswith(":href"):
                (self.links if tag == "a" else self.loaded).append(value or "")

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if "td" in self._open:
            self.cells[-1] += data
        if not {"style", "script"} & set(self._open):
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())
