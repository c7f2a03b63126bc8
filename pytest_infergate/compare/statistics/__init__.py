"""The procedures behind a comparison, each with its source. SciPy does the numerics."""
