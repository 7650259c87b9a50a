"""What is done with answers day by day: batches, grids, bundles, corpora moved, costs told beforehand."""
