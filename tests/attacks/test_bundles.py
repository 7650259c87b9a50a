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
from pincite.encoding import answer_from, answer_to
from pincite.errors import UsageError
from pincite.library import Library
from pincite.records.answer_record import record
from pincite.records.answer_store import answer_id
from pincite.settings import Settings
from pincite.workbench.bundle import bundle, verify
from pincite.workbench.bundle.bundle_archive import MANIFEST, pack, text, unpack
from pincite.workbench.bundle.bundle_page import ShownAnswer, page_of
from pincite.workbench.bundle.signature import read_key

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


class Forger:
    """A bundle taken apart; `rest` makes all of it anew, hashes and page included, of what was changed."""

    def __init__(self, body):
        held = unpack(body)
        self.members = held.members
        self.facts = {
            name: held.facts[name]
            for name in held.facts
            if name not in ("digest", "members", "format")
        }

    def answer(self, at=0):
        return answer_from(
            json.loads(self.members[f"answers/{self.facts['answers'][at]}.json"])["answer"]
        )

    def put(self, answer, at=0):
        """Put another answer in the place of one, with its record, its trace and its pictures under the new id."""
        before, identity = self.facts["answers"][at], answer_id(answer)
        held = json.loads(self.members.pop(f"answers/{before}.json"))
        trace = json.loads(self.members.pop(f"trace/{before}.json"))
        self.facts["answers"][at] = identity
        held |= {"id": identity, "answer": answer_to(answer), "record": record(answer, identity)}
        self.members[f"answers/{identity}.json"] = text(held)
        trace |= {"answer": identity, "answer_now": identity, "read": list(answer.read)}
        self.members[f"trace/{identity}.json"] = text(trace)
        for name in [one for one in self.members if one.startswith(f"pages/{before}.")]:
            self.members[name.replace(before, identity)] = self.members.pop(name)

    def rest(self, path, key=b""):
        shown = []
        for identity in self.facts["answers"]:
            held = json.loads(self.members[f"answers/{identity}.json"])
            answer = answer_from(held["answer"])
            pages = {one.label: f"pages/{identity}.{one.label}.png" for one in answer.citations}
            pages = {label: page for label, page in pages.items() if page in self.members}
            shown.append(ShownAnswer(identity, answer, pages, tuple(held["reviews"])))
        self.members["index.html"] = page_of(shown, self.facts).encode()
        made, self.digest = pack(self.members, self.facts, key)
        path.write_bytes(made)
        return verify(path)


@pytest.mark.parametrize("at", [0, 1], ids=["without sources", "with sources"])
def test_an_honest_bundle_holds(bodies, tmp_path, at):
    body = bodies[at]
    (tmp_path / "a.zip").write_bytes(body)
    found = verify(tmp_path / "a.zip")
    assert (
        found.ok
        and (found.read, found.quoted, found.unread) == (2, 0, 1)
        and found.unchecked == ()
    )
    assert found.sources == at
    assert Forger(body).rest(tmp_path / "b.zip").ok  # made anew of the same it is the same
    assert (tmp_path / "b.zip").read_bytes() == body


def lie(answer, **changed):
    return replace(answer, **changed)


def other_value(answer):
    return lie(answer, value=replace(answer.value, value=answer.value.value - 54))


def other_text(answer):
    return lie(answer, text=answer.text.replace("11,706", "11,760"))


def other_claim(answer):
    (claim,) = answer.claims
    return lie(
        answer, claims=(replace(claim, value=replace(claim.value, value=claim.value.value - 54)),)
    )


def other_claim_text(answer):
    (claim,) = answer.claims
    return lie(answer, claims=(replace(claim, text=claim.text.replace("11,706", "11,760")),))


def no_value(answer):
    return lie(answer, value=None)


def other_quote(answer):
    (one,) = answer.citations
    return lie(answer, citations=(replace(one, quote="(11,760)"),))


