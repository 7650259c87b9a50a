"""The corpus on a port: pages for a browser and REST for programs, over the same questions, documents and jobs.

Needs the extra `web`: nothing outside this package imports it but the verb `serve`, and that when it is called.
"""
