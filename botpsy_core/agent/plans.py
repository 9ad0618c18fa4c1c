"""The book of acts that were put off: each is done once, or it is said why not."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from enum import StrEnum

from botpsy_core.agent.awaiting import is_so
from botpsy_core.domain.events import Ended
from botpsy_core.domain.home import Entity
from botpsy_core.domain.plans import PlannedAct, planned_from
from botpsy_core.errors import LimitReached
from botpsy_core.ports import Clock, PlanStore

_LOGGER = logging.getLogger(__name__)

LATE = timedelta(minutes=15)
"""How late an act may be done that could not be done in time; what is later has lost its sense."""
MOST = 100
"""Acts that may be planned at once."""

type CarryOut = Callable[[PlannedAct], Awaitable[Ended]]
"""Puts a due act through the gate with its asker's rights, and does it."""
type Listener = Callable[[], None]
type Book = dict[str, PlannedAct]
type Change = Callable[[Book], Book]


class Missed(StrEnum):
    """Why a due act was not done at all."""

    TOO_LATE = "too_late"
    """Nobody was running when it was due."""
    NEVER = "never"
    """What it waited for did not happen in time."""
    UNSEEN = "unseen"
    """What it waited for happened while nobody was running."""
    INTERRUPTED = "interrupted"
    """It had begun when everything stopped; it may have happened and is not repeated."""


type Tell = Callable[[PlannedAct, Ended | Missed], Awaitable[None]]
"""Hears what became of each act, once."""


class Plans:
    """Planned acts, soonest first; every change is safe in the store before anything follows from it."""

    def __init__(self, store: PlanStore, clock: Clock) -> None:
        """Take the store and the clock; `load` reads what is there."""
        self._store = store
        self._clock = clock
        self._acts: dict[str, PlannedAct] = {}
        self._listeners: list[Listener] = []
        self._number = 0
        self._writing = asyncio.Lock()
        self._closed = False

    @property
    def acts(self) -> tuple[PlannedAct, ...]:
        """Return what is planned, soonest first."""
        return tuple(sorted(self._acts.values(), key=lambda act: (act.at, act.id)))

    @property
    def next_at(self) -> datetime | None:
        """Return when something is due next."""
        return min((act.at for act in self._acts.values()), default=None)

    @property
    def awaited(self) -> frozenset[str]:
        """Return the things that something waits for."""
        return frozenset(act.on.entity for act in self._acts.values() if act.on is not None)

    async def notice(self, entity: Entity) -> None:
        """Take in how a thing is now: an act that waited for it is due, or lost where nobody saw it happen."""
        if not self._closed:
            await self._change(lambda acts: {k: self._noticed(act, entity) for k, act in acts.items()})

    def _noticed(self, act: PlannedAct, entity: Entity) -> PlannedAct:
        on = act.on
        so = is_so(entity, on.way) if on is not None and on.entity == entity.id and not act.begun else None
        if on is None or so is None or on.lost:
            return act
        if not so:
            return replace(act, on=replace(on, seen=True, stale=False))
        if not on.seen:
            return replace(act, on=replace(on, stale=False))
        now = self._clock.now()
        return replace(act, at=now, on=replace(on, lost=True) if on.stale else None)

    def on_change(self, listener: Listener) -> Callable[[], None]:
        """Call back after every change; return what stops it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    async def load(self) -> None:
        """Take up what was saved; what cannot be read is left out, and the log says so."""
        for each in await self._store.load():
            try:
                act = planned_from(each)
            except ValueError, KeyError, TypeError:
                _LOGGER.warning("a planned act cannot be read any more and was left out")
            else:
                self._acts[act.id] = act
        self._changed()

    def new_id(self) -> str:
        """Return an id that no planned act has."""
        self._number += 1
        made = f"{self._clock.now():%Y%m%d%H%M%S}-{self._number}"
        return made if made not in self._acts else self.new_id()

    async def add(self, act: PlannedAct) -> None:
        """Plan an act; raise LimitReached where too much is planned already."""
        if self._closed or len(self._acts) >= MOST:
            raise LimitReached(f"{MOST} acts are planned already")
        await self._change(lambda acts: {**acts, act.id: act})

    async def cancel(self, ids: Iterable[str]) -> tuple[PlannedAct, ...]:
        """Forget acts that have not begun; return those that were there."""
        gone = [act for each in ids if (act := self._acts.get(each)) is not None and not act.begun]
        if gone and not self._closed:
            await self._change(lambda acts: {k: v for k, v in acts.items() if v not in gone})
        return tuple(gone)

    async def shift(self, act_id: str, seconds: float) -> None:
        """Let an act that has not begun be due so much later; raise LimitReached where it is gone."""
        act = self._acts.get(act_id)
        if act is None or act.begun or self._closed:
            raise LimitReached(f"{act_id!r} is not planned any more")
        await self._change(_replaced(replace(act, at=act.at + timedelta(seconds=seconds))))

    def close(self) -> None:
        """Begin and change nothing any more; what is kept stays as it is."""
        self._closed = True

    async def run_due(self, carry_out: CarryOut, tell: Tell) -> None:
        """Do what is due, one after the other, and tell what became of each."""
        now = self._clock.now()
        for act in [a for a in self.acts if a.at <= now or a.begun]:
            if self._closed or act.id not in self._acts:
                continue  # it was forgotten while another one was done
            told: Ended | Missed
            if act.begun:
                told = Missed.INTERRUPTED
            elif act.on is not None:
                told = Missed.UNSEEN if act.on.lost else Missed.NEVER
            elif now - act.at > LATE:
                told = Missed.TOO_LATE
            else:
                await self._change(_replaced(act.started()))
                told = await carry_out(act)
            await tell(act, told)
            await self._change(_without(act.id))

    async def _change(self, change: Change) -> None:
        """Write a changed book down, one change after the other: none may be made from an older book."""
        async with self._writing:
            acts = change(self._acts)
            if acts == self._acts:
                return
            await self._store.save([act.to_json() for act in acts.values()])
            self._acts = acts
        self._changed()

    def _changed(self) -> None:
        for listener in tuple(self._listeners):
            listener()


def _replaced(act: PlannedAct) -> Change:
    return lambda acts: {**acts, act.id: act}


def _without(act_id: str) -> Change:
    return lambda acts: {k: v for k, v in acts.items() if k != act_id}
