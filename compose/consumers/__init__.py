"""The sample consumers, each a plausible real program."""
