"""What of a text is spoken: one normalizer a file, each with a version and a written rule."""
