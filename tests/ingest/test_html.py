import pytest

from pincite.errors import SourceError
from pincite.ingest.page_cuts import cut, text_block
from tests.ingest.office import found, read, tables, texts, whole

PAGE = """<!DOCTYPE html><html><head><title>Water report 2023</title>
<style>.x, #gone {display:none} @media print {p {display:none}}</style><script>var a = 'script words';</script></head><body>
<nav><a>Home</a></nav><h1>Water report</h1>
<p>Use fell to 4,521<sup><a href="#f1">1</a></sup> m<sup>3</sup> in&nbsp;2023.<br>It fell again.</p>
<p class="a x">hidden one</p><p id=gone>hidden two</p><p style="display: none">hidden three</p><p hidden>hidden four</p>
<span style="font-size:0">hidden five</span><h2>By site</h2>
<ul><li>Lund</li><li>Malm&ouml;<ul><li>harbour</li></ul></li></ul><ol start=3><li>third</li></ol>
<p>(in thousands of euro)</p>
<table><thead><tr><th rowspan=2>Site</th><th colspan=4>Cost</th></tr>
<tr><th colspan=2>2023</th><th colspan=2>2022</th></tr></thead>
<tbody><tr><td>Lund</td><td>$</td><td>12.5</td><td>$</td><td>11.0</td></tr>
<tr><td>Malmö</td><td></td><td>(7.5</td><td>)</td><td>8.0</td></tr></tbody></table>
<dl><dt>Scope</dt><dd>All plants</dd></dl><img src=x.png alt="Map of the plants"><footer>Copyright words</footer></body></html>"""

XHTML = '<html xmlns="http://www.w3.org/1999/xhtml">'


def html(tmp_path, text, name="a.html"):
    return read(tmp_path / name, text if isinstance(text, bytes) else text.encode())


def test_what_a_reader_sees_is_read_and_nothing_else(tmp_path):
    document = html(tmp_path, PAGE)
    text = whole(document)
    assert document.title == "Water report 2023"
    assert not [
        word for word in ("script", "hidden", "Home", "Copyright", "color") if word in text
    ]
    assert texts(document, "paragraph") == [
        "Use fell to 4,521 m³ in 2023.\nIt fell again.",
        "(in thousands of euro)",
        "Scope: All plants",
    ]
    assert texts(document, "list") == ["• Lund\n• Malmö\n• harbour", "3. third"]
    assert texts(document, "figure") == ["Map of the plants"]


def test_headings_are_the_place(tmp_path):
    paths = [node.anchor.path for node in html(tmp_path, PAGE).nodes if node.kind == "section"]
    assert paths == ["text > Water report", "text > Water report > By site"]


def test_a_table_has_its_merged_headers_its_scale_and_whole_numbers(tmp_path):
    (table,) = tables(html(tmp_path, PAGE))
    assert found(table, "Lund", "Cost 2022") == ("$11.0", "Water report > By site")
    assert found(table, "Malmö", "Cost 2023")[0] == "(7.5)"
    assert (table.table.scale, table.table.unit) == (1000, "EUR")


@pytest.mark.parametrize(
    ("before", "scale"),
    [
        ("<p>What we spent in the year on the sites that we own is as follows (in thousands):</p>", 1000),
        ("<p>Notes (US dollars in millions, except per share data)</p><p>Costs by site are set out below</p>", 10**6),
        ("<p>We serve 5 million (in 2022: 4 million) people.</p>", 1),
        ("<table><caption>Staff (in thousands)</caption><tr><td>a</td><td>1</td></tr><tr><td>b</td><td>2</td></tr></table>", 1),
    ],
)  # fmt: skip
def test_a_note_between_tables_says_what_the_next_is_in(tmp_path, before, scale):
    costs = "<table><tr><th>Site</th><th>Cost</th></tr><tr><td>Lund</td><td>11</td></tr></table>"
    assert tables(html(tmp_path, before + costs))[-1].table.scale == scale


def test_tables_that_lay_out_a_page_are_what_is_in_them(tmp_path):
    inner = "<table><tr><td>a</td><td>1</td></tr><tr><td>b</td><td>2</td></tr></table>"
    text = f"<table><tr><td><p>One.</p></td><td>{inner}</td></tr></table>"
    document = html(tmp_path, text + "<table><tr><td>•</td><td>A point.</td></tr></table>")
    assert texts(document, "paragraph") == ["One.", "• A point."]
    assert texts(document, "table") == ["a | 1\nb | 2"]


def test_hidden_rows_and_cells_of_a_table_that_lays_out_a_page_are_not_read(tmp_path):
    rows = (
        "<tr><td>One.</td><td hidden>Two.</td></tr><tr style='display:none'><td>Three.</td></tr>"
    )
    assert texts(html(tmp_path, f"<table role=presentation>{rows}</table>"), "paragraph") == [
        "One."
    ]


def test_row_headers_and_merged_rows_are_kept(tmp_path):
    rows = "<tr><th>Region<th>Plant<th>MW<tr><th rowspan=2>North<td>A<td>1<tr><td>B<td>2"
    (table,) = tables(html(tmp_path, f"<table><caption>Plants</caption>{rows}</table>"))
    cells = {(cell.row, cell.column): (cell.text, cell.row_span) for cell in table.table.cells}
    assert cells[1, 0] == ("North", 2)
    assert cells[2, 1] == ("B", 1)
    assert (table.table.header_rows, table.table.caption) == (1, "Plants")


