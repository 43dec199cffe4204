"""The extended protocol as asked: statements, portals, turns, pipelines, names."""

from tests.support.postgres_talk import right


def test_autocommit_commits_at_sync_and_shows_at_ready() -> None:
    right("""
        > P : insert into clicks values ($1) | B : | D | E | S
          write 1 clicks
          auto-commit 1
        < 1 | 2 | n | C INSERT 0 1 | Z I
          wrote 1 1
          auto-committed 1 + ready I
        """)


def test_transaction_with_one_sync_for_each_statement() -> None:
    right("""
        > P : BEGIN | B : | E | S
          begin 1
        < 1 | 2 | C BEGIN | Z T
          begun 1
          ready T
        > P s1: update clicks set n = $1 | B : s1 | D | E | S
          write 1 clicks
        < 1 | 2 | n | C UPDATE 2 | Z T
          wrote 1 2
          ready T
        > P : COMMIT | B : | E | S
          commit 1
        < 1 | 2 | C COMMIT | Z I
          committed 1
          ready I
        """)


def test_pipeline_with_begin_and_commit_before_one_sync() -> None:
    right("""
        > P : BEGIN | B : | E | P : insert into a values ($1) | B : | E | H
          begin 1
          write 1 a
        < 1 | 2 | C BEGIN | 1 | 2
          begun 1
        > P : COMMIT | B : | E | S
          commit 1
        < C INSERT 0 1 | 1 | 2 | C COMMIT | Z I
          wrote 1 1
          committed 1
          ready I
        """)


def test_several_writes_before_one_sync_are_one_implicit_transaction() -> None:
    right("""
        > P s: insert into a values ($1) | B : s | E | B : s | E | P : select 1 | B : | E
          write 1 a
          write 1 a
        > S
          auto-commit 1
        < 1 | 2 | C INSERT 0 1 | 2 | C INSERT 0 1 | 1 | 2 | C SELECT 1 | Z I
          wrote 1 1
          wrote 1 1
          auto-committed 1 + ready I
        """)


def test_turns_asked_before_the_first_is_answered() -> None:
    right("""
        > P s: insert into a values ($1) | S | B : s | E | S | B : s | E | S
          write 1 a
          auto-commit 1
          write 2 a
          auto-commit 2
        < 1 | Z I | 2 | C INSERT 0 1 | Z I
          ready I
          wrote 1 1
          auto-committed 1 + ready I
        < 2 | E 23505 | Z I
          failed 23505 refused
          ready I
        """)


def test_begin_takes_over_what_its_pipeline_wrote() -> None:
    right("""
        > P : insert into a values ($1) | B : | E | P : begin | B : | E | S
          write 1 a
          begin 1
        < 1 | 2 | C INSERT 0 1 | 1 | 2 | C BEGIN | Z T
          wrote 1 1
          begun 1
          ready T
        """)


def test_named_portals_and_suspension_ask_once() -> None:
    right("""
        > P s: insert into a select 1 returning * | B p: s | E p | H
          write 1 a
        < 1 | 2 | D | s
          wrote 1 None
        > E p | S
          auto-commit 1
        < C INSERT 0 1 | Z I
          auto-committed 1 + ready I
        """)


def test_empty_statement() -> None:
    right("""
        > P : | B : | E | P : delete from a | B : | E | S
          write 1 a
          auto-commit 1
        < 1 | 2 | I | 1 | 2 | C DELETE 1 | Z I
          wrote 1 1
          auto-committed 1 + ready I
        """)


def test_the_same_name_twice_keeps_the_first() -> None:
    right("""
        > P s: insert into a values ($1) | S
        < 1 | Z I
          ready I
        > P s: select 1 | S
        < E 42P05 | Z I
          failed 42P05 refused
          ready I
        > B : s | E | S
          write 1 a
          auto-commit 1
        < 2 | C INSERT 0 1 | Z I
          wrote 1 1
          auto-committed 1 + ready I
        """)


def test_a_name_refused_is_free_again() -> None:
    right("""
        > P s: insert into nowhere values ($1) | S
        < E 42P01 | Z I
          failed 42P01 refused
          ready I
        > P s: select 1 | B : s | E | S
        < 1 | 2 | C SELECT 1 | Z I
          ready I
        """)


def test_close_frees_a_name_unless_it_was_skipped() -> None:
    right("""
        > P s: insert into a values ($1) | C S s | P s: select 1 | B p: s | C P p | S
        < 1 | 3 | 1 | 2 | 3 | Z I
          ready I
        > P t: insert into a values ($1) | S
        < 1 | Z I
          ready I
        > P : select nonsense | C S t | S
        < E 42703 | Z I
          failed 42703 refused
          ready I
        > B : t | E | S
          write 1 a
          auto-commit 1
        < 2 | C INSERT 0 1 | Z I
          wrote 1 1
          auto-committed 1 + ready I
        """)


def test_execute_of_what_sql_prepared_and_the_other_way_round() -> None:
    right("""
        > Q prepare s as insert into a values ($1)
        < C PREPARE | Z I
          ready I
        > B : s | E | S
          write 1 a
          auto-commit 1
        < 2 | C INSERT 0 1 | Z I
          wrote 1 1
          auto-committed 1 + ready I
        > P t: delete from b | S
        < 1 | Z I
          ready I
        > Q execute t
          write 2 b + auto-commit 2
        < C DELETE 2 | Z I
          wrote 2 2 + auto-committed 2
          ready I
        > Q discard all
        < C DISCARD ALL | Z I
          ready I
        > Q execute t
        < E 26000 | Z I
          failed 26000 refused
          ready I
        """)


def test_copy_from_the_client_in_the_extended_protocol() -> None:
    """libpq sends Sync with the Execute, and again after the data: the server ignores the first."""
    right("""
        > P : copy a from stdin | B : | D | E | S
          write 1 a
        < 1 | 2 | n | G
        > d 1 | c | S
          auto-commit 1
        < C COPY 1 | Z I
          wrote 1 1
          auto-committed 1 + ready I
        > Q select 1
        < C SELECT 1 | Z I
          ready I
        """)


def test_copy_that_never_begins() -> None:
    right("""
        > P : copy nowhere from stdin | B : | E | S
          write 1 nowhere
        < 1 | E 42P01 | Z I
          failed 42P01 refused
          ready I
        > P : select 1 | B : | E | S
        < 1 | 2 | C SELECT 1 | Z I
          ready I
        """)


def test_copy_whose_data_is_sent_at_once() -> None:
    right("""
        > P : copy a from stdin | B : | E | d 1 | c | S
          write 1 a
          auto-commit 1
        < 1 | 2 | G | C COPY 1 | Z I
          wrote 1 1
          auto-committed 1 + ready I
        """)


def test_a_sequence_asked_for_a_value_is_no_write() -> None:
    right("""
        > Q select nextval('position')
          sequence
        < 1 | C SELECT 1 | Z I
          ready I
        > Q insert into a values (nextval('position'))
          write 1 a + sequence + auto-commit 1
        < C INSERT 0 1 | Z I
          wrote 1 1 + auto-committed 1
          ready I
        """)
