"""Work shared out to the workers of a Dask cluster: parsing, encoding and questions as tasks. Needs the extra `cluster`."""
