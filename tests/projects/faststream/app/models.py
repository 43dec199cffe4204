from decimal import Decimal
from uuid import UUID

from sqlalchemy import Numeric
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    pass


class Customer(Base):
    __tablename__ = "customers"

    id: Mapped[str] = mapped_column(primary_key=True)
    orders: Mapped[int] = mapped_column(default=0)
    spent: Mapped[Decimal] = mapped_column(Numeric(12, 2), default=0)


class InboxMessage(Base):
    __tablename__ = "inbox"

    id: Mapped[UUID] = mapped_column(primary_key=True)
