"""The files of the page, each compressed once; all but the first may be kept by a browser for ever."""

from __future__ import annotations

import gzip
from hashlib import sha256
from importlib.resources import files
from typing import Final, NamedTuple

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

KINDS: Final = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
FOR_EVER: Final = "public, max-age=31536000, immutable"


class File(NamedTuple):
    """A file of the page, as it is and compressed."""

    content: bytes
    zipped: bytes
    kind: str


def page_files() -> dict[str, File]:
    """Every file of the page by its name. The first page names the others under a digest of them all."""
    folder = files("camelodds.web") / "page"
    contents = {each.name: each.read_bytes() for each in folder.iterdir() if each.name.rpartition(".")[2] in KINDS}
    digest = sha256(b"".join(contents[name] for name in sorted(contents))).hexdigest()[:16]
    contents["index.html"] = contents["index.html"].replace(b"VERSION", digest.encode())
    return {
        name: File(content, gzip.compress(content, 9, mtime=0), KINDS[name.rpartition(".")[2]])
        for name, content in contents.items()
    }


def page_routes() -> list[Route]:
    """The page at "/", its files under "/page/DIGEST/"."""
    found = page_files()
    index = found.pop("index.html")
    tag = f'"{sha256(index.content).hexdigest()[:16]}"'

    async def first(request: Request) -> Response:
        headers = {"ETag": tag, "Cache-Control": "no-cache"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return _sent(index, request, headers)

    async def rest(request: Request) -> Response:
        file = found.get(request.path_params["name"])
        if file is None:
            return JSONResponse({"error": "there is no such file"}, 404)
        named = request.path_params["digest"].encode() in index.content
        # A page from before a new version of the server gets today's files, but must not keep them as yesterday's.
        return _sent(file, request, {"Cache-Control": FOR_EVER if named else "no-store"})

    return [Route("/", first), Route("/page/{digest}/{name}", rest)]


def _sent(file: File, request: Request, headers: dict[str, str]) -> Response:
    headers["Vary"] = "Accept-Encoding"
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
        return Response(file.zipped, media_type=file.kind, headers=headers)
    return Response(file.content, media_type=file.kind, headers=headers)
