"""The site's pages from README, the guide, the rules and the notebooks, and the check of all links between them."""

from __future__ import annotations

import html
import os
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path
from string import Template
from urllib.parse import unquote, urlsplit

import nbformat
from markdown_it import MarkdownIt
from nbconvert import HTMLExporter
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
LINK = re.compile(r'<a ([^>]*?)href="([^"]*)"([^>]*)>(.*?)</a>', re.DOTALL)
IMAGE = re.compile(r'<img ([^>]*?)src="([^"]*)"')
HEADING = re.compile(r"<h([1-6])>(.*?)</h\1>", re.DOTALL)


def targets() -> dict[Path, str]:
    """Where each source becomes a page, in the order of the navigation."""
    guide = [HERE / "guide" / name for name in re.findall(r"\]\(([\w-]+\.md)\)", text_of(HERE / "guide" / "index.md"))]
    left_out = set((HERE / "guide").glob("*.md")) - {*guide, HERE / "guide" / "index.md"}
    if left_out:
        raise ValueError(f"docs/guide/index.md does not name {', '.join(sorted(path.name for path in left_out))}")
    notebooks = sorted((ROOT / "notebooks").glob("*.ipynb"))
    return {
        ROOT / "README.md": "index.html",
        HERE / "guide" / "index.md": "guide/index.html",
        **{path: f"guide/{path.stem}.html" for path in guide},
        HERE / "rules.md": "rules.html",
        ROOT / "notebooks": "notebooks/index.html",
        **{path: f"notebooks/{path.stem}.html" for path in notebooks},
    }


def write(folder: Path, executed: Path) -> None:
    """Write all pages but the API reference; notebooks are read from `executed`."""
    pages = targets()
    bodies = {}
    for source in pages:
        if source.suffix == ".ipynb":
            bodies[source] = notebook_html(executed / source.name)
        elif source.suffix == ".md":
            bodies[source] = markdown_html(text_of(source))
    notebooks = [source for source in bodies if source.suffix == ".ipynb"]
    tour = "".join(f'<li><a href="{path.name}">{title_of(bodies[path])}</a></li>' for path in notebooks)
    bodies[ROOT / "notebooks"] = f"<h1>Notebooks</h1>\n<p>The tour, from the rules up.</p>\n<ol>{tour}</ol>"
    titles = {source: title_of(bodies[source]) for source in pages}
    template = Template(text_of(HERE / "site_template" / "page.html"))
    for source, target in pages.items():
        page = folder / target
        page.parent.mkdir(parents=True, exist_ok=True)
        body = relinked(with_ids(bodies[source]), source, target, pages, folder)
        up = "../" * target.count("/")
        navigation = navigation_html(titles, pages, target)
        page.write_text(template.substitute(title=titles[source], up=up, navigation=navigation, body=body), "utf-8")
    light, dark = (HtmlFormatter(style=name).get_style_defs(".highlight") for name in ("default", "github-dark"))
    own = text_of(HERE / "site_template" / "style.css")
    style = f"{own}\n{light}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}\n"
    (folder / "style.css").write_text(style, "utf-8")


def text_of(path: Path) -> str:
    """A file's text."""
    return path.read_text(encoding="utf-8")


def markdown_html(text: str) -> str:
    """A Markdown text as HTML, with code in colours."""

    def colours(code: str, language: str, _: str) -> str:
        return highlight(code, get_lexer_by_name({"console": "console", "": "text"}.get(language, language)), formatter)

    formatter = HtmlFormatter(nowrap=True)
    markdown = MarkdownIt("commonmark", {"highlight": colours}).enable("table")
    body = markdown.render(text).replace("<pre><code", '<pre class="highlight"><code')
    return body.replace("<table>", '<div class="wide"><table>').replace("</table>", "</table></div>")


def notebook_html(path: Path) -> str:
    """A notebook as HTML, with the outputs that it has."""
    exporter = HTMLExporter(
        template_name="basic", exclude_input_prompt=True, exclude_output_prompt=True, exclude_anchor_links=True
    )
    body, _ = exporter.from_notebook_node(nbformat.read(path, as_version=4))
    return str(body)


