"""Which codec a schema has; the library of its format is loaded here, where one is used."""

from functools import lru_cache

from killpoint.cli.formats.codec import Codec, Schema


@lru_cache(maxsize=64)
def codec_of(schema: Schema) -> Codec:
    """The codec of a schema; its library is loaded here. Raises FormatError for a bad schema."""
    if schema.kind == "avro":
        from killpoint.cli.formats.avro import AvroCodec

        return AvroCodec(schema.text)
    if schema.kind == "protobuf":
        from killpoint.cli.formats.protobuf import ProtobufCodec

        return ProtobufCodec(schema)
    from killpoint.cli.formats.json_schema import JsonSchemaCodec

    return JsonSchemaCodec(schema.text)
