"""Small programs in memory that keep a state: what a public suite's functions act on when a case takes several turns.

Written from the functions' own schemas and from what their documentation says that they return.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from typing import Protocol, runtime_checkable

from botpsy_core.evaluate.car_program import CarProgram
from botpsy_core.evaluate.cases import Case, Record
from botpsy_core.evaluate.sum_program import SumProgram
from botpsy_core.evaluate.text_programs import MessageProgram, PostProgram, TicketProgram

RENAMED = "renamed"
"""Key of `expected` of a case under other names: their true ones, for the programs alone."""
ERROR = "error"
"""The key of a result that says why nothing was done."""


class Program(Protocol):
    """Something with a state and named functions."""

    def functions(self) -> Mapping[str, Callable[..., Record]]:
        """Return the functions by name."""
        ...


@runtime_checkable
class Foresighted(Protocol):
    """A program that tells what a call needs before it is made."""

    def unmet(self, name: str, args: Record) -> Sequence[str]:
        """Return everything that has to be so before a call, and is not."""
        ...


_PROGRAMS: Mapping[str, Callable[[Record], Program]] = {
    "VehicleControlAPI": CarProgram,
    "TwitterAPI": PostProgram,
    "MessageAPI": MessageProgram,
    "TicketAPI": TicketProgram,
    "MathAPI": SumProgram,
}
"""By the name under which a case gives their first state."""


class Simulation:
    """The programs of one case, from its first state on."""

    def __init__(self, names: tuple[str, ...], first: Record, renamed: Record | None = None) -> None:
        """Start the programs of these names that are known; `renamed` tells the true `tools` and `keys` of calls."""
        self._renamed = renamed or {}
        self._programs = [_PROGRAMS[name](first.get(name) or {}) for name in names if name in _PROGRAMS]

    def knows(self, name: str) -> bool:
        """Return True if one of the programs has the function."""
        true = self._true("tools", name)
        return any(true in program.functions() for program in self._programs)

    def perform(self, name: str, args: Record) -> Record:
        """Carry a call out and return its result; what cannot be done is told under `error` and changes nothing."""
        return _perform(self._programs, self._true("tools", name), self._args(args))

    def unmet(self, name: str, args: Record) -> tuple[str, ...]:
        """Return why a call would fail right now: everything that a program knows beforehand, or what it would say."""
        true, true_args = self._true("tools", name), self._args(args)
        known = [t for p in self._programs if isinstance(p, Foresighted) for t in p.unmet(true, true_args)]
        trouble = self.trouble(name, args)
        return tuple(known) or ((trouble,) if trouble else ())

    def trouble(self, name: str, args: Record) -> str:
        """Return why a call would fail right now, or an empty text; changes nothing."""
        told = _perform(deepcopy(self._programs), self._true("tools", name), self._args(args))
        return str(told.get(ERROR, ""))

    def _true(self, kind: str, name: str) -> str:
        return str(self._renamed.get(kind, {}).get(name, name))

    def _args(self, args: Record) -> Record:
        return {self._true("keys", key): value for key, value in args.items()}


def _perform(programs: list[Program], name: str, args: Record) -> Record:
    for program in programs:
        function = program.functions().get(name)
        if function is not None:
            try:
                return function(**args)
            except (TypeError, ValueError, KeyError, ArithmeticError, AttributeError) as fault:
                return {ERROR: f"{name} cannot be called like this: {fault}"}
    return {ERROR: f"there is no function {name}"}


def simulation_of(case: Case) -> Simulation:
    """Return the programs that a case of several turns acts on, in their first state."""
    names = tuple(str(name) for name in case.expected.get("involved_classes", ()))
    return Simulation(names, case.expected.get("initial_config") or {}, case.expected.get(RENAMED))
