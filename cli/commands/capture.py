"""`killpoint capture`: the last events of a topic as a file of events, masked. It only reads."""

import secrets
import sys
from collections.abc import Sequence
from pathlib import Path

from killpoint.cli.errors import UserError
from killpoint.cli.events.file import written_event
from killpoint.cli.events.mask import MaskError, Masks
from killpoint.cli.exit_codes import ExitCode
from killpoint.cli.report.page import console_for, show
from killpoint.cli.report.whole_file import check_writable, write_whole
from killpoint.cli.report.words import count
from killpoint.compose.kafka_capture import last_records


def capture(
    brokers: str, topic: str, number: int, masks: Sequence[str], settings: Sequence[str], out: Path
) -> ExitCode:
    """Write at most `number` events, to a new file. Raises UserError and EnvironmentFailed."""
    check_writable(out)
    if out.exists():
        remedy = "name another file, or move that one away"
        raise UserError(f"{out} exists already, nothing was captured", None, remedy)
    try:
        masking = Masks(masks, secrets.token_bytes(32))
    except MaskError as error:
        raise UserError(
            f"--mask {error}", None, "for example  --mask '$.customer.email'"
        ) from error
    records = last_records(brokers, topic, number, _settings(settings))
    if not records:
        raise UserError(f"the topic {topic} holds no events", None, "name another topic")
    values = [masking.masked(record.value) for record in records]
    lines = [
        written_event(record._replace(key=masking.key(record.key)), value)
        for record, value in zip(records, values, strict=True)
    ]
    write_whole(out, "".join(f"{line}\n" for line in lines))
    partitions = 1 + max(record.partition for record in records)
    show(
        console_for(sys.stdout),
        [
            f"wrote {out}: {count(len(records), 'event')} of {topic}, "
            + (f"masked at {', '.join(masks)}" if masks else "nothing is masked"),
            "",
            f'Next   [[source]] topic = "{topic}", partitions = {partitions}, events = "{out}"',
        ],
    )
    return ExitCode.MET


def _settings(texts: Sequence[str]) -> dict[str, str]:
    pairs = [text.partition("=") for text in texts]
    for name, equals, _ in pairs:
        if not name or not equals:
            remedy = "for example  --setting security.protocol=SSL"
            raise UserError(f'--setting "{name}" has no value', None, remedy)
    return {name: value for name, _, value in pairs}
