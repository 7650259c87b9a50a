"""The corpora of an experiment: folders that are there, and those that are made of files or of a retrieval collection."""

from __future__ import annotations

from pathlib import Path

from pincite.indexing import index
from pincite.lab.experiments.experiment import CorpusOf
from pincite.lab.scoring.beir_folder import write_documents


def made_corpus(given: CorpusOf, folder: Path) -> Path:
    """The folder of a corpus; one that is given as files or as a collection is made, or brought up to date, inside `folder`."""
    if given.folder is not None:
        return given.folder
    made = folder / given.name
    paths = given.paths
    if given.beir is not None:
        files = folder / f"{given.name}.files"
        write_documents(given.beir, files)
        paths = (files,)
    index(paths, made, (), metadata=given.metadata)
    return made
