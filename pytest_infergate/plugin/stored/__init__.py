"""Runs that there are already: replayed, resumed, judged again, compared with."""
