"""Requests to a model server, and its failures in our words."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import aiohttp

from botpsy_core.errors import EngineBusy, EngineFailed


class RequestRefused(EngineFailed):
    """The server is there and does not take this request."""


class Wire:
    """One server's address, its key, and the host's session or one of its own."""

    def __init__(self, base: str, api_key: str | None, session: aiohttp.ClientSession | None) -> None:
        """Send nothing yet."""
        self.base = base
        # llama-server drops a kept connection after a stream without saying so, and a POST is not sent twice
        self._headers = {"connection": "close"} | ({"authorization": f"Bearer {api_key}"} if api_key else {})
        self._session = session
        self._own: aiohttp.ClientSession | None = None

    async def close(self) -> None:
        """Free what is our own; a later request opens it anew."""
        own, self._own = self._own, None
        if own is not None:
            await own.close()

    def _sending(self) -> aiohttp.ClientSession:
        if self._session is not None:
            return self._session
        if self._own is None:
            self._own = aiohttp.ClientSession()
        return self._own

    async def maybe(self, where: str, timeout_s: float) -> Mapping[str, Any]:
        """Return what is there, or nothing where the server has no such place; raise EngineFailed without a server."""
        try:
            return await self.json(where, None, timeout_s=timeout_s)
        except RequestRefused:
            return {}

    async def json(self, where: str, request: Mapping[str, Any] | None, *, timeout_s: float = 60.0) -> dict[str, Any]:
        """Return the answer to one request, GET where it has no body; raise EngineFailed or EngineBusy."""
        try:
            async with asyncio.timeout(timeout_s), self.open(where, request) as reply:
                data = await reply.json(content_type=None)
        except TimeoutError as error:
            raise EngineFailed(f"{self.base} does not answer") from error
        except ValueError as error:
            raise EngineFailed(f"{self.base}{where} answered no JSON") from error
        return data if isinstance(data, dict) else {}

    @asynccontextmanager
    async def open(self, where: str, request: Mapping[str, Any] | None) -> AsyncIterator[aiohttp.ClientResponse]:
        """Send a request and see that it was taken; raise EngineFailed or EngineBusy."""
        method = "GET" if request is None else "POST"
        try:
            async with self._sending().request(
                method, self.base + where, json=request, headers=self._headers, timeout=aiohttp.ClientTimeout()
            ) as reply:
                if reply.status >= 400:
                    raise _refusal(f"{self.base}{where}", reply.status, await reply.text())
                yield reply
        except aiohttp.ClientError as error:
            raise EngineFailed(f"{self.base} cannot be reached: {str(error) or type(error).__name__}") from error


def _refusal(where: str, status: int, text: str) -> EngineFailed | EngineBusy:
    match status:
        case 401 | 403:
            return EngineFailed(f"{where} wants another API key")
        case 429 | 503:
            return EngineBusy(f"{where} is busy")
        case _:
            return RequestRefused(f"{where} answered {status}: {text[:200]}")


async def events(reply: aiohttp.ClientResponse) -> AsyncIterator[dict[str, Any]]:
    """Yield the objects of a stream: server-sent events, or one object a line."""
    async for line in reply.content:
        text = line.decode("utf-8", "replace").strip().removeprefix("data:").strip()
        if not text or text == "[DONE]" or text.startswith(":"):
            continue
        try:
            data = json.loads(text)
        except ValueError:
            continue
        if isinstance(data, dict):
            if error := data.get("error"):
                raise EngineFailed(f"the server says: {error.get('message') if isinstance(error, dict) else error}")
            yield data
