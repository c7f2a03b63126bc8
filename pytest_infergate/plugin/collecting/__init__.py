"""Which evaluations there are: from test functions to items, and what was selected."""
