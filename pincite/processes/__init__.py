"""Processes beside this one: workers that may crash, the tasks of a Dask cluster, and --offline, which holds in all of them."""
