"""What tests of reading with a model share: texts as documents, models that say what they are told to."""

from hashlib import sha256

from pincite.check.claims import verified
from pincite.evidence.candidate import Passage
from pincite.evidence.gathering import READ
from pincite.generate.reading import Read
from pincite.generate.shown_pages import ShownPieces
from pincite.ingest.raw_page import Page
from pincite.ingest.textfile import markdown_blocks
from pincite.ingest.tree import build
from pincite.question.understanding import understand
from pincite.types import Query
from tests.stand_ins.fakes import ScriptedModel


def page_of(text, number=1, name="report.md"):
    """The passages of one page of Markdown."""
    page = Page(number, 0.0, 0.0, tuple(markdown_blocks(text)))
    document = build(
        sha256(f"{number} {text}".encode(errors="replace")).hexdigest(), name, "markdown", [page]
    )
    return tuple(
        Passage(node, number - 1, 1.0, node.anchor.path, name, document.title)
        for node in document.nodes
        if node.kind in READ
    )


def shown_of(*texts):
    """The pages that a model is shown."""
    return ShownPieces(tuple(page_of(text, number) for number, text in enumerate(texts, 1)))


def saying(*forms):
    """A model that fills in these forms one after the other, the last again and again; and the prompts it was given."""
    prompts = []

    def script(prompt, form):
        prompts.append(prompt)
        given = forms[min(len(prompts), len(forms)) - 1]
        given = given(prompt) if callable(given) else given
        return {"step_by_step_analysis": "", **given}

    return ScriptedModel(script), prompts


def told(question, seen, *forms, expects=None, unit="", silence="na", derived="allow", **settings):
    """The checked answer and the prompts, when a model fills in these forms."""
    model, prompts = saying(*forms)
    query = Query(question, expects=expects, unit=unit, silence=silence, derived=derived)
    draft = Read(model, None, **settings).read(understand(query), seen)
    return verified(draft, {one.node.id: one.node for one in seen.passages}), prompts
