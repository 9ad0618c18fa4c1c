"""MQTT as a way in: one request topic for each user whom the owner enabled, answers under one fixed prefix."""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace

from botpsy_core.bridge.bucket import Bucket
from botpsy_core.bridge.claims import Claim, Claims
from botpsy_core.bridge.request_memory import RequestMemory, Seen
from botpsy_core.bridge.request_parse import Fault, Request, RequestFault, parse_request
from botpsy_core.bridge.topics import Filter, InvalidTopic, Topic, segment
from botpsy_core.bridge.transport import Message, Transport, Unsubscribe
from botpsy_core.domain.values import JsonObject
from botpsy_core.errors import TransportLost
from botpsy_core.ports import Clock

_LOGGER = logging.getLogger(__name__)

type Runner = Callable[[Request], Awaitable[JsonObject]]
"""Does one request and returns `status`, `calls`, `reason`, `reply`; keeps to the request's `deadline_s` itself."""

_GRACE_S = 2.0
"""How long a runner may overrun its deadline before the answer is: unconfirmed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestSettings:
    """The way in, as the owner set it up."""

    users: Mapping[str, str]
    """Last level of the request topic -> whatever the runner knows the user by. Empty: nothing is subscribed."""
    request_prefix: str = "botpsy/request"
    response_prefix: str = "botpsy/response"
    claim_prefix: str = "botpsy/claim"
    group: str | None = None
    """Name of the shared subscription, where several bridges serve one broker."""
    burst: int = 6
    """Requests that one user may send at once."""
    per_minute: int = 20
    longest_s: float = 60.0
    waiting: int = 4
    """Requests of one user that wait while one is being done; more are turned away."""


@dataclass(slots=True, kw_only=True)
class RequestCounts:
    """What came in; for diagnostics."""

    done: int = 0
    turned_away: int = 0
    dropped: int = 0
    """Beyond what is answered at all."""
    retained: int = 0
    doubled: int = 0


@dataclass(slots=True, kw_only=True)
class _User:
    """One user's limits and queue."""

    key: str
    user: str
    requests: Bucket
    answers: Bucket
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    waiting: int = 0


