"""Chat: with and without a script, kept, renamed, exported, deleted."""

import json

from .conftest import PAGE, QUESTION


def test_turns_without_a_script(client):
    first = client.post("/c/reports/chat", data={"q": QUESTION})
    where = first.headers["location"].removesuffix("#last")
    chat = where.rsplit("/", 1)[1]
    client.post("/c/reports/chat", data={"q": "and in 2022?", "chat": chat})
    page = client.get(where, headers=PAGE).text
    assert page.count('<article class="turn') == 2 and "Understood as" in page and "9,847" in page
    assert (
        "/answers/" in page
        and client.get("/c/reports/chat", params={"find": "tax expense"}).text.count(chat) == 1
    )
    client.post(f"{where}/rename", data={"title": "Taxes <b>"})
    assert "Taxes &lt;b&gt;" in client.get(where, headers=PAGE).text
    exported = client.get(f"{where}/export", params={"form": "json"}).json()
    assert [one["asked"] for one in exported["turns"]] == [QUESTION, "and in 2022?"]
    assert "# Taxes" in client.get(f"{where}/export").text
    client.post(f"{where}/delete")
    assert client.get(where).status_code == 404
    assert client.post("/c/reports/chat", data={"q": "x", "chat": chat}).status_code == 404


def test_small_talk_gets_one_line_and_is_forgotten(client):
    where = (
        client.post("/c/reports/chat", data={"q": QUESTION})
        .headers["location"]
        .removesuffix("#last")
    )
    chat = where.rsplit("/", 1)[1]
    for said in ("thanks!", "and in 2022?"):
        client.post("/c/reports/chat", data={"q": said, "chat": chat})
    _, thanks, after = client.get(where, headers=PAGE).text.split('<article class="turn')[1:]
    assert "No question about the documents" in thanks
    assert "N/A" not in thanks and "/answers/" not in thanks
    assert "9,847" in after


def test_a_turn_as_it_goes(client):
    reply = client.post(
        "/c/reports/chat", data={"q": QUESTION}, headers={"Accept": "text/event-stream"}
    )
    events = [part.split("\n") for part in reply.text.strip().split("\n\n")]
    told = [
        (name.removeprefix("event: "), json.loads(data.removeprefix("data: ")))
        for name, data in events
    ]
    assert told[-1][0] == "turn" and "11,706" in told[-1][1]["html"] and told[-1][1]["chat"]
    assert any(data.get("value") == "11,706 thousand EUR" for name, data in told if name == "told")
    assert any("reading" in data.get("doing", "") for name, data in told if name == "told")


def test_an_empty_message_is_refused(client):
    assert client.post("/c/reports/chat", data={"q": "  "}, headers=PAGE).status_code == 422
    assert client.post("/c/reports/chat", data={"q": "x" * 3000}).status_code == 422
