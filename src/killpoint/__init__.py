"""killpoint: kill a real consumer at exact moments, start it again, audit what it did."""

__version__ = "0.1.0"
