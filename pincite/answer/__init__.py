"""From a ranking to a checked answer: the reader without a model, arithmetic, checks, calibration."""
