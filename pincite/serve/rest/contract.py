"""The OpenAPI 3.1 description of the REST interface: what FastAPI makes of its functions, with our kind of errors."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from pincite.serve.door.problems import MEDIA

ABOUT = (
    "Ask a corpus of documents, search it, read its pages and tables, and let it answer many questions. Every answer is typed, "
    "checked and cited. Errors are application/problem+json (RFC 9457); lists come in pages with `next`."
)
_PROBLEM = {
    "type": "object", "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string"}, "title": {"type": "string"}, "status": {"type": "integer"},
        "detail": {"type": "string"}, "request": {"type": "string"},
    },
}  # fmt: skip
_FAILURES = {
    "400": "not a request that can be read", "401": "a token is needed", "403": "not for this role, or from another site",
    "404": "not there", "409": "the corpus is busy or damaged", "413": "too large", "415": "a type that is not read",
    "421": "another host's name", "422": "something in it cannot be", "429": "too many requests", "503": "try again later",
}  # fmt: skip


def contract(app: FastAPI) -> dict[str, Any]:
    """The description, made once."""
    if app.openapi_schema is None:
        made = get_openapi(
            title=app.title,
            version=app.version,
            summary=app.summary,
            description=ABOUT,
            routes=app.routes,
        )
        schemas = made.setdefault("components", {}).setdefault("schemas", {})
        for name in ("HTTPValidationError", "ValidationError"):
            schemas.pop(name, None)
        schemas["Problem"] = _PROBLEM
        made["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        made["security"] = [{"token": []}, {}]
        failure = {"content": {MEDIA: {"schema": {"$ref": "#/components/schemas/Problem"}}}}
        for operations in made["paths"].values():
            for operation in operations.values():
                for status, meaning in _FAILURES.items():
                    operation["responses"][status] = {"description": meaning, **failure}
        app.openapi_schema = made
    return app.openapi_schema
