"""The image of a table: its number of rows."""

from killpoint.faults.table_image import Column, TableImage


def test_equal_rows_count_each_and_unknown_ones_not() -> None:
    columns = (Column("code"),)
    assert TableImage("t", columns, (), {b"a": 2, b"b": 1}).count == 3
    assert TableImage("t", columns, (), None).count == 0
