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

// Failures without a document, and what to do about each.
const failureCases = `
{{by_hand}}
`

// What a call left behind, and what an answer says.
const answerCases = `
{{answers}}
`

// The classes, with what may be concluded from each.
const classCases = `
{{classes}}
`
{{#has_names}}

// The texts that the constants stand for.
const nameCases = `
{{names}}
`
{{/has_names}}

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
		if decision.Remember || decision.Action == "redirect" {
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

{{checker_test}}

func TestWhatIsNoObjectIsNoAnswer(t *testing.T) {
	for _, document := range []any{[]any{}, 1, nil, "text"} {
		_, err := answered(document, 0, unknown)
		if refused, ok := err.(*Contradiction); !ok || refused.Row != "no-envelope" {
			t.Errorf("%v: %v", document, err)
		}
	}
	nothing := []byte("{")
	_, err := Read[any](nothing, nothing, 0, unknown)
	if err == nil || !strings.HasPrefix(err.Error(), "there is no document: ") {
		t.Error(err)
	}
}

func TestWholeNumbersOfPayloadsAreExact(t *testing.T) {
	one := json.Number("9007199254740993")
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

func TestFailuresWithoutADocument(t *testing.T) {
	var cases []struct {
		Code       ErrorCode
		ExitCode   int `json:"exit_code"`
		Class      ExitClass
		Retryable  *bool
		WaitMs     *int64 `json:"wait_ms"`
		Strategy   string
		Alike      int
		Jitter     float64
		Idempotent bool
		Expect     map[string]any
	}
	load(t, failureCases, &cases)
	for _, one := range cases {
		failed := &Failure{Code: one.Code, Message: "it failed", Retryable: one.Retryable}
		failed.WaitMs, failed.Strategy = one.WaitMs, one.Strategy
		answer := &Answer[any]{ExitCode: one.ExitCode, ExitClass: one.Class, Err: failed}
		var history History
		for len(history.Attempts) < one.Alike {
			history.Attempts = append(history.Attempts, one.Code)
		}
		policy := DefaultPolicy()
		policy.Idempotent, policy.Jitter, policy.Retries = one.Idempotent, one.Jitter, 500
		decision := Decide(answer, nil, history, policy, nil)
		found := map[string]any{"row": decision.Row, "action": decision.Action}
		if decision.WaitMs != nil {
			found["wait_ms"], _ = plain(*decision.WaitMs)
		}
		if !reflect.DeepEqual(found, one.Expect) {
			t.Errorf("%+v: %v", one, decision)
		}
	}
}

func TestAnswersSayWhatTheirDocumentsSay(t *testing.T) {
	var cases []struct {
		Stdout   string
		Stderr   string
		ExitCode int `json:"exit_code"`
		Expect   map[string]any
	}
	load(t, answerCases, &cases)
	for _, one := range cases {
		answer, err := Read[any]([]byte(one.Stdout), []byte(one.Stderr), one.ExitCode, unknown)
		if err != nil {
			t.Errorf("%+v: %v", one, err)
			continue
		}
		found := map[string]any{"exit_class": answer.ExitClass, "warnings": append([]string{}, answer.Warnings...)}
		found["not_modified"], found["truncated"] = answer.NotModified, answer.Truncated
		if answer.Cursor != "" {
			found["cursor"] = answer.Cursor
		}
		if answer.Data != nil {
			found["data"] = *answer.Data
		}
		if failed := answer.Err; failed != nil {
			found["code"], found["message"] = failed.Code, failed.Message
			stated := map[string]any{"retryable": failed.Retryable, "wait_ms": failed.WaitMs}
			stated["fix_required"], stated["fix_command"] = failed.FixRequired, failed.FixCommand
			for name, value := range stated {
				if !reflect.ValueOf(value).IsNil() {
					found[name] = value
				}
			}
			texts := map[string]string{"suggestion": failed.Suggestion, "strategy": failed.Strategy, "phase": failed.Phase}
			for name, text := range texts {
				if text != "" {
					found[name] = text
				}
			}
			if failed.Redirect != nil {
				found["redirect"] = []any{failed.Redirect.Command, failed.Redirect.Permanent}
			}
		}
		if found, _ := plain(found); !reflect.DeepEqual(found, any(one.Expect)) {
			t.Errorf("%+v: %v", one, found)
		}
	}
}

func TestWhatFollowsFromAClass(t *testing.T) {
	var cases [][3]string
	load(t, classCases, &cases)
	for _, one := range cases {
		if found := conclude(ExitClass(one[0])); found != (conclusion{one[1], one[2]}) {
			t.Errorf("%v: %v", one, found)
		}
	}
	if found := conclude("odd"); found != (conclusion{"depends", "unknown"}) {
		t.Errorf("a class that there is not: %v", found)
	}
}

func TestTheUsualPolicy(t *testing.T) {
	if DefaultPolicy() != (Policy{Retries: 3, Hops: 5, Redirects: "same-program"}) {
		t.Errorf("%+v", DefaultPolicy())
	}
}
{{#has_names}}

func TestConstantsSpellTheirTexts(t *testing.T) {
	var want [][]string
	load(t, nameCases, &want)
	found := [][]string{
		{{constants}}
	}
	if !reflect.DeepEqual(found, want) {
		t.Errorf("%q", found)
	}
}
{{/has_names}}

func TestAnErrorOfAnotherKindIsPassedOn(t *testing.T) {
	decision := Decide[any](nil, io.EOF, History{}, DefaultPolicy(), nil)
	if decision.Action != "escalate" || decision.Row != "no-envelope" || decision.Reason != io.EOF.Error() {
		t.Errorf("%+v", decision)
	}
}

func TestDataOfAnotherTypeAreRefused(t *testing.T) {
	text, _ := json.Marshal(expected("success"))
	_, err := Read[bool](text, text, 0, unknown)
	if refused, ok := err.(*Contradiction); !ok || refused.Row != "no-envelope" {
		t.Errorf("%v", err)
	}
	if _, err := plain(make(chan int)); err == nil || !strings.HasPrefix(err.Error(), "json: ") {
		t.Errorf("a channel has no JSON: %v", err)
	}
	defer func() {
		if recover() == nil {
			t.Error("what is no document was parsed")
		}
	}()
	parse("{")
}
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
		_, err = answered(envelope(one[2]), 0, command)
		if refused, ok := err.(*Contradiction); !ok || refused.Row != "no-envelope" || strings.IndexAny(refused.Message, ":.[") != len("data") {
			t.Errorf("%s: %v was read: %v", command, one[2], err)
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
