from decimal import Decimal
from uuid import UUID

from faststream import AckPolicy, FastStream
from faststream.kafka import KafkaBroker
from pydantic import BaseModel
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker, create_async_engine

from app.models import Customer, InboxMessage
from app.settings import settings

engine = create_async_engine(settings.database_url)
new_session = async_sessionmaker(engine, expire_on_commit=False)

broker = KafkaBroker(settings.kafka_bootstrap_servers)
app = FastStream(broker)


class OrderPlaced(BaseModel):
    id: UUID
    customer: str
    total: Decimal


subscription = {"group_id": settings.orders_group, "auto_offset_reset": "earliest"}
if settings.inbox:
    subscription["ack_policy"] = AckPolicy.NACK_ON_ERROR


@broker.subscriber(settings.orders_topic, **subscription)
async def on_order_placed(order: OrderPlaced) -> None:
    async with new_session() as session, session.begin():
        if settings.inbox and not await is_new(session, order.id):
            return
        await add_order(session, order)


async def is_new(session: AsyncSession, id: UUID) -> bool:
    row = insert(InboxMessage).values(id=id).on_conflict_do_nothing().returning(InboxMessage.id)
    return await session.scalar(row) is not None


async def add_order(session: AsyncSession, order: OrderPlaced) -> None:
    row = insert(Customer).values(id=order.customer, orders=1, spent=order.total)
    added = {
        "orders": Customer.orders + row.excluded.orders,
        "spent": Customer.spent + row.excluded.spent,
    }
    await session.execute(row.on_conflict_do_update(index_elements=["id"], set_=added))
