"""A sentence that asks for a table to be made, sorted: what to return, for each of what, in which order, how many rows."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from pincite.lexicon import pattern, word_list, word_set
from pincite.rows.programs.draft_parts import ADVERBS, PARTS, Level
from pincite.rows.programs.pieces import QuestionPiece
from pincite.rows.programs.program import Part
from pincite.rows.programs.scheme import quantity

FUNCTIONS = ("count", "count distinct", "sum", "avg")


@dataclass(frozen=True, slots=True)
class Phrase:
    """One thing named: pieces [start, end), of which `names` name it; `function` is what is made of it, "" for itself."""

    start: int
    end: int
    names: tuple[int, ...]
    function: str = ""
    best: int = 0
    limit: int | None = None
    part: Part = ""
    over: Phrase | None = None


@dataclass(slots=True)
class TableRequestOutline:
    """What a sentence names, sorted by what it is for."""

    select: list[Phrase] = field(default_factory=list)
    group: list[Phrase] = field(default_factory=list)
    order: list[tuple[Phrase, bool]] = field(default_factory=list)
    subject: list[Phrase] = field(default_factory=list)
    used: set[int] = field(default_factory=set)
    best: bool | None = None
    limit: int | None = None
    explicit: bool = False
    down: bool | None = None
    mode: str = "select"

    def open_list(self) -> None:
        """Take what was selected so far for the subject: the columns follow."""
        self.subject += self.select
        self.select, self.explicit, self.mode = [], True, "select"


_COUNTED = pattern("rows", "counted", "words")
_COUNTS = word_set("rows", "counts")
_PARTICIPLES = word_list("rows", "endings of participles")


def phrase(level: Level, at: int) -> Phrase | None:
    """The phrase that begins at a place, None when nothing does."""
    begun = _begun(level, at)
    names = _names(level, begun)
    if not names:
        return _nameless(level, begun)
    end = names[-1] + 1
    if len(names) == 1 and not begun.function and _owns(level, end, names[0]):
        return replace(begun, end=end + 1, names=(end, names[0]))
    unsaid = level.kind(end) in ("unknown", "word") and not level.lead(end).strip()
    if unsaid and not begun.best and level.pieces[end].text.lower() in ("count", "counts"):
        return replace(begun, end=end + 1, names=tuple(names), function="count")
    return replace(begun, end=end, names=tuple(names))


def _names(level: Level, begun: Phrase) -> list[int]:
    """The names behind what a phrase begins with: one, and those that name one thing with it."""
    place = begun.end
    while (begun.function or begun.best) and level.kind(place) == "value":
        place += 1
    names: list[int] = []
    while level.kind(place) == "name" and (not names or _goes_on(level, names[-1], place)):
        names.append(place)
        place += 1
    return names


def _owns(level: Level, owner: int, name: int) -> bool:
    """Whether a table that is named behind a column is the one it belongs to: "the name of the supplier"."""
    if level.kind(owner) != "name" or not _OF.fullmatch(level.lead(owner)):
        return False
    tables = {
        mention.relation
        for mention in level.pieces[owner].mentions
        if not mention.column and mention.score > 0.6
    }
    return any(mention.relation in tables for mention in level.pieces[name].mentions)


_OF = pattern("rows", "of", "joints")


def _begun(level: Level, at: int) -> Phrase:
    """What stands in front of the names of a phrase: functions, superlatives, how many."""
    found = Phrase(at, at, ())
    for place in level.places[at:]:
        role, piece = level.role(place), level.pieces[place]
        if role in FUNCTIONS:
            if not found.function or (role != "sum" and found.function != "avg"):
                found = replace(found, function=role)
        elif role.startswith("best"):
            found = replace(found, best=piece.sign, function=_counted(piece) or found.function)
        elif piece.amount and place > at and level.role(place - 1).startswith("best"):
            found = replace(found, limit=int(piece.amount.value))
        elif role not in ("distinct", "adjective"):
            return replace(found, end=place)
    return replace(found, end=len(level.pieces))


def _counted(piece: QuestionPiece) -> str:
    """How a superlative counts: "the highest number of", "the most common"; "" for one that does not."""
    if _COUNTED.search(piece.text.lower()):
        return "count"
    return "common" if piece.role == "best count" else ""


def _nameless(level: Level, begun: Phrase) -> Phrase | None:
    """A phrase without a name: "counts", "month"."""
    at, place = begun.start, begun.end
    if at == place < len(level.pieces) and level.pieces[at].text.lower() in _COUNTS:
        return Phrase(at, at + 1, (), "rows")
    if begun.function or level.kind(place) not in ("unknown", "word"):
        return None
    part = PARTS.get(level.pieces[place].text.lower())
    return replace(begun, end=place + 1, part=part) if part else None


def _is_row(level: Level, phrase: Phrase) -> bool:
    """Whether a superlative chooses a row, and no number to put in order: "the largest city"."""
    if phrase.function or phrase.limit is not None or not level.pieces[phrase.start].kinds:
        return False
    columns = [m for at in phrase.names for m in level.pieces[at].mentions if m.column]
    return not any(quantity(level.scheme.column(*m.place)) for m in columns)


def _goes_on(level: Level, at: int, other: int) -> bool:
    """Whether two names side by side name one thing: "transaction amount", not "references cited"."""
    if not pattern("rows", "one name", "joints").fullmatch(level.lead(other)):
        return False
    first = {m.relation for m in level.pieces[at].mentions if m.score > 0.45}
    return any(m.relation in first and m.score > 0.45 for m in level.pieces[other].mentions)


def outline(level: Level) -> TableRequestOutline | None:
    """The sentence sorted; None when it names nothing, or one row rather than a table."""
    found = TableRequestOutline()
    at = 0
    while at < len(level.pieces):
        if (after := _marked(level, found, at)) is not None:
            at = after
            continue
        named = _ratio(level, at) if level.role(at) == "ratio" else phrase(level, at)
        if named is None:
            at += 1
            continue
        if named.over is not None:
            found.select.append(named)
            found.used |= set(range(at, named.end))
        elif not _sorted(level, found, named):
            return None
        at = named.end
    return found if found.select or found.group or found.order else None


def _marked(level: Level, found: TableRequestOutline, at: int) -> int | None:
    """Note a word that says what the phrases behind it are for; the next place, None when there is no such word."""
    role = level.role(at)
    if role == "give":
        if level.begins_sentence(at) and phrase(level, at + 1):
            found.open_list()
        found.mode = "select"
    elif role == "each":
        found.mode = "group"
    elif role in ("order", "falling", "rising", "alphabetical"):
        if role != "order":
            found.down = role == "falling"
            if found.order and at > 0 and level.role(at - 1) != "order":
                found.order[-1] = (found.order[-1][0], found.down)
        found.mode = "order"
    else:
        return None
    found.used.add(at)
    return at + 1


def _ratio(level: Level, at: int) -> Phrase | None:
    left = phrase(level, at + 1)
    if left is None or not pattern("rows", "ratio", "joints").search(level.lead(left.end)):
        return phrase(level, at)
    right = phrase(level, left.end)
    return replace(left, start=at, end=right.end, over=right) if right else phrase(level, at)


def _sorted(level: Level, found: TableRequestOutline, phrase: Phrase) -> bool:
    """Put a phrase where it belongs; False when it shows that no table is described."""
    if _opens_brackets(level, found, phrase):
        found.open_list()
    if phrase.function == "common":
        _commonest(found, phrase)
    elif phrase.part and not phrase.names and level.pieces[phrase.start].text.lower() in ADVERBS:
        found.group.append(phrase)
    elif found.mode == "order":
        found.order.append((phrase, bool(found.down)))
        found.mode = "modify"
    elif level.follows_by(phrase.start) and found.mode != "group":
        _by(level, found, phrase)
    elif found.mode == "group" or (
        found.mode == "grouped" and not phrase.function and level.joined(phrase.start)
    ):
        found.group.append(phrase)
        found.mode = "grouped"
    elif phrase.best and not found.explicit:
        if _is_row(level, phrase):
            return False
        _best(found, phrase)
    elif not _is_shown(level, found, phrase):
        found.subject.append(phrase)
        found.mode = "modify"
        return True
    else:
        found.select.append(phrase)
        found.mode = "listed"
    found.used |= {
        place for place in range(phrase.start, phrase.end) if level.kind(place) != "value"
    }
    return True


def _opens_brackets(level: Level, found: TableRequestOutline, phrase: Phrase) -> bool:
    """Whether the columns are listed in brackets behind what they are of."""
    bracketed = "(" in level.lead(phrase.start) and level.kind(phrase.start) == "name"
    return bracketed and found.mode != "select" and bool(found.select) and not found.explicit


def _is_shown(level: Level, found: TableRequestOutline, phrase: Phrase) -> bool:
    """Whether a phrase is one of the columns to return."""
    listed = level.joined(phrase.start) and (phrase.function or found.mode == "listed")
    return found.mode == "select" or bool(listed)


def _commonest(found: TableRequestOutline, phrase: Phrase) -> None:
    """What is asked for by how many rows have it: "the three most common suppliers"."""
    found.limit = phrase.limit if phrase.limit is not None else found.limit
    found.best = phrase.best > 0
    found.select.append(replace(phrase, function="", best=0))
    found.order.append((replace(phrase, function="rows", best=0, names=()), phrase.best > 0))
    found.mode = "listed"


def _by(level: Level, found: TableRequestOutline, phrase: Phrase) -> None:
    if _agent(level, phrase.start):
        found.subject.append(phrase)
    elif (found.limit is not None or phrase.function) and not found.order:
        found.order.append((phrase, found.best if found.best is not None else True))
    else:
        found.group.append(phrase)


def _best(found: TableRequestOutline, phrase: Phrase) -> None:
    """What rows are put in order by, or how many of them are wanted: "the five largest ports"."""
    if phrase.limit is not None and not phrase.function:
        found.limit, found.best = phrase.limit, phrase.best > 0
        found.select.append(replace(phrase, best=0))
    else:
        found.best = phrase.best > 0 if found.best is None else found.best
        found.order.append(
            (replace(phrase, best=0, function=phrase.function or "most"), phrase.best > 0)
        )
    found.mode = "listed"


def _agent(level: Level, at: int) -> bool:
    """Whether "by" names who did it: "cited by publications"."""
    if level.kind(at - 1) not in ("unknown", "name"):
        return False
    return level.pieces[at - 1].text.lower().endswith(_PARTICIPLES)
