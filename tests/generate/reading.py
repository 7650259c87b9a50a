"""What tests of reading with a model share: texts as documents, models that say what they are told to."""

import re
from hashlib import sha256

from pincite.check.claims import verified
from pincite.evidence.candidate import Passage
from pincite.evidence.gathering import READ
from pincite.generate.line_reading import ReadLines
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


def seen_of(*texts):
    """The pages that a model is shown."""
    return tuple(page_of(text, number) for number, text in enumerate(texts, 1))


def line(prompt, *words):
    """The number of the first line of a prompt that holds all these words; 99 where none does."""
    lines = (each.split("\n")[-1] for each in prompt.context)
    held = (text for text in lines if all(word in text for word in words))
    return int(re.match(r"\d+", next(held, "99"))[0])


def saying(*replies):
    """A model that makes these replies one after the other, the last again and again; and the prompts it was given.

    A reply is the value with words of each line that it names.
    """
    prompts = []

    def script(prompt, form):
        prompts.append(prompt)
        value, *lines = replies[min(len(prompts), len(replies)) - 1]
        named = [
            each if isinstance(each, int) else line(prompt, *each.split("…")) for each in lines
        ]
        return {"analysis": "", "lines": named, "value": value}

    return ScriptedModel(script), prompts


def told(
    question, seen, *replies, expects=None, unit="", silence="na", derived="allow", **settings
):
    """The checked answer and the prompts, when a model makes these replies."""
    model, prompts = saying(*replies)
    query = Query(question, expects=expects, unit=unit, silence=silence, derived=derived)
    draft = ReadLines(model, None, None, form="full", **settings).read(understand(query), seen)
    nodes = {passage.node.id: passage.node for page in seen for passage in page}
    return verified(draft, nodes), prompts
