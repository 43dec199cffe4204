"""A consumer that counts amounts per link of values in a format, as its client library reads them.

The tests start it as a user's program. FORMAT says which of Confluent's deserialisers it uses.
"""

import os
from functools import partial
from typing import Any

import psycopg
from confluent_kafka import DeserializingConsumer
from confluent_kafka.schema_registry import SchemaRegistryClient
from confluent_kafka.schema_registry.avro import AvroDeserializer
from confluent_kafka.schema_registry.json_schema import JSONDeserializer
from confluent_kafka.schema_registry.protobuf import ProtobufDeserializer
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

COUNT = """
    insert into click_counts (code, clicks) values (%s, %s)
    on conflict (code) do update set clicks = click_counts.clicks + excluded.clicks
"""
FIELD = descriptor_pb2.FieldDescriptorProto


def click_class() -> Any:
    """What protoc would have made of the .proto file: Click is its second message."""
    file = descriptor_pb2.FileDescriptorProto(name="click.proto", syntax="proto3", package="acme")
    file.message_type.add(name="Other")
    click = file.message_type.add(name="Click")
    click.field.add(name="code", number=1, type=FIELD.TYPE_STRING, label=FIELD.LABEL_OPTIONAL)
    click.field.add(name="amount", number=2, type=FIELD.TYPE_INT64, label=FIELD.LABEL_OPTIONAL)
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("acme.Click"))


def deserializer(kind: str, url: str) -> Any:
    """Confluent's own, reading schemas from the registry where its format needs one."""
    classes: Any = (AvroDeserializer, ProtobufDeserializer, JSONDeserializer)
    avro, protobuf, json_schema = classes  # whose types say that they take no arguments
    client = SchemaRegistryClient({"url": url})
    if kind == "avro":
        return avro(client)
    if kind == "json-schema":
        return json_schema(None, schema_registry_client=client)
    return protobuf(click_class(), {"use.deprecated.format": False}, client)


def fields(click: Any) -> list[Any]:
    """Of a dict, or of a message."""
    read = click.get if hasattr(click, "get") else partial(getattr, click)
    return [read("code"), read("amount")]


def main() -> None:
    """Count until it is killed."""
    consumer = DeserializingConsumer(
        {
            "bootstrap.servers": os.environ["KAFKA_BOOTSTRAP_SERVERS"],
            "group.id": os.environ["KILLPOINT_GROUP"],
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
            "value.deserializer": deserializer(os.environ["FORMAT"], os.environ["REGISTRY"]),
        }
    )
    consumer.subscribe([os.environ["KILLPOINT_TOPIC"]])
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
        while True:
            message = consumer.poll(0.2)
            if message is None:
                continue
            click: Any = message.value()
            connection.execute(COUNT, fields(click))
            consumer.commit(asynchronous=False)


if __name__ == "__main__":
    main()
