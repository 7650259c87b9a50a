"""A correction made over HTTP answers the same question on every page and to every program, until it is withdrawn."""

from .conftest import API, PAGE, QUESTION, answer


def review(client, **said):
    reply = client.post(f"{API}/feedback", json=said)
    assert reply.status_code in (200, 201), reply.text
    return reply.json()


def test_the_same_question_is_answered_by_the_correction(client):
    wrong = answer(client)
    assert wrong["value"] == 11_706_000
    review(
        client,
        answer_id=wrong["answer_id"],
        action="correct",
        value="11,707 thousand EUR",
        note="as restated",
    )
    told = answer(client)
    assert (
        told["value"] == 11_707_000
        and told["corrected"]["used"]
        and told["corrected"]["by"] == "local"
    )
    page = client.get("/c/reports/", params={"q": QUESTION}, headers=PAGE).text
    assert (
        "Corrected by the reviewer local" in page
        and "as restated" in page
        and "Withdraw the correction" in page
    )
    before = client.get(f"/c/reports/answers/{wrong['answer_id']}", headers=PAGE).text
    assert '<bdi>11,707</bdi> <span class="unit">thousand EUR' in before, "the headline changes"
    assert "cite=found" in before, "what was found is among the other values"
    chat = client.post("/c/reports/chat", data={"q": QUESTION}).headers["location"]
    assert "Corrected by the reviewer local" in client.get(chat, headers=PAGE).text
    asked = {"model": "pincite", "messages": [{"role": "user", "content": QUESTION}]}
    (choice,) = client.post("/v1/chat/completions", json=asked).json()["choices"]
    assert "(corrected by the reviewer local" in choice["message"]["content"]
    form = {"action": "withdraw"}
    assert (
        client.post(f"/c/reports/answers/{told['answer_id']}/review", data=form).status_code == 303
    )
    again = answer(client)
    assert again["value"] == 11_706_000 and "corrected" not in again
    assert "Withdraw" not in client.get("/c/reports/", params={"q": QUESTION}, headers=PAGE).text
    assert "withdrawn" in client.get("/c/reports/review", headers=PAGE).text
    refused = client.post(
        f"{API}/feedback", json={"answer_id": told["answer_id"], "action": "withdraw"}
    )
    assert refused.status_code == 422 and "nothing to withdraw" in refused.text


def test_why_tells_the_routing_and_the_proof_the_metadata(client):
    page = client.get("/c/reports/", params={"q": QUESTION}, headers=PAGE).text
    assert "Routed to" in page and "names &#39;Halvorsen Maritime&#39;" in page
    assert '<span class="word">company</span> <bdi>Halvorsen Maritime plc</bdi>' in page
    told = client.post(f"{API}/ask", json={"question": QUESTION, "explain": True}).json()
    assert told["routed"][0]["document"] == "halvorsen-annual-report-2023.pdf"
