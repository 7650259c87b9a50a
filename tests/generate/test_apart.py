"""A question that names a document is not answered from another one alone."""

import pincite

LINES = {
    "alder-shipping-2023.md": "# Alder Shipping\n\nThe fleet grew in 2023, and its profit was spent on that.",
    "birken-foods-2023.md": "# Birken Foods\n\nProfit before tax was EUR 77 million in 2023. Revenue was EUR 900 million.",
    "cedra-steel-2023.md": "# Cedra Steel\n\nProfit before tax was EUR 31 million in 2023. Revenue was EUR 120 million.",
}


def test_what_only_others_say_is_no_answer(tmp_path):
    files = tmp_path / "files"
    files.mkdir()
    for name, text in LINES.items():
        (files / name).write_text(text)
    pincite.index(files, corpus=tmp_path / "corpus")
    library = pincite.open(tmp_path / "corpus")
    assert library.ask("What was the profit before tax of Alder Shipping in 2023?").value is None
    found = library.ask("What was the profit before tax of Birken Foods in 2023?")
    assert found.value.value == 77 and found.citations[0].document == "birken-foods-2023.md"
