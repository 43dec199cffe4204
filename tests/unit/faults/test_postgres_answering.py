"""The server's answers where they are not what was hoped for: errors in turns and transactions."""

from tests.support.postgres_talk import right


def test_an_error_skips_to_the_sync() -> None:
    right(
        """
        > P s: insert into a values ($1) | B : s | E | B : s | E | S
          write 1 a
          write 1 a
          auto-commit 1
        < 1 | 2 | E 23505 | Z I
          failed 23505 refused
          ready I
        > B : s | E | S
        < E 26000 | Z I
          failed 26000 refused
          ready I
        """.replace("> B : s | E | S\n        < E 26000", "> Q select s\n        < E 26000")
    )


def test_an_error_in_a_pipeline_that_holds_a_whole_transaction() -> None:
    """COMMIT was skipped, so the transaction is still open, and failed."""
    right("""
        > P : begin | B : | E | P : insert into a values (1) | B : | E | P : commit | B : | E | S
          begin 1
          write 1 a
          commit 1
        < 1 | 2 | C BEGIN | 1 | 2 | E 23505 | Z E
          begun 1
          failed 23505 refused
          ready E
        > Q rollback
          rollback 1
        < C ROLLBACK | Z I
          rolled back 1
          ready I
        > Q insert into a values (1)
          write 2 a + auto-commit 2
        < C INSERT 0 1 | Z I
          wrote 2 1 + auto-committed 2
          ready I
        """)


def test_commit_asked_after_an_error_in_its_open_pipeline_is_ignored_as_the_server_does() -> None:
    right("""
        > P : begin | B : | E | P : insert into a values (1) | B : | E | H
          begin 1
          write 1 a
        < 1 | 2 | C BEGIN | 1 | 2 | E 23505
          begun 1
          failed 23505 refused
        > P : commit | B : | E | S
        < Z E
          ready E
        > P : commit | B : | E | S
          rollback 1
        < 1 | 2 | C ROLLBACK | Z I
          rolled back 1
          ready I
        """)


def test_what_is_asked_after_an_error_in_an_implicit_transaction_commits_nothing() -> None:
    right("""
        > P : insert into a values (1) | B : | E | H
          write 1 a
        < 1 | 2 | E 23505
          failed 23505 refused
        > P s: insert into b values (1) | B : s | E | S
        < Z I
          ready I
        """)


def test_commit_already_under_way_is_answered_as_rollback() -> None:
    """The second turn was asked before the first failed: asked as commit, answered as rollback."""
    right("""
        > P : begin | B : | E | S | P : insert into a values (1) | B : | E | S
          begin 1
          write 1 a
        > P : commit | B : | E | S
          commit 1
        < 1 | 2 | C BEGIN | Z T | E 23505 | Z E
          begun 1
          ready T
          failed 23505 refused
          ready E
        < 1 | 2 | C ROLLBACK | Z I
          rolled back 1
          ready I
        """)


def test_failure_of_the_commit_itself() -> None:
    right("""
        > Q begin; insert into a values (1)
          begin 1 + write 1 a
        < C BEGIN | C INSERT 0 1 | Z T
          begun 1
          wrote 1 1
          ready T
        > Q commit
          commit 1
        < E 40001 | Z I
          failed 40001 refused
          ready I
        > Q begin
          begin 2
        < C BEGIN | Z T
          begun 2
          ready T
        """)


def test_failure_at_the_sync_of_autocommit() -> None:
    """A deferred constraint: the write was answered, the commit fails."""
    right("""
        > P : insert into a values (1) | B : | E | S
          write 1 a
          auto-commit 1
        < 1 | 2 | C INSERT 0 1 | E 23503 | Z I
          wrote 1 1
          failed 23503 refused
          ready I
        """)


def test_prepare_transaction_of_a_failed_transaction_is_a_rollback() -> None:
    right("""
        > Q begin; insert into a values (1)
          begin 1 + write 1 a
        < C BEGIN | E 23505 | Z E
          begun 1
          failed 23505 refused
          ready E
        > Q prepare transaction 'x'
          rollback 1
        < C ROLLBACK | Z I
          rolled back 1
          ready I
        """)


def test_a_query_in_a_turn_that_failed_is_ignored_as_the_server_does() -> None:
    right("""
        > P : select nonsense | H
        < E 42703
          failed 42703 refused
        > Q select 1
        > S
        < Z I
          ready I
        > Q select 1
        < C SELECT 1 | Z I
          ready I
        """)
