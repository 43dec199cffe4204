"""A program of the user's that makes the tables."""

import os

import psycopg

with psycopg.connect(os.environ["DATABASE_URL"]) as connection:
    connection.execute("create table click_counts (code text primary key, clicks bigint not null)")
