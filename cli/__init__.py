"""Commands, configuration, sessions and reports."""
