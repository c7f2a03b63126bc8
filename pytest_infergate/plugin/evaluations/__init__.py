"""One evaluation: its task, what it gathers while its test runs, and how that ends."""
