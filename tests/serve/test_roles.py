"""Every address tried by everybody: nobody, a stranger to the corpus, and each role; a new one without a line here fails."""

import shutil

import pytest

from pincite.serve.app import PARTS
from pincite.serve.door.access import ROLES, Access, Person, hashed
from pincite.serve.door.caller_limits import BODY

from .conftest import API, serving

OPEN = {
    ("GET", "/health"),
    ("GET", "/ready"),
    ("GET", "/login"),
    ("POST", "/login"),
    ("POST", "/logout"),
    ("GET", "/c/{corpus}"),
}
"""What needs no token: it tells nothing of what is served."""
ANY_CORPUS = {
    "/",
    "/corpora",
    "/openapi.json",
    "/api/v1/corpora",
    "/v1/models",
    "/v1/models/{name:path}",
    "/v1/chat/completions",
}
"""What a stranger to one corpus may open: they find others there, or nothing."""
OF_ALL = {
    ("POST", "/corpora"),
    ("POST", "/corpora/{name}/rename"),
    ("POST", "/corpora/{name}/delete"),
    ("GET", "/people"),
    ("POST", "/people"),
    ("POST", "/people/{name}/remove"),
}
"""What takes an admin of all corpora."""
CHANGING = {
    "reader": {
        "/c/{corpus}/chat", "/c/{corpus}/chat/{chat}/rename", "/c/{corpus}/chat/{chat}/delete",
        "/c/{corpus}/answers/{answer_id}/bundle", "/api/v1/corpora/{corpus}/ask", "/v1/chat/completions",
    },
    "reviewer": {
        "/c/{corpus}/grids", "/c/{corpus}/grids-editor", "/c/{corpus}/review/accept",
        "/c/{corpus}/grids/{grid}/fill", "/c/{corpus}/grids/{grid}/delete", "/c/{corpus}/grids/{grid}/columns",
        "/c/{corpus}/answers/{answer_id}/review", "/c/{corpus}/jobs/{job}/stop", "/c/{corpus}/jobs/{job}/again",
        "/api/v1/corpora/{corpus}/batches",
        "/api/v1/corpora/{corpus}/jobs/{job}", "/api/v1/corpora/{corpus}/grids", "/api/v1/corpora/{corpus}/grids/{grid}/fill",
        "/api/v1/corpora/{corpus}/grids/{grid}", "/api/v1/corpora/{corpus}/feedback",
    },
    "admin": {
        "/corpora", "/corpora/{name}/rename", "/corpora/{name}/delete", "/people", "/people/{name}/remove",
        "/c/{corpus}/settings", "/c/{corpus}/settings/test", "/c/{corpus}/settings/model",
        "/c/{corpus}/settings/models/get", "/c/{corpus}/settings/models/remove",
        "/c/{corpus}/documents", "/c/{corpus}/documents/{key}/edit", "/c/{corpus}/documents/{key}/remove",
        "/api/v1/corpora/{corpus}/documents",
        "/api/v1/corpora/{corpus}/documents/{key}",
    },
}  # fmt: skip
"""The role that whoever POSTs or DELETEs needs."""
VALUES = {
    "corpus": "reports", "answer_id": "abcdef", "chat": "none", "grid": "none", "job": "abcdef", "key": "0" * 16, "page": "1",
    "node": "none", "source": "0" * 64, "name": "none", "name:path": "none",
}  # fmt: skip
ADDRESSES = sorted(
    (method, route.path)
    for part in PARTS
    for route in part.router.routes
    for method in route.methods - {"HEAD"}
)
SAFE = [one for one in ADDRESSES if one not in OPEN]


@pytest.fixture(scope="module")
def guarded(example_corpus, tmp_path_factory):
    folder = shutil.copytree(example_corpus, tmp_path_factory.mktemp("roles") / "reports")
    people = {hashed(f"token of {role}"): Person(role, role) for role in ROLES}
    people[hashed("token of stranger")] = Person("stranger", "admin", frozenset({"other"}))
    with serving(folder, Access(people), local=False) as made:
        yield made


def status(client, method, path, name="", **headers):
    for parameter, value in VALUES.items():
        path = path.replace(f"{{{parameter}}}", value)
    if name:
        headers["Authorization"] = f"Bearer token of {name}"
    reply = client.request(method, path, headers=headers)
    assert (
        "default-src 'none'" in reply.headers["content-security-policy"]
        and reply.headers["x-frame-options"] == "DENY"
    )
    return reply.status_code


def role_of(method, path):
    if (method, path) == ("GET", "/c/{corpus}/grids-editor"):
        return "reviewer"
    if method == "GET":
        return "admin" if path in ("/metrics", "/people") else "reader"
    return next(role for role, paths in CHANGING.items() if path in paths)


def test_there_are_all_addresses():
    assert len(ADDRESSES) > 55 and OPEN <= set(ADDRESSES)
    assert {path for method, path in SAFE if method != "GET"} == set().union(*CHANGING.values())


@pytest.mark.parametrize(("method", "path"), SAFE)
def test_everybody_gets_what_is_theirs(guarded, method, path):
    assert status(guarded, method, path) == 401
    assert status(guarded, method, path, "thief") in (401, 429)
    if (method, path) in OF_ALL:
        assert status(guarded, method, path, "stranger") == 403
    elif path not in ANY_CORPUS:
        assert status(guarded, method, path, "stranger") == (200 if path == "/metrics" else 404)
    enough = ROLES.index(role_of(method, path))
    for at, role in enumerate(ROLES):
        got = status(guarded, method, path, role)
        assert (got == 403) == (at < enough) and got not in (401, 429, 500), (role, got)


@pytest.mark.parametrize(("method", "path"), [one for one in ADDRESSES if one[0] != "GET"])
def test_no_form_of_another_site_changes_anything(guarded, method, path):
    for headers in ({"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        assert status(guarded, method, path, "admin", **headers) == 403


@pytest.mark.parametrize(("method", "path"), sorted(OPEN))
def test_what_is_open_tells_nothing(guarded, method, path):
    got = status(guarded, method, path)
    assert got in (200, 303, 308, 422), got


def test_an_admin_of_other_corpora_sees_no_count_of_this_one(guarded):
    for name, seen in (("admin", True), ("stranger", False)):
        told = guarded.get("/metrics", headers={"Authorization": f"Bearer token of {name}"}).text
        assert ('corpus="reports"' in told) == seen


def test_tools_are_behind_the_same_door(guarded):
    assert guarded.post("/mcp/reports", json={}).status_code == 401
    for name, expected in (("stranger", 404), ("reader", 400)):
        sent = guarded.post(
            "/mcp/reports", json={}, headers={"Authorization": f"Bearer token of {name}"}
        )
        assert (sent.status_code == expected) == (name == "stranger") or sent.status_code >= 400


@pytest.mark.parametrize("path", [f"{API}/documents", "/c/reports/documents"])
def test_only_who_may_add_documents_may_send_much(guarded, path):
    much = {"files": ("x.md", b"x" * (BODY + 1))}
    for name, expected in (
        ("", 401),
        ("thief", 401),
        ("reader", 413),
        ("reviewer", 413),
        ("stranger", 404),
    ):
        headers = {"Authorization": f"Bearer token of {name}"} if name else {}
        assert guarded.post(path, files=much, headers=headers).status_code in (expected, 429), name
