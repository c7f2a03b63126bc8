"""The options: in one table, parsed, in range."""
