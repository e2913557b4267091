/** A schema, a value, and whether the value fits. */
const KEYWORDS = JSON.parse(String.raw`
{{keywords}}
`) as [{{module}}.Schema, {{module}}.Json, boolean][];

/** A schema, a value, and the places of the value that break it. */
const PLACES = JSON.parse(String.raw`
{{places}}
`) as [{{module}}.Schema, {{module}}.Json, string[]][];

test("keywords", () => {
  const root = { $defs: { text: { type: "string" } } };
  for (const [schema, value, fits] of KEYWORDS) {
    const found = {{module}}.violations(schema, value, root);
    assert.equal(found.length === 0, fits, JSON.stringify([schema, value]));
  }
});

test("violations name their place", () => {
  for (const [schema, value, places] of PLACES) {
    const found = {{module}}.violations(schema, value, true);
    assert.deepEqual(
      found.map((one) => one.split(": ")[0]),
      places,
    );
  }
});
