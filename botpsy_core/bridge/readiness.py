"""What the world says about a command right now; asked before a question, after the answer, and before publishing."""

from collections.abc import Mapping
from dataclasses import dataclass

from botpsy_core.bridge.conditions import Truth, judge
from botpsy_core.bridge.device import Device
from botpsy_core.bridge.freshness import Inbox, Presence
from botpsy_core.bridge.limits import Ledger
from botpsy_core.bridge.profile import Command, ConfirmLevel
from botpsy_core.bridge.signals import Condition, OnUnknown, Scalar
from botpsy_core.domain.verdicts import AskKind, Readiness

_WAIT_S = 5.0
_NOOP_WAIT_S = 1.0
_ASK = {ConfirmLevel.NONE: None, ConfirmLevel.YES: AskKind.CONFIRM, ConfirmLevel.PIN: AskKind.PIN}


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """The preconditions of one command, judged."""

    unmet: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()
    doubtful: bool = False
    """True if something is not known and a person's yes makes up for it."""


def judge_all(device: Device, command: Command, wire: Mapping[str, Scalar], inbox: Inbox) -> Judged:
    """Judge every precondition; only live messages count."""
    unmet: list[str] = []
    stale: list[str] = []
    doubtful = False
    for condition in command.preconditions:
        match judge(condition, inbox=inbox, device=device, wire=wire, proof=True), condition.on_unknown:
            case Truth.FALSE, _:
                unmet.append(device.said(condition.say))
            case Truth.UNKNOWN, OnUnknown.REFUSE:
                stale.append(_unknown(device, condition))
            case Truth.UNKNOWN, OnUnknown.CONFIRM:
                doubtful = True
            case _:
                pass
    return Judged(unmet=tuple(unmet), stale=tuple(stale), doubtful=doubtful)


def readiness_of(
    device: Device, command: Command, wire: Mapping[str, Scalar], *, inbox: Inbox, connected: bool, ledger: Ledger
) -> Readiness:
    """Return what stands in the command's way, if anything; reads, and changes nothing."""
    problem = _absence(device, inbox, connected=connected)
    judged = judge_all(device, command, wire, inbox)
    already_so = command.noop_if is not None and (
        judge(command.noop_if, inbox=inbox, device=device, wire=wire, proof=False) is Truth.TRUE
    )
    wait_s = ledger.wait_s(device.slug, command)
    unmet = judged.unmet
    if wait_s > 0 and not already_so:
        unmet = (
            *unmet,
            f"This was just sent to {device.name}; it may be sent again in {max(1, round(wait_s))} seconds.",
        )
    confirm = _ASK[command.confirm]
    return Readiness(
        available=not problem,
        enabled=command.name in device.enabled,
        already_so=already_so,
        unmet=unmet,
        stale=judged.stale,
        risk=command.risk,
        confirm=AskKind.CONFIRM if confirm is None and judged.doubtful else confirm,
        problem=problem,
        readback=device.said(command.readback),
        confirm_ttl_s=command.confirm_ttl_s,
    )


def worth_waiting_s(device: Device, command: Command, wire: Mapping[str, Scalar], inbox: Inbox) -> float:
    """Return how long fresh values are worth waiting for: long for a precondition, short to save a needless command."""
    if inbox.presence(device) is not Presence.ONLINE:
        return 0.0
    unknown = (
        judge(c, inbox=inbox, device=device, wire=wire, proof=True) is Truth.UNKNOWN for c in command.preconditions
    )
    if any(unknown):
        return _WAIT_S
    noop = command.noop_if
    if noop is not None and judge(noop, inbox=inbox, device=device, wire=wire, proof=False) is Truth.UNKNOWN:
        return _NOOP_WAIT_S
    return 0.0


def _absence(device: Device, inbox: Inbox, *, connected: bool) -> str:
    """Return why the device cannot be reached, or an empty text."""
    if not connected:
        return "There is no connection to the MQTT broker."
    match inbox.presence(device):
        case Presence.ONLINE:
            return ""
        case Presence.OFFLINE:
            return f"{device.name} is offline."
        case Presence.UNSEEN:
            return f"{device.name} has not been seen on MQTT yet."


def _unknown(device: Device, condition: Condition) -> str:
    signal = device.signals[condition.signal]
    return device.said(condition.say_unknown) or f"The {signal.title} of {device.name} is not known at the moment."
