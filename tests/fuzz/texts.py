"""Inputs that are text or bytes changed into such as nobody would write: numbers, words, lines, elements, values."""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any

LARGEST = 1 << 19
"""The most bytes of a mutant."""
NUMBERS = (
    b"0", b"-1", b"1", b"2", b"7", b"255", b"65535", b"65536", b"999999", b"2147483647", b"2147483648", b"4294967295",
    b"18446744073709551616", b"-99999999999", b"1e400", b"-1e-400", b"NaN", b"inf", b"0.5", b"1.2.3", b"\xc2\xb2", b"\xd9\xa3",
    b"9" * 400, b"9" * 5000, b"", b"true", b"XFD1048576", b"A0", b"ZZZZ1", b"$",
)  # fmt: skip
"""What is put in the place of a number."""
TEXTS = (
    b"\0", b"\xff\xfe", b"\xed\xa0\x80", b"\xef\xbf\xbf", b"\xe2\x80\xae", b"\n", b"\t", b" " * 4000, b"A" * 3000,
    b"\xcc\x81" * 500,
    b"&", b"<", b"]]>", b"%s%n{}", b"../../etc/passwd", b"\x1b[2J", b"&#xD800;", b"&#0;", b"&amp;" * 300, b"(1,234.5)", b"%",
    b"=1+1",
    b"\xf0\x9f\x98\x80", b"USD m", b"2023", b"-", b"|", b"\"", b"'",
)  # fmt: skip
"""What is put anywhere in a text."""
NUMBER = re.compile(rb"-?\d+(?:\.\d+)?")
_TAG = re.compile(rb"<[^<>]{1,400}>")
_BOMB = (
    b'<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">'
    + b"".join(b'<!ENTITY %c "%s">' % (98 + at, b"&%c;" % (97 + at) * 10) for at in range(9))
    + b"]>"
)
_OUTER = b'<!DOCTYPE a SYSTEM "http://127.0.0.1:9/x" [<!ENTITY j SYSTEM "file:///etc/passwd">]>'

Mutate = Callable[[bytes, Random], bytes]


def bytes_of(data: bytes, random: Random) -> bytes:
    """Bytes flipped, cut, moved, repeated, inserted, or made integers that lie at an edge."""
    made = bytearray(data or b"\0")
    for _ in range(random.choice((1, 1, 2, 4, 16))):
        at, end = sorted((random.randrange(len(made) + 1), random.randrange(len(made) + 1)))
        short = at + min(end - at, random.choice((1, 4, 64, 4096)))
        match random.randrange(7):
            case 0 if made:
                made[min(at, len(made) - 1)] ^= 1 << random.randrange(8)
            case 1:
                del made[at:short]
            case 2:
                made[at:at] = made[at:short] * random.choice((1, 2, 50))
            case 3:
                made[at:at] = random.choice(TEXTS)
            case 4:
                made[at : at + 4] = struct.pack(random.choice("<>") + "I", random.choice(EDGES))
            case 5:
                other = random.randrange(len(made) + 1)
                made[other : other + short - at] = made[at:short]
            case _ if random.random() < 0.3:
                del made[end:]
    return bytes(made)


EDGES = (
    0,
    1,
    2,
    0x7F,
    0x80,
    0xFF,
    0x100,
    0xFFFF,
    0x10000,
    0x7FFFFFFF,
    0x80000000,
    0xFFFFFFFE,
    0xFFFFFFFF,
)


def text_of(data: bytes, random: Random) -> bytes:
    """Numbers, words and lines of a text made strange, moved or repeated."""
    for _ in range(random.choice((1, 1, 2, 5))):
        places = list(NUMBER.finditer(data[: 1 << 16]))
        lines = data.split(b"\n")
        at = random.randrange(len(data) + 1)
        match random.randrange(6):
            case 0 | 1 if places:
                found = random.choice(places)
                data = data[: found.start()] + random.choice(NUMBERS) + data[found.end() :]
            case 2:
                data = data[:at] + random.choice(TEXTS) + data[at:]
            case 3:
                line = random.randrange(len(lines))
                again = lines[random.randrange(len(lines))]
                lines[line:line] = [again] * min(
                    random.choice((1, 3, 300)), LARGEST // (len(again) + 1)
                )
                data = b"\n".join(lines)
            case 4:
                data = (
                    data[:at]
                    + data[at : at + random.choice((1, 20, 200))] * random.choice((2, 20, 1000))
                    + data[at:]
                )
            case _:
                data = bytes_of(data, random)
        data = data[:LARGEST]
    return data


