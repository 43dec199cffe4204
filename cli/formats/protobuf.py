"""Protobuf, by Google's own compiler and runtime; values are its JSON form, names as in the file.

64-bit integers are texts in that form (protobuf.dev, "ProtoJSON Format"), which SQL casts.
"""

import base64
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor
from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass

from killpoint.cli.events.value import Json
from killpoint.cli.formats.codec import FormatError, Schema, plain
from killpoint.cli.formats.envelope import indexes_read, indexes_written

_NAME = "schema.proto"
_SECONDS = 60


class ProtobufCodec:
    """Raises FormatError for a text that does not compile, with the compiler's own words."""

    def __init__(self, schema: Schema) -> None:
        self._messages = _messages(compiled(schema.text, schema.folder))
        if not self._messages:
            raise FormatError("has no message")
        if schema.message is None:
            self._path: tuple[int, ...] = (0,)
            return
        named = [p for p, m in self._messages.items() if schema.message in (m.name, m.full_name)]
        if not named:
            known = ", ".join(message.full_name for message in self._messages.values())
            raise FormatError(f"has no message {schema.message}, but {known}")
        self._path = named[0]

    def encode(self, value: Json) -> bytes:
        """See Codec; the path to the message stands before it."""
        message: Message = GetMessageClass(self._messages[self._path])()
        try:
            json_format.ParseDict(plain(value), message)
        except (json_format.ParseError, AttributeError, TypeError) as error:
            said = str(error).splitlines()[0]
            raise FormatError(f"does not fit {self._messages[self._path].name}: {said}") from error
        return indexes_written(self._path) + message.SerializeToString()

    def decode(self, data: bytes) -> Json:
        """See Codec. Fields that were not set have their defaults, as a reader sees them."""
        path, body = indexes_read(data)
        if path not in self._messages:
            raise FormatError(f"is of a message that the schema does not have: {path}")
        message: Message = GetMessageClass(self._messages[path])()
        try:
            message.ParseFromString(body)
        except DecodeError as error:
            raise FormatError(f"is not of its schema: {error}") from error
        value: dict[str, Json] = json_format.MessageToDict(
            message,
            preserving_proto_field_name=True,
            always_print_fields_with_no_presence=True,
        )
        return value


def compiled(text: str, folder: Path) -> FileDescriptorSet:
    """A .proto text with all that it imports, the file itself last. Raises FormatError.

    Clients that have no text register the descriptor that their class was made from, in Base64.
    """
    try:
        own = FileDescriptorProto.FromString(base64.b64decode(text, validate=True))
    except (ValueError, DecodeError):
        return _compiled(text, folder)
    imports = "".join(f'import "{name}";\n' for name in own.dependency)
    files = _compiled(f'syntax = "proto3";\n{imports}', folder)
    files.file[-1].CopyFrom(own)
    return files


def serialized(text: str, folder: Path) -> str:
    """The descriptor of a .proto text in Base64, without its imports. Raises FormatError."""
    return base64.b64encode(compiled(text, folder).file[-1].SerializeToString()).decode()


def _compiled(text: str, folder: Path) -> FileDescriptorSet:
    with TemporaryDirectory(prefix="killpoint-") as place:
        (Path(place) / _NAME).write_text(text, encoding="utf-8")
        words = ("-I.", f"-I{folder.absolute()}", "--include_imports", "--descriptor_set_out=set")
        done = subprocess.run(
            [sys.executable, "-m", "grpc_tools.protoc", *words, _NAME],
            cwd=place,
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
        if done.returncode:
            said = done.stderr.replace(f"{_NAME}:", "line ").strip().splitlines()
            raise FormatError(f"does not compile: {(said or ['no reason given'])[0]}")
        return FileDescriptorSet.FromString((Path(place) / "set").read_bytes())


def _messages(files: FileDescriptorSet) -> dict[tuple[int, ...], Descriptor]:
    """The messages of the last file by their paths."""
    pool = DescriptorPool()
    for file in files.file:
        pool.Add(file)
    own = pool.FindFileByName(files.file[-1].name)
    names = [message.name for message in files.file[-1].message_type]
    found: dict[tuple[int, ...], Descriptor] = {}
    _collect(found, (), [own.message_types_by_name[name] for name in names])
    return found


def _collect(
    found: dict[tuple[int, ...], Descriptor], path: tuple[int, ...], those: Sequence[Descriptor]
) -> None:
    for index, message in enumerate(those):
        found[(*path, index)] = message
        _collect(found, (*path, index), message.nested_types)
