"""The settings file of `botpsy bridge`; what is wrong is told with file, line and fix."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from botpsy_core.bridge.broker import Broker
from botpsy_core.bridge.device import Device, DeviceSettings, bind
from botpsy_core.bridge.profile_file import load_profiles
from botpsy_core.bridge.request import RequestSettings
from botpsy_core.bridge.secret import Secret
from botpsy_core.bridge.topics import InvalidTopic, Topic
from botpsy_core.bridge.yaml_file import YamlFile, read_yaml
from botpsy_core.errors import ConfigurationInvalid


@dataclass(frozen=True, slots=True, kw_only=True)
class BridgeSettings:
    """What a bridge without Home Assistant runs with."""

    broker: Broker
    devices: tuple[Device, ...]
    requests: RequestSettings
    pin: Secret | None = None
    model: Path | None = None
    """None: no model, the words alone decide."""
    with_model: bool = True
    """False only where the file says `model: null`."""
    language: str = "en"


def read_settings(path: Path) -> BridgeSettings:
    """Read a settings file; raise ConfigurationInvalid."""
    file = read_yaml(path)
    error = best_match(_validator().iter_errors(file.data))
    if error is not None:
        raise file.fault(tuple(error.absolute_path), error.message[:160], "see docs/user/mqtt.md for the keys")
    data: Mapping[str, Any] = file.data
    folder = path.parent
    reader = _Reader(file, folder)
    profiles = load_profiles(folder / data["profiles"] if "profiles" in data else None)
    devices = []
    for index, device in enumerate(data["devices"]):
        if device["profile"] not in profiles:
            raise file.fault(
                ("devices", index, "profile"), f"{device['profile']!r} is no profile", f"use one of {sorted(profiles)}"
            )
        devices.append(bind(profiles[device["profile"]], reader.device(device)))
    _check_slugs(file, devices)
    model = data.get("model")
    return BridgeSettings(
        broker=reader.broker(data["broker"]),
        devices=tuple(devices),
        requests=reader.requests(data.get("requests", {"users": []})),
        pin=reader.secret(data["pin"]) if "pin" in data else None,
        model=folder / model if model else None,
        with_model=not ("model" in data and model is None),
        language=data.get("language", "en"),
    )


@cache
def _validator() -> Draft202012Validator:
    text = resources.files("tool_schemas").joinpath("_bridge.schema.json").read_text(encoding="utf-8")
    return Draft202012Validator(json.loads(text))


def _check_slugs(file: YamlFile, devices: list[Device]) -> None:
    """Hold that no tool could be meant by two devices."""
    seen: set[str] = set()
    for index, device in enumerate(devices):
        if device.slug in seen:
            raise file.fault(("devices", index, "slug"), f"{device.slug!r} stands twice", "choose another short name")
        seen.add(device.slug)


class _Reader:
    """Turns checked data into values; files are relative to the settings file."""

    def __init__(self, file: YamlFile, folder: Path) -> None:
        self._file = file
        self._folder = folder

    def secret(self, data: str | Mapping[str, str]) -> Secret:
        """Return a secret, from its own file where one is named."""
        if isinstance(data, str):
            return Secret(data)
        path = self._folder / data["file"]
        try:
            return Secret(path.read_text(encoding="utf-8").strip())
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigurationInvalid(
                f"{self._file.name}: the secret's file {path} cannot be read: {error}"
            ) from error

    def broker(self, data: Mapping[str, Any]) -> Broker:
        """Return the broker account."""
        tls: Mapping[str, str] | None = data.get("tls")
        status = data.get("status_topic")
        try:
            status_topic = Topic(status) if status else None
        except InvalidTopic as error:
            raise self._file.fault(("broker", "status_topic"), str(error), "name a topic without wildcards") from error
        return Broker(
            host=data["host"],
            port=data.get("port", 1883 if tls is None else 8883),
            client_id=data.get("client_id", ""),
            username=data.get("username"),
            password=self.secret(data["password"]) if "password" in data else None,
            tls=tls is not None,
            ca_file=self._path(tls, "ca_file"),
            cert_file=self._path(tls, "cert_file"),
            key_file=self._path(tls, "key_file"),
            keepalive_s=data.get("keepalive_s", 15),
            status_topic=status_topic,
        )

    def device(self, data: Mapping[str, Any]) -> DeviceSettings:
        """Return what the owner says about one device."""
        return DeviceSettings(
            profile=data["profile"],
            slug=data["slug"],
            name=data["name"],
            aliases=tuple(data.get("aliases", ())),
            variables=data.get("variables", {}),
            secrets={name: self.secret(secret) for name, secret in data.get("secrets", {}).items()},
            enabled=frozenset(data.get("enabled", ())),
            disabled=frozenset(data.get("disabled", ())),
        )

    def requests(self, data: Mapping[str, Any]) -> RequestSettings:
        """Return the way in; nobody may ask unless named."""
        chosen = {k: data[k] for k in ("request_prefix", "response_prefix", "claim_prefix") if k in data}
        for key, prefix in chosen.items():
            try:
                Topic(prefix)
            except InvalidTopic as error:
                raise self._file.fault(("requests", key), str(error), "name a topic without wildcards") from error
        return RequestSettings(
            users={user: user for user in data["users"]},
            group=data.get("group"),
            per_minute=data.get("per_minute", 20),
            **chosen,
        )

    def _path(self, tls: Mapping[str, str] | None, key: str) -> Path | None:
        return self._folder / tls[key] if tls is not None and key in tls else None