def plain(markup: str) -> str:
    """The text of a piece of HTML."""
    return html.unescape(re.sub(r"<[^>]+>", "", markup)).strip().rstrip("¶")


def title_of(body: str) -> str:
    """The text of a page's first heading."""
    found = re.search(r"<h1[^>]*>(.*?)</h1>", body, re.DOTALL)
    if not found:
        raise ValueError(f"a page begins without a heading: {body[:80]!r}")
    return html.escape(plain(found[1]))


def with_ids(body: str) -> str:
    """The page with an id for each heading, formed from its words as code hosts do."""
    seen: dict[str, int] = {}

    def named(found: re.Match[str]) -> str:
        slug = re.sub(r"[^\w\- ]", "", plain(found[2]).lower()).replace(" ", "-")
        seen[slug] = seen.get(slug, 0) + 1
        name = slug if seen[slug] == 1 else f"{slug}-{seen[slug] - 1}"
        return f'<h{found[1]} id="{name}">{found[2]}</h{found[1]}>'

    return HEADING.sub(named, body)


def relinked(body: str, source: Path, target: str, pages: dict[Path, str], folder: Path) -> str:
    """The page with links between sources led to their pages, and pictures copied beside it.

    What is in the repository and not on the site, such as a test, keeps its name and loses its link.
    Raises ValueError where a link leads to nothing.
    """
    base = source if source.is_dir() else source.parent
    here = os.path.dirname(target)

    def file_of(link: str) -> Path:
        path = (base / unquote(urlsplit(link).path)).resolve()
        if not path.exists():
            raise ValueError(f"{source.relative_to(ROOT)}: {link} leads to nothing")
        return path

    def link_of(found: re.Match[str]) -> str:
        before, link, after, text = found.groups()
        parts = urlsplit(link)
        if parts.scheme or not parts.path:
            return found[0]
        page = pages.get(file_of(link))
        if page is None:
            return text
        fragment = f"#{parts.fragment}" if parts.fragment else ""
        return f'<a {before}href="{os.path.relpath(page, here or ".")}{fragment}"{after}>{text}</a>'

    def image_of(found: re.Match[str]) -> str:
        if urlsplit(found[2]).scheme:
            return found[0]
        picture = file_of(found[2])
        (folder / "pictures").mkdir(exist_ok=True)
        shutil.copyfile(picture, folder / "pictures" / picture.name)
        return f'<img {found[1]}src="{os.path.relpath(f"pictures/{picture.name}", here or ".")}"'

    return IMAGE.sub(image_of, LINK.sub(link_of, body))


def navigation_html(titles: dict[Path, str], pages: dict[Path, str], target: str) -> str:
    """The links to all pages, by folder; the page itself is marked."""
    up = "../" * target.count("/")
    lines = []
    for source, page in pages.items():
        depth = "inner" if "/" in page and not page.endswith("index.html") else "outer"
        current = ' aria-current="page"' if page == target else ""
        lines.append(f'<li class="{depth}"><a href="{up}{page}"{current}>{titles[source]}</a></li>')
    lines.append(f'<li class="outer"><a href="{up}api/camelodds.html">API reference</a></li>')
    return "\n".join(lines)


class Links(HTMLParser):
    """What a page links to, and the places in it that can be linked to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.places: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note one tag's links and its id."""
        for name, value in attrs:
            if name in ("href", "src") and value and tag in ("a", "img", "link", "script"):
                self.links.append(value)
            if name in ("id", "name") and value:
                self.places.add(value)


def broken_links(folder: Path) -> list[str]:
    """A line for each link within the site that leads to no page, or to no place in its page."""
    read = {path.resolve(): Links(text_of(path)) for path in sorted(folder.rglob("*.html"))}
    lines = []
    for path, page in read.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            to = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not to.is_file():
                lines.append(f"{path.relative_to(folder.resolve())}: {link} leads to nothing")
            elif parts.fragment and to in read and unquote(parts.fragment) not in read[to].places:
                lines.append(f"{path.relative_to(folder.resolve())}: {link} has no such heading")
    return lines
