// A schema, a value, and whether the value fits.
const keywordCases = `
{{keywords}}
`

// A schema, a value, and the places of the value that break it.
const placeCases = `
{{places}}
`

func TestKeywords(t *testing.T) {
	var cases [][3]any
	load(t, keywordCases, &cases)
	root := parse(`{"$defs": {"text": {"type": "string"}}}`)
	for _, one := range cases {
		if fits := len(Violations(one[0], one[1], root, "")) == 0; fits != one[2] {
			t.Errorf("%v", one)
		}
	}
}

func TestViolationsNameTheirPlace(t *testing.T) {
	var cases [][3]any
	load(t, placeCases, &cases)
	for _, one := range cases {
		var places []any
		for _, broken := range Violations(one[0], one[1], nil, "") {
			places = append(places, strings.SplitN(broken, ": ", 2)[0])
		}
		if !reflect.DeepEqual(places, one[2]) {
			t.Errorf("%v: %v", one, places)
		}
	}
}

func TestWholeNumbersAreExact(t *testing.T) {
	one, other := json.Number("9007199254740993"), json.Number("9007199254740992")
	if !isEqual(one, one) || isEqual(one, other) || isEqual(one, "text") || isEqual("text", one) {
		t.Error("whole numbers are not exact")
	}
	for _, same := range []any{json.Number("1.0"), json.Number("1e0"), 1.0} {
		if !isEqual(same, json.Number("1")) || !isEqual(json.Number("1"), same) {
			t.Errorf("%v is not 1", same)
		}
	}
	if _, err := plain(json.RawMessage("1")); err != nil {
		t.Error(err)
	}
	var document any
	if decode(nil, &document) == nil || decode([]byte("1 2"), &document) == nil || decode([]byte("{"), &document) == nil {
		t.Error("what is not one document was read")
	}
}
