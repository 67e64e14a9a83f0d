"""The page that explains the API: the OpenAPI document, readable and without a CDN."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

Schema = Mapping[str, Any]

_LIMITS = {
    "minimum": ("at least", "", ""),
    "maximum": ("at most", "", ""),
    "minLength": ("at least", " character", " characters"),
    "maxLength": ("at most", " character", " characters"),
    "minItems": ("at least", " item", " items"),
    "maxItems": ("at most", " item", " items"),
}


_TYPES = {"array": "list", "string": "text"}


def reference_page(document: Schema) -> str:
    """Return the page for an OpenAPI document."""
    requests = "".join(
        _request(method, path, operation, document)
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
    )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        "<title>mossa: API</title>"
        '<link rel="icon" href="/static/icon.svg" type="image/svg+xml">'
        '<link rel="stylesheet" href="/static/style.css">'
        '<link rel="stylesheet" href="/static/arena.css"></head><body><header class="top">'
        '<a class="brand" href="/"><img src="/static/icon.svg" alt="" width="28" height="28">mossa'
        "</a></header><main>"
        "<h1>API</h1><p>Everything the board does, your programs can do too: JSON over HTTP, "
        "with a machine-readable description in "
        '<a href="/api/openapi.json" download>openapi.json</a>. '
        "A refused request gets status 4xx or 503 and the reason: "
        '<code>{"error": "..."}</code>. Anything that takes time goes over the WebSocket '
        f'<code>/api/live</code>.</p><div class="requests">{requests}</div></main>'
    )


def _request(method: str, path: str, operation: Schema, document: Schema) -> str:
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    rows = [
        (one["name"], one["in"], one["schema"], one.get("required", False))
        for one in operation.get("parameters", ())
    ]
    if body:
        schema = _resolved(body["schema"], document)
        needed = schema.get("required", ())
        rows += [
            (name, "body", each, name in needed)
            for name, each in schema.get("properties", {}).items()
        ]
    fields = "".join(
        f"<tr><th scope='row'><code>{escape(name)}</code><td>{place}<td>{_type(each, document)}"
        f"<td>{'required' if required else _default(each)}"
        for name, place, each, required in rows
    )
    table = f"<table><tbody>{fields}</table>" if fields else ""
    about = operation.get("description") or operation.get("summary", "")
    return (
        f'<section class="box"><h2><b>{method.upper()}</b> {escape(path)}</h2>'
        f"<p>{escape(about)}</p>{table}</section>"
    )


def _default(schema: Schema) -> str:
    return f"<code>{escape(repr(schema['default']))}</code>" if schema.get("default") else ""


def _type(schema: Schema, document: Schema) -> str:
    schema = _resolved(schema, document)
    if "enum" in schema:
        text = " | ".join(map(str, schema["enum"]))
    elif "anyOf" in schema:
        return " or ".join(_type(each, document) for each in schema["anyOf"])
    else:
        kind = str(schema.get("type", "anything"))
        text = _TYPES.get(kind, kind)
    limits = [
        f"{how} {schema[key]:,.16g}{one if schema[key] == 1 else many}"
        for key, (how, one, many) in _LIMITS.items()
        if key in schema
    ]
    limited = escape(f"{text} ({', '.join(limits)})" if limits else text)
    return f"{limited} of {_type(schema['items'], document)}" if "items" in schema else limited


def _resolved(schema: Schema, document: Schema) -> Schema:
    """Follow references to named schemas."""
    while "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return schema
