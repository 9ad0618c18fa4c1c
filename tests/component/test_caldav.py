"""A calendar on a real CalDAV server."""

import asyncio
import sys
import threading
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.common import MockConfigEntry

from tests.component.loading import load
from tests.core.bridge.brokers import free_port, wait_for_port

MAKE_CALENDAR = b"""<?xml version="1.0" encoding="utf-8"?>
<C:mkcalendar xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:set><D:prop>
<D:displayname>Family</D:displayname>
<C:supported-calendar-component-set><C:comp name="VEVENT"/></C:supported-calendar-component-set>
</D:prop></D:set></C:mkcalendar>"""


@pytest.fixture
async def server(socket_enabled: None, tmp_path: Path) -> AsyncIterator[str]:
    """Run a CalDAV server with one calendar."""
    port = free_port()
    command = (sys.executable, "-m", "radicale", "--server-hosts", f"127.0.0.1:{port}", "--auth-type", "none")
    process = await asyncio.create_subprocess_exec(*command, "--storage-filesystem-folder", str(tmp_path / "dav"))
    await asyncio.to_thread(wait_for_port, port)
    url = f"http://127.0.0.1:{port}/ann/family/"
    made = Request(url, data=MAKE_CALENDAR, method="MKCALENDAR", headers={"Authorization": "Basic YW5uOng="})
    await asyncio.to_thread(lambda: urlopen(made).close())
    yield f"http://127.0.0.1:{port}/"
    process.terminate()
    await process.wait()
    for thread in threading.enumerate():
        if "idle_conn_watch" in thread.name:  # the client's own, a daemon; Home Assistant's check allows this name
            thread.name = "waitpid-idle"


async def test_an_event_is_written_to_and_read_from_a_caldav_server(
    hass: HomeAssistant, server: str, model_file: Path
) -> None:
    data = {"url": server, "username": "ann", "password": "x", "verify_ssl": False}
    dav = MockConfigEntry(domain="caldav", data=data)
    dav.add_to_hass(hass)
    assert await hass.config_entries.async_setup(dav.entry_id)
    await hass.async_block_till_done()
    (calendar,) = hass.states.async_entity_ids("calendar")
    async_expose_entity(hass, "conversation", calendar, should_expose=True)
    await load(hass, model_file)

    async def say(text: str) -> dict:
        answer = await hass.services.async_call("botpsy", "run", {"text": text}, blocking=True, return_response=True)
        assert answer is not None
        return dict(answer)

    added = await say("add dentist to the calendar tomorrow at 15:30")
    read = await say("what is on my calendar tomorrow?")
    deleted = await say("delete the dentist from the calendar")
    answered = await hass.services.async_call(
        "calendar",
        "get_events",
        {"entity_id": calendar, "duration": {"days": 3}},
        blocking=True,
        return_response=True,
    )

    start = dt_util.start_of_local_day() + timedelta(days=1, hours=15, minutes=30)
    assert added["status"] == "done"
    assert "dentist" in read["reply"]
    assert "15:30" in read["reply"]
    assert deleted["status"] == "refused"
    assert [each["start"] for each in answered[calendar]["events"]] == [start.isoformat()]
