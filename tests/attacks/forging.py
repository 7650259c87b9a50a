"""A bundle taken apart, changed and made anew as whoever can program would: hashes, ids, page and all."""

import json

from pincite.formats.encoding import answer_from, answer_to
from pincite.records.answer_record import record
from pincite.records.answer_store import answer_id
from pincite.workbench.bundle import verify
from pincite.workbench.bundle.bundle_archive import pack, text, unpack
from pincite.workbench.bundle.bundle_page import ShownAnswer, page_of
from pincite.workbench.bundle.packing import statements_text


class Forger:
    """A bundle taken apart; `make` makes all of it anew of what was changed, and verifies that."""

    def __init__(self, body):
        held = unpack(body)
        self.members, self.manifest = held.members, held.manifest
        made = ("digest", "members", "format")
        self.facts = {name: held.facts[name] for name in held.facts if name not in made}

    def held(self, at=0):
        """What the member of an answer holds, as JSON."""
        return json.loads(self.members[f"answers/{self.facts['answers'][at]}.json"])

    def answer(self, at=0):
        """An answer in it."""
        return answer_from(self.held(at)["answer"])

    def first(self, start):
        """The name of the first member that begins so."""
        return next(name for name in self.members if name.startswith(start))

    def put(self, answer, at=0):
        """Put another answer in the place of one, with its record, its trace, statements and pictures under the new id."""
        before, identity = self.facts["answers"][at], answer_id(answer)
        held, trace = self.held(at), json.loads(self.members[f"trace/{before}.json"])
        self.facts["answers"][at] = identity
        self.members = {
            name.replace(before, identity): body for name, body in self.members.items()
        }
        held |= {"id": identity, "answer": answer_to(answer), "record": record(answer, identity)}
        self.members[f"answers/{identity}.json"] = text(held)
        trace |= {"answer": identity, "answer_now": identity, "read": list(answer.read)}
        self.members[f"trace/{identity}.json"] = text(trace)
        if statements := statements_text(answer):
            self.members[f"statements/{identity}.sql"] = statements

    def make(self, path, key=b""):
        """Write it with the page of its answers."""
        shown = []
        for at, identity in enumerate(self.facts["answers"]):
            answer, reviews = self.answer(at), tuple(self.held(at)["reviews"])
            pages = {one.label: f"pages/{identity}.{one.label}.png" for one in answer.citations}
            pages = {label: page for label, page in pages.items() if page in self.members}
            shown.append(ShownAnswer(identity, answer, pages, reviews))
        self.members["index.html"] = page_of(shown, self.facts).encode()
        return self.write(path, key)

    def write(self, path, key=b""):
        """Write its members as they are."""
        path.write_bytes(pack(self.members, self.facts, key)[0])
        return verify(path)
