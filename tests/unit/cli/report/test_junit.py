"""The JUnit file, read back: cases, failures, errors, and never a hollow pass."""

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from killpoint.checks.guarantee import Guarantee
from killpoint.checks.outcome import Outcome
from killpoint.cli.exit_codes import ExitCode
from killpoint.cli.progress import VerdictGiven
from killpoint.cli.report.junit import junit_text, write_junit
from tests.support.results import KINDS, LONG_MOMENT, result, scenario, verdict


def suite_of(last: VerdictGiven) -> Element:
    suite = ElementTree.fromstring(junit_text(last)).find("testsuite")
    assert suite is not None
    return suite


def tags(suite: Element) -> list[list[str]]:
    return [[child.tag for child in case] for case in suite.findall("testcase")]


@pytest.mark.parametrize("kind", KINDS)
def test_the_counts_are_those_of_the_cases(kind: str) -> None:
    suite = suite_of(verdict(kind))
    assert int(suite.attrib["tests"]) == len(suite.findall("testcase"))
    assert int(suite.attrib["failures"]) == len(suite.findall("testcase/failure"))
    assert int(suite.attrib["errors"]) == len(suite.findall("testcase/error"))


def test_a_case_for_each_scenario() -> None:
    suite = suite_of(verdict("failed"))
    names = [case.attrib["name"] for case in suite.findall("testcase")]
    assert len(names) == 6
    assert names[3] == LONG_MOMENT
    assert tags(suite) == [[], ["failure"], ["failure"], ["failure"], ["failure"], ["skipped"]]


def test_a_failure_tells_its_cause_its_keys_and_how_to_repeat_it() -> None:
    failure = suite_of(verdict("failed")).find("testcase/failure")
    assert failure is not None
    assert failure.attrib["type"] == "counted twice"
    assert "saved after COMMIT" in failure.attrib["message"]
    text = failure.text or ""
    assert "code=link-1   expected      1   actual      2" in text
    assert "killpoint run --at 'postgres.commit#1:after' --action kill" in text


def test_inconclusive_is_an_error_and_no_failure() -> None:
    suite = suite_of(verdict("inconclusive"))
    assert tags(suite) == [[], ["error"]]
    error = suite.find("testcase/error")
    assert error is not None
    assert error.attrib["message"] == "the moment was not reached in 30 s"


def test_stuck_is_a_failure() -> None:
    assert tags(suite_of(verdict("stuck"))) == [["failure"]]


def test_what_the_requirement_admits_is_no_failure() -> None:
    found = result(
        scenario(1, "postgres.commit#1:after", Outcome.COUNTED_TWICE),
        scenario(2, "postgres.commit#1:before", Outcome.LOST),
        required=Guarantee.AT_LEAST_ONCE,
    )
    suite = suite_of(VerdictGiven(found, ExitCode.NOT_MET, 2.0))
    assert tags(suite) == [["system-out"], ["failure"]]


@pytest.mark.parametrize(("kind", "tag"), [("wrong", "failure"), ("interrupted", "error")])
def test_a_run_that_did_not_pass_never_reads_as_a_pass(kind: str, tag: str) -> None:
    suite = suite_of(verdict(kind))
    case = suite.findall("testcase")[-1]
    assert case.attrib["name"] == "verdict"
    assert [child.tag for child in case] == [tag]


def test_the_properties() -> None:
    found = {
        one.attrib["name"]: one.attrib["value"]
        for one in suite_of(verdict("failed")).findall("properties/property")
    }
    assert found == {
        "killpoint": "0.1.0",
        "run": "r1",
        "stack": "embedded",
        "guarantee": "at least once",
        "required": "effectively once",
        "bound": "under one kill",
        "coverage": "5 of 6 moments (5 required)",
    }


def test_characters_that_xml_cannot_hold_are_escaped() -> None:
    last = verdict("inconclusive")
    bad = replace(last.result.scenarios[1], reason="a\x00b\x1b\udc80 <&>")
    found = replace(last.result, scenarios=(bad,))
    error = suite_of(replace(last, result=found)).find("testcase/error")
    assert error is not None
    assert error.attrib["message"] == "a\\x00b\\x1b\\udc80 <&>"


def test_the_file_holds_the_text(tmp_path: Path) -> None:
    write_junit(tmp_path / "junit.xml", verdict("failed"), "my.toml")
    text = (tmp_path / "junit.xml").read_text(encoding="utf-8")
    assert text == junit_text(verdict("failed"), "my.toml")
    assert "killpoint run my.toml --at" in text
