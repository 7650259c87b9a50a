"""What the metadata file says of a document beside its names, its kind, language and years, and which of these a question
names.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pincite.document.words import PLAIN_WORD, plain_words
from pincite.language import languages

KIND = 0.7
"""How surely a question means the documents of a kind that it names: not as surely as those that it names themselves."""
HINT = 0.4
"""How surely it means those of a year or language that it names, or of a kind in one word ("paper"): what others hold of the same
year may answer as well, so that these are preferred and nothing is left out.
"""
OTHER = 0.5
"""What a document counts that is of another kind or language than the question names."""
Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Traits:
    """The traits of a document that the user declares: kind and language as their words, and years; empty where unsaid."""

    kind: Words = ()
    language: Words = ()
    years: tuple[int, ...] = ()


def kind_of(declared: Mapping[str, str]) -> Words:
    """The words of a document's kind."""
    return plain_words(declared.get("kind", ""))


def language_of(declared: Mapping[str, str]) -> Words:
    """The words of a document's language; its code, where the language is known by that or by a name."""
    words = plain_words(declared.get("language", ""))
    return (_codes()[words[0]],) if len(words) == 1 and words[0] in _codes() else words


def aliases_of(declared: Mapping[str, str]) -> list[str]:
    """The other names of a document's company: the columns `alias` and `aliases`, several apart by semicolons."""
    written = ";".join((declared.get("alias", ""), declared.get("aliases", "")))
    return [name.strip() for name in written.split(";") if name.strip()]


@dataclass(frozen=True, slots=True)
class NamedMetadata:
    """Which of the kinds and languages of a corpus a question names, and its words for them."""

    kinds: Mapping[Words, str]
    languages: Mapping[Words, str]

    def fit(self, traits: Traits) -> tuple[float, str]:
        """How well a document's kind and language fit those that are named: a factor in (0, 1], in words."""
        factor, why = 1.0, ""
        for own, named in ((traits.kind, self.kinds), (traits.language, self.languages)):
            if own and named:
                factor *= 1.0 if own in named else OTHER
                why += f", {named[own]}" if own in named else ""
        return factor, why

    def means(self, traits: Traits, years: set[int]) -> tuple[float, str]:
        """How surely a document is meant by what it is alone, and the words that say so; 0 when it is not."""
        kind, language = self.kinds.get(traits.kind, ""), self.languages.get(traits.language, "")
        sure = KIND if kind and (len(traits.kind) > 1 or not kind.isalpha()) else HINT
        year = max(years) if years else 0
        if not (kind or language or year in traits.years):
            return 0.0, ""
        return sure, kind


def asked(question: str, every: Collection[Traits]) -> NamedMetadata:
    """What a question names of the traits of documents. What all of them have tells nothing."""
    words = list(PLAIN_WORD.finditer(question))
    folded = [match[0].casefold() for match in words]

    def named(held: set[Words]) -> dict[Words, str]:
        found: dict[Words, str] = {}
        if len(held) < 2:
            return found
        for trait in held - {()}:
            for called in _called(trait):
                size = len(called)
                starts = (n for n in range(len(words)) if _stands(called, folded[n : n + size]))
                if (at := next(starts, None)) is not None:
                    found[trait] = question[words[at].start() : words[at + size - 1].end()]
        return found

    return NamedMetadata(
        named({traits.kind for traits in every}), named({traits.language for traits in every})
    )


def _stands(called: Words, here: Sequence[str]) -> bool:
    """Whether words are those of a name, the last of them perhaps in the plural."""
    return (
        list(called) == here
        or len(here) == len(called)
        and [*called[:-1], called[-1] + "s"] == here
    )


def _called(trait: Words) -> list[Words]:
    """What a kind or language is called by: a language by its names in English and in itself, a kind by its words."""
    known = languages().get(trait[0]) if len(trait) == 1 else None
    return [trait] if known is None else [(name,) for name in known.names]


@lru_cache(maxsize=1)
def _codes() -> dict[str, str]:
    """The codes of languages by each name, and by themselves."""
    return {
        name: code for code, language in languages().items() for name in (code, *language.names)
    }
