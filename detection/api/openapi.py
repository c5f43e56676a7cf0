"""What the OpenAPI document says of the API as a whole: how callers show who they are, what errors look like."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension

PROBLEM = {
    "type": "object",
    "required": ["type", "title", "status", "detail", "instance"],
    "properties": {
        "type": {"type": "string", "format": "uri"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "instance": {"type": "string"},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"field": {"type": "string"}, "message": {"type": "string"}},
                "required": ["field", "message"],
            },
        },
    },
    "example": {
        "type": "urn:hallu:problem:invalid-fields",
        "title": "Unprocessable Entity",
        "status": 422,
        "detail": "sources[3].id: “S0” is the id of sources[0] already.",
        "instance": "/api/v1/answers/",
        "errors": [{"field": "sources[3].id", "message": "“S0” is the id of sources[0] already."}],
    },
}


class KeyScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # its registration hook has no types
    """``Authorization: Bearer KEY``."""

    target_class = "detection.access.ApiKeyAuthentication"
    name = "apiKey"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """An HTTP bearer scheme."""
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A key with the scopes submit, read, review or admin: manage.py create_api_key.",
        }


def with_numbers(result: dict[str, Any], **_context: Any) -> dict[str, Any]:
    """Postprocessing hook: what is a decimal in a request may be sent as a number too."""
    for name, schema in result["components"]["schemas"].items():
        for told in schema.get("properties", {}).values():
            if name.endswith("Request") and told.get("format") == "decimal":
                kinds = told["type"] if isinstance(told["type"], list) else [told["type"]]
                told["type"] = [kinds[0], "number", *kinds[1:]]
    return result


def with_problems(result: dict[str, Any], **_context: Any) -> dict[str, Any]:
    """Postprocessing hook: every operation may answer with a problem."""
    result.setdefault("components", {}).setdefault("schemas", {})["Problem"] = PROBLEM
    answer = {
        "description": "What went wrong (RFC 9457).",
        "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
    for operations in result["paths"].values():
        for operation in operations.values():
            operation["responses"]["default"] = answer
    return result
