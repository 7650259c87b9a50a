"""The files of the pages: compressed, those of others kept by browsers as long as their version is, the worker of the viewer
allowed what it needs.
"""

from __future__ import annotations

from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

WORKER = "vendor/pdfjs/pdf.worker.min.mjs"
WORKER_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
"""The viewer's worker runs apart from every page: it alone may run the decoders of pictures, which are WebAssembly."""


class StaticAssets(StaticFiles):
    """The folder `static`."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file, with its own policy and how long it may be kept."""
        response = await super().get_response(path, scope)
        if path == WORKER:
            response.headers["Content-Security-Policy"] = WORKER_POLICY
        if path.startswith("vendor/"):
            response.headers["Cache-Control"] = "public, max-age=86400"
        return response


def mounted() -> Mount:
    """Where the application serves them."""
    assets = StaticAssets(packages=[("pincite.serve", "static")])
    return Mount("/static", GZipMiddleware(assets, compresslevel=6))
