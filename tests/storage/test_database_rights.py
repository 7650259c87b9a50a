"""Two logins of a database, each with rights to a corpus of its own: search, `ask`, and raw SQL on every table."""

import psycopg
import pytest

from pincite.chat.history import History
from pincite.corpus import writing
from pincite.errors import CorpusNotWritable, UsageError
from pincite.records.answer_store import answer_id, recall_answer
from pincite.records.review import accept, reviews
from pincite.settings import load
from pincite.storage import corpus_folder
from pincite.workbench.database_rights import grant
from pincite.workbench.library import Library, index
from tests.conftest import EXAMPLES
from tests.serve.conftest import answer, finished, serving
from tests.storage.test_corpus_in_postgres import QUESTIONS

pytestmark = pytest.mark.servers

REPORTS = {
    "reports": "halvorsen-annual-report-2023.pdf",
    "papers": "brandt-2024-inference-energy.pdf",
}
DENIED = psycopg.errors.InsufficientPrivilege


@pytest.fixture(scope="module")
def database(postgres, caches):
    """A function from the name of a corpus and of a login to an address, in a database of this module's own."""
    base = postgres.create().replace("//reader@", "//{}@")
    return lambda name, login="postgres": base.format(login) + f"&corpus={name}"


@pytest.fixture(scope="module")
def two(database):
    """Two corpora that are searched where they are; the role of `ann` is reader of the first, `bob` that of the second, and
    `rea` reviews the first. Indexes are built after the rights were given.
    """
    with psycopg.connect(database("x").partition("&corpus")[0], autocommit=True) as connection:
        for login in ("ann", "bob", "rea", "owner"):
            connection.execute(f"CREATE ROLE {login} LOGIN")
        connection.execute("CREATE EXTENSION vector")
        for corpus in REPORTS:
            connection.execute(f"CREATE SCHEMA {corpus} AUTHORIZATION owner")
    owned = {corpus: database(corpus, "owner") for corpus in REPORTS}
    for corpus, address in owned.items():
        index([EXAMPLES / "files" / REPORTS[corpus]], address)
    folders = {corpus: corpus_folder(address) for corpus, address in owned.items()}
    History(folders["reports"]).begin("before there were rights")
    grant(folders["reports"], "ann", "reader")
    grant(folders["papers"], "bob", "reader")
    grant(folders["reports"], "rea", "reviewer")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PINCITE_SEARCH", "corpus")
        for corpus, address in owned.items():
            index([EXAMPLES / "files" / REPORTS[corpus]], address)
        yield owned


def tables(address):
    """All tables of a database beside its own."""
    with psycopg.connect(address.partition("&corpus")[0]) as connection:
        rows = connection.execute(
            "SELECT schemaname, tablename FROM pg_tables WHERE schemaname IN ('reports', 'papers')"
        )
        return sorted(rows)


def tried(address, statement):
    """How many rows a statement touches, or the class of the refusal."""
    with psycopg.connect(address.partition("&corpus")[0], autocommit=True) as connection:
        try:
            return connection.execute(statement).rowcount
        except psycopg.Error as error:
            return type(error)


@pytest.mark.parametrize(
    ("login", "own", "other"), [("ann", "reports", "papers"), ("bob", "papers", "reports")]
)
def test_each_reads_its_own_corpus_and_no_other(two, database, login, own, other):
    held = tables(two[own])
    assert {"nodes", "documents", "vectors", "kept_parts"} <= {name for _, name in held}
    assert sum(name.startswith("pincite_") for _, name in held) >= 4  # words and vectors of both
    for schema, name in held:
        said = tried(database(own, login), f"SELECT FROM {schema}.{name}")
        if schema == own:
            assert isinstance(said, int), (schema, name)
        else:
            assert said is DENIED, (schema, name)
        for write in (
            f"DELETE FROM {schema}.{name}",
            f"ALTER TABLE {schema}.{name} DISABLE ROW LEVEL SECURITY",
        ):
            assert tried(database(own, login), write) is DENIED, (schema, name)


