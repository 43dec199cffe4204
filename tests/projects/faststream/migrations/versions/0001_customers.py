"""customers"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "customers",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("orders", sa.Integer(), nullable=False),
        sa.Column("spent", sa.Numeric(12, 2), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("customers")
