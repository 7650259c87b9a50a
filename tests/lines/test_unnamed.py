"""What a place is judged for: the question without the name of the place's own document."""

from pincite.evidence.candidate import Candidate, Evidence, Passage
from pincite.lines.unnamed_document import judged
from pincite.question.understanding import understand
from pincite.types import Anchor, Node, Query

NODE = Node("n", "paragraph", "A pump of that type draws 12 kW.", Anchor("5f" * 32))


def asked_of(question, title):
    place = Evidence(NODE, (), 0, 31, document="pump.pdf")
    passage = Passage(NODE, document="pump.pdf", title=title)
    ((pair,),) = judged(understand(Query(question)), [passage], [Candidate("12 kW", (place,))])
    return pair[0]


def test_the_name_of_the_places_document_is_left_out():
    left = asked_of("How much power does a Velmo pump of that type draw?", "Velmo")
    assert left == "How much power does a pump of that type draw?"
    assert (
        asked_of("How much power does a Velmo pump of that type draw?", "Orrin").count("Velmo")
        == 1
    )


def test_words_that_every_title_may_hold_stay():
    title = "How Much Power Does a Pump Draw?"
    assert (
        asked_of("How much power does the type draw on site?", title)
        == "How much power does the type draw on site?"
    )
