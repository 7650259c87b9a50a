"""Views of documents and the indexes over them."""