def other_cell(answer):
    (one,) = answer.citations
    ((row, column),) = one.anchor.cells
    return lie(
        answer, citations=(replace(one, anchor=replace(one.anchor, cells=((row, column + 1),))),)
    )


def other_source(answer):
    (one,) = answer.citations
    return lie(answer, citations=(replace(one, anchor=replace(one.anchor, source="f" * 64)),))


def no_citation(answer):
    return lie(answer, citations=())


def other_scale(answer):
    return lie(answer, value=replace(answer.value, scale=answer.value.scale * 1000))


def other_unit(answer):
    return lie(answer, value=replace(answer.value, unit="SEK"))


def another_check(answer):
    (check,) = answer.checks
    return lie(answer, checks=(replace(check, how="an auditor has confirmed it"),))


@pytest.mark.parametrize(
    "change",
    [
        other_value, other_text, other_claim, other_claim_text, no_value, other_quote, other_cell, other_source, no_citation,
        other_scale, other_unit, another_check,
    ],
)  # fmt: skip
def test_an_answer_that_does_not_follow_is_found(body, tmp_path, change):
    forger = Forger(body)
    forger.put(change(forger.answer()))
    found = forger.rest(tmp_path / "a.zip")
    assert not found.ok, found


def computed(claim):
    return replace(claim, value=replace(claim.value, value=claim.value.value + 1))


def test_a_computed_value_is_computed_again(body, tmp_path):
    forger = Forger(body)
    answer = forger.answer(1)
    assert answer.claims[0].operation
    wrong = computed(answer.claims[0])
    from pincite.evidence.value_in_words import worded

    forger.put(
        lie(
            answer,
            value=wrong.value,
            text=worded(wrong.value),
            claims=(replace(wrong, text=worded(wrong.value)),),
        ),
        1,
    )
    assert not forger.rest(tmp_path / "a.zip").ok


def test_what_was_refused_stays_refused(body, tmp_path):
    forger = Forger(body)
    refused = forger.answer(2)
    assert refused.value is None
    forger.put(lie(refused, text="42 patents"), 2)
    assert any("has no value" in one.what for one in forger.rest(tmp_path / "a.zip").findings)


def test_nodes_are_those_of_the_source(bodies, tmp_path):
    """Who rewrites the answer, the table and all hashes is found where the source is there, and by the digest where it is not."""
    for body, found_out in zip(bodies, (False, True), strict=True):
        forger = Forger(body)
        told = (
            json.dumps(answer_to(forger.answer()))
            .replace("11706", "11760")
            .replace("11,706", "11,760")
        )
        forger.members["nodes.json"] = forger.members["nodes.json"].replace(b"11,706", b"11,760")
        forger.put(answer_from(json.loads(told)))
        found = forger.rest(tmp_path / "a.zip")
        assert found.ok is not found_out, found
        assert not verify(tmp_path / "a.zip", sha256(unpack(body).manifest).hexdigest()).ok
        if found_out:
            assert any(
                one.where == "nodes.json" and "its source says" in one.what
                for one in found.findings
            )


def test_a_source_is_called_what_the_answers_call_it(body, tmp_path):
    forger = Forger(body)
    next(iter(forger.facts["sources"].values()))["document"] = "an audited report.pdf"
    assert any(
        "which no answer cites" in one.what for one in forger.rest(tmp_path / "a.zip").findings
    )


def test_nodes_under_other_ids_are_found(body, tmp_path):
    forger = Forger(body)
    nodes = json.loads(forger.members["nodes.json"])
    first = next(iter(nodes))
    nodes["0" * 16] = nodes[first]
    forger.members["nodes.json"] = text(nodes)
    assert any("is called" in one.what for one in forger.rest(tmp_path / "a.zip").findings)


