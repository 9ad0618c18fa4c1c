from pathlib import Path

from botpsy_core.catalog import load_plan_tools, load_timer_tools, load_tools
from botpsy_core.catalog.document import tools_page

PAGE = Path(__file__).resolve().parents[2] / "docs" / "tools.md"


def test_the_page_of_tools_is_current():
    assert PAGE.read_text("utf-8") == tools_page((*load_tools(), *load_plan_tools(), *load_timer_tools())), (
        "run scripts/docs"
    )
