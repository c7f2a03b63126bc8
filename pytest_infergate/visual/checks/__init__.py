"""One check a file: each a versioned evaluator of a picture or a clip, called with it and its settings."""
