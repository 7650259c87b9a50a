"""What a question asks for: the noun that says it, the words around that noun, the number of words wanted, the class."""

from __future__ import annotations

from pincite.document.sentence_spans import sentences
from pincite.quantity.numbers import ONES
from pincite.question.asking import asks_reason, headed, load_asking
from pincite.text.lexicon import pattern, pattern_table
from pincite.text.words import stems

_FOCUS = pattern("question", "focus", "focus")
_NAME_OF = pattern("question", "name of", "focus")
_WORD_COUNT = pattern("question", "word count", "focus")
_LEADING = pattern("question", "leading clause", "focus")
_ASKS = pattern("question", "asks", "focus")
_KINDS = pattern_table("question", "kinds")


def focus(text: str) -> str:
    """The noun that says what is asked for: after the last "which" or "what", or after "the name of the"."""
    found = [match["noun"].strip() for match in _FOCUS.finditer(text)]
    named = _NAME_OF.search(text)
    return next(filter(None, reversed(found)), named[1].strip() if named else "")


def count_asked(text: str) -> int:
    """How many words the answer shall have: 1 for "a single word"; 0 when the question does not say."""
    match = _WORD_COUNT.search(text)
    return (ONES | {"single": 1})[match[1].lower()] if match else 0


def kind_of(text: str) -> str:
    """The class of a question: who, org, when, where, why, many, how, list, term, do, is, which or other."""
    asked = _asking(text)
    said = asked or text
    if asks_reason(said):
        return "why"
    kind = next((name for name, pattern in _KINDS if pattern.search(said)), "other")
    if kind in ("which", "is", "list"):
        head = stems(focus(asked))[-1:]
        return load_asking().nouns.get(head[0], kind) if head else kind
    return headed(text) or kind if kind == "other" and not asked else kind


def _asking(text: str) -> str:
    """The last sentence of a text that asks, from the word that does on; "" where none does."""
    found = [_ASKS.search(_LEADING.sub("", text[start:end])) for start, end in sentences(text)]
    return next((match[0] for match in reversed(found) if match), "")
