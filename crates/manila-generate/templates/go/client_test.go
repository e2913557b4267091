// {{header}}
// Do not edit: change what it is made from and generate it again.
//
// go test client.go client_test.go

package client

import (
	{{imports}}
)

// What a call left behind, and what to do about it.
const decisionCases = `
{{cases}}
`

{{#has_wait}}
// An exit code and a wait without a word about calling again, and what to do about it.
const waitCases = `
{{waits}}
`

{{/has_wait}}
// A schema, a value, and whether the value fits.
const keywordCases = `
{{keywords}}
`

// A schema, a value, and the places of the value that break it.
const placeCases = `
{{places}}
`

// The documents of the paths of the contract.
var expectedDocuments = parse(`
{{expected}}
`).(map[string]any)

// Changes of those documents that break a rule.
const brokenEdits = `
{{broken}}
`
{{#samples}}

// A command, a payload that its schema allows, and one that it does not.
const samples = `
{{samples}}
`
{{/samples}}

// A command that no manifest has, so that nothing is known of it.
const unknown = "\x00"

// The exit codes of the documents that are failures.
var exits = map[string]int{"failure": {{failure_exit}}, "redirect": {{redirect_exit}}}

func load(t *testing.T, text string, into any) {
	t.Helper()
	if err := decode([]byte(text), into); err != nil {
		t.Fatal(err)
	}
}

func expected(name string) map[string]any {
	copied, _ := plain(expectedDocuments[name])
	return copied.(map[string]any)
}

func answered(document any, exitCode int, command string) (*Answer[any], error) {
	text, err := json.Marshal(document)
	if err != nil {
		return nil, err
	}
	return Read[any](text, text, exitCode, command)
}

func TestDecisions(t *testing.T) {
	var cases []struct {
		Stdout   string
		Stderr   string
		ExitCode int `json:"exit_code"`
		Argv     []string
		History  History
		Policy   struct {
			Policy
			RemainingMs *int64 `json:"remaining_ms"`
		}
		Expect map[string]any
	}
	load(t, decisionCases, &cases)
	for _, one := range cases {
		policy := DefaultPolicy()
		policy.Idempotent, policy.Cached = one.Policy.Idempotent, one.Policy.Cached
		policy.Fixes, policy.Refresh = one.Policy.Fixes, one.Policy.Refresh
		policy.Jitter, policy.RemainingMs = one.Policy.Jitter, one.Policy.RemainingMs
		if one.Policy.Retries != 0 {
			policy.Retries = one.Policy.Retries
		}
		if one.Policy.Redirects != "" {
			policy.Redirects = one.Policy.Redirects
		}
		answer, err := Read[any]([]byte(one.Stdout), []byte(one.Stderr), one.ExitCode, unknown)
		decision := Decide(answer, err, one.History, policy, one.Argv)
		found := map[string]any{"row": decision.Row, "action": decision.Action}
		if decision.WaitMs != nil {
			found["wait_ms"], _ = plain(*decision.WaitMs)
		}
		if decision.Change != "" {
			found["change"] = decision.Change
		}
		if decision.Cursor != "" {
			found["cursor"] = decision.Cursor
		}
		if decision.Argv != nil {
			found["argv"], _ = plain(decision.Argv)
		}
		if decision.Action == "redirect" {
			found["remember"] = decision.Remember
		}
		if !reflect.DeepEqual(found, one.Expect) || decision.Reason == "" {
			t.Errorf("%+v: %v", one, decision)
		}
	}
}

func TestWarningsAreNoted(t *testing.T) {
	answer := &Answer[any]{ExitClass: "SUCCESS", Warnings: []string{"it is Deprecated", "x will be removed", "y"}}
	planned := "plan to change this call: it will stop working"
	want := []string{"warning: it is Deprecated", planned, "warning: x will be removed", planned, "warning: y"}
	if found := Decide(answer, nil, History{}, DefaultPolicy(), nil).Notes; !reflect.DeepEqual(found, want) {
		t.Errorf("%v", found)
	}
}

func TestValidDocumentsAreRead(t *testing.T) {
	for name := range expectedDocuments {
		answer, err := answered(expected(name), exits[name], unknown)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if answer.OK() != (exits[name] == 0) || (answer.Err == nil) != answer.OK() {
			t.Errorf("%s: %+v", name, answer)
		}
	}
}

func TestBrokenDocumentsAreRefused(t *testing.T) {
	var edits []struct {
		Of    string
		Path  string
		Value json.RawMessage
	}
	load(t, brokenEdits, &edits)
	for _, edit := range edits {
		document := expected(edit.Of)
		names := strings.Split(edit.Path, ".")
		inner := document
		for _, name := range names[:len(names)-1] {
			inner = inner[name].(map[string]any)
		}
		last := names[len(names)-1]
		if edit.Value == nil {
			delete(inner, last)
		} else {
			inner[last] = parse(string(edit.Value))
		}
		if _, err := answered(document, exits[edit.Of], unknown); err == nil {
			t.Errorf("%+v was read", edit)
		}
	}
}

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

func TestWhatIsNoObjectIsNoAnswer(t *testing.T) {
	for _, document := range []any{[]any{}, 1, nil, "text"} {
		_, err := answered(document, 0, unknown)
		if refused, ok := err.(*Contradiction); !ok || refused.Row != "no-envelope" {
			t.Errorf("%v: %v", document, err)
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
	var read any
	if decode([]byte("1 2"), &read) == nil || decode([]byte("{"), &read) == nil {
		t.Error("what is not one document was read")
	}
	document, data := expected("success"), any(map[string]any{"n": one})
	{{put_data}}
	answer, err := answered(document, 0, unknown)
	if err != nil {
		t.Fatal(err)
	}
	if found, _ := plain(*answer.Data); at(found, "n") != one {
		t.Errorf("%v became %v", one, found)
	}
}
{{#has_wait}}

func TestAWaitWithoutAWordAboutCallingAgain(t *testing.T) {
	var cases []struct {
		ExitCode   int   `json:"exit_code"`
		WaitMs     int64 `json:"wait_ms"`
		Idempotent bool
		Expect     map[string]any
	}
	load(t, waitCases, &cases)
	for _, one := range cases {
		failed := &Failure{Code: "X", Message: "it failed", WaitMs: &one.WaitMs}
		answer := &Answer[any]{ExitCode: one.ExitCode, ExitClass: classOfNumber(one.ExitCode), Err: failed}
		policy := DefaultPolicy()
		policy.Idempotent = one.Idempotent
		decision := Decide(answer, nil, History{}, policy, nil)
		found := map[string]any{"row": decision.Row, "action": decision.Action}
		if decision.WaitMs != nil {
			found["wait_ms"], _ = plain(*decision.WaitMs)
		}
		if !reflect.DeepEqual(found, one.Expect) {
			t.Errorf("%+v: %v", one, decision)
		}
	}
}
{{/has_wait}}
{{#samples}}

func TestPayloadsAreRead(t *testing.T) {
	envelope := func(data any) map[string]any {
		document := expected("success")
		{{put_data}}
		return document
	}
	var all [][3]any
	load(t, samples, &all)
	for _, one := range all {
		command := one[0].(string)
		answer, err := answered(envelope(one[1]), 0, command)
		if err != nil || !reflect.DeepEqual(*answer.Data, one[1]) {
			t.Errorf("%s: %v", command, err)
		}
		if _, err := answered(envelope(one[2]), 0, command); err == nil {
			t.Errorf("%s: %v was read", command, one[2])
		}
	}
}

func TestUndeclaredCodesAreRefused(t *testing.T) {
	code := {{failure_code}}
	text, _ := json.Marshal(expected("failure"))
	odd := parse(strings.Replace(string(text), code, "SURPRISE", 1))
	for command, codes := range commandCodes {
		_, err := answered(expected("failure"), {{failure_exit}}, command)
		isDeclared := anyHolds(codes.([]any), func(one any) bool { return one == code })
		if (err == nil) != isDeclared {
			t.Errorf("%s: %v", command, err)
		}
		if _, err := answered(odd, {{failure_exit}}, command); err == nil {
			t.Errorf("%s: an undeclared code was read", command)
		}
	}
}
{{/samples}}
