"""A newcomer's way from an empty Home Assistant to a command that works, with nothing but the screen.

`scripts/demo --browser` runs it; it needs a Chromium. Pictures of each screen stay in the test's folder.
"""

import pytest

from demo.home_assistant import configure, home_assistant
from demo.onboarding import skip_online_step
from demo.process import free_port
from tests.core.tiny_gguf import build
from tests.e2e.browser import PATIENCE_S, Page, browser

pytestmark = [pytest.mark.browser, pytest.mark.timeout(2400)]

LIGHT = """
frontend:
input_boolean:
  lamp:
template:
  - light:
      - name: Kitchen light
        unique_id: kitchen_light
        state: "{{ is_state('input_boolean.lamp', 'on') }}"
        turn_on: {action: input_boolean.turn_on, target: {entity_id: input_boolean.lamp}}
        turn_off: {action: input_boolean.turn_off, target: {entity_id: input_boolean.lamp}}
logger:
  default: warning
"""
CHOICES = "ha-list-item, ha-combo-box-item, ha-combo-box-item *, [role=option], [role=menuitem]"


async def onboard(page: Page, url: str) -> None:
    """Make an account, and finish what the first visit asks."""
    await page.go(url)
    await page.click("Create my smart home")
    for label, text in (("Name*", "Anna"), ("Password*", "home-sweet-home"), ("Confirm password*", "home-sweet-home")):
        await page.click(label)
        await page.type(text)
    await page.picture("1 account")
    await page.click("Create account")
    await page.reads("Help us help you")
    await page.click("Next")
    await page.click("Finish")
    await page.reads("Overview")


async def add_botpsy(page: Page, url: str, model: str) -> None:
    """Add the integration with a model file."""
    await page.go(f"{url}/config/integrations/dashboard")
    await page.reads("Confirm new HTTP server configuration")  # the test's own port
    await page.click("Confirm")
    await page.click("Add integration")
    await page.click("Search for a brand name", "input")
    await page.type("BotPsy")
    await page.click("BotPsy")
    await page.reads("Where does the model come from")
    await page.picture("2 menu")
    await page.click("A model file of this machine")
    await page.click("Path of the model file*")
    await page.type("/nowhere.gguf")
    await page.click("Submit")
    await page.reads("This file cannot be used")
    await page.picture("3 a wrong path")
    await page.click("Path of the model file*")
    await page.select_all()
    await page.type(model)
    await page.click("Submit")
    await page.reads("Name and assign")
    await page.picture("4 made")
    await page.click("Skip and finish")


async def choose_agent(page: Page, url: str) -> None:
    """Give the voice assistant its new agent."""
    await page.go(f"{url}/config/voice-assistants/assistants")
    await page.reads("Add assistant")
    await page.click("English")
    await page.reads("Conversation agent")
    await page.click("", "ha-conversation-agent-picker")
    await page.click("BotPsy", CHOICES)
    await page.picture("5 agent")
    await page.click("Update")
    await page.until(lambda text: "Conversation agent" not in text, "the end of the dialog")


async def test_a_newcomer_gets_a_light_switched_on_with_nothing_but_the_screen(tmp_path, socket_enabled) -> None:
    config, port = tmp_path / "config", free_port()
    url = f"http://127.0.0.1:{port}"
    configure(config, port=port, time_zone="Europe/Berlin")
    skip_online_step(config)
    settings = config / "configuration.yaml"
    settings.write_text(settings.read_text().partition("input_boolean:")[0] + LIGHT)
    model = build(tmp_path / "tiny.gguf", seed=1, layers=1, name="Tiny")

    async with home_assistant(config) as hass:
        await hass.listening(port, seconds=PATIENCE_S)
        async with browser(tmp_path) as page:
            await onboard(page, url)
            await add_botpsy(page, url, str(model))
            await choose_agent(page, url)
            await page.go(f"{url}/lovelace")
            await page.reads("All off")
            await page.press("a")
            await page.reads("How can I assist?")
            await page.click("Enter a request")
            await page.type("turn on the kitchen light")
            await page.press("Enter")
            await page.reads("Turned on Kitchen light.")
            await page.picture("6 done")
            await page.reads("Lights 1 on")
