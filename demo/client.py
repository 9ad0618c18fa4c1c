"""What a browser does with Home Assistant: its HTTP API and its web socket."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Sequence
from typing import Any, Self

import aiohttp

type Json = Any


class HassRefused(Exception):
    """Home Assistant answered with an error."""


class HassClient:
    """One user's connection."""

    def __init__(self, url: str) -> None:
        """Keep where it is; nothing is opened yet."""
        self.url = url
        self.token = ""
        self._session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=180))
        self._socket: aiohttp.ClientWebSocketResponse | None = None
        self._reader: asyncio.Task[None] | None = None
        self._ids = itertools.count(1)
        self._answers: dict[int, asyncio.Future[Json]] = {}
        self._events: dict[int, asyncio.Queue[Json]] = {}

    async def __aenter__(self) -> Self:
        """Return itself."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close what is open."""
        if self._reader is not None:
            self._reader.cancel()
        if self._socket is not None:
            await self._socket.close()
        await self._session.close()

    async def get(self, path: str) -> Json:
        """Return the answer to a GET."""
        return await self._request("GET", path)

    async def post(self, path: str, data: Json = None, *, form: bool = False) -> Json:
        """Return the answer to a POST of JSON, or of a form."""
        return await self._request("POST", path, **({"data": data} if form else {"json": data or {}}))

    async def _request(self, method: str, path: str, **arguments: Json) -> Json:
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        async with self._session.request(method, self.url + path, headers=headers, **arguments) as response:
            if response.status >= 400:
                raise HassRefused(f"{method} {path}: {response.status} {(await response.text())[:500]}")
            return await response.json()

    async def stream(self, path: str) -> AsyncIterator[bytes]:
        """Return the answer to a GET, part by part as it comes."""
        async with self._session.get(self.url + path) as response:
            response.raise_for_status()
            async for part in response.content.iter_any():
                yield part

    async def send(self, data: bytes) -> None:
        """Send bytes over the web socket."""
        assert self._socket is not None
        await self._socket.send_bytes(data)

    async def open(self) -> None:
        """Open the web socket with the token."""
        self._socket = await self._session.ws_connect(f"{self.url}/api/websocket", max_msg_size=0, heartbeat=30)
        await self._socket.receive_json()
        await self._socket.send_json({"type": "auth", "access_token": self.token})
        if (answer := await self._socket.receive_json())["type"] != "auth_ok":
            raise HassRefused(f"the web socket: {answer}")
        self._reader = asyncio.create_task(self._read(), name="web socket")

    async def _read(self) -> None:
        assert self._socket is not None
        async for message in self._socket:
            told = message.json()
            if told["type"] == "event" and told["id"] in self._events:
                self._events[told["id"]].put_nowait(told["event"])
            elif told["type"] == "result" and (answer := self._answers.pop(told["id"], None)) and not answer.done():
                answer.set_result(told)
        for answer in self._answers.values():
            answer.cancel()

    async def call(self, kind: str, **fields: Json) -> Json:
        """Return the result of one web socket command."""
        return (await self._send(kind, fields))[1]

    async def subscribe(self, kind: str, **fields: Json) -> asyncio.Queue[Json]:
        """Return a queue of what a web socket command keeps telling."""
        return self._events[(await self._send(kind, fields, events=True))[0]]

    async def _send(self, kind: str, fields: dict[str, Json], *, events: bool = False) -> tuple[int, Json]:
        assert self._socket is not None
        number = next(self._ids)
        answer = self._answers[number] = asyncio.get_running_loop().create_future()
        if events:
            self._events[number] = asyncio.Queue()
        await self._socket.send_json({"id": number, "type": kind, **fields})
        async with asyncio.timeout(180):
            told = await answer
        if not told["success"]:
            raise HassRefused(f"{kind}: {told['error']}")
        return number, told["result"]

    async def action(self, name: str, data: Json = None, *, response: bool = False) -> Json:
        """Run an action as this user; return its response where one is asked for."""
        domain, _, service = name.partition(".")
        result = await self.call(
            "call_service", domain=domain, service=service, service_data=data or {}, return_response=response
        )
        return result["response"]

    async def flow(self, handler: str, *steps: Json) -> Json:
        """Walk a config flow as the UI does; return its entry. Raise HassRefused where a step is not taken."""
        return await self._walk("/api/config/config_entries/flow", handler, steps)

    async def options(self, entry_id: str, *steps: Json) -> None:
        """Walk an entry's options flow."""
        await self._walk("/api/config/config_entries/options/flow", entry_id, steps)

    async def subentry(self, entry_id: str, kind: str, *steps: Json) -> None:
        """Walk the flow that adds a subentry."""
        await self._walk("/api/config/config_entries/subentries/flow", [entry_id, kind], steps)

    async def _walk(self, at: str, handler: Json, steps: Sequence[Json]) -> Json:
        told = await self.post(at, {"handler": handler, "show_advanced_options": False})
        for step in steps:
            told = await self.post(f"{at}/{told['flow_id']}", step)
        while told["type"] == "progress":
            await asyncio.sleep(0.2)
            told = await self.get(f"{at}/{told['flow_id']}")
        if told["type"] != "create_entry":
            raise HassRefused(f"the flow of {handler}: {told.get('reason') or told.get('errors') or told}")
        return told.get("result")
