"""The configuration file: its models, how it is found and read, and what can be wrong with it."""
