"""Requests over MQTT, each in the name of the user whom its topic stands for."""

from collections.abc import Mapping

from homeassistant.auth.models import User
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import Context, HomeAssistant
from homeassistant.util import slugify
from homeassistant.util.limited_size_dict import LimitedSizeDict

from botpsy_core.bridge import Answer, Request, RequestServer, RequestSettings, Say, UseTool
from botpsy_core.domain.context import Origin
from botpsy_core.domain.values import JsonObject

from .answering import response_of
from .const import CONF_MQTT_REQUESTS, CONF_REQUEST_USERS, DOMAIN
from .hass_transport import HassTransport
from .runtime import BotPsyRuntime

KEPT_QUESTIONS = 100


async def async_request_users(hass: HomeAssistant, entry: ConfigEntry) -> Mapping[str, str]:
    """Return who may ask: the last level of the request topic, and the user's id; empty where nobody may."""
    if not entry.options.get(CONF_MQTT_REQUESTS):
        return {}
    users = [await hass.auth.async_get_user(each) for each in entry.options.get(CONF_REQUEST_USERS, ())]
    return {key_of(user): user.id for user in users if user and user.is_active}


def key_of(user: User) -> str:
    """Return the last level of a user's request topic."""
    return slugify(user.name or "") or user.id


class MqttRequests:
    """Runs what comes in, and remembers which question belongs to which request."""

    def __init__(self, runtime: BotPsyRuntime, users: Mapping[str, str]) -> None:
        """Listen for nobody else."""
        self._runtime = runtime
        self._questions: LimitedSizeDict[str, str] = LimitedSizeDict(size_limit=KEPT_QUESTIONS)
        self.server = RequestServer(HassTransport(runtime.hass), runtime.clock, self._run, RequestSettings(users=users))

    async def _run(self, request: Request) -> JsonObject:
        """Do one request; the answer's fields are those of `botpsy.run`."""
        context = Context(user_id=request.user)
        origin = Origin.AGENT if isinstance(request.ask, UseTool) else Origin.MQTT
        frame = await self._runtime.askers.frame(
            context, origin=origin, conversation_id=f"mqtt-{request.user}", deadline_s=request.deadline_s
        )
        match request.ask:
            case Say(text=text):
                deltas = await self._runtime.async_utter(text, context=frame, agent_id=DOMAIN)
            case UseTool(tool=tool, args=args):
                deltas = await self._runtime.async_use(tool, args, context=frame, agent_id=DOMAIN)
            case Answer(accept=accept, pin=pin, to=to):
                pending = self._questions.get(to, to) if to else None
                deltas = await self._runtime.async_confirm(
                    pending, accept=accept, pin=pin, context=frame, agent_id=DOMAIN
                )
        if deltas.ended and deltas.ended.pending:
            self._questions[request.id] = deltas.ended.pending
        return response_of(deltas, frame)
