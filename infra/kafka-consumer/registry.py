"""The schemas of a Confluent-compatible registry, compiled.

Confluent's decoder asks the registry for compiled schemas (`format=serialized`). Apicurio answers with the .proto
text all the same, so the text is compiled here by protoc, and nothing but the registry is read.
"""

import base64
import tempfile
from pathlib import Path

import attrs
import grpc_tools
from confluent_kafka.schema_registry import SchemaRegistryClient
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from grpc_tools import protoc

_WELL_KNOWN = Path(grpc_tools.__file__).parent / "_proto"


class CompilingRegistry(SchemaRegistryClient):
    def get_schema(self, schema_id, subject_name=None, fmt=None, reference_format=None):
        schema = super().get_schema(schema_id, subject_name)
        return self._serialized(schema) if fmt == "serialized" else schema

    def get_version(self, subject_name, version="latest", deleted=False, fmt=None):
        registered = super().get_version(subject_name, version, deleted)
        if fmt != "serialized":
            return registered
        return attrs.evolve(registered, schema=self._serialized(registered.schema))

    def message_class(self, schema_id, indexes):
        """The class of the message that `indexes` names in that schema: [1, 0] is the first message in the second."""
        files = self._compile(super().get_schema(schema_id))
        pool = descriptor_pool.DescriptorPool()
        for file in files:
            pool.Add(file)
        own = pool.FindFileByName(files[-1].name)
        message = list(own.message_types_by_name.values())[indexes[0]]
        for index in indexes[1:]:
            message = message.nested_types[index]
        return message_factory.GetMessageClass(message)

    def _serialized(self, schema):
        file = self._compile(schema)[-1]
        return attrs.evolve(schema, schema_str=base64.b64encode(file.SerializeToString()).decode())

    def _compile(self, schema):
        """Every imported file first, the schema's own last."""
        with tempfile.TemporaryDirectory() as folder:
            self._write(Path(folder), "schema.proto", schema)
            out = Path(folder) / "descriptors"
            options = [f"-I{folder}", f"-I{_WELL_KNOWN}", "--include_imports", f"--descriptor_set_out={out}"]
            if protoc.main(["protoc", *options, "schema.proto"]) != 0:
                raise ValueError(f"protoc refuses the registered schema:\n{schema.schema_str}")
            return list(descriptor_pb2.FileDescriptorSet.FromString(out.read_bytes()).file)

    def _write(self, folder, name, schema):
        file = (folder / name).resolve()
        if not file.is_relative_to(folder.resolve()):
            raise ValueError(f"the registry names a schema reference outside its folder: {name}")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(schema.schema_str)
        for reference in schema.references or []:
            registered = super().get_version(reference.subject, reference.version)
            self._write(folder, reference.name, registered.schema)
