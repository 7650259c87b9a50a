"""Bundles that somebody changed, hashes and all: what does not follow from the rest is found, and what the sources do not say."""

import io
import json
import shutil
import zipfile
from dataclasses import replace
from hashlib import sha256

import pytest
from typer.testing import CliRunner

from pincite.cli.main import app
from pincite.errors import UsageError
from pincite.evidence.value_in_words import worded
from pincite.formats.encoding import answer_from, answer_to
from pincite.settings import Settings
from pincite.workbench.bundle import bundle, verify
from pincite.workbench.bundle.bundle_archive import MANIFEST, read_key, text, unpack
from pincite.workbench.library import Library
from tests.attacks.forging import Forger

QUESTIONS = (
    "What was the income tax expense of Halvorsen Maritime in 2023?",
    "By what percentage did the operating profit of Halvorsen Maritime change from 2022 to 2023?",
    "How many patents did Halvorsen Maritime hold at the end of 2023?",
)


@pytest.fixture(scope="module")
def bodies(example_corpus, tmp_path_factory):
    """Two bundles of the same answers, without and with their sources."""
    folder = tmp_path_factory.mktemp("bundles")
    library = Library(shutil.copytree(example_corpus, folder / "corpus"), Settings())
    ids = library.keep([library.ask(one) for one in QUESTIONS])
    made = [
        bundle(library, ids, folder / f"{with_}.zip", sources=with_).path.read_bytes()
        for with_ in (False, True)
    ]
    shutil.rmtree(folder / "corpus")
    return made


@pytest.fixture
def body(bodies):
    """The one without: it is the harder one to defend."""
    return bodies[0]


@pytest.fixture
def forger(body):
    """The one without, taken apart."""
    return Forger(body)


@pytest.fixture
def path(tmp_path):
    """Where a forged bundle is written."""
    return tmp_path / "a.zip"


def says(found, said):
    """Whether one of the findings says so."""
    return any(said in one.what for one in found.findings)


@pytest.mark.parametrize("at", [0, 1], ids=["without sources", "with sources"])
def test_an_honest_bundle_holds(bodies, path, at):
    path.write_bytes(bodies[at])
    found = verify(path)
    assert found.ok and (found.read, found.quoted, found.unread) == (2, 0, 1)
    assert found.unchecked == () and found.sources == at
    assert Forger(bodies[at]).make(path).ok  # made anew of the same it is the same
    assert path.read_bytes() == bodies[at]


def of_claim(answer, **changed):
    (claim,) = answer.claims
    return replace(answer, claims=(replace(claim, **changed),))


def of_citation(answer, **changed):
    (cited,) = answer.citations
    return replace(answer, citations=(replace(cited, **changed),))


def of_anchor(answer, **changed):
    return of_citation(answer, anchor=replace(answer.citations[0].anchor, **changed))


def of_value(answer, **changed):
    return replace(answer, value=replace(answer.value, **changed))


LIES = {
    "value": lambda answer: of_value(answer, value=answer.value.value - 54),
    "text": lambda answer: replace(answer, text=answer.text.replace("11,706", "11,760")),
    "claim": lambda answer: of_claim(answer, value=of_value(answer.claims[0], value=answer.value.value - 54).value),
    "text of a claim": lambda answer: of_claim(answer, text=answer.claims[0].text.replace("11,706", "11,760")),
    "no value": lambda answer: replace(answer, value=None),
    "quote": lambda answer: of_citation(answer, quote="(11,760)"),
    "cell": lambda answer: of_anchor(answer, cells=tuple((row, at + 1) for row, at in answer.citations[0].anchor.cells)),
    "source": lambda answer: of_anchor(answer, source="f" * 64),
    "no citation": lambda answer: replace(answer, citations=()),
    "scale": lambda answer: of_value(answer, scale=answer.value.scale * 1000),
    "unit": lambda answer: of_value(answer, unit="SEK"),
    "check": lambda answer: replace(answer, checks=(replace(answer.checks[0], how="an auditor has confirmed it"),)),
}  # fmt: skip


@pytest.mark.parametrize("name", LIES)
def test_an_answer_that_does_not_follow_is_found(forger, path, name):
    forger.put(LIES[name](forger.answer()))
    found = forger.make(path)
    assert not found.ok, found


