"""Moments, scenarios, the gate, the proxies and the wire machines."""
