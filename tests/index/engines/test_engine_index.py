"""What an engine finds is what the embedded index finds, row by row and score by score."""

import random
import shutil
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import pytest

from pincite.errors import CorpusError, EngineError, UsageError
from pincite.formats.spell import spell
from pincite.search.index.dense import Dense
from pincite.search.index.document_views import Whole
from pincite.search.index.engines.engine_address import engine_address
from pincite.search.index.engines.engine_index import in_engine
from pincite.search.index.engines.postgres_connection import MOST, asked
from pincite.search.index.lexical import Lexical
from pincite.search.index.shelf import Shelf, _read, earlier_folder, write_shelf
from pincite.types import Entry
from tests.stand_ins.fakes import HashEncoder

pytestmark = pytest.mark.servers

WORDS = "pump valve 2023 12.5 kessel steam of net sales total water boiler cost rose fell".split()
GERMAN = "Druckkessel Kessel Druck Dampf Wasser".split()


def corpus_of(seed, documents=30):
    """Documents by key: their entries, some of them in German."""
    draw = random.Random(seed)
    return {
        f"{seed}-{number}": [
            Entry(
                f"{seed:03x}{number:03x}{at:010x}",
                "window",
                " ".join(draw.choices(WORDS + (GERMAN if number % 7 == 0 else []), k=draw.randint(0, 12))),
                at,
                languages=("de",) if number % 7 == 0 else (),
            )
            for at in range(draw.randint(0, 6))
        ]
        for number in range(documents)
    }  # fmt: skip


def written(shelf, folder, held, old=None):
    new = [old is None or key not in old.documents for key in held]
    entries, owners = [], []
    for at, (fresh, document) in enumerate(zip(new, held.values(), strict=True)):
        entries += document if fresh else []
        owners += [at] * len(document) if fresh else []
    keys = list(held)
    write_shelf(shelf, folder, entries, owners, keys, keys, old)
    return _read(shelf.index, folder)


def same(found, wanted, close=0.0):
    """The same hits in the same order, but for those whose scores are as close as two ways to add up are."""
    for mine, theirs in zip(found, wanted, strict=True):
        scores = [hit.score for hit in theirs]
        assert [hit.score for hit in mine] == pytest.approx(scores, abs=close)
        if not close:
            assert [hit.node for hit in mine] == [hit.node for hit in theirs]
            continue
        surely = {hit.node for hit in theirs if hit.score > scores[-1] + close}
        assert surely <= {hit.node for hit in mine}


class Drawn(HashEncoder):
    """A vector for every text, as a corpus stores them: in half precision."""

    def encode(self, texts, *, side="document"):
        draws = [random.Random(text) for text in texts]
        made = np.array(
            [[draw.gauss(0, 1) for _ in range(self.dims)] for draw in draws], np.float32
        )
        made /= np.linalg.norm(made.reshape(-1, self.dims), axis=1, keepdims=True)
        return made.astype(np.float16).astype(np.float32) if side == "document" else made


QUESTIONS = [
    "pump valve",
    "net sales of 2023",
    "Kessel",
    "Druckkessel Dampf",
    "12.5",
    "zebra",
    "of",
]
COUNTS = """
SELECT 'table', sum(seq_scan)::int FROM pg_stat_user_tables
UNION ALL SELECT m.amname, sum(s.idx_scan)::int FROM pg_stat_user_indexes AS s
JOIN pg_class AS c ON c.oid = s.indexrelid JOIN pg_am AS m ON m.oid = c.relam GROUP BY 1"""
INDEXES = [Lexical(), Lexical(k1=1.2, b=0.75, bigrams=True), Dense(Drawn(64))]


@pytest.mark.parametrize("index", INDEXES, ids=["words", "pairs", "vectors"])
def test_rows_scores_and_filters_are_those_of_the_embedded_index(index, place, tmp_path):
    close = 1e-5 if isinstance(index, Dense) or place.kind == "milvus" else 0.0
    here, there = (Shelf(kind, (Whole(),)) for kind in (index, in_engine(index, place.url)))
    held = corpus_of(1)
    ours, theirs = (written(shelf, tmp_path / name, held) for shelf, name in ((there, "e"), (here, "f")))  # fmt: skip
    for only in (None, frozenset(list(held)[:9]), frozenset(list(held)[3:5]), frozenset()):
        same(ours.search(QUESTIONS, 10, only), theirs.search(QUESTIONS, 10, only), close)


@pytest.mark.parametrize("index", INDEXES, ids=["words", "pairs", "vectors"])
def test_an_index_that_has_grown_is_the_one_that_is_built_and_the_older_one_stays(index, place, tmp_path):  # fmt: skip
    close = 1e-5 if isinstance(index, Dense) or place.kind == "milvus" else 0.0
    here, there = (Shelf(kind, (Whole(),)) for kind in (index, in_engine(index, place.url)))
    first = {key: held for key, held in corpus_of(2).items() if not any(e.languages for e in held)}
    more = {key: held for key, held in corpus_of(3).items() if not any(e.languages for e in held)}
    second = dict(list(more.items())[:4] + list(first.items())[5:] + list(more.items())[8:])
    third = dict(list(second.items())[3:] + list(first.items())[:2])
    corpora = [first, second, third]
    shelves = tmp_path / "shelves"
    tables, before = set(), None
    for number, held in enumerate(corpora):
        old = earlier_folder(there, shelves / str(number - 1)) if number else None
        assert (old is None) == (number == 0)
        ours = written(there, shelves / str(number), held, old)
        tables.add(ours.searcher.rows.table)
        theirs = written(here, tmp_path / f"here{number}", held)
        # who reads in the generation before goes on reading there
        for mine, known, documents in filter(None, ((ours, theirs, held), before)):
            some = frozenset(list(documents)[2:7])
            same(mine.search(QUESTIONS, 10, None), known.search(QUESTIONS, 10, None), close)
            same(mine.search(QUESTIONS, 10, some), known.search(QUESTIONS, 10, some), close)
        before = ours, theirs, held
    assert len(tables) == 1


