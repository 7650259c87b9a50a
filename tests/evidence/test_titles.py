"""What a reader is told a document is."""

import pytest

from pincite.corpus import Entryless
from pincite.evidence.gathering import titled


def document(title, **meta):
    return Entryless("d", "v", "s", title, "", "en", 1, 0, meta=meta)


@pytest.mark.parametrize(
    ("title", "meta", "told"),
    [
        ("TARN MILLS, INC.", {"company": "TARN MILLS, INC.", "period": "July 30, 2023"},
         "TARN MILLS, INC., July 30, 2023"),
        ("For the fiscal year ended 2022", {"company": "Tarn Inc.", "year": "2022"},
         "Tarn Inc., 2022: For the fiscal year ended 2022"),
        ("Annual Report 2022", {"company": "Tarn", "year": "2022"},
         "Tarn, 2022: Annual Report 2022"),
        ("Tarn Annual Report 2022", {"company": "Tarn", "year": "2022"}, "Tarn Annual Report 2022"),
        ("Water in rivers", {"year": "2021"}, "Water in rivers"),
        ("Sustainability report", {"kind": "sustainability report", "year": "2021"}, "Sustainability report, 2021"),
    ],
)  # fmt: skip
def test_a_title_says_the_company_and_the_time(title, meta, told):
    assert titled(document(title, **meta)) == told
