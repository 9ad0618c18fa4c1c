"""Write the page that lists the tools, from the tools themselves."""

from collections.abc import Iterable, Mapping, Sequence

from botpsy_core.domain.tools import Argument, Role, ToolSpec

HEAD = """# Tools

What BotPsy can do, made from `tool_schemas/` by `scripts/docs`; change a tool there, then run it again.

A tool is one YAML file in `tool_schemas/<folder>/`, and `tool_schemas/_meta.schema.json` says what may stand in
it. To add one: name, description and risk; a direction, or cues (words that must be said) in all eleven
languages; its arguments with their roles; the binding that carries it out; two or more example sentences. The
tests walk every file: an example that does not find its own tool, an action that Home Assistant does not have,
a number out of its range fail them.

Risk is what a wrong act costs at least: `read` changes nothing, `comfort` is undone with a word, `cost` takes money or
time, `security` opens or weakens the home, `hazard` can hurt. The policy may raise it by what the tool acts on.
An argument in brackets is optional. *Delayable* tools can be asked for at a later time. `{domain}` is the domain of
the thing that is acted on: for a light, `{domain}.turn_on` is `light.turn_on`.
"""


def tools_page(tools: Iterable[ToolSpec]) -> str:
    """Return the whole page, in Markdown."""
    return HEAD + "".join(f"\n{_tool(tool)}" for tool in tools)


def _tool(tool: ToolSpec) -> str:
    traits = [f"risk `{tool.risk}`"]
    traits += [f"direction `{tool.direction}`"] if tool.direction else []
    traits += [f"acts on `{tool.target}`"] if tool.target else []
    traits += ["delayable"] if tool.delayable else []
    traits += ["its result is other people's text"] if tool.untrusted_result else []
    lines = [f"## {tool.name}", "", f"{tool.description} ({', '.join(traits)})", ""]
    lines += [_argument(argument) for argument in tool.arguments]
    lines += [""] if tool.arguments else []
    lines += [f"Carried out by {_binding(tool)}.", ""]
    lines += [f"Say: {'; '.join(f'“{e}”' for e in tool.examples)}.", ""]
    return "\n".join(lines)


def _argument(argument: Argument) -> str:
    name = argument.name if argument.required else f"[{argument.name}]"
    about = "; ".join(part for part in (argument.description, _allowed(argument)) if part)
    return f"- **{name}** ({argument.role}){': ' + about if about else ''}"


def _allowed(argument: Argument) -> str:
    schema = argument.schema
    if argument.role is Role.TARGET:
        kinds = ", ".join(f"`{kind}`" for kind in sorted(argument.kinds)) or "anything"
        return kinds + (", also where none is named" if schema.get("x-implied") else "")
    if options := schema.get("enum"):
        return ", ".join(f"`{option}`" for option in options) if isinstance(options, Sequence) else ""
    if "minimum" in schema or "maximum" in schema:
        step = "a change of " if schema.get("x-relative") else ""
        unit = "s" if argument.role is Role.DURATION else schema.get("x-unit") or ""
        return f"{step}{_bound(schema, 'minimum')} to {_bound(schema, 'maximum')} {unit}".rstrip()
    return f"a {schema['x-values']} that was said" if "x-values" in schema else ""


def _bound(schema: Mapping[str, object], key: str) -> str:
    value = schema.get(key)
    return f"{value:.10g}" if isinstance(value, (int, float)) else "any"


def _binding(tool: ToolSpec) -> str:
    binding = tool.binding
    if "operation" in binding:
        return f"the {binding['kind']}'s own way to {binding['operation']}"
    if binding.get("kind") != "action":
        return f"{'reading' if tool.read_only else 'changing'} the {binding.get('kind')}"
    special, untargeted = binding.get("actions"), binding.get("untargeted")
    names = [f"`{binding['action']}`"]
    names += [f"`{name}`" for name in special.values()] if isinstance(special, Mapping) else []
    names += [f"`{untargeted['action']}` where nobody is named"] if isinstance(untargeted, Mapping) else []
    return ", ".join(names)
