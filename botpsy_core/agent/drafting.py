"""Turn what was decided into a call with final values, wrong ones included, for the gate to judge."""

from dataclasses import replace

from botpsy_core.catalog import resolve
from botpsy_core.domain.decisions import RawCall
from botpsy_core.domain.offer import Offer
from botpsy_core.domain.tools import ToolCall
from botpsy_core.domain.values import JsonValue
from botpsy_core.errors import BadArguments


def draft(raw: RawCall, offer: Offer, call_id: str) -> ToolCall:
    """Return the call; a value that was offered but breaks its schema stays, so that the gate can name it.

    Raises UnknownTool for a tool that was not offered.
    """
    kept = raw
    wrong: dict[str, JsonValue] = {}
    while True:
        try:
            call = resolve(kept, offer=offer, call_id=call_id)
        except BadArguments as fault:
            name = next((n for n in kept.args if fault.path == n or fault.path.startswith((f"{n}.", f"{n}["))), None)
            if name is None:
                raise
            value = _offered_value(offer, raw.name, name, kept.args[name])
            if value is not None:
                wrong[name] = value
            kept = replace(kept, args={k: v for k, v in kept.args.items() if k != name})
        else:
            return replace(call, args={**call.args, **wrong})


def _offered_value(offer: Offer, tool: str, argument: str, label: JsonValue) -> JsonValue:
    offered = offer.tool(tool)
    for slot in offered.slots if offered is not None else ():
        if slot.argument.name == argument:
            return next((c.value for c in slot.choices if label in (c.label, c.value)), None)
    return None
