"""The page to ask on: the answer, its proof beside it, what was searched where there is none."""

import io
import re

import pytest
from PIL import Image

from pincite.serve.templating import by_document, level
from pincite.types import Anchor, Citation

from .conftest import PAGE, QUESTION, answer

BASE = "/c/reports/"


def ask(client, **given):
    return client.get(BASE, params=given, headers=PAGE)


def test_the_one_corpus_is_where_the_way_leads(client):
    assert client.get("/").headers["location"] == BASE
    page = client.get(BASE, headers=PAGE)
    assert page.status_code == 200 and 'name="q"' in page.text and "3 documents" in page.text


def test_an_answer_stands_large_with_unit_period_confidence_check_and_citation(client):
    page = ask(client, q=QUESTION).text
    assert '<p class="value"><bdi>11,706</bdi> <span class="unit">thousand EUR</span></p>' in page
    assert '<span class="word">period</span> 2023' in page and "<meter" in page
    assert (
        "✓ supported" in page and "halvorsen-annual-report-2023.pdf" in page and "(11,706)" in page
    )


def test_the_frame_is_the_cited_cell_on_the_picture_of_its_page(client):
    page = ask(client, q=QUESTION).text
    x0, top, x1, bottom = answer(client)["citations"][0]["box"]
    x, y, width, height = (
        float(one)
        for one in re.search(
            r'class="frame" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"', page
        ).groups()
    )
    assert [x + 2, y + 2, x + width - 2, y + height - 2] == pytest.approx(
        [x0, top, x1, bottom], abs=0.02
    )
    points = [
        float(one) for one in re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)" role', page).groups()
    ]
    picture = client.get(re.search(r'<image href="([^"]+)"', page)[1])
    assert (
        picture.headers["content-type"] == "image/png"
        and "immutable" in picture.headers["cache-control"]
    )
    image = Image.open(io.BytesIO(picture.content)).convert("L")
    assert [side / 2 for side in image.size] == pytest.approx(points, abs=1)
    inside = image.crop(tuple(round(2 * edge) for edge in (x0, top, x1, bottom)))
    assert inside.getextrema()[0] < 100, "there is print inside the frame"


def test_the_table_is_there_as_data_with_the_cited_cell(client):
    page = ask(client, q=QUESTION).text
    assert re.search(r'<td data-at="\d+ \d+" class="cited"[^>]*><bdi>\(11,706\)</bdi></td>', page)
    csv = client.get(re.search(r'href="([^"]+\.csv)"', page)[1])
    assert (
        csv.headers["content-type"].startswith("text/csv")
        and 'Income tax expense,8,"(11,706)"' in csv.text
    )


def test_another_page_and_the_kept_answer(client):
    told = answer(client)
    kept = client.get(
        f"{BASE}answers/{told['answer_id']}", params={"cite": "1", "page": 2}, headers=PAGE
    ).text
    assert "page 2" in kept and "cited: page 3" in kept and 'class="frame"' not in kept
    assert 'rel="prev"' in kept and 'rel="next"' in kept
    assert client.get(f"{BASE}answers/00000000", headers=PAGE).status_code == 404


def test_no_answer_shows_why_and_what_was_searched(client):
    page = ask(client, q="How many patents did Halvorsen Maritime hold at the end of 2023?").text
    assert "><bdi>N/A</bdi></p>" in page and "What was searched" in page and "/documents/" in page


def test_possible_answers_open_at_their_pages_without_a_tick(client):
    page = ask(client, q="How many vessels were scrapped in 2023?").text
    assert (
        "><bdi>N/A</bdi></p>" in page
        and "Possible answers" in page
        and "✓ supported" not in page
        and 'class="frame"' in page  # of the likeliest
    )
    address = (
        re.search(r'href="([^"]*cite=p1[^"]*)"', page)[1].replace("&amp;", "&").partition("#")[0]
    )
    opened = client.get(address, headers=PAGE).text
    assert 'class="frame"' in opened and "page 2" in opened and 'aria-current="true"' in opened


