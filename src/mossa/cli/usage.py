"""Wrong command lines: what was given, why it fails and what is accepted, in one line.

Typer would draw a box of several lines, in words that change from version to version. It tells us
which parameter is wrong; the words are ours.
"""

import importlib
import typing
from collections.abc import Sequence
from typing import Any

import typer

from mossa.errors import did_you_mean, shorten

CLICK = typer.BadParameter.__module__.rpartition(".")[0]
"""The click of Typer: a copy of its own since version 0.26, the package before."""
_click: Any = importlib.import_module(f"{CLICK}.exceptions")

UsageError: type[Exception] = _click.UsageError
"""What a command line that cannot be parsed raises."""

_HELP = ("-h", "--help")


def explain(error: Exception, command: Any, arguments: Sequence[str]) -> str:
    """Return one line about a command line that cannot be parsed."""
    name, command, given = _find(command, list(arguments))
    if isinstance(error, _click.NoSuchOption):
        return _unknown_option(name, command, given, error.option_name)
    if isinstance(error, _click.MissingParameter):
        return _missing(name, command, error.param)
    if isinstance(error, _click.BadParameter) and error.param is not None:
        return _bad_value(name, command, given, error.param)
    if isinstance(error, _click.BadOptionUsage):
        return _bad_usage(name, command, error.option_name)
    if hasattr(command, "commands"):
        return _unknown_command(name, command, given)
    extra = _parsed(command, given)[1]
    if not extra:
        return " ".join(str(error).split())
    return f"unexpected argument {shorten(extra[0])}: {_usage(name, command)}"


def _find(command: Any, given: list[str]) -> tuple[str, Any, list[str]]:
    """Return the command that is meant, its full name, and what was given to it."""
    name = "mossa"
    while given and given[0] in getattr(command, "commands", {}):
        command = command.commands[given[0]]
        name += f" {given.pop(0)}"
    return name, command, given


def _parsed(command: Any, given: list[str]) -> tuple[dict[str, Any], list[str]]:
    """Return the values as they were given, by parameter, and what no parameter takes."""
    values, extra, _ = command.make_parser(typer.Context(command)).parse_args(list(given))
    return values, extra


def _unknown_command(name: str, command: Any, given: list[str]) -> str:
    known = command.list_commands(typer.Context(command))
    if not given:
        return f"missing command: {name} needs one of {', '.join(known)}"
    hint = did_you_mean(given[0], known)
    return f"unknown command {shorten(given[0])} of {name}: {hint}there are {', '.join(known)}"


def _unknown_option(name: str, command: Any, given: list[str], option: str) -> str:
    forms = (form for each in _options(command) for form in (*each.opts, *each.secondary_opts))
    known = [*(form for form in forms if form not in _HELP), "--help"]
    # Of -json only the -j is refused; what was meant is --json.
    word = next((each for each in given if each.startswith(option)), option).partition("=")[0]
    hint = did_you_mean(f"--{word.lstrip('-')}", known)
    return f"unknown option {shorten(word)} of {name}: {hint}there are {', '.join(known)}"


def _missing(name: str, command: Any, parameter: Any) -> str:
    if _is_option(parameter):
        return f"missing {_form(parameter)}: {name} needs it. {parameter.help}"
    return f"missing {_form(parameter)}: {_usage(name, command)}"


def _bad_usage(name: str, command: Any, option: str) -> str:
    parameter = next(
        each for each in _options(command) if option in (*each.opts, *each.secondary_opts)
    )
    if parameter.is_flag:
        return f"{option} of {name} takes no value"
    return f"{option} of {name} needs a value: {_form(parameter)}"


def _bad_value(name: str, command: Any, given: list[str], parameter: Any) -> str:
    value = _parsed(command, given)[0].get(parameter.name)
    label = parameter.opts[0] if parameter.param_type_name == "option" else _form(parameter)
    return f"invalid {label} {shorten(str(value))} of {name}: {_accepted(command, parameter)}"


def _accepted(command: Any, parameter: Any) -> str:
    """Return which values a parameter takes, as its declaration in our own code says."""
    declared = typing.get_type_hints(command.callback, include_extras=True)[parameter.name]
    kind, info = typing.get_args(declared)[:2]
    what = "a whole number" if int in (kind, *typing.get_args(kind)) else "a number"
    if info.min is None and info.max is None:
        return f"it must be {what}"
    if info.max is None:
        return f"it must be {what}, {info.min:,} or more"
    return f"it must be {what} from {info.min:,} to {info.max:,}"


def _options(command: Any) -> list[Any]:
    every = command.get_params(typer.Context(command))
    return [each for each in every if _is_option(each)]


def _is_option(parameter: Any) -> bool:
    return bool(parameter.param_type_name == "option")


def _form(parameter: Any) -> str:
    """Return a parameter as the usage shows it: GAME, or --plies N."""
    if _is_option(parameter):
        return f"{parameter.opts[0]} {parameter.metavar or parameter.opts[0].lstrip('-').upper()}"
    return str(parameter.metavar or parameter.name.upper())


def _usage(name: str, command: Any) -> str:
    arguments = [
        _form(each) if each.required else f"[{_form(each)}]"
        for each in command.params
        if not _is_option(each)
    ]
    return " ".join(["usage:", name, *arguments, "[OPTIONS]"])
