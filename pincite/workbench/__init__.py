"""Daily work with answers: batches, grids, bundles, moving a corpus, estimating costs."""