def test_another_source_under_its_name_is_found(bodies, tmp_path):
    forger = Forger(bodies[1])
    name = next(one for one in forger.members if one.startswith("sources/"))
    forger.members[name] += b"\n%"
    assert any(
        "not the file that its name identifies" in one.what
        for one in forger.rest(tmp_path / "a.zip").findings
    )
    forger = Forger(bodies[1])
    body = forger.members.pop(name) + b"\n%"
    sha = sha256(body).hexdigest()
    forger.members[f"sources/{sha}.pdf"] = body
    assert any(
        "no answer leads to it" in one.what for one in forger.rest(tmp_path / "a.zip").findings
    )


def drawn_over(png):
    from PIL import Image

    with Image.open(io.BytesIO(png)) as image:
        made = image.convert("RGB")
    made.paste((255, 255, 255), (100, 100, 140, 120))
    made.putpixel((110, 110), (0, 0, 0))
    out = io.BytesIO()
    made.save(out, "PNG")
    return out.getvalue()


def test_a_picture_is_drawn_again_where_the_source_is_there(bodies, tmp_path):
    forger = Forger(bodies[1])
    name = next(one for one in forger.members if one.startswith("pages/"))
    forger.members[name] = drawn_over(forger.members[name])
    assert any("not the picture" in one.what for one in forger.rest(tmp_path / "a.zip").findings)
    forger.members[name] = b"no picture"
    assert not forger.rest(tmp_path / "a.zip").ok
    del forger.members[name]
    assert any("is missing" in one.what for one in forger.rest(tmp_path / "a.zip").findings)


@pytest.mark.parametrize(
    "name",
    [
        "evil.html",
        "answers/aaaaaaaaaaaa.json",
        "pages/aaaaaaaaaaaa.1.png",
        "sources/x.pdf",
        "../x",
        "statements/x.sql",
    ],
)
def test_a_member_that_nothing_leads_to_is_found(body, tmp_path, name):
    forger = Forger(body)
    forger.members[name] = b"{}"
    assert any(one.where == name for one in forger.rest(tmp_path / "a.zip").findings)


@pytest.mark.parametrize("start", ["answers/", "trace/", "nodes.json"])
def test_a_member_that_is_gone_is_found(body, tmp_path, start):
    forger = Forger(body)
    name = next(one for one in forger.members if one.startswith(start))
    gone = forger.members.pop(name)
    made, _ = pack(forger.members, forger.facts)
    (tmp_path / "a.zip").write_bytes(made)
    assert not verify(tmp_path / "a.zip").ok
    forger.members[name + "x"] = gone  # and one that was renamed
    made, _ = pack(forger.members, forger.facts)
    (tmp_path / "a.zip").write_bytes(made)
    assert not verify(tmp_path / "a.zip").ok


def test_a_version_that_is_told_hides_nothing(body, tmp_path):
    """A page of another version may look otherwise, which must not make room for lies."""
    forger = Forger(body)
    forger.facts["made_by"] = "pincite 0.0.1"
    assert forger.rest(tmp_path / "a.zip").ok
    forger.members["index.html"] = forger.members["index.html"].replace(b"11,706", b"11,760")
    made, _ = pack(forger.members, forger.facts)
    (tmp_path / "a.zip").write_bytes(made)
    assert any(one.where == "index.html" for one in verify(tmp_path / "a.zip").findings)


def test_statements_are_those_of_the_answer(body, tmp_path):
    forger = Forger(body)
    forger.members[f"statements/{forger.facts['answers'][0]}.sql"] = b"SELECT 1\n"
    assert any("other statements" in one.what for one in forger.rest(tmp_path / "a.zip").findings)


def test_reviews_are_of_their_answer(body, tmp_path):
    forger = Forger(body)
    name = f"answers/{forger.facts['answers'][0]}.json"
    held = json.loads(forger.members[name])
    review = {
        "id": "x",
        "topic": "",
        "answer_id": "0" * 12,
        "action": "accept",
        "by": "Ada",
        "at": "2024-01-01",
        "note": "",
    }
    forger.members[name] = text({**held, "reviews": [review]})
    assert any("a review" in one.what for one in forger.rest(tmp_path / "a.zip").findings)


