"""Systems as compositions of stages, one file each."""
