"""Formats of values with a schema: Avro, Protobuf and JSON Schema, and the registry of schemas."""
