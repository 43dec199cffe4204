"""`killpoint help`."""

import pytest

from killpoint.cli.commands.explain import TOPICS, explain
from killpoint.cli.errors import UserError
from killpoint.cli.exit_codes import ExitCode


@pytest.mark.parametrize("topic", sorted(TOPICS))
def test_every_topic_has_a_text(topic: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert explain(topic) is ExitCode.MET
    assert len(capsys.readouterr().out.splitlines()) > 5


def test_an_unknown_topic_is_answered_with_those_that_there_are() -> None:
    with pytest.raises(UserError) as told:
        explain("weather")
    assert all(topic in (told.value.do or "") for topic in TOPICS)
