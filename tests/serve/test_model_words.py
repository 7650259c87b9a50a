"""What a model says of its reply is shown as its words, apart from the proof; what is not to be shown of it is not."""

import pytest
from starlette.testclient import TestClient

from pincite.serve.app import create_app
from pincite.serve.corpora import served
from tests.served import question, serving, told
from tests.stand_ins.fakes import oracle

from .conftest import API, PAGE

WORDS = "The income statement gives revenue of 999 million for 2023 <b>surely</b>."
PLAIN = "The income statement gives revenue of 999 million for 2023."


@pytest.mark.parametrize(("said", "shown"), [(PLAIN, PLAIN), (WORDS, "")])
def test_the_words_of_a_model_stand_beside_the_proof_and_are_no_part_of_it(corpus, said, shown):
    script = oracle(lambda asked: (form := told(asked)) and {**form, "analysis": said})
    with serving(script) as (_, settings):
        app = create_app(served([corpus], settings), None, local=True, processes=0)
        with TestClient(app, base_url="http://127.0.0.1:8080", follow_redirects=False) as client:
            asked = {"question": question("Revenue", 2023), "expects": "number"}
            answer = client.post(f"{API}/ask", json=asked).json()
            assert answer["value"] == 412_608_000
            assert answer.get("model_explanation", "") == shown
            assert "999" not in str({**answer, "model_explanation": ""})
            kept = client.get(f"{API}/answers/{answer['answer_id']}").json()
            assert kept["model_explanation"] == shown
            page = client.get(f"/c/reports/answers/{answer['answer_id']}", headers=PAGE).text
            assert ("not checked" in page and shown in page) if shown else "999" not in page