def test_a_computed_value_is_computed_again(forger, path):
    answer = forger.answer(1)
    (claim,) = answer.claims
    assert claim.operation
    value = replace(claim.value, value=claim.value.value + 1)
    wrong = replace(claim, value=value, text=worded(value))
    forger.put(replace(answer, value=value, text=worded(value), claims=(wrong,)), 1)
    assert not forger.make(path).ok


def test_what_was_refused_stays_refused(forger, path):
    refused = forger.answer(2)
    assert refused.value is None
    forger.put(replace(refused, text="42 patents"), 2)
    assert says(forger.make(path), "has no value")


def test_nodes_are_those_of_the_source(bodies, path):
    """Who rewrites the answer, the table and all hashes is found where the source is there, and by the digest where it is not."""
    for body, found_out in zip(bodies, (False, True), strict=True):
        forger = Forger(body)
        told = json.dumps(answer_to(forger.answer())).replace("11706", "11760")
        forger.members["nodes.json"] = forger.members["nodes.json"].replace(b"11,706", b"11,760")
        forger.put(answer_from(json.loads(told.replace("11,706", "11,760"))))
        found = forger.make(path)
        assert found.ok is not found_out, found
        assert not verify(path, sha256(forger.manifest).hexdigest()).ok
        assert says(found, "its source says") is found_out


def test_a_source_is_called_what_the_answers_call_it(forger, path):
    next(iter(forger.facts["sources"].values()))["document"] = "an audited report.pdf"
    assert says(forger.make(path), "which no answer cites")


def test_nodes_under_other_ids_are_found(forger, path):
    nodes = json.loads(forger.members["nodes.json"])
    nodes["0" * 16] = next(iter(nodes.values()))
    forger.members["nodes.json"] = text(nodes)
    assert says(forger.make(path), "is called")


def test_another_source_under_its_name_is_found(bodies, path):
    forger = Forger(bodies[1])
    name = forger.first("sources/")
    forger.members[name] += b"\n%"
    assert says(forger.make(path), "not the file that its name identifies")
    body = forger.members.pop(name)
    forger.members[f"sources/{sha256(body).hexdigest()}.pdf"] = body
    assert says(forger.make(path), "no answer leads to it")


def drawn_over(png):
    from PIL import Image

    with Image.open(io.BytesIO(png)) as image:
        made = image.convert("RGB")
    made.paste((255, 255, 255), (100, 100, 140, 120))
    made.putpixel((110, 110), (0, 0, 0))
    out = io.BytesIO()
    made.save(out, "PNG")
    return out.getvalue()


def test_a_picture_is_drawn_again_where_the_source_is_there(bodies, path):
    forger = Forger(bodies[1])
    name = forger.first("pages/")
    forger.members[name] = drawn_over(forger.members[name])
    assert says(forger.make(path), "not the picture")
    forger.members[name] = b"no picture"
    assert not forger.make(path).ok
    del forger.members[name]
    assert says(forger.make(path), "is missing")


@pytest.mark.parametrize("name", [
    "evil.html", "answers/aaaaaaaaaaaa.json", "pages/aaaaaaaaaaaa.1.png", "sources/x.pdf", "../x", "statements/x.sql",
])  # fmt: skip
def test_a_member_that_nothing_leads_to_is_found(forger, path, name):
    forger.members[name] = b"{}"
    assert any(one.where == name for one in forger.make(path).findings)


@pytest.mark.parametrize("start", ["answers/", "trace/", "nodes.json"])
def test_a_member_that_is_gone_is_found(forger, path, start):
    name = forger.first(start)
    gone = forger.members.pop(name)
    assert not forger.write(path).ok
    forger.members[name + "x"] = gone  # and one that was renamed
    assert not forger.write(path).ok


def test_a_version_that_is_told_hides_nothing(forger, path):
    """A page of another version may look otherwise, which must not make room for lies."""
    forger.facts["made_by"] = "pincite 0.0.1"
    assert forger.make(path).ok
    forger.members["index.html"] = forger.members["index.html"].replace(b"11,706", b"11,760")
    assert any(one.where == "index.html" for one in forger.write(path).findings)


def test_statements_are_those_of_the_answer(forger, path):
    forger.members[f"statements/{forger.facts['answers'][0]}.sql"] = b"SELECT 1\n"
    assert says(forger.make(path), "other statements")


