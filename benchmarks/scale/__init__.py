"""Search over 1,000 to 1,000,000 windows: what is searched (`windows.py`) and what it costs (`measure.py`)."""
