"""Fonts whose text layer says other digits than the page shows, and the same pages with honest fonts."""

from collections.abc import Callable, Collection, Mapping
from random import Random
from unittest.mock import patch

from reportlab.pdfbase import ttfonts

from tests.complaints.cases import Case, statements
from tests.complaints.drawn import EMBEDDED, canvas, draw, look, pen

NAMES = {"Vera": "Roman", "VeraBd": "Sans-Bold", "VeraIt": "Sans-Oblique", "VeraBI": "BoldOblique"}
"""How the names end that the fonts have inside a file."""
TO_UNICODE = ttfonts.makeToUnicodeCMap


def make(seed: int) -> Case:
    """Even seeds lie, odd ones are honest; each pair shows the same."""
    pair, honest = divmod(seed, 2)
    rng, language = Random(f"lying {pair}"), ("en", "de", "sv", "fr")[pair % 4]
    fonts, (page, held), shown = rng.choice(EMBEDDED), canvas(), []
    for made in statements(rng, language):
        seen = look(rng, (fonts,))
        draw(page, seen, made, pen(page, seen))
        page.showPage()
        shown += [(one.row == made.topic.total, one) for one in made.shown()]
    digits = rng.sample("0123456789", rng.choice((2, 2, 3, 10)))
    told = {} if honest else dict(zip(digits, digits[1:] + digits[:1], strict=True))
    lying = rng.choice(
        ((True,), (False,), (True, False))
    )  # the strong font, the regular one, both
    with patch.object(ttfonts, "makeToUnicodeCMap", map_of({fonts[one] for one in lying}, told)):
        page.save()
    cells, lies = [one for _, one in shown], str.maketrans(told)
    said = {one.text.translate(lies) for strong, one in shown if strong in lying}
    never = sorted(said - {one.text for one in cells})
    return Case({"layer.pdf": held.getvalue()}, cells, never, honest=bool(honest))


def map_of(fonts: Collection[str], told: Mapping[str, str]) -> Callable[[str, list[int]], str]:
    """What makes the maps to Unicode, with other digits for these fonts."""
    letters = {ord(digit): ord(other) for digit, other in told.items()}

    def made(name: str, subset: list[int]) -> str:
        lies = name.endswith(tuple(NAMES[one] for one in fonts))
        return TO_UNICODE(name, [letters.get(code, code) if lies else code for code in subset])

    return made
