"""What text of a question to search for: its keywords, and the words that reports use instead of the question's."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from pincite.errors import UsageError
from pincite.question.request import unframed, unmeasured, without_form, without_otherwise
from pincite.text.language import language_of
from pincite.text.lexicon import pattern
from pincite.types import Query

_SHIPPED = Path(__file__).parents[1] / "data" / "lexicon.toml"
_ABBREVIATIONS = _SHIPPED.with_name("abbreviations.toml")
_NUMBER = pattern("search", "number", "places")
_YEAR = re.compile(r"(?:19|20)\d\d")


FOREIGN = 1.0
"""The weight of evidence by which a question is in a language that an encoder has not learned."""


@dataclass(frozen=True, slots=True)
class Keywords:
    """The question without the words of asking, its frame and numbers, which match where they should not.

    Years stay, and so do numbers that name a place ("Table 2") or are part of a word ("GPT-4").
    """

    def __call__(self, query: Query) -> str:
        """The words to search for; the whole question when none would be left."""
        text = _NUMBER.sub(_kept, unmeasured(unframed(without_otherwise(query.text))))
        return " ".join(without_form(text).split()) or query.text


@dataclass(frozen=True, slots=True)
class Unframed:
    """The question as it was asked, without where and when it wants its answer looked up and what to say when there is none.

    `languages` are those that the encoder has learned, all when empty: nothing is searched for in another, where its vectors
    say little.
    """

    languages: tuple[str, ...] = ()

    def __call__(self, query: Query) -> str:
        """The text to encode; the whole question when nothing would be left, "" for one in a language that is not known."""
        if self.languages and language_of(query.text, enough=FOREIGN) not in ("", *self.languages):
            return ""
        return " ".join(unframed(without_otherwise(query.text)).split()) or query.text


def _kept(match: re.Match[str]) -> str:
    number = match[0]
    return number if match["place"] or _YEAR.fullmatch(number.strip(".,")) else " "


@dataclass(frozen=True, slots=True)
class Written:
    """What the lexicon says reports write where the question asks otherwise; "" when no entry speaks.

    `path` names a file of further entries, in the form of the one that ships with the package.
    """

    path: str = ""

    def __call__(self, query: Query) -> str:
        """The expansions of all entries that the question asks for, each once, without the question."""
        return _written(query.text, _lexicon(_SHIPPED, self.path))


@dataclass(frozen=True, slots=True)
class Abbreviations:
    """The question with what its units and abbreviations stand for behind it: "tCO2e", "MWh", "TPU".

    `path` names a file of further ones, in the form of the one that ships with the package.
    """

    path: str = ""

    def __call__(self, query: Query) -> str:
        """The question, longer by the expansions of all entries that it holds, each once."""
        return f"{query.text} {_written(query.text, _lexicon(_ABBREVIATIONS, self.path))}".strip()


@lru_cache(maxsize=64)
def _written(text: str, lexicon: tuple[tuple[re.Pattern[str], str], ...]) -> str:
    plain = " ".join(re.sub(r"[-‐‑–/_]", " ", text.casefold()).split())
    return " ".join(dict.fromkeys(written for asked, written in lexicon if asked.search(plain)))


@lru_cache(maxsize=8)
def _lexicon(shipped: Path, path: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    files = [shipped, Path(path)] if path else [shipped]
    texts = ((file.read_text(encoding="utf-8"), str(file)) for file in files)
    return tuple(entry for text, name in texts for entry in _entries(text, name))


def _entries(text: str, name: str) -> Iterable[tuple[re.Pattern[str], str]]:
    try:
        for entry in tomllib.loads(text)["entry"]:
            asked = "|".join(re.escape(phrase.casefold()) for phrase in entry["asked"])
            yield re.compile(rf"(?<!\w)(?:{asked})(?:s|es)?(?!\w)"), str(entry["written"])
    except (tomllib.TOMLDecodeError, KeyError, TypeError, AttributeError) as error:
        raise UsageError(
            f"the lexicon {name} cannot be read ({error!r}): it needs [[entry]] blocks, each with `asked`, a list of "
            "phrases, and `written`, the words to search for."
        ) from error