def test_bold_lines_are_headings_where_no_element_says_so(tmp_path):
    text = "<div style='font-weight:bold;font-size:14pt'>Item 1. Business</div><div>We sell pumps in many countries.</div>"
    document = html(tmp_path, text + "<div><b>Markets</b></div><div>They grow.</div>")
    assert [node.anchor.path for node in document.nodes if node.kind == "section"] == [
        "text > Item 1. Business",
        "text > Item 1. Business > Markets",
    ]


def test_a_heading_is_read_without_the_link_to_itself(tmp_path):
    text = "<h1>Rules<a href='#rules'>\u00b6</a></h1><h2>Rule <a href='#a'>#</a></h2><h2>C#</h2>"
    assert texts(html(tmp_path, text), "heading") == ["Rules", "Rule", "C#"]


def test_a_page_of_nothing_but_navigation_keeps_it(tmp_path):
    assert texts(html(tmp_path, "<nav><a>Home</a> <a>About</a></nav>"), "paragraph") == [
        "Home About"
    ]


@pytest.mark.parametrize(
    "data",
    [
        "<p>Łódź is large".encode("utf-16"),
        b'<meta charset="iso-8859-2"><p>' + "Łódź is large".encode("iso-8859-2"),
        f'<?xml version="1.0" encoding="iso-8859-2"?>{XHTML}<p/><p>Łódź is large</p></html>'.encode(
            "iso-8859-2"
        ),
        "<p>Łódź&nbsp;is &#108;arge".encode(),
    ],
)
def test_encodings_are_detected(tmp_path, data):
    assert texts(html(tmp_path, data), "paragraph") == ["Łódź is large"]


def test_xhtml_keeps_its_empty_elements_empty_and_knows_the_names_of_html(tmp_path):
    text = f'<?xml version="1.0"?>{XHTML}<body><div hidden="hidden"/><p>Caf&eacute; &amp; bar</p></body></html>'
    assert texts(html(tmp_path, text, "a.xhtml"), "paragraph") == ["Café & bar"]


def test_html_that_calls_itself_xhtml_is_read_as_html(tmp_path):
    text = f'<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0//EN">{XHTML}<body><p>One<br>two<p>Three<img src=x>four</body></html>'
    assert texts(html(tmp_path, text), "paragraph") == ["One\ntwo", "Threefour"]


def test_no_entity_of_a_file_is_expanded(tmp_path):
    bomb = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 50 if n else "ha ha "}">' for n in range(7))
    text = (
        f'<?xml version="1.0"?><!DOCTYPE html [{bomb}<!ENTITY x SYSTEM "file:///etc/hostname">]>'
    )
    text += '<html xmlns="http://www.w3.org/1999/xhtml"><body><p>All &a6; good &x; here</p></body></html>'
    assert texts(html(tmp_path, text, "a.xhtml"), "paragraph") == ["All good here"]


def test_the_main_part_is_all_that_is_read_when_most_of_the_text_is_in_it(tmp_path):
    text = "<h1>Site</h1><p>Press S to search.</p><main><h1>Lints</h1><p>{}</p></main>"
    assert texts(html(tmp_path, text.format("These are the rules of the house.")), "heading") == [
        "Lints"
    ]
    assert texts(html(tmp_path, text.format("x")), "heading") == ["Site", "Lints"]


def test_spans_beyond_all_sense_and_deep_pages_come_to_an_end(tmp_path):
    rows = "<tr><td rowspan=60000 colspan=1000>a<td>b" * 60
    assert len(tables(html(tmp_path, f"<table>{rows}</table>"))) == 1
    assert "deep words" in whole(
        html(tmp_path, "<p>first words</p>" + "<div>" * 900 + "deep words")
    )
    with pytest.raises(SourceError, match="deep"):
        html(tmp_path, "<ul><li>" * 700 + "a")


def test_pages_break_where_the_file_says_so_or_at_a_heading_when_they_are_long(tmp_path):
    text = "<p>One.</p><hr style='page-break-after:always'><p>Two.</p><div style='break-before: page'>Three.</div>"
    assert texts(html(tmp_path, text), "page") == ["One.", "Two.", "Three."]
    blocks = [text_block("x" * 1000) for _ in range(5)] + [
        text_block("Next", "heading", 1),
        text_block("y" * 10),
    ]
    assert [len(page.blocks) for page in cut(blocks, "text")] == [5, 2]


def test_no_page_ends_on_a_heading():
    blocks = [text_block("x" * 8000), text_block("Next", "heading", 1), text_block("y" * 10)]
    assert [page.blocks[0].text[:4] for page in cut(blocks, "text")] == ["xxxx", "Next"]


def test_an_empty_file_is_none(tmp_path):
    with pytest.raises(SourceError, match="empty"):
        html(tmp_path, "")


@pytest.mark.parametrize(("line", "scale", "unit"), [
    ("Amounts in MWh", 1, "MWh"), ("All figures in EUR.", 1, "EUR"), ("In thousands of rand", 1000, "ZAR"), ("By site", 1, ""),
])  # fmt: skip
def test_a_short_line_over_a_table_says_what_its_numbers_are_in(tmp_path, line, scale, unit):
    rows = "<tr><th>Site</th><th>2023</th></tr><tr><td>Lund</td><td>12</td></tr>"
    (table,) = tables(html(tmp_path, f"<h1>Use</h1><p>{line}</p><table>{rows}</table>"))
    assert (table.table.scale, table.table.unit) == (scale, unit)
