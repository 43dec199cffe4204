"""What was tried of what could be: moments, crash states and their classes.

Counterpart: the examination tells the places at which runs were really stopped; the report and
`--json` show the numbers. A crash state counts as tried when it was really left, not when the
moment that should have left it was reached.
"""

from collections.abc import Iterable, Sequence

from killpoint.cli.result import Coverage
from killpoint.faults.crash_class import Scale, class_of
from killpoint.faults.durability import Place
from killpoint.faults.sweep import SweepMoment


def coverage(
    found: Sequence[SweepMoment], reached: Iterable[str], left: Iterable[Place], scale: Scale | None
) -> Coverage:
    """`reached`: names of moments that were reached; `left`: where the first faults struck."""
    states = {moment.state for moment in found}
    classes = {moment.crash_class for moment in found}
    places = list(left)
    return Coverage(
        moments=len(found),
        required=sum(moment.required for moment in found),
        exercised=len(set(reached)),
        crash_states=len(states),
        crash_states_exercised=len(states & {place.state for place in places}),
        classes=len(classes),
        classes_exercised=len(classes & {class_of(p, scale) for p in places} if scale else ()),
    )
