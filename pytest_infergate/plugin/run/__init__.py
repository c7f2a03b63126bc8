"""The run as a session writes it."""
