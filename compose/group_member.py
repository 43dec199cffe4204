"""Taking a dead member out of its group, instead of waiting for its session to time out.

Counterpart: `kafka_control`. Classic groups have LeaveGroup (v5, KIP-345 and KIP-800), the
consumer protocol a heartbeat of epoch -1 (KIP-848); confluent_kafka offers neither for others.
"""

from typing import Final

from kio.schema.consumer_group_heartbeat.v1 import (
    ConsumerGroupHeartbeatRequest,
    ConsumerGroupHeartbeatResponse,
)
from kio.schema.errors import ErrorCode
from kio.schema.leave_group.v5 import LeaveGroupRequest, LeaveGroupResponse
from kio.schema.leave_group.v5.request import MemberIdentity
from kio.schema.types import GroupId
from kio.static.primitive import i32

from killpoint.compose.kafka_rpc import ask
from killpoint.faults.environment import Address, EnvironmentFailed
from killpoint.faults.events import Member

_LIMIT: Final = 10.0
_LEAVING: Final = i32(-1)
_GONE: Final = frozenset(
    {ErrorCode.none, ErrorCode.unknown_member_id, ErrorCode.group_id_not_found}
)


async def remove_member(broker: Address, member: Member) -> None:
    """Returns when the member is gone; one that is gone already is no error.

    Raises OSError, and EnvironmentFailed if the coordinator refuses.
    """
    leave = _leave_consumer if member.protocol == "consumer" else _leave_classic
    for error in await leave(broker, member):
        if error not in _GONE:
            raise EnvironmentFailed(
                f"Kafka keeps the dead member {member.member} in group {member.group}: "
                f"{error.name}. Run again; if it happens again, this is a bug of killpoint's."
            )


async def _leave_classic(broker: Address, member: Member) -> list[ErrorCode]:
    identity = MemberIdentity(
        member_id=member.member, group_instance_id=member.instance, reason="its process was killed"
    )
    request = LeaveGroupRequest(group_id=GroupId(member.group), members=(identity,))
    answer = await ask(broker, request, LeaveGroupResponse, limit=_LIMIT)
    return [answer.error_code, *(left.error_code for left in answer.members)]


async def _leave_consumer(broker: Address, member: Member) -> list[ErrorCode]:
    request = ConsumerGroupHeartbeatRequest(
        group_id=GroupId(member.group),
        member_id=member.member,
        member_epoch=_LEAVING,
        instance_id=member.instance,
        topic_partitions=None,
    )
    answer = await ask(broker, request, ConsumerGroupHeartbeatResponse, limit=_LIMIT)
    return [answer.error_code]