def test_words_are_held_where_they_are_in_the_embedded_index(place, tmp_path):
    index = Lexical(bigrams=True)
    here, there = (Shelf(kind, (Whole(),)) for kind in (index, in_engine(index, place.url)))
    held = corpus_of(4)
    ours, theirs = (
        written(shelf, tmp_path / name, held).searcher
        for shelf, name in ((there, "e"), (here, "f"))
    )
    assert (ours.size, ours.languages) == (theirs.size, theirs.languages)
    for term, beside in (("pump", ""), ("pump", "valv"), ("12.5", ""), ("zebra", "")):
        assert ours.holding(term, beside).tolist() == theirs.holding(term, beside).tolist()


def test_a_table_that_no_generation_needs_is_swept(place, tmp_path):
    from pincite.search.index.engines.engine_index import sweep_tables, tables_of

    there = Shelf(in_engine(Lexical(), place.url), (Whole(),))
    shelves = tmp_path / "shelves"
    for name in ("old", "new"):
        written(there, shelves / name, corpus_of(5, 3))
    sweep_tables(there.index, shelves, lambda: shutil.rmtree(shelves / "old"))
    (left,) = tables_of(shelves)
    (opened,) = _read(there.index, shelves / "new").search(["pump"], 1, None)
    assert opened and left
    copy = shutil.copytree(shelves / "new", tmp_path / "copy")
    sweep_tables(there.index, shelves, lambda: shutil.rmtree(shelves / "new"))
    with pytest.raises(CorpusError, match="lacks an index of the corpus.*run `pincite index`"):
        _read(there.index, copy)


@pytest.mark.parametrize("address", ["postgresql://127.0.0.1:1/none", "milvus://127.0.0.1:1"])
def test_an_engine_that_is_down_gives_a_message(address, tmp_path):
    index = in_engine(Lexical(), address)
    with pytest.raises(EngineError, match=r"127\.0\.0\.1:1.*failed.*unset `search`") as raised:
        index.build([Entry("0" * 16, "window", "pump")], tmp_path / "i")
    assert raised.value.retryable


@pytest.mark.parametrize("address", ["mysql://host/db", "somewhere", "milvus://"])
def test_an_address_of_no_known_kind_is_refused(address):
    with pytest.raises(UsageError, match="the setting 'search' names no"):
        in_engine(Lexical(), address)


@pytest.mark.parametrize(
    "address",
    ["postgresql://me:secret@h/db", "postgresql://h/db?password=secret", "milvus://me:secret@h"],
)
def test_an_address_with_a_password_is_refused_and_who_asks_is_not_spelled(address):
    with pytest.raises(UsageError, match="PGPASSWORD") as raised:
        in_engine(Lexical(), address)
    assert "secret" not in str(raised.value)
    named = in_engine(Lexical(), "postgresql://somebody@h/db")
    assert "somebody" not in spell(named) + repr(named)


def test_threads_share_a_few_connections_and_lost_ones_are_made_again(postgres):
    import psycopg

    url = postgres.create().replace("//reader@", "//postgres@")
    place, meeting = engine_address(url), Barrier(MOST)

    def number(connection):
        return connection.execute("SELECT pg_backend_pid()").fetchone()[0]

    def number_once_all_are_in_use(connection):
        meeting.wait(timeout=5)
        return number(connection)

    with ThreadPoolExecutor(3 * MOST) as pool:
        used = set(pool.map(lambda _: asked(place, number_once_all_are_in_use), range(3 * MOST)))
        assert len(used) == MOST
        with psycopg.connect(url, autocommit=True) as other:
            other.execute("SELECT pg_terminate_backend(pid) FROM unnest(%s) AS pid", (list(used),))
        assert not used & set(pool.map(lambda _: asked(place, number), range(3 * MOST)))


def test_postgresql_reads_no_table_from_end_to_end(postgres, tmp_path):
    url = postgres.create("CREATE EXTENSION vector").replace("//reader@", "//postgres@")
    held = corpus_of(6)
    opened = [
        written(Shelf(in_engine(index, url), (Whole(),)), tmp_path / name, held)
        for name, index in (("words", Lexical()), ("vectors", Dense(Drawn(64))))
    ]
    place = opened[0].searcher.place

    def scans():
        asked(place, lambda connection: connection.execute("SELECT pg_stat_force_next_flush()"))
        return asked(place, lambda connection: connection.execute(COUNTS).fetchall())

    before = dict(scans())
    for shelf in opened:
        shelf.search(QUESTIONS, 10, None)
        shelf.search(QUESTIONS, 10, frozenset(list(held)[:9]))
    after = dict(scans())
    assert after["table"] == before["table"]
    assert after["hnsw"] - before["hnsw"] == len(QUESTIONS)
    assert after["btree"] > before["btree"]
