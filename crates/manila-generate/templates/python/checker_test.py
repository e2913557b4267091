# A schema, a value, and whether the value fits.
KEYWORDS: Final[list[list[Any]]] = json.loads(
    r"""
{{keywords}}
"""
)

# A schema, a value, and the places of the value that break it.
PLACES: Final[list[list[Any]]] = json.loads(
    r"""
{{places}}
"""
)


@pytest.mark.parametrize(["schema", "value", "fits"], KEYWORDS)
def test_keywords(schema: Any, value: Any, fits: bool) -> None:
    root = {"$defs": {"text": {"type": "string"}}}
    assert ({{module}}.violations(schema, value, root) == []) is fits


@pytest.mark.parametrize(["schema", "value", "places"], PLACES)
def test_violations_name_their_place(schema: Any, value: Any, places: Any) -> None:
    found = {{module}}.violations(schema, value, {})
    assert [one.split(": ")[0] for one in found] == places
