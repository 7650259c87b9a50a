"""Scoring: the published rules of the data sets, ranking metrics, intervals, calibration, and `make measure`."""
