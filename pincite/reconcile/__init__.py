"""One answer of several: editions, parts of a plan, runs, rows beside documents."""
