"""An evidence bundle: whole, checked again without its corpus, and no changed byte goes unseen."""

import json
import re
import zipfile
from dataclasses import replace
from hashlib import sha256

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pincite.errors import UsageError
from pincite.formats.encoding import answer_from, node_from
from pincite.indexing.removing import remove
from pincite.records.review import comment
from pincite.settings import Settings
from pincite.types import Anchor, Answer, Citation, Query
from pincite.workbench.bundle import bundle, verify
from pincite.workbench.bundle.bundle_archive import MANIFEST, pack, unpack
from pincite.workbench.bundle.bundle_page import ShownAnswer, page_of
from pincite.workbench.bundle.verification import reread
from pincite.workbench.library import Library, default_shelves, index


@pytest.fixture(scope="module")
def made(example_corpus, examples, tmp_path_factory):
    """A bundle of the example questions: its path, its digest and the ids of its answers."""
    import shutil

    folder = tmp_path_factory.mktemp("bundle")
    shutil.copytree(example_corpus, folder / "corpus")
    library = Library(folder / "corpus", Settings(threshold=0.0))
    questions = [
        *(examples / "questions.txt").read_text().splitlines(),
        "What was the revenue of Nokia in 2022?",
    ]
    answers = [library.ask(one) for one in questions]
    ids = library.keep(answers)
    comment(library.corpus, ids[0], "<b>Ada</b>", "</section><script>alert(1)</script>")
    told = bundle(library, ids, folder / "evidence.zip")
    shutil.rmtree(folder / "corpus")
    return told, ids


def members_of(path):
    held = unpack(path.read_bytes())
    assert held.wrong == []
    return held.members, {
        name: held.facts[name] for name in ("made_by", "answers", "sources", "tables", "drawn_by")
    }


def test_a_bundle_holds_what_an_auditor_wants(made):
    told, ids = made
    assert told.skipped == ()
    with zipfile.ZipFile(told.path) as file:
        names = file.namelist()
        held = json.loads(file.read(f"answers/{ids[0]}.json"))
        trace = json.loads(file.read(f"trace/{ids[1]}.json"))
        manifest = file.read(MANIFEST)
        assert told.digest.encode() in file.comment and sha256(manifest).hexdigest() == told.digest
        assert file.read(f"pages/{ids[0]}.1.png").startswith(b"\x89PNG")
    assert len(names) == told.members and "index.html" in names and "nodes.json" in names
    assert held["record"]["value"] == 11_706_000 and held["reviews"][0]["by"] == "<b>Ada</b>"
    assert trace["same"] and "Verify" in {one["stage"].partition("(")[0] for one in trace["spans"]}
    sources = json.loads(manifest)["sources"]
    assert held["record"]["citations"][0]["document"] in {
        one["document"] for one in sources.values()
    }


def test_it_is_checked_without_the_corpus(made):
    told, ids = made
    found = verify(told.path, told.digest)
    assert found.ok and found.digest == told.digest
    assert (found.answers, found.read, found.quoted, found.unread) == (6, 4, 0, 2)
    other = verify(told.path, "0" * 64)
    assert [one.where for one in other.findings] == ["bundle"]


def test_its_page_has_no_script_and_leads_nowhere(made):
    page = members_of(made[0].path)[0]["index.html"].decode()
    assert "<script" not in page and "&lt;script&gt;" in page and "&lt;b&gt;Ada" in page
    assert "default-src &#x27;none&#x27;" in page
    assert not re.search(r"https?://|javascript:|\son\w+=", page)
    members = members_of(made[0].path)[0]
    assert all(name in members for name in re.findall(r'src="([^"]+)"', page))
    assert re.findall(r'src="([^"]+)"', page)


def test_texts_of_documents_are_never_markup():
    place = Citation(
        "1", "n", Anchor("s", ((1, None),), path="<i>"), '"><img src=x onerror=alert(1)>', "<u>.pdf",
    )  # fmt: skip
    answer = Answer(
        Query("</h2><script>1</script>"), "<svg onload=1>", "<svg onload=1>", (place,), reason="<a href=x>",
    )  # fmt: skip
    page = page_of(
        [ShownAnswer("id", answer, {"1": 'p"><script>.png'}, ())],
        {"made_by": "<b>", "sources": {"<i>": {"document": "<u>"}}, "tables": {"<s>": "<p>"}},
    )
    assert not re.search(r"<(?:script|svg|img src=x|i>|u>|b>Ada|a )", page)


def test_every_byte_counts(made, tmp_path):
    body = made[0].path.read_bytes()

    @settings(max_examples=150, suppress_health_check=list(HealthCheck))
    @given(st.integers(0, len(body) - 1), st.integers(1, 255))
    def flipped(at, by):
        path = tmp_path / "flipped.zip"
        path.write_bytes(body[:at] + bytes([body[at] ^ by]) + body[at + 1 :])
        found = verify(path)
        assert not found.ok and found.findings[0].what

    flipped()


