"""What a database holds, as questions see it: relations, columns, values, links."""