def markup_of(data: bytes, random: Random) -> bytes:
    """Elements of XML or HTML dropped, repeated, put inside each other without end, their attributes exchanged; entities."""
    tags = list(_TAG.finditer(data[: 1 << 18]))
    if not tags:
        return text_of(data, random)
    one, other = random.choice(tags), random.choice(tags)
    match random.randrange(9):
        case 0:
            return data[: one.start()] + data[one.end() :]
        case 1:
            return data[: one.start()] + other[0] + data[one.end() :]
        case 2:  # nested deep
            name = one[0].strip(b"</>").split()[:1]
            if not name:
                return data
            open_, shut, deep = (
                b"<" + name[0] + b">",
                b"</" + name[0] + b">",
                random.choice((5, 30, 250, 10_000)),
            )
            return (
                data[: one.start()]
                + open_ * deep
                + b"x"
                + shut * random.choice((deep, 0))
                + data[one.start() :]
            )
        case 3:
            values = list(re.finditer(rb'"([^"<>]{0,200})"', data[: 1 << 18]))
            if not values:
                return data
            where, what = random.choice(values), random.choice(values)[1]
            what = random.choice(
                (what, what, random.choice(NUMBERS), random.choice(TEXTS).replace(b'"', b""))
            )
            return data[: where.start(1)] + what + data[where.end(1) :]
        case 4:
            head = data.index(b">") + 1 if data.startswith(b"<?xml") else 0
            word, kind = random.choice(((b"&j;", _BOMB), (b"&j;", _OUTER), (b"&a;", _OUTER)))
            at = max(one.end(), head)
            return data[:head] + kind + data[head:at] + word + data[at:]
        case 5:  # a stretch of elements, again and again
            start, end = sorted((one.start(), other.end()))
            times = random.choice((2, 10, 200))
            return (
                data[:start]
                + data[start:end] * min(times, 1 + LARGEST // max(end - start, 1))
                + data[end:]
            )
        case 6:
            start, end = sorted((one.start(), other.end()))
            return data[:start] + data[end:]
        case _:
            return text_of(data, random)


def tree_of(data: bytes, random: Random) -> bytes:
    """XML changed so that it stays well-formed: elements moved, repeated, nested or dropped, attributes changed."""
    from lxml import etree

    try:
        root = etree.fromstring(
            data, etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)
        )
    except etree.XMLSyntaxError:
        return markup_of(data, random)
    for _ in range(random.choice((1, 1, 2, 5))):
        held = [one for one in root.iter() if isinstance(one.tag, str)]
        if len(held) > 50_000:
            break
        one, other = random.choice(held), random.choice(held)
        parent = one.getparent()
        match random.randrange(7):
            case 0 if parent is not None:
                parent.remove(one)
            case 1:
                size = len(etree.tostring(other, with_tail=False))
                again = deepcopy(other)
                for _ in range(min(random.choice((1, 3, 100)), LARGEST // 4 // size)):
                    one.append(deepcopy(again))
            case 2:
                inner = one
                for _ in range(random.choice((3, 30, 200, 3000)) if len(held) < 10_000 else 1):
                    inner = etree.SubElement(inner, one.tag, one.attrib)
                inner.text = "x"
            case 3 | 4 if one.attrib:
                name = random.choice(list(one.attrib))
                one.set(
                    name,
                    _plain(random.choice((*NUMBERS, *NUMBERS, *TEXTS, *other.attrib.values()))),
                )
            case 5:
                one.text = _plain(random.choice((*NUMBERS, *TEXTS)))
            case _ if parent is not None:
                one.tag = other.tag
    return bytes(etree.tostring(root))[:LARGEST]


def _plain(text: bytes | str) -> str:
    """A text without what XML does not allow."""
    told = text if isinstance(text, str) else text.decode("utf-8", "replace")
    return "".join(letter for letter in told if letter >= " " or letter in "\t\n").replace(
        "\uffff", ""
    )


def json_of(data: bytes, random: Random) -> bytes:
    """Values of a JSON file exchanged for others, dropped, repeated, nested or told as another type."""
    try:
        told = json.loads(data)
    except (ValueError, RecursionError):
        return text_of(data, random)
    for _ in range(random.choice((1, 1, 2, 6))):
        places = list(_places(told))
        if not places:
            break
        holder, key = random.choice(places)
        other = random.choice(places)
        match random.randrange(5):
            case 0:
                del holder[key]
            case 1:
                holder[key] = json.loads(json.dumps(other[0][other[1]]))
            case 2 if isinstance(holder, list):
                holder += [holder[key]] * random.choice((1, 50))
            case 3:
                deep: Any = holder[key]
                for _ in range(random.choice((1, 50, 600))):
                    deep = [deep] if random.random() < 0.5 else {"children": [deep]}
                holder[key] = deep
            case _:
                holder[key] = random.choice(_VALUES)
    try:
        made = json.dumps(told).encode()
    except RecursionError:
        return data
    return made if random.random() < 0.9 else bytes_of(made, random)


_VALUES: tuple[Any, ...] = (
    None, True, 0, -1, 1, 2**31, 2**63, 10**400, 1e308, float("nan"), float("inf"), -0.5, "", "x", "\ud800", "\0", "A" * 5000,
    [], {},
    [[]], {"$ref": "#/body"}, {"$ref": "#/groups/0"}, "#/texts/0", "title", "list", "table", "ordered_list", "caption",
)  # fmt: skip


def _places(told: Any, deep: int = 0) -> Any:
    entries = (
        told.items()
        if isinstance(told, dict)
        else enumerate(told)
        if isinstance(told, list)
        else ()
    )
    for key, value in list(entries):
        yield told, key
        if deep < 40:
            yield from _places(value, deep + 1)


def csv_of(data: bytes, random: Random) -> bytes:
    """Quotes, separators and lines of a table of text changed, rows made wide, columns many."""
    at = random.randrange(len(data) + 1)
    match random.randrange(5):
        case 0:
            signs = (
                b'"',
                b'""',
                b'\\"',
                b"sep=\t\n",
                b";",
                b",",
                b"\t",
                b"|",
                b"\r",
                b"\n\n",
                b"\xef\xbb\xbf",
                b"\x0c",
                b"\x1f",
            )
            return data[:at] + random.choice(signs) * random.choice((1, 2, 2500)) + data[at:]
        case 1:
            return (
                data
                + b"\n"
                + random.choice((b"1,", b"a;", b"x\t", b'"q",'))
                * random.choice((50, 3000, 100_000))
            )
        case 2:
            return data + b"\n1;2,3\t4|5" * random.choice((10, 3000, 60_000))
        case 3:
            return data.decode("utf-8", "replace").encode(
                random.choice(("utf-16", "utf-32", "utf-7", "utf-16-be", "cp037")), "replace"
            )
        case _:
            return text_of(data, random)


_WORDS = (
    rb"{", rb"}", rb"\par ", rb"\cell ", rb"\row ", rb"\trowd", rb"\intbl ", rb"\cellx1000", rb"\clvmrg", rb"\clmrg",
    rb"\u-10179?",
    rb"\u55357?", rb"\uc9", rb"\'80", rb"\bin99999999 ", rb"\page", rb"{\footnote ", rb"{\listtext ", rb"\f1 ",
    rb"\fcharset134 ", rb"\s1 ",
    rb"\outlinelevel99999999", rb"\super ", rb"\ansicpg65000", rb"\ansicpg437", rb"\ansicpg950", rb"{\*\x ",
    rb"\cellx-99999999",
    rb"\nestrow", rb"{\stylesheet{\s1 heading 1;}}", rb"\'", rb"\uc-1",
)  # fmt: skip


def rtf_of(data: bytes, random: Random) -> bytes:
    """Control words put in, groups inside each other without end."""
    if random.random() < 0.4:
        return text_of(data, random)
    for _ in range(random.choice((1, 3, 10))):
        at = random.randrange(len(data) + 1)
        data = data[:at] + random.choice(_WORDS) * random.choice((1, 1, 3, 300, 8000)) + data[at:]
    return data[:LARGEST]


_HEADERS = (
    b"Content-Type: multipart/mixed; boundary=x\n", b"Content-Type: text/html; charset=utf-16\n",
    b"Content-Type: text/plain; charset=idna\n",
    b"Content-Type: message/rfc822\n", b"Content-Transfer-Encoding: base64\n", b"Content-Transfer-Encoding: uuencode\n",
    b"Content-Transfer-Encoding: quoted-printable\n", b"Subject: =?x?b?////?=\n", b"Subject: =?utf-16?q?=D8?=\n",
    b"From: @,<;(\n",
    b"Content-Disposition: attachment; filename*0*=utf-7''%ff; filename*9=x\n", b"Content-Type: text/html; charset=\"\n",
    b"To: a:b;,<>\n",
    b"Content-Type: application/zip; name=\"a.zip\"\n", b"Date: 99 Foo 99999 99:99\n", b"Content-Type: ;;;=\n", b"--x\n",
    b"--x--\n", b"\n",
    b"Content-Disposition: attachment; filename=\"a.docx\"\n", b"Content-Type: text/plain; charset=unicode_escape\n",
    b"Subject: \r\r\n",
    b"Content-Type: multipart/alternative\n", b"Content-Type: text/html; charset=punycode\n",
    b"Content-Type: message/external-body\n",
)  # fmt: skip


def mail_of(data: bytes, random: Random) -> bytes:
    """Headers and boundaries of a message put in, exchanged or repeated."""
    lines = data.splitlines(keepends=True)
    if random.random() < 0.3 or not lines:
        return text_of(data, random)
    for _ in range(random.choice((1, 2, 5))):
        at = random.randrange(len(lines) + 1)
        if random.random() < 0.7:
            lines[at:at] = [random.choice(_HEADERS)] * random.choice((1, 1, 2, 100))
        else:
            lines[at : at + 1] = [random.choice(lines)]
    return b"".join(lines)[:LARGEST]
