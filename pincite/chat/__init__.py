"""Conversations with a corpus: follow-ups made standalone, answers streamed once checked, history kept."""
