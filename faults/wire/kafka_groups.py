"""Requests that name a consumer group: joining and leaving it, and all that merely name it.

Sources: "Group membership" of the protocol guide (JoinGroup, LeaveGroup), KIP-345 (leaving by a
list of members), KIP-848 (ConsumerGroupHeartbeat). Counterpart: `kafka_apis` has the table of keys.
Offsets of a group are `kafka_offsets`.
"""

from kio.schema.errors import ErrorCode

from killpoint.faults.events import (
    Event,
    GroupNamed,
    Joined,
    Left,
    MemberNamed,
    MemberUnnamed,
    Subscribed,
)
from killpoint.faults.wire.kafka_codec import Message
from killpoint.faults.wire.kafka_exchange import Conversation, Reading

GROUP_KEY = 0
"""FindCoordinator asks for a group's coordinator with this key type, also before it had one."""
CONSUMER = "consumer"
GIVES_ID = 4
"""From this version of JoinGroup the broker gives a new member its id before it joins."""
JOINS = 0
LEAVES = frozenset({-1, -2})
"""Member epochs of a heartbeat that leaves; -2 is a static member that means to come back."""


def name_group(_: Conversation, __: int, request: Message) -> Reading:
    """SyncGroup, Heartbeat and others whose only meaning here is the group they name."""
    return Reading((GroupNamed(request.group_id),))


def name_groups(_: Conversation, __: int, request: Message) -> Reading:
    """Requests about several groups, under the names that their versions have for them."""
    for field in ("groups", "groups_names", "group_ids"):
        groups = getattr(request, field, None)
        if groups is not None:
            return Reading(tuple(GroupNamed(str(group)) for group in groups))
    return Reading()


def find_coordinator(_: Conversation, __: int, request: Message) -> Reading:
    """FindCoordinator; version 0 knows only groups, versions from 4 ask for several."""
    if getattr(request, "key_type", GROUP_KEY) != GROUP_KEY:
        return Reading()
    keys = getattr(request, "coordinator_keys", None)
    groups: tuple[str, ...] = (request.key,) if keys is None else tuple(keys)
    return Reading(tuple(GroupNamed(group) for group in groups))


def join_group(_: Conversation, __: int, request: Message) -> Reading:
    """JoinGroup. MEMBER_ID_REQUIRED (KIP-394) gives an id out: not yet a member, but awaited.

    That answer comes at once, and until it has come nobody knows whom the group waits for.
    """
    group: str = request.group_id
    instance: str | None = getattr(request, "group_instance_id", None)
    version: int = request.__version__
    gives_id = version >= GIVES_ID and not request.member_id and instance is None

    def answered(answer: Message) -> tuple[Event, ...]:
        if answer.error_code == ErrorCode.member_id_required:
            return (MemberNamed(group, answer.member_id, instance, "classic"),)
        if answer.error_code != ErrorCode.none:
            return ()
        return (Joined(group, answer.member_id, instance, "classic", answer.generation_id),)

    said: list[Event] = [GroupNamed(group), *_subscribed(group, request)]
    if request.member_id:
        said.append(MemberNamed(group, request.member_id, instance, "classic"))
    elif version < GIVES_ID:
        said.append(MemberUnnamed(group))
    return Reading(tuple(said), answered, effect=gives_id)


def _subscribed(group: str, request: Message) -> tuple[Event, ...]:
    """The topics of a consumer's JoinGroup: ConsumerProtocolSubscription of the protocol guide.

    All of its protocols (assignors) name the same ones; other kinds of groups name none.
    """
    if request.protocol_type != CONSUMER or not request.protocols:
        return ()
    metadata: bytes = request.protocols[0].metadata
    try:
        count, at = int.from_bytes(metadata[2:6], "big", signed=True), 6
        topics: set[str] = set()
        for _ in range(count):
            end = at + 2 + int.from_bytes(metadata[at : at + 2], "big", signed=True)
            if not at + 2 <= end <= len(metadata):
                return ()
            topics.add(metadata[at + 2 : end].decode())
            at = end
    except UnicodeDecodeError:
        return ()
    return (Subscribed(group, frozenset(topics)),)


def leave_group(_: Conversation, __: int, request: Message) -> Reading:
    """LeaveGroup, of one member or (from version 3) of several."""
    group: str = request.group_id

    def answered(answer: Message) -> tuple[Event, ...]:
        if answer.error_code != ErrorCode.none:
            return ()
        if not hasattr(answer, "members"):
            return (Left(group, request.member_id),)
        return tuple(
            Left(group, member.member_id)
            for member in answer.members
            if member.error_code == ErrorCode.none
        )

    return Reading((GroupNamed(group),), answered, effect=True)


def consumer_group_heartbeat(conversation: Conversation, _: int, request: Message) -> Reading:
    """ConsumerGroupHeartbeat: joins with epoch 0, leaves with a negative one.

    In version 0 the broker gives the member its id, from version 1 the client brings its own.
    """
    group: str = request.group_id
    members = conversation.members

    def answered(answer: Message) -> tuple[Event, ...]:
        member: str = answer.member_id or request.member_id
        if answer.error_code != ErrorCode.none:
            members.discard((group, member))  # fenced or forgotten: it will join again
            return ()
        if request.member_epoch in LEAVES:
            members.discard((group, member))
            return (Left(group, member),)
        if request.member_epoch != JOINS or (group, member) in members:
            return ()
        members.add((group, member))
        return (Joined(group, member, request.instance_id, "consumer", answer.member_epoch),)

    names: tuple[str, ...] | None = request.subscribed_topic_names
    said: list[Event] = [GroupNamed(group)]
    if names is not None:
        said.append(Subscribed(group, frozenset(map(str, names))))
    if request.member_epoch == JOINS and request.member_id:
        said.append(MemberNamed(group, request.member_id, request.instance_id, CONSUMER))
    return Reading(tuple(said), answered)