def test_why_tells_the_stages(client):
    page = ask(client, q=QUESTION).text
    assert "Stages" in page and "Verify" in page and "Pages found" in page


def test_a_link_from_another_site_fills_in_the_question_and_asks_nothing(client):
    page = client.get(
        BASE, params={"q": QUESTION}, headers={**PAGE, "Sec-Fetch-Site": "cross-site"}
    ).text
    assert QUESTION in page and 'class="value"' not in page


def test_what_cannot_be_asked_is_said_on_the_page(client):
    reply = ask(client, q=QUESTION, as_of="soon")
    assert reply.status_code == 422 and "A date is written" in reply.text
    assert ask(client, q="x" * 3000).status_code == 422


def test_pages_need_no_script_and_no_other_site(client):
    page = ask(client, q=QUESTION).text
    assert not re.search(r"<script(?! src=\"/static/)", page) and "style=" not in page
    assert not re.findall(r'(?:src|href|action)="(?:https?:)?//', page)


def test_documents_are_read_page_by_page_with_search_inside(client):
    key = client.get("/api/v1/corpora/reports/documents").json()["items"][1]["key"]
    page = client.get(f"{BASE}documents/{key}/3", params={"find": "income TAX"}, headers=PAGE).text
    assert "1 place with" in page and "<mark>Income tax</mark>" in page and 'class="frame"' in page
    assert client.get(f"{BASE}documents/{key}/99", headers=PAGE).status_code == 404
    file = client.get(f"{BASE}documents/{key}/file")
    assert file.content.startswith(b"%PDF") and file.headers["content-disposition"].startswith(
        "inline"
    )


def test_every_page_opens(client):
    for page in (
        "sources",
        "sources/quality",
        "jobs",
        "cost",
        "reports",
        "chat",
        "grids",
        "review",
    ):
        reply = client.get(f"{BASE}{page}", headers=PAGE)
        assert reply.status_code == 200 and "<main" in reply.text, page


def test_an_answer_is_saved_as_evidence_that_verifies(client, tmp_path):
    from pincite.workbench.bundle import verify

    told = answer(client)
    saved = client.get(f"/api/v1/corpora/reports/answers/{told['answer_id']}/bundle")
    path = tmp_path / "evidence.zip"
    path.write_bytes(saved.content)
    assert verify(path).ok


def test_a_possible_answer_becomes_the_answer_at_its_place(client):
    question = "How many vessels were scrapped in 2023?"
    page = ask(client, q=question).text
    form = re.search(
        r'action="([^"]+/review)"(?:(?!</form>).)*?name="place" value="cite p1"', page
    )
    value = re.search(
        r'name="value" value="([^"]+)">(?:<[^>]+>)?<input type="hidden" name="place" value="cite p1"',
        page,
    )[1]
    sent = {"action": "correct", "value": value, "place": "cite p1"}
    assert client.post(form[1], data=sent).status_code == 303
    again = ask(client, q=question).text
    assert "corrected by the reviewer" in again.lower() and 'class="frame"' in again
    unknown = {**sent, "place": "cite p99"}
    assert client.post(form[1], data=unknown).status_code == 422


def test_how_certain_an_answer_is_can_be_seen_from_afar():
    assert [level(one) for one in (0.81, 0.7, 0.69, 0.4, 0.39, 0.17)] == ["certain"] * 2 + [
        "fair"
    ] * 2 + ["low"] * 2


def test_citations_stand_under_their_documents_in_order():
    cited = [
        Citation(label, "", Anchor("s"), "q", name)
        for label, name in zip("123", "bab", strict=True)
    ]
    assert [(name, [one.label for one in places]) for name, places in by_document(cited)] == [
        ("b", ["1", "3"]),
        ("a", ["2"]),
    ]
