"""The servers of a session: found or started, named, confirmed at the end."""
