"""`pincite doctor`: is this installation complete, and is a corpus intact?"""

from __future__ import annotations

import os
import platform
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Option

from pincite.cli import options
from pincite.cli.views.common import bar, report
from pincite.corpus import Corpus
from pincite.errors import UsageError
from pincite.settings import load, named_corpus
from pincite.text.wording import counted


def doctor(
    corpus: Annotated[
        Path | None,
        options.corpus_of(
            "A corpus to check as well; by default that of the settings, where they name one."
        ),
    ] = None,
    models: bool = Option(
        False, "--models", help="Ask each configured model for a few words and a filled-in form."
    ),
    verify: bool = Option(
        False,
        "--verify",
        help="Read every document of the corpus again from its source and compare.",
    ),
    json: options.Json = False,
) -> None:
    """Check the installation and, where they are named, a corpus and the models. Exit code 1: a check failed."""
    corpus = corpus or named_corpus()
    if verify and corpus is None:
        raise UsageError("--verify reads the documents of a corpus again: name it with --corpus")
    checks: dict[str, Callable[[], str]] = {
        "python": platform.python_version, "pdf": lambda: f"pypdfium2 {version('pypdfium2')}", "encoder": _encoder,
        "units": _units, "ocr": _ocr, "model": _model,
    }  # fmt: skip
    if corpus is not None:
        checks["corpus"] = lambda: _corpus(corpus)
    if models:
        from pincite.workbench.model_checks import checks_of

        checks |= checks_of(load().models)
    findings = [_finding(name, check) for name, check in checks.items()]
    if verify and corpus is not None:
        findings.append(_compare_sources(corpus, json))
    said = []
    for finding in findings:
        said.append(
            f"{'ok  ' if finding['ok'] else 'FAIL'}  {finding['check']}: {finding['what']}"
        )
        for document in (*finding.get("differs", ()), *finding.get("unverified", ())):
            said.append(f"      {document['document']}: {document['why']}")
    report(json, findings, *said)
    if not all(finding["ok"] for finding in findings):
        raise typer.Exit(1)


def _finding(name: str, check: Callable[[], str]) -> dict[str, Any]:
    """What a check found; whatever it raises is a finding."""
    try:
        return {"check": name, "ok": True, "what": check()}
    except Exception as error:
        return {"check": name, "ok": False, "what": str(error)}


def _compare_sources(folder: Path, quiet: bool) -> dict[str, Any]:
    """Read every document again from its source and compare, with a progress bar."""
    from pincite.errors import PinciteError
    from pincite.workbench.source_comparison import reparse

    try:
        with bar("read again", quiet) as tick:
            read = reparse(
                Corpus(folder), os.cpu_count() or 1, lambda _, done, total, note="": tick(done, total, note)
            )  # fmt: skip
            found = list(read)
    except PinciteError as error:
        return {"check": "nodes", "ok": False, "what": str(error)}
    differs, unverified = (
        [{"document": each.document, "why": each.why} for each in found if each.state == state]
        for state in ("differs", "unverified")
    )
    same = sum(reparsed.state == "same" for reparsed in found)
    what = f"match with their sources: {same} of {counted(len(found), 'document')}; different: {len(differs)}; "
    what += f"not verified: {len(unverified)}"
    return {
        "check": "nodes", "ok": not differs, "what": what, "same": same, "differs": differs, "unverified": unverified,
    }  # fmt: skip


def _encoder() -> str:
    from pincite.models.kit import default_kit, with_encoder

    encoder = with_encoder(default_kit(), load().models).encoder
    vectors = encoder.encode(["net revenue", "total sales", "a wooden table"])
    if not vectors[0] @ vectors[1] > vectors[0] @ vectors[2]:
        raise RuntimeError("the encoder's vectors are wrong: reinstall pincite")
    return f"{encoder.name} {encoder.revision}, {encoder.dims} dimensions"


def _units() -> str:
    from decimal import Decimal

    from pincite.quantity import convert, parse

    quantity = parse("1.5 MWh")
    if quantity is None or convert(quantity, "kWh").amount != Decimal(1500):
        raise RuntimeError("1.5 MWh is not read as 1500 kWh: reinstall pincite")
    return "1.5 MWh = 1500 kWh"


def _ocr() -> str:
    from pincite.ingest.ocr.ocr_settings import checked, engine_name, here, why_no_ocr

    ocr_settings = load().ocr_settings
    checked(ocr_settings)
    if name := engine_name(ocr_settings):
        used = f"pictures are read by {name}"
    else:
        used = f"pictures are not read: {why_no_ocr(ocr_settings)}"
    return "; ".join((used, *(f"there is {engine}" for engine in here())))


def _model() -> str:
    from pincite.workbench.model_checks import answering

    return answering(load().models)


def _corpus(folder: Path) -> str:
    from pincite.search.index.shelf import open_shelf
    from pincite.workbench.library import default_shelves

    opened = Corpus(folder, load().search)
    for shelf in default_shelves(folder):
        open_shelf(opened, shelf)
    for document in opened.documents:
        if not document.relation:
            opened.source(document.source)
    for held in opened.databases:
        held.open().close()
    return f"{counted(len(opened.documents), 'document')}, generation {opened.generation.number}, every source and index in place"
