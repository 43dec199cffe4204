"""inbox"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table("inbox", sa.Column("id", sa.Uuid(), primary_key=True))


def downgrade() -> None:
    op.drop_table("inbox")
