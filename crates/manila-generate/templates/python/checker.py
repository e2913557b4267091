def violations(
    schema: object, value: object, root: object, path: str = ""
) -> list[str]:
    """How a value breaks a JSON Schema, as far as it uses the keywords below."""
    if isinstance(schema, bool):
        return [] if schema else [f"{path or 'it'}: must not be there"]
    if not isinstance(schema, dict):
        return [f"{path or 'it'}: has no schema"]
    found: list[str] = []

    def broken(what: str) -> None:
        found.append(f"{path or 'it'}: {what}")

    def holds(other: object) -> bool:
        return not violations(other, value, root, path)

    if "$ref" in schema:
        target = root
        for name in str(schema["$ref"]).split("/")[1:]:
            target = target.get(name) if isinstance(target, dict) else None
        found += violations(target, value, root, path)
    if "type" in schema:
        types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        if not any(_is_type(value, str(name)) for name in types):
            broken(f"is not of type {' or '.join(map(str, types))}")
    if "enum" in schema and not any(_equal(value, one) for one in schema["enum"]):
        broken(f"is none of {', '.join(map(str, schema['enum']))}")
    if "const" in schema and not _equal(value, schema["const"]):
        broken(f"is not {schema['const']!r}")
    if "anyOf" in schema and not any(holds(one) for one in schema["anyOf"]):
        broken("fits none of the alternatives")
    if "oneOf" in schema and sum(holds(one) for one in schema["oneOf"]) != 1:
        broken("does not fit exactly one of the alternatives")
    for one in schema.get("allOf", []):
        found += violations(one, value, root, path)
    if "not" in schema and holds(schema["not"]):
        broken("is what it must not be")
    if "if" in schema:
        branch = schema.get("then" if holds(schema["if"]) else "else", True)
        found += violations(branch, value, root, path)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        if value < schema.get("minimum", value):
            broken(f"is less than {schema['minimum']}")
        if value > schema.get("maximum", value):
            broken(f"is more than {schema['maximum']}")
    if isinstance(value, str):
        if len(value) < schema.get("minLength", 0):
            broken("is too short")
        if len(value) > schema.get("maxLength", len(value)):
            broken("is too long")
    if isinstance(value, list):
        if len(value) < schema.get("minItems", 0):
            broken("has too few items")
        if len(value) > schema.get("maxItems", len(value)):
            broken("has too many items")
        for number, item in enumerate(value):
            found += violations(
                schema.get("items", True), item, root, f"{path}[{number}]"
            )
    if isinstance(value, dict):
        properties = schema.get("properties", {})
        for name in schema.get("required", []):
            if name not in value:
                broken(f"has no {name}")
        for name, item in value.items():
            inner = properties.get(name, schema.get("additionalProperties", True))
            found += violations(inner, item, root, f"{path}.{name}" if path else name)
        for name, inner in schema.get("dependentSchemas", {}).items():
            if name in value:
                found += violations(inner, value, root, path)
    return found


def _equal(one: object, other: object) -> bool:
    # Python takes True for 1.
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def _is_type(value: object, name: str) -> bool:
    if isinstance(value, bool):
        return name == "boolean"
    if name == "null":
        return value is None
    if name == "string":
        return isinstance(value, str)
    if name == "array":
        return isinstance(value, list)
    if name == "object":
        return isinstance(value, dict)
    if name == "integer":
        return isinstance(value, int) or (
            isinstance(value, float) and value.is_integer()
        )
    return name == "number" and isinstance(value, (int, float))
