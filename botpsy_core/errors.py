"""The exceptions of the house.

BotPsyError
  ModelFault            the model can mend it: goes back to it as a result
    UnknownTool
    BadArguments
    UnparsableCall
  HostFault             nobody in the turn can mend it: raise
    EngineFailed
      NoModel
      PromptTooLong
    EngineBusy
    ModelFileInvalid
    ModelDownloadFailed
    ToolboxFailed
    TransportLost
    ConfigurationInvalid
  LimitReached          the turn ends with an honest sentence
    TurnTimeout

A refusal is no error: it is the value `Refuse(reason)`.
"""


class BotPsyError(Exception):
    """Root of every error that the core raises on purpose."""


class ModelFault(BotPsyError):
    """The model's output is wrong; a second try may be right."""


class UnknownTool(ModelFault):
    """The call names a tool that was not offered."""


class BadArguments(ModelFault):
    """An argument breaks its schema; `path` says which one."""

    def __init__(self, path: str, problem: str) -> None:
        """Keep the argument's path next to what is wrong with it."""
        super().__init__(f"{path}: {problem}")
        self.path = path
        self.problem = problem


class UnparsableCall(ModelFault):
    """The text holds the beginning of a call and no whole call."""


class HostFault(BotPsyError):
    """Something around the turn is broken; the turn cannot mend it."""


class EngineFailed(HostFault):
    """The engine died, hung, or answered nonsense."""


class NoModel(EngineFailed):
    """There is no engine at all; what the words alone decide still works."""


class PromptTooLong(EngineFailed):
    """The prompt and its answer do not fit into the model's context; the engine itself is well."""


class EngineBusy(HostFault):
    """The engine's queue is full."""


class ModelFileInvalid(HostFault):
    """The file is missing, truncated, or no GGUF that the engine can load."""


class ModelDownloadFailed(HostFault):
    """A model's file could not be brought from the hub; the message says why and what helps."""


class ToolboxFailed(HostFault):
    """A tool could not be run at all."""


class TransportLost(HostFault):
    """The connection to the broker is gone; nothing was sent."""


class ConfigurationInvalid(HostFault):
    """A data or configuration file is wrong; the message names file, place and fix."""


class LimitReached(BotPsyError):
    """A bound was hit; the turn ends and says so."""


class TurnTimeout(LimitReached):
    """The turn's deadline passed."""
