"""The panel in a real Chromium on a real Home Assistant, with keys alone. `scripts/demo --browser` runs it."""

import pytest

from tests.e2e.panel_keys import by_keyboard
from tests.e2e.panel_place import place, screen, talk

pytestmark = [pytest.mark.browser, pytest.mark.timeout(2400)]


async def test_every_view_is_used_with_keys_alone_and_shows_where_they_are(tmp_path, socket_enabled) -> None:
    async with place(tmp_path) as there:
        await talk(there)
        await screen(there.page, width=1280, height=800, dark=False)
        assert await by_keyboard(there) == []
