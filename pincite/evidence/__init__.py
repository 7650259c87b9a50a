"""Does a place in a document answer a question? Places, and how a judge reads them."""
