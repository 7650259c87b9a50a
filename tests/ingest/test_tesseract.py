from pincite.ingest.ocr.ocr_settings import PictureWord
from pincite.ingest.ocr.tesseract import read_tsv

HEAD = (
    "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext"
)


def test_the_words_of_a_line_are_equally_high():
    rows = [
        "4\t1\t1\t1\t1\t0\t10\t10\t90\t20\t-1\t",
        "5\t1\t1\t1\t1\t1\t10\t12\t40\t10\t96.5\tRevenue",
        '5\t1\t1\t1\t1\t2\t60\t10\t40\t20\t91\t"4,521',
    ]
    assert read_tsv("\n".join((HEAD, *rows))) == [
        PictureWord("Revenue", (10.0, 10.0, 50.0, 30.0), 0.965), PictureWord('"4,521', (60.0, 10.0, 100.0, 30.0), 0.91),
    ]  # fmt: skip


def test_a_block_that_is_written_upwards_says_so():
    rows = [
        "5\t1\t1\t1\t1\t1\t10\t200\t20\t60\t90\tNet",
        "5\t1\t1\t1\t1\t2\t12\t100\t18\t80\t90\trevenue",
        "5\t1\t1\t1\t2\t1\t40\t210\t20\t50\t90\t2021",
        "5\t1\t2\t1\t1\t1\t70\t210\t20\t50\t90\talone",
    ]
    assert [(one.text, one.box, one.angle) for one in read_tsv("\n".join((HEAD, *rows)))] == [
        ("Net", (10.0, 200.0, 30.0, 260.0), 90), ("revenue", (10.0, 100.0, 30.0, 180.0), 90),
        ("2021", (40.0, 210.0, 60.0, 260.0), 90), ("alone", (70.0, 210.0, 90.0, 260.0), 90),
    ]  # fmt: skip