@pytest.mark.parametrize("number", ["1e999999999", "1e99999", "NaN", "-Infinity", "9" * 5000])
def test_a_number_without_end_ends(body, tmp_path, number):
    forger = Forger(body)
    name = f"answers/{forger.facts['answers'][0]}.json"
    forger.members[name] = forger.members[name].replace(b'"11706"', json.dumps(number).encode())
    made, _ = pack(forger.members, forger.facts)
    (tmp_path / "a.zip").write_bytes(made)
    assert not verify(tmp_path / "a.zip").ok


@pytest.mark.parametrize("place", [[10**9, 0], [0, 10**9], [10**6, 10**6], [-1, 0]])
def test_a_table_without_end_ends(body, tmp_path, place):
    forger = Forger(body)
    nodes = json.loads(forger.members["nodes.json"])
    table = next(one["table"] for one in nodes.values() if one["table"])
    table["cells"][-1][:2] = place
    forger.members["nodes.json"] = text(nodes)
    assert not forger.rest(tmp_path / "a.zip").ok


@pytest.mark.parametrize("found", ["[" * 100_000, "null", "[]", "1", '"x"', "{}"])
def test_members_that_are_something_else_give_a_message(body, tmp_path, found):
    for start in ("nodes.json", "answers/", "trace/"):
        forger = Forger(body)
        name = next(one for one in forger.members if one.startswith(start))
        forger.members[name] = found.encode()
        made, _ = pack(forger.members, forger.facts)
        (tmp_path / "a.zip").write_bytes(made)
        assert not verify(tmp_path / "a.zip").ok
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_STORED) as file:
        file.writestr(MANIFEST, found)
    assert not verify(tmp_path / "a.zip").ok


# ---- signed


@pytest.fixture
def key(tmp_path):
    (tmp_path / "key").write_bytes(bytes(range(32)))
    return read_key(str(tmp_path / "key"))


def test_a_signature_tells_who_made_it(bodies, tmp_path, key):
    forger, path = Forger(bodies[0]), tmp_path / "a.zip"
    forger.rest(path, key)
    assert verify(path).signature == "not checked" and verify(path).ok
    assert verify(path, key=key).signature == "signed" and verify(path, key=key).ok
    other = verify(path, key=b"x" * 32)
    assert other.signature == "wrong" and not other.ok
    forger.members["nodes.json"] = forger.members["nodes.json"].replace(b"11,706", b"11,760")
    forger.rest(path)  # who has no key leaves the signature out
    assert verify(path, key=key).signature == "not signed" and not verify(path, key=key).ok
    forger.rest(path, b"y" * 32)  # or signs with another
    assert verify(path, key=key).signature == "wrong"


def test_a_signature_cannot_be_taken_from_another_bundle(bodies, tmp_path, key):
    forger, path = Forger(bodies[0]), tmp_path / "a.zip"
    forger.rest(path, key)
    signature = unpack(path.read_bytes()).signature.encode()
    forger.facts["made_by"] = "somebody else"
    forger.rest(path, b"y" * 32)
    body = path.read_bytes()
    path.write_bytes(body.replace(unpack(body).signature.encode(), signature))
    found = verify(path, key=key)
    assert found.signature == "wrong" and not found.ok


def test_verify_says_how_it_is_signed(bodies, tmp_path, key, monkeypatch):
    path = tmp_path / "a.zip"
    path.write_bytes(bodies[0])
    run = CliRunner().invoke(app, ["verify", str(path)])
    assert run.exit_code == 0 and "not signed" in run.output
    monkeypatch.setenv("PINCITE_BUNDLE_KEY", str(tmp_path / "key"))
    run = CliRunner().invoke(app, ["verify", str(path)])
    assert run.exit_code == 1 and "a key is configured" in run.output
    Forger(bodies[0]).rest(path, key)
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
