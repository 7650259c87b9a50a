"""PDF files and pictures parsed by docling with its own models; our reader then reads its output."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import Any

from pincite.errors import LockedSource, SourceError
from pincite.ingest.docling.doclingfile import pages_of_docling
from pincite.ingest.raw_page import Page
from pincite.processes.offline import forbidden


def docling_read(path: Path, password: str | None = None) -> tuple[Page, ...]:
    """The pages of a file as docling's standard pipeline understands them. Raises SourceError when it cannot read the file."""
    if password:
        raise LockedSource(
            f"{path.name} is encrypted, and docling is given no passwords: index it with --parser pincite."
        )
    try:
        made = _converter().convert(path).document.export_to_dict()
    except Exception as error:
        # what docling, its backends and the hub of its models raise has no common class
        raise SourceError(
            f"docling could not read {path.name} ({type(error).__name__}: {error}). If it is its models that are missing: run "
            "`docling-tools models download` where there is a network, and set DOCLING_ARTIFACTS_PATH to the folder that it "
            "names. Without them: --parser pincite."
        ) from error
    return pages_of_docling(made, path.name)


@lru_cache(maxsize=1)
def _converter() -> Any:
    """The converter, whose models stay loaded from file to file."""
    if forbidden():
        # it then says at once that a model is missing, instead of trying to fetch it
        os.environ["HF_HUB_OFFLINE"] = "1"
    from docling.document_converter import DocumentConverter

    return DocumentConverter()
