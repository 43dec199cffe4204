"""Laws of the diamond, of merging, and of the verdict."""

from hypothesis import given
from hypothesis import strategies as st

from killpoint.checks.guarantee import Guarantee, join
from killpoint.checks.outcome import Outcome, merge
from killpoint.checks.verdict import ExitCode, Judged, verdict

guarantees = st.sampled_from(Guarantee)
outcomes = st.sampled_from(Outcome)
judged = st.builds(Judged, outcomes, st.none() | st.just("because"), st.booleans())
runs = st.lists(judged, max_size=6)
requirements = st.none() | guarantees
GOOD = [Judged(Outcome.CLEAN)] * 2


@given(guarantees, guarantees, guarantees)
def test_join_is_a_semilattice(a: Guarantee, b: Guarantee, c: Guarantee) -> None:
    assert join([a, a]) is a
    assert join([a, b]) is join([b, a])
    assert join([a, join([b, c])]) is join([join([a, b]), c])


@given(guarantees, guarantees, guarantees)
def test_meets_is_a_partial_order(a: Guarantee, b: Guarantee, c: Guarantee) -> None:
    assert a.meets(a)
    assert not (a.meets(b) and b.meets(a)) or a is b
    assert not (a.meets(b) and b.meets(c)) or a.meets(c)


@given(guarantees, guarantees, guarantees)
def test_join_is_the_strongest_that_both_meet(a: Guarantee, b: Guarantee, c: Guarantee) -> None:
    joined = join([a, b])
    assert a.meets(joined)
    assert b.meets(joined)
    assert not (a.meets(c) and b.meets(c)) or joined.meets(c)


@given(st.lists(outcomes, min_size=1), st.lists(outcomes, min_size=1))
def test_merging_is_associative_and_commutative(left: list[Outcome], right: list[Outcome]) -> None:
    assert merge([merge(left), merge(right)]) is merge(left + right) is merge(right + left)


@given(st.lists(outcomes))
def test_merging_passes_only_what_is_clean_throughout(found: list[Outcome]) -> None:
    assert (merge(found) is Outcome.CLEAN) == (set(found) == {Outcome.CLEAN})


@given(runs, runs, requirements)
def test_the_order_of_scenarios_does_not_matter(
    clean: list[Judged], scenarios: list[Judged], required: Guarantee | None
) -> None:
    found, turned = (verdict(clean, each, required) for each in (scenarios, scenarios[::-1]))
    assert (found.guarantee, found.met, found.exit_code) == (
        turned.guarantee,
        turned.met,
        turned.exit_code,
    )


@given(runs, runs, requirements)
def test_a_pass_is_never_hollow(
    clean: list[Judged], scenarios: list[Judged], required: Guarantee | None
) -> None:
    found = verdict(clean, scenarios, required)
    if found.exit_code is ExitCode.MET:
        assert {run.outcome for run in clean} == {Outcome.CLEAN}
        assert any(each.outcome is not Outcome.INCONCLUSIVE for each in scenarios)
        assert not any(each.outcome is Outcome.STUCK for each in scenarios)
        assert found.guarantee is not None
        assert required is None or found.guarantee.meets(required)
        assert Outcome.INCONCLUSIVE not in {each.outcome for each in scenarios if each.required}


@given(runs, runs, requirements)
def test_met_and_the_exit_code_agree(
    clean: list[Judged], scenarios: list[Judged], required: Guarantee | None
) -> None:
    found = verdict(clean, scenarios, required)
    assert (found.met is False) == (found.exit_code is ExitCode.NOT_MET)
    assert found.met is not True or (required is not None and found.exit_code is ExitCode.MET)
    assert required is not None or found.met is not True


@given(runs, requirements, runs)
def test_a_refutation_stands(
    scenarios: list[Judged], required: Guarantee | None, more: list[Judged]
) -> None:
    before, after = verdict(GOOD, scenarios, required), verdict(GOOD, scenarios + more, required)
    if before.met is False:
        assert after.met is False
    if before.guarantee not in (None, Guarantee.EFFECTIVELY_ONCE):
        assert after.guarantee is not None
        assert before.guarantee is not None
        assert before.guarantee.meets(after.guarantee)
