"""Source duplicates: events that the topic itself holds again, as a producer's retry leaves them.

Counterpart: the ledger, which counts each of them, since a consumer is judged by offset. They are
reported so that nobody takes them for something that the consumer did.
"""

from typing import Final

from killpoint.checks.ledger import Ledger

# Only what shares its hash is looked at as a whole: a topic may hold a million different events.
_DUPLICATES: Final = """
with given as not materialized (
    select (topic, key, value, headers, more_headers) as event, hash(event) as hashed
    from records where value is not null and origin = 'killpoint'
)
select count(event) - count(distinct event) from given
where hashed in (select hashed from given group by hashed having count(*) > 1)
"""


def source_duplicates(ledger: Ledger) -> int:
    """How many records repeat an earlier one of their topic: the same key, value and headers.

    Partition and timestamp do not matter. Tombstones (a null value) say nothing that could be the
    same event, and what the target itself wrote is not the source's.
    """
    _, [(found,)] = ledger.query(_DUPLICATES)
    return int(found)
