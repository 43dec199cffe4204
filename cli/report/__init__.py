"""Reports: readers of a session's events, one file a form."""
