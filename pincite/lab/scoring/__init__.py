"""Scores: the published rules of data sets, ranking metrics, intervals and calibration."""