def test_a_reader_asks_and_searches_as_the_owner_does(two, database):
    reading, owning = (
        Library(address, load()) for address in (database("reports", "ann"), two["reports"])
    )
    told = reading.ask(QUESTIONS[0])
    assert told.value is not None
    assert answer_id(told) == answer_id(owning.ask(QUESTIONS[0]))
    assert reading.search(QUESTIONS[0]) == owning.search(QUESTIONS[0])
    with pytest.raises(CorpusNotWritable, match="this user may not do that"):
        Library(database("papers", "ann"), load())
    with pytest.raises(CorpusNotWritable), writing(database("reports", "ann")):
        pass


def test_a_reviewer_keeps_answers_and_reviews_and_changes_no_document(two, database):
    address = database("reports", "rea")
    reviewing = Library(address, load())
    told = reviewing.ask(QUESTIONS[0])
    (kept,) = reviewing.keep([told])
    assert recall_answer(corpus_folder(two["reports"]), kept) == told
    accept(reviewing.corpus, kept, by="rea")
    assert len(reviews(reviewing.corpus.folder)) == 1
    for table in ("nodes", "documents", "vectors", "generations", "files", "facts"):
        assert tried(address, f"DELETE FROM reports.{table}") is DENIED
    job = "INSERT INTO reports.kept_parts VALUES ('{}/a', 0, 'x')"
    assert tried(address, job.format("jobs")) == 1
    assert tried(address, job.format("shelves")) is DENIED
    assert tried(address, "UPDATE reports.kept_parts SET content = 'y'") == 1  # that of the job
    assert tried(address, "DELETE FROM reports.kept_files") == 0
    assert tried(address, "SELECT FROM reports.kept_files") > 1


def test_a_server_whose_login_is_a_reviewer_does_all_but_index(two, database):
    with serving(corpus_folder(database("reports", "rea"))) as client:
        assert "11,706" in answer(client)["text"]
        paths = "/api/v1/corpora/reports"
        sent = client.post(
            f"{paths}/batches", json={"questions": [{"id": "1", "text": QUESTIONS[0]}]}
        )
        assert finished(client, sent.json()["id"])["state"] == "done"
        assert QUESTIONS[0] in client.get(f"{paths}/jobs/{sent.json()['id']}/file").text
        note = client.post(f"{paths}/documents", files={"files": ("note.md", b"# Note")})
        assert finished(client, note.json()["id"])["state"] == "failed"


def test_a_chat_is_seen_by_the_login_that_began_it(two, database):
    owner, rea, ann = (
        History(corpus_folder(database("reports", login))) for login in ("owner", "rea", "ann")
    )
    theirs, mine = owner.begin("of the owner"), rea.begin("of rea")
    assert [chat.id for chat in rea.chats()] == [mine]
    assert {chat.title for chat in owner.chats()} == {
        "before there were rights",
        "of the owner",
        "of rea",
    }
    assert ann.chats() == []
    with pytest.raises(UsageError, match="no chat"):
        rea.delete(theirs)
    address = database("reports", "rea")
    assert tried(address, "DELETE FROM reports.chats") == 1
    assert {chat.title for chat in owner.chats()} == {"before there were rights", "of the owner"}


def test_a_right_is_taken_away(two, database):
    address, folder = database("papers", "ann"), corpus_folder(two["papers"])
    for right, seen in (("reviewer", True), ("reader", True), ("none", False)):
        grant(folder, "ann", right)
        said = tried(address, "SELECT FROM papers.nodes")
        assert (said is DENIED) is not seen
        assert (tried(address, "DELETE FROM papers.answers") is DENIED) is (right != "reviewer")


@pytest.mark.parametrize(
    ("login", "said"),
    [
        ("nobody", "has no login"),
        ('x" TO ann; --', "has no login"),
        ("owner", "owns"),
        ("postgres", "is a superuser"),
    ],
)
def test_whom_no_right_is_given_to(two, login, said):
    with pytest.raises(UsageError, match=said):
        grant(corpus_folder(two["papers"]), login, "reader")


def test_who_does_not_own_a_corpus_gives_no_right_to_it(two, database):
    with pytest.raises(CorpusNotWritable, match="this user may not do that"):
        grant(corpus_folder(database("reports", "rea")), "bob", "reader")
    assert tried(database("reports", "bob"), "SELECT FROM reports.nodes") is DENIED
