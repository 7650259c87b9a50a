"""Settings of a corpus, people and their tokens, and the queue of what nobody has reviewed."""

import re

import pytest

from pincite.errors import UsageError
from pincite.serve.corpora import served
from pincite.serve.door.access import new_token, read_tokens
from pincite.settings import Settings
from tests.copied import unasked

from .conftest import PAGE, QUESTION, answer, serving


@pytest.fixture
def own(example_corpus, tmp_path):
    """A client of a server of its own."""
    folder = unasked(example_corpus, tmp_path / "reports.corpus")
    with serving(folder) as client:
        yield client


def test_a_threshold_holds_at_once_and_is_told(own):
    assert "11,706" in answer(own)["text"]
    page = own.get("/c/reports/settings", headers=PAGE).text
    assert 'name="threshold" type="number" min="0" max="100" step="any" value="35"' in page
    assert (
        "You answer a question from numbered lines" in page
        and "None: everything is answered by code" in page
    )
    sent = {"threshold": "99", "derived": "allow", "silence": "na"}
    assert own.post("/c/reports/settings", data=sent).status_code == 303
    told = answer(own)
    assert told["value"] is None and "below the threshold of 99%" in told["reason"]
    assert 'value="99"' in own.get("/c/reports/settings", headers=PAGE).text
    with serving(own.app.state.bench.corpora["reports"].folder) as again:
        assert answer(again)["value"] is None, "it is kept with the corpus"
    assert own.post("/c/reports/settings", data={**sent, "threshold": "101"}).status_code == 422
    assert own.post("/c/reports/settings/test", headers=PAGE).status_code == 200


def test_damaged_rules_of_a_corpus_are_named(example_corpus, tmp_path):
    folder = unasked(example_corpus, tmp_path / "reports.corpus")
    for text in ("{", '{"threshold": 7, "derived": "allow", "silence": "na"}', "[]"):
        (folder / "rules.json").write_text(text)
        with pytest.raises(UsageError, match="rules.json cannot be read"):
            served([folder], Settings())


def test_the_least_certain_answer_is_reviewed_first_and_several_at_once(own):
    questions = (
        QUESTION,
        "What was the revenue of Halvorsen Maritime in 2023?",
        "How many vessels were scrapped in 2023?",
    )
    told = [answer(own, question) for question in questions]
    page = own.get("/c/reports/review", headers=PAGE).text
    listed = re.findall(r'type="checkbox" name="answer" value="([0-9a-f]+)"', page)
    values = sorted(
        (one for one in told if one["value"] is not None), key=lambda one: one["confidence"]
    )
    assert listed == [one["answer_id"] for one in values] + [told[2]["answer_id"]]
    chosen = {"answer": listed[:2]}
    assert own.post("/c/reports/review/accept", data=chosen).status_code == 303
    again = own.get("/c/reports/review", headers=PAGE).text
    assert re.findall(r'type="checkbox" name="answer" value="([0-9a-f]+)"', again) == listed[2:]
    assert again.count("said accept") == 2
    assert own.post("/c/reports/review/accept", data={"answer": ["../x"]}).status_code == 422


def test_people_get_tokens_and_lose_them(example_corpus, tmp_path):
    folder = unasked(example_corpus, tmp_path / "reports.corpus")
    path = tmp_path / "tokens.toml"
    ada = {"Authorization": f"Bearer {new_token('ada', 'admin', [], path)}", **PAGE}
    with serving(folder, read_tokens(path), local=False) as client:
        made = client.post(
            "/people", data={"name": "bo", "role": "reader", "corpora": ["reports"]}, headers=ada
        ).text
        token = re.search(r'class="token">([^<]+)<', made)[1]
        bo = {"Authorization": f"Bearer {token}", **PAGE}
        assert client.get("/c/reports/", headers=bo).status_code == 200
        assert client.get("/people", headers=bo).status_code == 403
        shown = client.get("/people", headers=ada).text
        assert token not in shown and ">bo</th><td>reader</td><td>reports</td>" in shown
        twice = client.post("/people", data={"name": "bo"}, headers=ada)
        assert twice.status_code == 422 and "already" in twice.text
        assert client.post("/people/ada/remove", headers=ada).status_code == 422
        assert client.post("/people/bo/remove", headers=ada).status_code == 303
        assert client.get("/c/reports/", headers={**bo, "Accept": "*/*"}).status_code == 401
        assert client.get("/people", headers=ada).status_code == 200
        assert client.post("/people/nobody/remove", headers=ada).status_code == 422
