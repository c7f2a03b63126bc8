"""Getting replies: the window of requests ahead of the tests, and the fixture ``infer``."""
