"""Conversations with a corpus: follow-ups made standalone, answers streamed once checked, history kept."""

from pincite.chat.conversation import AnsweringLibrary, Conversation
from pincite.chat.events import (
    Answered,
    Begun,
    Ended,
    Event,
    Notice,
    Sentence,
    Sources,
    Understood,
    Withheld,
)
from pincite.chat.history import Chat, History, Turn, as_json, as_markdown

__all__ = [
    "Answered", "Begun", "Chat", "Conversation", "Ended", "Event", "History", "AnsweringLibrary", "Notice", "Sentence",
    "Sources", "Turn", "Understood", "Withheld", "as_json", "as_markdown",
]  # fmt: skip
