"""Reviews of answers: accepted, corrected with a place of their own, or commented on; by whom and when.

`verdicts.py` says it, `reviewed_places.py` is where a reviewer points, `review_log.py` keeps it, `corrections.py` answers by it.
"""

from pincite.records.review.review_log import (
    Review,
    about,
    in_force,
    latest,
    review_to,
    reviews,
    topic_of,
)
from pincite.records.review.reviewed_places import place_box, place_cell
from pincite.records.review.verdicts import accept, comment, correct, value_of, withdraw

__all__ = [
    "Review", "about", "accept", "comment", "correct", "in_force", "latest", "place_box", "place_cell", "review_to", "reviews",
    "topic_of", "value_of", "withdraw",
]  # fmt: skip