def test_reviews_are_of_their_answer(forger, path):
    review = {
        "id": "x", "topic": "", "answer_id": "0" * 12, "action": "accept", "by": "Ada", "at": "2024-01-01",
        "note": "",
    }  # fmt: skip
    name = f"answers/{forger.facts['answers'][0]}.json"
    forger.members[name] = text({**forger.held(), "reviews": [review]})
    assert says(forger.make(path), "a review")


@pytest.mark.parametrize("number", ["1e999999999", "1e99999", "NaN", "-Infinity", "9" * 5000])
def test_a_number_without_end_ends(forger, path, number):
    name = f"answers/{forger.facts['answers'][0]}.json"
    forger.members[name] = forger.members[name].replace(b'"11706"', json.dumps(number).encode())
    assert not forger.write(path).ok


@pytest.mark.parametrize("place", [[10**9, 0], [0, 10**9], [10**6, 10**6], [-1, 0]])
def test_a_table_without_end_ends(forger, path, place):
    nodes = json.loads(forger.members["nodes.json"])
    table = next(one["table"] for one in nodes.values() if one["table"])
    table["cells"][-1][:2] = place
    forger.members["nodes.json"] = text(nodes)
    assert not forger.make(path).ok


@pytest.mark.parametrize("found", ["[" * 100_000, "null", "[]", "1", '"x"', "{}"])
def test_members_that_are_something_else_give_a_message(body, path, found):
    for start in ("nodes.json", "answers/", "trace/"):
        forger = Forger(body)
        forger.members[forger.first(start)] = found.encode()
        assert not forger.write(path).ok
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as file:
        file.writestr(MANIFEST, found)
    assert not verify(path).ok


# ---- signed


@pytest.fixture
def key(tmp_path):
    (tmp_path / "key").write_bytes(bytes(range(32)))
    return read_key(str(tmp_path / "key"))


def test_a_signature_tells_who_made_it(forger, path, key):
    forger.make(path, key)
    assert verify(path).signature == "not checked" and verify(path).ok
    assert verify(path, key=key).signature == "signed" and verify(path, key=key).ok
    other = verify(path, key=b"x" * 32)
    assert other.signature == "wrong" and not other.ok
    forger.members["nodes.json"] = forger.members["nodes.json"].replace(b"11,706", b"11,760")
    forger.make(path)  # who has no key leaves the signature out
    assert verify(path, key=key).signature == "not signed" and not verify(path, key=key).ok
    forger.make(path, b"y" * 32)  # or signs with another
    assert verify(path, key=key).signature == "wrong"


def test_a_signature_cannot_be_taken_from_another_bundle(forger, path, key):
    forger.make(path, key)
    signature = unpack(path.read_bytes()).signature.encode()
    forger.facts["made_by"] = "somebody else"
    forger.make(path, b"y" * 32)
    body = path.read_bytes()
    path.write_bytes(body.replace(unpack(body).signature.encode(), signature))
    found = verify(path, key=key)
    assert found.signature == "wrong" and not found.ok


def test_verify_says_how_it_is_signed(body, forger, path, tmp_path, key, monkeypatch):
    path.write_bytes(body)
    run = CliRunner().invoke(app, ["verify", str(path)])
    assert run.exit_code == 0 and "not signed" in run.output
    monkeypatch.setenv("PINCITE_BUNDLE_KEY", str(tmp_path / "key"))
    run = CliRunner().invoke(app, ["verify", str(path)])
    assert run.exit_code == 1 and "a key is configured" in run.output
    forger.make(path, key)
    run = CliRunner().invoke(app, ["verify", str(path), "--json"])
    assert run.exit_code == 0 and json.loads(run.output)["signature"] == "signed"


def test_a_bundle_is_signed_where_a_key_is_set(fresh_corpus, tmp_path, key):
    library = Library(fresh_corpus, replace(Settings(), bundle_key=str(tmp_path / "key")))
    told = bundle(library, library.keep([library.ask(QUESTIONS[0])]), tmp_path / "a.zip")
    assert told.signed and verify(told.path, key=key).signature == "signed"


@pytest.mark.parametrize("body", [b"", b"short"])
def test_a_key_that_is_none_is_refused(tmp_path, body):
    (tmp_path / "key").write_bytes(body)
    with pytest.raises(UsageError, match="at least 32 are needed"):
        read_key(str(tmp_path / "key"))
    with pytest.raises(UsageError, match="cannot be read"):
        read_key(str(tmp_path / "none"))
