"""`pincite doctor`: is this installation complete, and is a corpus intact?"""

from __future__ import annotations

import importlib.metadata
import os
import platform
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from pincite.cli import options
from pincite.cli.views.common import bar, print_json
from pincite.corpus import Corpus
from pincite.errors import UsageError
from pincite.plural import counted
from pincite.settings import load, named_corpus


def doctor(
    corpus: Annotated[
        Path | None,
        options.corpus_of(
            "A corpus to check as well; by default that of the settings, where they name one."
        ),
    ] = None,
    models: Annotated[
        bool,
        typer.Option(
            "--models", help="Ask each configured model for a few words and a filled-in form."
        ),
    ] = False,
    verify: Annotated[
        bool,
        typer.Option(
            "--verify", help="Read every document of the corpus again from its source and compare."
        ),
    ] = False,
    json: options.Json = False,
) -> None:
    """Check the installation and, where they are named, a corpus and the models. Exit code 1: a check failed."""
    corpus = corpus or named_corpus()
    if verify and corpus is None:
        raise UsageError("--verify reads the documents of a corpus again: name it with --corpus")
    checks: dict[str, Callable[[], str]] = {
        "python": platform.python_version,
        "pdf": lambda: f"pypdfium2 {importlib.metadata.version('pypdfium2')}",
        "encoder": _encoder,
        "units": _units,
        "ocr": _ocr,
        "model": _model,
    }
    if corpus is not None:
        checks["corpus"] = lambda: _corpus(corpus)
    if models:
        from pincite.workbench.model_checks import checks_of

        checks |= checks_of(load().models)
    findings = [_finding(name, check) for name, check in checks.items()]
    if verify and corpus is not None:
        findings.append(_verified(corpus, json))
    _print(findings, json)
    if not all(finding["ok"] for finding in findings):
        raise typer.Exit(1)


def _finding(name: str, check: Callable[[], str]) -> dict[str, Any]:
    """What a check found; whatever it raises is a finding."""
    try:
        return {"check": name, "ok": True, "what": check()}
    except Exception as error:
        return {"check": name, "ok": False, "what": str(error)}


def _print(findings: list[dict[str, Any]], json: bool) -> None:
    if json:
        print_json(findings)
        return
    for finding in findings:
        typer.echo(f"{'ok  ' if finding['ok'] else 'FAIL'}  {finding['check']}: {finding['what']}")
        for document in (*finding.get("differs", ()), *finding.get("unverified", ())):
            typer.echo(f"      {document['document']}: {document['why']}")


def _verified(folder: Path, quiet: bool) -> dict[str, Any]:
    """Read every document again from its source and compare, with a progress bar."""
    from pincite.errors import PinciteError
    from pincite.workbench.source_comparison import reparse

    try:
        with bar("read again", quiet) as tick:
            read = reparse(
                Corpus(folder),
                os.cpu_count() or 1,
                lambda _, done, total, note="": tick(done, total, note),
            )
            found = list(read)
    except PinciteError as error:
        return {"check": "nodes", "ok": False, "what": str(error)}
    by_state: dict[str, list[dict[str, str]]] = {"differs": [], "unverified": []}
    for reparsed in found:
        if reparsed.state in by_state:
            by_state[reparsed.state].append({"document": reparsed.document, "why": reparsed.why})
    same = sum(reparsed.state == "same" for reparsed in found)
    what = f"match with their sources: {same} of {counted(len(found), 'document')}; different: {len(by_state['differs'])}; "
    what += f"not verified: {len(by_state['unverified'])}"
    return {
        "check": "nodes",
        "ok": not by_state["differs"],
        "what": what,
        "same": same,
        **by_state,
    }


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
    name = engine_name(ocr_settings)
    used = (
        f"pictures are read by {name}"
        if name
        else f"pictures are not read: {why_no_ocr(ocr_settings)}"
    )
    return "; ".join((used, *(f"there is {engine}" for engine in here())))


def _model() -> str:
    from pincite.workbench.model_checks import answering

    return answering(load().models)


def _corpus(folder: Path) -> str:
    from pincite.index.shelf import open_shelf
    from pincite.library import default_shelves

    opened = Corpus(folder, load().search)
    for shelf in default_shelves(folder):
        open_shelf(opened, shelf)
    for document in opened.documents:
        if not document.relation:
            opened.source(document.source)
    for held in opened.databases:
        held.open().close()
    return f"{counted(len(opened.documents), 'document')}, generation {opened.generation.number}, every source and index in place"
