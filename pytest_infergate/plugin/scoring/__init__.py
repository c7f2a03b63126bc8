"""What evaluators bring in: error rates of clips, checks of pictures, judgements, code that was run."""
