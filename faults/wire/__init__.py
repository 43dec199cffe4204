"""The sans-IO machines: bytes in, events out, original bytes kept."""
