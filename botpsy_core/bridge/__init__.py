"""The post room: MQTT devices as typed tools, and MQTT as a way in."""

from botpsy_core.bridge.broker import Broker
from botpsy_core.bridge.clock import SystemClock
from botpsy_core.bridge.describing import Proposal, announcement_filters, proposals
from botpsy_core.bridge.device import Device, DeviceSettings, bind, new_variable
from botpsy_core.bridge.memory_transport import InMemoryTransport
from botpsy_core.bridge.own_transport import PahoTransport
from botpsy_core.bridge.profile import Profile
from botpsy_core.bridge.profile_file import load_profile, load_profiles, shipped_profiles
from botpsy_core.bridge.request import RequestServer, RequestSettings, Runner
from botpsy_core.bridge.request_parse import Answer, Request, Say, UseTool
from botpsy_core.bridge.secret import Secret
from botpsy_core.bridge.service import running_bridge, serve_bridge
from botpsy_core.bridge.settings_file import BridgeSettings, read_settings
from botpsy_core.bridge.toolbox import ProfileToolbox
from botpsy_core.bridge.topics import Filter, InvalidTopic, Topic
from botpsy_core.bridge.transport import Delivery, Message, Transport

__all__ = [
    "Answer",
    "BridgeSettings",
    "Broker",
    "Delivery",
    "Device",
    "DeviceSettings",
    "Filter",
    "InMemoryTransport",
    "InvalidTopic",
    "Message",
    "PahoTransport",
    "Profile",
    "ProfileToolbox",
    "Proposal",
    "Request",
    "RequestServer",
    "RequestSettings",
    "Runner",
    "Say",
    "Secret",
    "SystemClock",
    "Topic",
    "Transport",
    "UseTool",
    "announcement_filters",
    "bind",
    "load_profile",
    "load_profiles",
    "new_variable",
    "proposals",
    "read_settings",
    "running_bridge",
    "serve_bridge",
    "shipped_profiles",
]
