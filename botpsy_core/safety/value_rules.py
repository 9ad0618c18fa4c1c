"""The gate's rules about values: what a tool needs and nobody said, cannot take, or was never said."""

from botpsy_core.domain.tools import Argument, Risk, Role
from botpsy_core.domain.verdicts import AskKind, Reason
from botpsy_core.safety.case import Case, Finding
from botpsy_core.safety.grounding import required
from botpsy_core.safety.offending import offence_in
from botpsy_core.safety.validity import range_of, valid

_MEANT_NUMBER = 0.95
"""The model's probability of a number that was not said, from which it is taken to be meant."""


def misfit(case: Case) -> Finding:
    """Ask again where the words give a foreign tool's argument a value that it cannot take."""
    offence = offence_in(case.spec, case.call, case.heard) if case.only_schema else None
    if offence is None:
        return None
    argument = offence.argument
    return case.ask(
        AskKind.CLARIFY,
        Reason.WRONG_ARGUMENT,
        argument=argument.name,
        value=offence.said,
        range=range_of(argument),
    )


def missing(case: Case) -> Finding:
    """Ask for what the tool needs and nobody said."""
    for argument in required(case.spec, case.call):
        options = _choices(case, argument.name)
        if argument.role is Role.TARGET and not options and _is_out_of_bounds(case):
            return case.refuse(Reason.NOT_EXPOSED)
        which = argument.role is Role.TARGET and len(options) > 1
        return case.ask(
            AskKind.CLARIFY,
            Reason.AMBIGUOUS_TARGET if which else Reason.MISSING_ARGUMENT,
            argument=argument.name,
            options=options,
            range=range_of(argument),
        )
    return None


def _is_out_of_bounds(case: Case) -> bool:
    """Return True if what was named is none of the things that this turn may touch."""
    allowed = case.context.entities
    return allowed is not None and any(allowed.isdisjoint(t.entities) for t in case.clause.targets)


def wrong(case: Case) -> Finding:
    """Ask again for a value that the tool cannot take, with its range; refuse an argument that it does not have."""
    unknown = next((name for name in case.call.args if case.spec.argument(name) is None), None)
    if unknown is not None:
        return case.refuse(Reason.WRONG_ARGUMENT, argument=unknown)
    for argument in case.spec.arguments:
        value = case.call.args.get(argument.name)
        if value is not None and not valid(argument, value):
            return case.ask(
                AskKind.CLARIFY,
                Reason.WRONG_ARGUMENT,
                argument=argument.name,
                value=str(value),
                range=range_of(argument),
            )
    return None


def invented(case: Case) -> Finding:
    """Ask for a needed value that stands nowhere in the words; refuse one that nobody needed.

    The one option that the words leave may be meant without being said, where a lamp or an answer is all that hangs on
    it; so may a number of which the model is certain ("a full deck"), where it only reads.
    """
    for name in case.grounding.ungrounded:
        argument = case.spec.argument(name)
        if argument is None:
            return case.refuse(Reason.WRONG_ARGUMENT, argument=name)
        if argument.required and _is_meant(case, argument):
            continue
        if argument.required:
            return case.ask(
                AskKind.CLARIFY,
                Reason.MISSING_ARGUMENT,
                argument=name,
                options=_choices(case, name),
                range=range_of(argument),
            )
        return case.refuse(Reason.UNGROUNDED, argument=name)
    return None


def _is_meant(case: Case, argument: Argument) -> bool:
    sure = case.evidence.p_args.get(argument.name)
    if argument.role is Role.OPTION or "enum" in argument.schema:
        return case.stake.risk.rank <= Risk.COMFORT.rank and sure is None
    number = argument.role is Role.NUMBER and case.stake.risk is Risk.READ
    return number and sure is not None and sure >= _MEANT_NUMBER


def _choices(case: Case, argument: str) -> tuple[str, ...]:
    if case.offered is None:
        return ()
    return tuple(c.label for s in case.offered.slots if s.argument.name == argument for c in s.choices)[:6]
