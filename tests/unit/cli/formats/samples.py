"""One schema of each kind, with values that fit it."""

from pathlib import Path

from killpoint.cli.formats.codec import Schema

AVRO_TEXT = """{
  "type": "record", "name": "Click", "fields": [
    {"name": "code", "type": "string"},
    {"name": "weight", "type": ["null", "double"], "default": null},
    {"name": "price",
     "type": {"type": "bytes", "logicalType": "decimal", "precision": 30, "scale": 2}},
    {"name": "at", "type": {"type": "long", "logicalType": "timestamp-millis"}},
    {"name": "raw", "type": "bytes"},
    {"name": "mark", "type": {"type": "fixed", "size": 3, "name": "Mark"}},
    {"name": "tags", "type": {"type": "array", "items": "string"}},
    {"name": "sizes", "type": {"type": "map", "values": "int"}}
  ]
}"""
PROTO_TEXT = """\
syntax = "proto3";
package acme;
import "google/protobuf/timestamp.proto";
message Other { message Inner { int32 x = 1; } }
message Click { string code = 1; int64 amount = 2; google.protobuf.Timestamp at = 3; }
"""
JSON_TEXT = """{
  "type": "object",
  "properties": {"code": {"type": "string"}, "amount": {"type": "number"}},
  "required": ["code"]
}"""

HERE = Path()
AVRO = Schema("avro", AVRO_TEXT, HERE)
PROTO = Schema("protobuf", PROTO_TEXT, HERE, "Click")
INNER = Schema("protobuf", PROTO_TEXT, HERE, "acme.Other.Inner")
JSON = Schema("json-schema", JSON_TEXT, HERE)
