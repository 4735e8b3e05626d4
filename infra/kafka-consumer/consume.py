"""A consumer that shares no code and no .proto file with Meridian: Confluent's client reads and decodes a topic.

Prints one JSON line per record. Exit code 1: a record could not be decoded; 3: fewer records than --max came in time.
"""

import argparse
import base64
import json
import os
import sys
import time
from urllib.parse import urlsplit

from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaException, TopicPartition
from confluent_kafka.schema_registry import dual_schema_id_deserializer
from confluent_kafka.schema_registry.protobuf import ProtobufDeserializer
from confluent_kafka.schema_registry.serde import SchemaId
from confluent_kafka.serialization import MessageField, SerializationContext
from google.protobuf.json_format import MessageToDict
from registry import CompilingRegistry


def main():
    parser = argparse.ArgumentParser(prog="infra/foreign-consumer", description=__doc__)
    parser.add_argument("topic")
    parser.add_argument("--max", type=int, help="stop after so many records; without it, at the topic's present end")
    parser.add_argument("--seconds", type=float, default=20, help="how long to wait for --max records (20)")
    wanted = parser.parse_args()
    consumer = Consumer({
        "bootstrap.servers": urlsplit(required("EVENT_LOG")).netloc,
        "group.id": "foreign-consumer",  # The client wants a name; no offset is committed under it.
        "enable.auto.commit": False,
    })
    decode = Decoder(CompilingRegistry({"url": required("SCHEMA_REGISTRY_URL")}))
    faults = seen = 0
    for record in records(consumer, wanted):
        line = decode(record)
        print(json.dumps(line, ensure_ascii=False), flush=True)
        seen += 1
        faults += "error" in line
    consumer.close()
    if wanted.max is not None and seen < wanted.max:
        print(f"{seen} of {wanted.max} records came within {wanted.seconds:g} s", file=sys.stderr)
        sys.exit(3)
    sys.exit(1 if faults else 0)


def required(variable):
    if not os.environ.get(variable):
        sys.exit(f"{variable} is not set: run infra/up, or set it to the address of a server that runs.")
    return os.environ[variable]


def records(consumer, wanted):
    """The topic from its beginning: `wanted.max` records within the deadline, else all that are there now."""
    topics = consumer.list_topics(wanted.topic, timeout=10).topics
    if topics[wanted.topic].error is not None:
        sys.exit(f"topic {wanted.topic}: {topics[wanted.topic].error.str()}")
    partitions = [TopicPartition(wanted.topic, number, OFFSET_BEGINNING) for number in topics[wanted.topic].partitions]
    spans = {p.partition: consumer.get_watermark_offsets(p, timeout=10) for p in partitions}
    unread = {partition: end for partition, (begin, end) in spans.items() if end > begin}
    consumer.assign(partitions)
    deadline = time.monotonic() + wanted.seconds
    count = 0
    while time.monotonic() < deadline and (count < wanted.max if wanted.max is not None else unread):
        record = consumer.poll(0.2)
        for partition in consumer.position([TopicPartition(wanted.topic, p) for p in list(unread)]) if unread else []:
            # Transaction markers take offsets but are no records, so the position tells the end, not the last record.
            if partition.offset >= unread[partition.partition]:
                del unread[partition.partition]
        if record is None:
            continue
        if record.error():
            raise KafkaException(record.error())
        count += 1
        yield record


class Decoder:
    """Confluent's ProtobufDeserializer, one for each message type that occurs; the types come from the registry."""

    def __init__(self, registry):
        self._registry = registry
        self._deserializers = {}

    def __call__(self, record):
        where = {"topic": record.topic(), "partition": record.partition(), "offset": record.offset()}
        line = {**where, "timestamp": record.timestamp()[1], "key": text(record.key())}
        value = record.value()
        if value is None:
            return {**line, "value": None}
        try:
            schema_id = SchemaId("PROTOBUF")
            context = SerializationContext(record.topic(), MessageField.VALUE, record.headers())
            dual_schema_id_deserializer(value, context, schema_id)
            indexes = tuple(schema_id.message_indexes)
            message = self._deserializer(schema_id.id, indexes)(value, context)
            content = MessageToDict(message, preserving_proto_field_name=True)
            return {**line, "schema_id": schema_id.id, "message": message.DESCRIPTOR.full_name, "value": content}
        except Exception as error:  # Whatever is wrong with one record, the others are still shown.
            return {**line, "error": f"{type(error).__name__}: {error}", "bytes": value[:64].hex()}

    def _deserializer(self, schema_id, indexes):
        key = (schema_id, indexes)
        if key not in self._deserializers:
            message_class = self._registry.message_class(schema_id, indexes)
            topic_names = {"subject.name.strategy.type": "TOPIC"}
            self._deserializers[key] = ProtobufDeserializer(message_class, topic_names, self._registry)
        return self._deserializers[key]


def text(key):
    if key is None:
        return None
    try:
        return key.decode()
    except UnicodeDecodeError:
        return "base64:" + base64.b64encode(key).decode()


if __name__ == "__main__":
    main()