def test_every_kind_of_byte_counts(made, tmp_path):
    """One byte of every member, of every header and of the comment."""
    told, _ = made
    body = told.path.read_bytes()
    with zipfile.ZipFile(told.path) as file:
        infos = file.infolist()
        central = file.start_dir
    places = {len(body) - 1, central, central + 12}
    for one in infos:
        start = one.header_offset + 30 + len(one.filename)
        places |= {
            one.header_offset + at for at in (0, 4, 6, 8, 10, 14, 18, 22, 26, 30)
        }  # its header, and its name
        places |= {start, start + one.file_size // 2, start + one.file_size - 1}
    for at in sorted(places):
        path = tmp_path / "flipped.zip"
        path.write_bytes(body[:at] + bytes([body[at] ^ 1]) + body[at + 1 :])
        assert not verify(path).ok, at


@pytest.mark.parametrize("body", [b"", b"PK", b"no archive", b"PK\x05\x06" + b"\0" * 18])
def test_what_is_no_bundle(tmp_path, body):
    (tmp_path / "a.zip").write_bytes(body)
    found = verify(tmp_path / "a.zip")
    assert not found.ok and found.digest == ""


def test_compressed_members_are_not_unpacked(tmp_path):
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(MANIFEST, b"0" * 10_000_000)
    (found,) = verify(tmp_path / "bomb.zip").findings
    assert "compressed" in found.what


def test_a_missing_file_is_said(tmp_path):
    with pytest.raises(UsageError, match="cannot read"):
        verify(tmp_path / "none.zip")


def forged(made, tmp_path, change):
    """A bundle made anew, with hashes that fit, of changed members."""
    members, facts = members_of(made[0].path)
    change(members, facts)
    body, digest = pack(members, facts)
    path = tmp_path / "forged.zip"
    path.write_bytes(body)
    return path, digest


def test_a_value_changed_with_its_hashes_is_read_again(made, tmp_path):
    told, ids = made

    def change(members, facts):
        name = f"answers/{ids[0]}.json"
        members[name] = members[name].replace(b"11706", b"-11760").replace(b"11,706", b"11,760")

    path, digest = forged(made, tmp_path, change)
    said = " ".join(one.what for one in verify(path).findings)
    assert "it is not the answer" in said
    assert "the cited cell holds '(11,706)', not '(11,760)'" in said
    assert digest != told.digest


def test_a_page_that_says_something_else_is_found(made, tmp_path):
    def change(members, facts):
        members["index.html"] = members["index.html"].replace(b"24.9%", b"42.9%")

    (found,) = verify(forged(made, tmp_path, change)[0]).findings
    assert found.where == "index.html"


def test_computed_values_are_computed_again(made):
    members, facts = members_of(made[0].path)
    nodes = {one: node_from(node) for one, node in json.loads(members["nodes.json"]).items()}
    answer = answer_from(json.loads(members[f"answers/{facts['answers'][1]}.json"])["answer"])
    assert answer.claims[0].operation == "percentage_change" and reread(answer, nodes) == []
    wrong = replace(answer.value, value=answer.value.value + 1)
    lie = replace(answer, value=wrong, claims=(replace(answer.claims[0], value=wrong),))
    assert reread(lie, nodes)
    assert (
        reread(replace(answer, claims=()), nodes) == []
    )  # where claims are not kept the quotes are read
    assert reread(
        replace(answer, claims=(), citations=(replace(answer.citations[0], quote="1"),)), nodes
    )


def test_nothing_to_bundle(library, tmp_path):
    with pytest.raises(UsageError, match="name at least one answer"):
        bundle(library, [], tmp_path / "a.zip")
    with pytest.raises(UsageError, match="no answer 'ffff'"):
        bundle(library, ["ffff"], tmp_path / "a.zip")


def test_a_table_is_told_by_the_digest_of_its_rows(tmp_path):
    (tmp_path / "costs.csv").write_text(
        "Plant,Fuel cost EUR,Staff\nAker,1250.75,12\nBorg,980,9\nCorv,33,2\n"
    )
    index(tmp_path / "costs.csv", tmp_path / "corpus")
    library = Library(tmp_path / "corpus", Settings())
    answer = library.ask("What was the fuel cost of Aker?")
    told = bundle(library, library.keep([answer]), tmp_path / "a.zip")
    members, facts = members_of(told.path)
    (table,) = library.corpus.relations
    assert facts["tables"] == {table.id: table.version}
    assert table.version in members["index.html"].decode()
    assert verify(told.path).ok and verify(told.path).unread == 1


def test_what_nobody_could_read_again_is_left_out(tmp_path):
    (tmp_path / "files").mkdir()
    for name, count in (("harbour", 12), ("depot", 31)):
        (tmp_path / "files" / f"{name}.md").write_text(
            f"# The {name}\n\nThe {name} had {count} cranes in 2023.\n"
        )
    index(tmp_path / "files", tmp_path / "corpus")
    library = Library(tmp_path / "corpus", Settings())
    answers = [
        library.ask(f"How many cranes did the {name} have in 2023?")
        for name in ("harbour", "depot")
    ]
    ids = library.keep(answers)
    remove(["depot.md"], tmp_path / "corpus", default_shelves())
    (tmp_path / "more.md").write_text("# More\n\nNothing.\n")
    index(
        tmp_path / "more.md", tmp_path / "corpus"
    )  # the places of a generation stay until the next one but one
    library = Library(tmp_path / "corpus", Settings())
    told = bundle(library, ids, tmp_path / "a.zip")
    assert told.answers == 1 and any(f"{ids[1]}: left out" in one for one in told.skipped)
    assert verify(told.path).ok
    with pytest.raises(UsageError, match="nothing is left"):
        bundle(library, ids[1:], tmp_path / "b.zip")
