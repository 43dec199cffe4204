"""The Postgres machine, simple protocol: scripts of what is said, and what is heard."""

from killpoint.faults.events import EncryptionRefused, WriteAsked
from killpoint.faults.wire.piece import Piece
from killpoint.faults.wire.postgres import PostgresMachine
from tests.support.postgres_talk import right


def test_start() -> None:
    right("""
        < R | S | K 4711 | Z I
          started 4711
          ready I
        > X
        """)


def test_transaction() -> None:
    right("""
        > Q BEGIN
          begin 1
        < C BEGIN | Z T
          begun 1
          ready T
        > Q insert into clicks values (1)
          write 1 clicks
        < C INSERT 0 1 | Z T
          wrote 1 1
          ready T
        > Q select 1
        < T | D | C SELECT 1 | Z T
          ready T
        > Q update public.totals set n = 1
          write 1 totals
        < C UPDATE 3 | Z T
          wrote 1 3
          ready T
        > Q COMMIT
          commit 1
        < C COMMIT | Z I
          committed 1
          ready I
        """)


def test_autocommit_is_asked_and_answered_in_one_piece() -> None:
    right("""
        > Q insert into clicks values (1)
          write 1 clicks + auto-commit 1
        < C INSERT 0 1 | Z I
          wrote 1 1 + auto-committed 1
          ready I
        > Q delete from clicks
          write 2 clicks + auto-commit 2
        < C DELETE 0 | Z I
          wrote 2 0 + auto-committed 2
          ready I
        """)


def test_reads_take_no_number() -> None:
    right("""
        > Q select 1; show all
        < C SELECT 1 | C SHOW | Z I
          ready I
        > Q begin
          begin 1
        < C BEGIN | Z T
          begun 1
          ready T
        > Q end
          commit 1
        < C COMMIT | Z I
          committed 1
          ready I
        """)


def test_failed_autocommit_answers_nothing() -> None:
    right("""
        > Q insert into clicks values (1)
          write 1 clicks + auto-commit 1
        < E 23505 | Z I
          failed 23505 refused
          ready I
        """)


def test_commit_of_a_failed_transaction_is_a_rollback() -> None:
    right("""
        > Q begin
          begin 1
        < C BEGIN | Z T
          begun 1
          ready T
        > Q insert into clicks values (1)
          write 1 clicks
        < E 23505 | Z E
          failed 23505 refused
          ready E
        > Q commit
          rollback 1
        < C ROLLBACK | Z I
          rolled back 1
          ready I
        """)


def test_savepoints_are_no_moments_but_mend_a_failed_transaction() -> None:
    right("""
        > Q begin; savepoint a
          begin 1
        < C BEGIN | C SAVEPOINT | Z T
          begun 1
          ready T
        > Q insert into clicks values (1)
          write 1 clicks
        < E 23505 | Z E
          failed 23505 refused
          ready E
        > Q rollback to a
        < C ROLLBACK | Z T
          ready T
        > Q release a; commit
          commit 1
        < C RELEASE | C COMMIT | Z I
          committed 1
          ready I
        """)


def test_several_statements_commit_with_the_last() -> None:
    right("""
        > Q insert into a values (1); insert into b values (1); select 1
          write 1 a + write 1 b + auto-commit 1
        < C INSERT 0 1 | C INSERT 0 1 | C SELECT 1 | Z I
          wrote 1 1
          wrote 1 1
          auto-committed 1
          ready I
        """)


def test_an_error_among_several_statements_rolls_all_of_them_back() -> None:
    right("""
        > Q insert into a values (1); insert into b values (1)
          write 1 a + write 1 b + auto-commit 1
        < C INSERT 0 1 | E 23505 | Z I
          wrote 1 1
          failed 23505 refused
          ready I
        > Q begin; insert into a values (1); commit
          begin 2 + write 2 a + commit 2
        < C BEGIN | E 23505 | Z E
          begun 2
          failed 23505 refused
          ready E
        > Q rollback
          rollback 2
        < C ROLLBACK | Z I
          rolled back 2
          ready I
        """)


def test_begin_takes_over_what_was_written_before_it() -> None:
    right("""
        > Q insert into a values (1); begin; insert into b values (1)
          write 1 a + begin 1 + write 1 b
        < C INSERT 0 1 | C BEGIN | C INSERT 0 1 | Z T
          wrote 1 1
          begun 1
          wrote 1 1
          ready T
        > Q commit; insert into c values (1)
          commit 1 + write 2 c + auto-commit 2
        < C COMMIT | C INSERT 0 1 | Z I
          committed 1
          wrote 2 1 + auto-committed 2
          ready I
        """)


def test_chains() -> None:
    right("""
        > Q begin; insert into a values (1)
          begin 1 + write 1 a
        < C BEGIN | C INSERT 0 1 | Z T
          begun 1
          wrote 1 1
          ready T
        > Q commit and chain
          commit 1
        < C COMMIT | Z T
          committed 1
          ready T
        > Q insert into a values (1)
          write 2 a
        < C INSERT 0 1 | Z T
          wrote 2 1
          ready T
        > Q rollback and chain
          rollback 2
        < C ROLLBACK | Z T
          rolled back 2
          ready T
        > Q rollback
          rollback 3
        < C ROLLBACK | Z I
          rolled back 3
          ready I
        """)


