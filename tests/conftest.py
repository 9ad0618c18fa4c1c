"""What every suite shares: no test is skipped in silence."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# How fast a machine is tells nothing of the code.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--no-skips", action="store_true", help="a skipped test fails the run, but for a missing ../shared"
    )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if SHARED.is_dir():
        return
    for item in items:
        if item.get_closest_marker("shared"):
            item.add_marker(pytest.mark.skip(reason=f"{SHARED} is not there"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]):
    report = yield
    excused = item.get_closest_marker("shared") and not SHARED.is_dir()
    if report.skipped and item.config.getoption("no_skips") and not excused and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped, which no test may be: {report.longrepr}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector):
    report = yield
    if report.skipped and collector.config.getoption("no_skips"):
        report.outcome = "failed"
        report.longrepr = f"a whole module is skipped, which none may be: {report.longrepr}"
    return report
