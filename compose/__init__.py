"""Environments and targets: real servers and real processes."""