def test_two_phase_commit() -> None:
    right("""
        > Q begin; insert into a values (1)
          begin 1 + write 1 a
        < C BEGIN | C INSERT 0 1 | Z T
          begun 1
          wrote 1 1
          ready T
        > Q prepare transaction 'x'
          write 1 -
        < C PREPARE TRANSACTION | Z I
          wrote 1 None
          ready I
        > Q commit prepared 'x'
          write 2 - + auto-commit 2
        < C COMMIT PREPARED | Z I
          wrote 2 None + auto-committed 2
          ready I
        > Q rollback prepared 'y'
        < C ROLLBACK PREPARED | Z I
          ready I
        """)


def test_copy() -> None:
    right("""
        > Q copy clicks from stdin
          write 1 clicks + auto-commit 1
        < G
        > d 1 | d 2
        > c
        < C COPY 2 | Z I
          wrote 1 2 + auto-committed 1
          ready I
        > Q copy clicks to stdout
        < H | d 1 | d 2 | c | C COPY 2 | Z I
          ready I
        > Q copy clicks from stdin
          write 2 clicks + auto-commit 2
        < G
        > d 1 | f
        < E 57014 | Z I
          failed 57014 refused
          ready I
        """)


def test_sql_prepare() -> None:
    right("""
        > Q prepare p as insert into clicks values ($1); execute p(1)
          write 1 clicks + auto-commit 1
        < C PREPARE | C INSERT 0 1 | Z I
          wrote 1 1 + auto-committed 1
          ready I
        > Q prepare p as select 1
        < E 42P05 | Z I
          failed 42P05 refused
          ready I
        > Q explain analyze execute p(1)
          write 2 clicks + auto-commit 2
        < T | D | C EXPLAIN | Z I
          wrote 2 None + auto-committed 2
          ready I
        > Q deallocate p
        < C DEALLOCATE | Z I
          ready I
        > Q execute p(1)
        < E 26000 | Z I
          failed 26000 refused
          ready I
        """)


def test_writing_ctes_and_functions() -> None:
    right("""
        > Q with gone as (delete from a returning 1) select count(*) from gone
          write 1 a + auto-commit 1
        < T | D | C SELECT 1 | Z I
          wrote 1 1 + auto-committed 1
          ready I
        > Q select app.count_click('x')
          write 2 - + auto-commit 2
        < T | D | C SELECT 1 | Z I
          wrote 2 1 + auto-committed 2
          ready I
        """)


def test_the_last_word_is_the_servers() -> None:
    """A procedure may have begun or ended transactions unseen; ReadyForQuery tells."""
    right("""
        > Q begin
          begin 1
        < E 57P01 | Z I
          failed 57P01 refused
          ready I
        > Q select 1
        < C SELECT 1 | Z T
          ready T
        > Q insert into a values (1)
          write 2 a
        < C INSERT 0 1 | Z T
          wrote 2 1
          ready T
        """)


def test_transaction_control_outside_a_transaction_has_number_0() -> None:
    right("""
        > Q commit
          commit 0
        < N | C COMMIT | Z I
          committed 0
          ready I
        > Q rollback
          rollback 0
        < N | C ROLLBACK | Z I
          rolled back 0
          ready I
        """)


def test_function_call_and_empty_query() -> None:
    right("""
        > F
        < V | Z I
          ready I
        > Q ;
        < I | Z I
          ready I
        > Q select 1
          1 open
        """)


def test_errors_that_nothing_was_asked_for() -> None:
    right("""
        < E 57P01
          failed 57P01 refused
        """)


def test_encryption_is_refused_and_not_forwarded() -> None:
    machine = PostgresMachine()
    ssl = b"\x00\x00\x00\x08\x04\xd2\x16\x2f"
    gss = b"\x00\x00\x00\x08\x04\xd2\x16\x30"
    assert machine.to_server(gss) == [Piece(b"", reply=b"N")]
    assert machine.to_server(ssl[:3]) == []
    assert machine.to_server(ssl[3:]) == [Piece(b"", reply=b"N")]
    assert machine.to_server(b"") == [Piece(b"", (EncryptionRefused("TLS"),))]


def test_a_message_of_wrong_length_ends_the_reading_not_the_forwarding() -> None:
    machine = PostgresMachine()
    start = b"\x00\x00\x00\x09\x00\x03\x00\x00\x00"
    query = b"Q\x00\x00\x00\x12delete from a\x00"
    pieces = machine.to_server(start + query + b"Q\x00\x00\x00\x03" + query)
    assert [event for piece in pieces for event in piece.events if isinstance(event, WriteAsked)]
    assert pieces[-1] == Piece(b"Q\x00\x00\x00\x03" + query)
    assert machine.to_client(b"Z\x00\x00\x00\x05I") == [Piece(b"Z\x00\x00\x00\x05I")]
