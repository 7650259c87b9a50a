"""Forms that are filled in and not flattened, and notes that are written on a page."""

import re

from reportlab.lib.colors import black, white
from reportlab.pdfbase.pdfdoc import PDFDictionary, PDFObjectReference, xObjectName
from reportlab.pdfgen.canvas import Canvas

from tests.complaints.cases import Case, Shown, amounts, opened, printed
from tests.complaints.drawn import canvas

BOX = {"width": 170, "height": 20, "borderWidth": 1, "forceBorder": True}


def make(seed: int, ticked: bool | None = None) -> Case:
    """A form of one page or two; `ticked` says whether the first box is; else the seed does.

    Fields stand beside their labels or below them, next to a printed example; they may have their labels as tips.
    """
    rng, language, words = opened("forms", seed)
    title, example, fields, (choice, choices), question, answers, note = words
    beside, two_pages, told = (rng.random() < 0.5 for _ in range(3))
    numbers, size = amounts(rng, 11, 0, 90_000), rng.choice((9, 10, 11))
    texts = [printed(one, language) for one in numbers]
    examples, (before, default, written) = texts[4:8], texts[8:]
    page, held = canvas()
    page._doc.compression = page._pageCompression = 0

    def text(x: float, y: float, said: str) -> None:
        page.setFont("Helvetica", size)
        page.drawString(x, y, said)

    page.setFont("Helvetica-Bold", 15)
    page.drawString(60, 785, title)
    y, shown = 730, []
    for at, (label, unit) in enumerate(rng.sample(fields, 4)):
        text(60, y, label)
        text(*((60, y - 13) if beside else (245, y - 22)), f"{example} {examples[at]}")
        x, below = (320, y - 6) if beside else (60, y - 28)
        field(page, f"f{at}", x, below, texts[at], size, tooltip=label if told else "", **BOX)
        shown.append(Shown(label, "", texts[at], numbers[at], unit))
        y -= 62
        if two_pages and at == 1:
            page.showPage()
            y = 760
    field(page, "before", 320, 60, before, size, width=170, height=20, annotationFlags="hidden")
    country = rng.choice(choices)
    text(60, y, choice)
    page.acroForm.choice(
        name="c", x=320, y=y - 6, value=country, options=choices, fontSize=size, **BOX
    )
    text(60, y - 50, question)
    for at, word in enumerate(answers):
        x, checked = 320 + 70 * at, (at == 0) == (seed % 2 == 0 if ticked is None else ticked)
        page.acroForm.checkbox(
            name=f"b{at}", x=x, y=y - 54, size=14, checked=checked, forceBorder=True
        )
        text(x + 20, y - 50, word)
    free_text(page, y - 110, f"{note}: {written}")
    page.save()
    shown += [Shown(choice, "", country), Shown(note, "", written, numbers[10])]
    never = [before, default, *(one for one in choices if one != country)]
    wrong = tuple((one.row, text) for one, text in zip(shown, examples, strict=False))
    data = defaulted(held.getvalue(), default)
    return Case({"form.pdf": bare(data) if seed % 3 == 1 else data}, shown, never, wrong)


def field(page: Canvas, name: str, x: float, y: float, value: str, size: int, **more) -> None:
    more |= {"fillColor": white, "textColor": black, "fontSize": size}
    page.acroForm.textfield(name=name, x=x, y=y, value=value, **more)


def free_text(page: Canvas, y: float, text: str) -> None:
    """A note that is written on the page, with its appearance."""
    page.beginForm("note", 0, 0, 200, 20)
    page.setFont("Helvetica", 11)
    page.drawString(4, 6, text)
    page.endForm()
    drawn = PDFDictionary({"N": PDFObjectReference(xObjectName("note"))})
    page.freeTextAnnotation(text, "(0 g /Helv 11 Tf)", Rect=(60, y, 260, y + 20), AP=drawn)


def defaulted(data: bytes, default: str) -> bytes:
    """The form with a default in its fields that nobody chose."""
    told = default.encode("cp1252")
    there = re.compile(rb"/DV \(([^)]*)\)")
    return there.sub(lambda one: b"/DV (" + told[: len(one[1])].ljust(len(one[1])) + b")", data)


def bare(data: bytes) -> bytes:
    """The form without the appearances of its texts and lists, which the program that shows it must make."""
    drawn = re.compile(rb"/AP <<\s*/N \d+ 0 R\s*>>(?=(?:(?!endobj).)*/FT /(?:Tx|Ch))", re.S)
    return drawn.sub(lambda one: b" " * len(one[0]), data)