class RequestServer:
    """Answers requests; each is done at most once."""

    def __init__(
        self,
        transport: Transport,
        clock: Clock,
        runner: Runner,
        settings: RequestSettings,
        *,
        on_retained: Callable[[str], None] | None = None,
    ) -> None:
        self._transport = transport
        self._clock = clock
        self._runner = runner
        self._settings = settings
        self._on_retained = on_retained
        self._memory = RequestMemory(clock)
        self._claims = Claims(transport, settings.claim_prefix) if settings.group else None
        self._users = {
            segment(key): _User(
                key=key,
                user=user,
                requests=Bucket(clock, burst=settings.burst, per_second=settings.per_minute / 60),
                answers=Bucket(clock, burst=20, per_second=5),
            )
            for key, user in settings.users.items()
        }
        self._stops: list[Unsubscribe] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self.counts = RequestCounts()

    async def start(self) -> None:
        """Subscribe to the request topics; with no user enabled, to nothing."""
        share = f"$share/{segment(self._settings.group)}/" if self._settings.group else ""
        if self._claims is not None and self._users:
            self._stops.append(await self._claims.start())
            for key in self._users:
                told = Filter(f"{self._settings.response_prefix}/{key}/#")
                self._stops.append(await self._transport.subscribe(told, self._others_answer))
        for key in self._users:
            topics = Filter(f"{share}{self._settings.request_prefix}/{key}")
            self._stops.append(await self._transport.subscribe(topics, self._receive))

    async def close(self) -> None:
        """Unsubscribe; requests that are being done are ended."""
        for stop in self._stops:
            stop()
        self._stops.clear()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _receive(self, message: Message) -> None:
        """Take one message; cheap, whatever it is."""
        user = self._users.get(message.topic.rpartition("/")[2])
        if user is None:
            return
        if message.retain:
            self.counts.retained += 1
            _LOGGER.warning("ignored a retained request on %s: a request must never be retained", message.topic)
            if self._on_retained is not None:
                self._on_retained(message.topic)
            return
        if not user.answers.take():
            self.counts.dropped += 1
            return
        task = asyncio.get_running_loop().create_task(self._serve(user, message), name=f"botpsy request {user.key}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, user: _User, message: Message) -> None:
        """Answer one request."""
        default = Topic(f"{self._settings.response_prefix}/{user.key}")
        topic = default
        try:
            request = parse_request(
                message.payload, user=user.user, now=self._clock.now(), longest_s=self._settings.longest_s
            )
            topic = self._response_topic(message, default, request.id)
            answer = await self._answer(user, request, message)
        except RequestFault as fault:
            self.counts.turned_away += 1
            answer = _turned_away(fault)
        if answer is not None:
            await self._publish(topic, answer, message.correlation)

    async def _answer(self, user: _User, request: Request, message: Message) -> bytes | None:
        """Return the answer, or None where somebody else gives it."""
        seen, known = self._memory.look(user.key, request.id, message.payload)
        match seen:
            case Seen.REUSED:
                raise RequestFault(Fault.REUSED_ID, "this id stands for another request", request.id)
            case Seen.RUNNING | Seen.ANSWERED:
                self.counts.doubled += 1
                return known
            case Seen.NEW:
                pass
        if not user.requests.take():
            raise RequestFault(Fault.RATE_LIMITED, "too many requests; wait a little", request.id)
        if user.waiting > self._settings.waiting:
            raise RequestFault(Fault.BUSY, "too many requests are waiting", request.id)
        self._memory.begin(user.key, request.id, message.payload)
        if self._claims is not None:
            match await self._claims.settle(user.key, request.id):
                case Claim.THEIRS:
                    return None
                case Claim.UNSETTLED:
                    self._memory.forget(user.key, request.id)
                    raise RequestFault(Fault.FAILED, "the bridges could not agree who does it; ask again", request.id)
                case Claim.OURS:
                    pass
        started = self._clock.monotonic()
        user.waiting += 1
        try:
            async with user.lock:
                answer = await self._run(request, waited_s=self._clock.monotonic() - started)
        finally:
            user.waiting -= 1
        self._memory.finish(user.key, request.id, answer)
        return answer

    async def _run(self, request: Request, *, waited_s: float) -> bytes:
        """Have the request done; what a runner breaks becomes an answer."""
        left_s = request.deadline_s - waited_s
        if left_s <= 0:
            return _encoded(request.id, {"status": "refused", "reason": Fault.EXPIRED, "reply": "", "calls": []})
        running = asyncio.ensure_future(self._runner(replace(request, deadline_s=left_s)))
        try:
            async with asyncio.timeout(left_s + _GRACE_S):
                # shielded: a command that is on its way must not be torn off, it may have been published
                result = await asyncio.shield(running)
        except TimeoutError:
            running.add_done_callback(lambda task: task.cancelled() or task.exception())
            return _encoded(request.id, {"status": "unconfirmed", "reason": "deadline", "reply": "", "calls": []})
        except asyncio.CancelledError:
            running.cancel()
            raise
        except Exception:
            _LOGGER.exception("a request of %s failed", request.user)
            return _encoded(request.id, {"status": "failed", "reason": Fault.FAILED, "reply": "", "calls": []})
        self.counts.done += 1
        return _encoded(request.id, result)

    def _response_topic(self, message: Message, default: Topic, request_id: str) -> Topic:
        """Return where to answer: the user's own topic, or one below it."""
        wanted = message.response_topic
        if wanted is None or wanted == default.name:
            return default
        try:
            topic = Topic(wanted)
        except InvalidTopic as error:
            raise RequestFault(Fault.RESPONSE_TOPIC, "the response topic is invalid", request_id) from error
        if not topic.name.startswith(f"{default.name}/"):
            raise RequestFault(Fault.RESPONSE_TOPIC, f"answers go to {default.name} or below", request_id)
        return topic

    def _others_answer(self, message: Message) -> None:
        """Remember what another instance answered."""
        parts = message.topic.removeprefix(f"{self._settings.response_prefix}/").split("/")
        try:
            request_id = json.loads(message.payload).get("id")
        except ValueError, AttributeError, RecursionError:
            return
        if isinstance(request_id, str) and parts[0] in self._users and not message.retain:
            self._memory.finish(parts[0], request_id, message.payload)

    async def _publish(self, topic: Topic, answer: bytes, correlation: bytes | None) -> None:
        try:
            qos = 1 if self._transport.answers else 0
            await self._transport.publish(topic, answer, qos=qos, expiry_s=60, correlation=correlation)
        except TransportLost:
            _LOGGER.info("the connection ended before an answer could go out")


def _turned_away(fault: RequestFault) -> bytes:
    result: JsonObject = {"status": "refused", "reason": fault.fault, "reply": fault.problem, "calls": []}
    return _encoded(fault.request_id, result)


def _encoded(request_id: str | None, result: JsonObject) -> bytes:
    return json.dumps({**result, "id": request_id}, ensure_ascii=False, allow_nan=False).encode()
