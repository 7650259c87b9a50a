"""What texts are made of: the lists and patterns of `data/`, languages, words and their stems, wording into English, messages."""
