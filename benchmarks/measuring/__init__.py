"""The harness of `make measure`: a data set through the public functions, scored, one row per figure."""
