// {{header}}
// Do not edit: change what it is made from and generate it again.
//
// go test envelope.go envelope_test.go

package envelope

import (
	{{imports}}
)

type edit struct {
	Of    string
	Path  string
	Value json.RawMessage
}

// The documents that each path must produce.
var expectedDocuments = parse(`
{{expected}}
`).(map[string]any)

// Changes of those documents that break a rule.
const brokenEdits = `
{{broken}}
`

// Changes that break none.
const acceptedEdits = `
{{accepted}}
`

const exitCases = `
{{exits}}
`

{{#has_names}}
// The texts that the constants stand for.
const nameCases = `
{{names}}
`

{{/has_names}}
type sample struct {
	ID    string `json:"id"`
	State string `json:"state"`
}

var data = sample{ID: "deploy-42", State: "complete"}

func TestMain(m *testing.M) {
	os.Setenv("MANILA_CHECK", "1")
	os.Exit(m.Run())
}

func answer[T any](t *testing.T, result Result[T]) *ResponseEnvelope[T] {
	t.Helper()
	envelope, err := Respond(func() Result[T] { return result }{{kind_argument}})
	if err != nil {
		t.Fatal(err)
	}
	return envelope
}

func refused[T any](t *testing.T, result Result[T]) {
	t.Helper()
	if _, err := Respond(func() Result[T] { return result }{{kind_argument}}); err == nil {
		t.Errorf("%+v was accepted", result)
	}
}

func failed[T any]() Result[T] {
	return {{failure}}
}

func expected(name string) map[string]any {
	copied, _ := plain(expectedDocuments[name])
	return copied.(map[string]any)
}

func change(document map[string]any, path string, value json.RawMessage) map[string]any {
	names := strings.Split(path, ".")
	inner := document
	for _, name := range names[:len(names)-1] {
		inner = inner[name].(map[string]any)
	}
	last := names[len(names)-1]
	if value == nil {
		delete(inner, last)
	} else {
		inner[last] = parse(string(value))
	}
	return document
}

func load(t *testing.T, text string, into any) {
	t.Helper()
	if err := decode([]byte(text), into); err != nil {
		t.Fatal(err)
	}
}

// same compares a document with what is expected, without what differs from run to run.
func same[T any](t *testing.T, envelope *ResponseEnvelope[T], want map[string]any) {
	t.Helper()
	document, err := plain(envelope)
	if err != nil {
		t.Fatal(err)
	}
	found := document.(map[string]any)
{{#volatile}}
	{{volatile}}
{{/volatile}}
	if !reflect.DeepEqual(found, want) {
		t.Errorf("found %v, expected %v", found, want)
	}
}

func TestSuccess(t *testing.T) {
	envelope := answer(t, Succeed(data))
	if !envelope.OK() || envelope.ExitCode() != 0 || envelope.Err() != nil || *envelope.Data() != data {
		t.Error("it is no success")
	}
	same(t, envelope, expected("success"))
}

func TestFailure(t *testing.T) {
	envelope := answer(t, failed[sample]())
	if envelope.OK() || envelope.ExitCode() != {{failure_exit}} || envelope.Data() != nil {
		t.Error("it is no failure")
	}
	same(t, envelope, expected("failure"))
}
{{#page}}

func TestTruncation(t *testing.T) {
	type item struct {
		ID int `json:"id"`
	}
	items := make([]item, 5)
	for id := range items {
		items[id].ID = id
	}
	cursor := func(kept int) string { return fmt.Sprint(kept) }
	same(t, answer(t, Page(items, 30, cursor)), expected("truncation"))
	for maxBytes, kept := range map[int]int{60: 5, 46: 5, 45: 4, 1: 1} {
		envelope := answer(t, Page(items, maxBytes, cursor))
		if found := len(*envelope.Data()); found != kept {
			t.Errorf("%d items in %d bytes", found, maxBytes)
		}
		if isCut := envelope.result.Meta.{{truncated_field}}; isCut != (kept < 5) {
			t.Errorf("%d bytes: truncated is %v", maxBytes, isCut)
		}
	}
}

func TestTruncationBeforeWhatHasNoJSON(t *testing.T) {
	result := Page([]any{1, make(chan int), 2}, 1000, func(int) string { return "1" })
	if found := len(*result.Data); found != 1 {
		t.Errorf("%d items", found)
	}
}
{{/page}}
{{#cache}}

func TestCacheHit(t *testing.T) {
	envelope := answer(t, NotModified[sample]())
	if !envelope.OK() || envelope.ExitCode() != 0 {
		t.Error("it is no success")
	}
	same(t, envelope, expected("cache_hit"))
}
{{/cache}}
{{#redirect}}

func TestRedirect(t *testing.T) {
	for _, permanent := range []bool{true, false} {
		redirect := Redirect{Command: {{replacement}}, Permanent: permanent, Reason: "renamed"}
		more := ErrorExtras{Redirect: &redirect}
		envelope := answer(t, Fail[sample]({{redirect_code}}, "It was renamed", more))
		want := expected("redirect")
		value := json.RawMessage(fmt.Sprint(permanent))
		same(t, envelope, change(want, "error.redirect.permanent", value))
		if envelope.ExitCode() != {{redirect_exit}} {
			t.Errorf("exit code %d", envelope.ExitCode())
		}
	}
}
{{/redirect}}

func TestAnswersThatContradictThemselvesAreRefused(t *testing.T) {
	// Without the validator, which would refuse them too.
	t.Setenv("MANILA_CHECK", "0")
	refused(t, Result[sample]{ExitCode: 1})
	both := failed[sample]()
	both.Data = &data
	refused(t, both)
	both.ExitCode = 0
	refused(t, both)
{{#data_needed}}
	refused(t, Result[sample]{})
{{/data_needed}}
}

func TestEveryCodeHasItsExitCode(t *testing.T) {
	var exits struct {
		Classes   map[string]int
		Codes     map[ErrorCode]int
		Retryable []int
	}
	load(t, exitCases, &exits)
	if !reflect.DeepEqual(ExitCodes, exits.Classes) {
		t.Errorf("%v", ExitCodes)
	}
	if found := ErrorCode("?").ExitCode(); found != 1 {
		t.Errorf("an unknown code has the exit code %d", found)
	}
	for code, exitCode := range exits.Codes {
		envelope := answer(t, Fail[sample](code, "it failed"{{no_extras}}))
		if envelope.ExitCode() != exitCode {
			t.Errorf("%s has the exit code %d", code, envelope.ExitCode())
		}
{{#retryable}}
		isRetryable := false
		for _, one := range exits.Retryable {
			isRetryable = isRetryable || one == exitCode
		}
		if *envelope.Err().{{retryable_field}} != isRetryable {
			t.Errorf("%s is not retryable as its exit code is", code)
		}
{{/retryable}}
	}
}

{{#retryable}}
func TestAHandlerKnowsBetterWhetherToCallAgain(t *testing.T) {
	for _, again := range []bool{true, false} {
		more := {{retryable_stated}}
		envelope := answer(t, Fail[sample]({{failure_code}}, "it failed", more))
		if *envelope.Err().{{retryable_field}} != again {
			t.Errorf("%v was not kept", again)
		}
	}
}

{{/retryable}}
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
func TestWhatHasNoJSONIsRefused(t *testing.T) {
	odd := make(chan int)
	_, err := Respond(func() Result[chan int] { return Succeed(odd) }{{kind_argument}})
	if err == nil || !strings.HasPrefix(err.Error(), "json: ") {
		t.Errorf("a channel has no JSON: %v", err)
	}
	t.Setenv("MANILA_CHECK", "0")
	var stdout, stderr bytes.Buffer
	exitCode, err := Emit(answer(t, Succeed(odd)), &stdout, &stderr)
	if err == nil || exitCode != 1 || stdout.Len()+stderr.Len() != 0 {
		t.Errorf("exit code %d, %v", exitCode, err)
	}
	defer func() {
		if recover() == nil {
			t.Error("what is no document was parsed")
		}
	}()
	parse("{")
}

func TestTheCallIsTimed(t *testing.T) {
	defer func() { now = time.Now }()
	ticks := 0
	now = func() time.Time {
		ticks++
		return time.UnixMilli(int64(ticks) * 250)
	}
	if found := answer(t, Succeed(data)).DurationMs(); found != 250 {
		t.Errorf("%d ms", found)
	}
}

func TestEachOutcomeHasItsStream(t *testing.T) {
	outcomes := map[string]Result[sample]{"success": Succeed(data), "failure": failed[sample]()}
	for name, result := range outcomes {
		var stdout, stderr bytes.Buffer
		envelope := answer(t, result)
		exitCode, err := Emit(envelope, &stdout, &stderr)
		if err != nil || exitCode != envelope.ExitCode() {
			t.Errorf("%d %v", exitCode, err)
		}
		streams := map[string]string{"success": "{{success_stream}}", "failure": "{{failure_stream}}"}
		texts := map[string]string{"stdout": stdout.String(), "stderr": stderr.String()}
		written := texts[streams[name]]
		if !json.Valid([]byte(written)) || !strings.HasSuffix(written, "}\n") {
			t.Errorf("%s wrote %q", name, texts)
		}
		if len(written) != stdout.Len()+stderr.Len() {
			t.Errorf("%s wrote to both streams", name)
		}
	}
}

func TestDocumentsAreValidated(t *testing.T) {
	exits := map[string]int{"failure": {{failure_exit}}, "redirect": {{redirect_exit}}}
	for name := range expectedDocuments {
		if broken := Validate(expected(name), exits[name]); len(broken) > 0 {
			t.Errorf("%s: %v", name, broken)
		}
	}
	for text, isValid := range map[string]bool{acceptedEdits: true, brokenEdits: false} {
		var edits []edit
		load(t, text, &edits)
		for _, one := range edits {
			document := change(expected(one.Of), one.Path, one.Value)
			broken := Violations(envelopeSchema, document, envelopeSchema, "")
			if (len(broken) == 0) != isValid {
				t.Errorf("%+v: %v", one, broken)
			}
		}
	}
	for name, exitCode := range map[string]int{"success": 1, "failure": 0} {
		broken := Validate(expected(name), exitCode)
		if len(broken) == 0 || !strings.HasPrefix(broken[len(broken)-1], "{{claim}}: ") {
			t.Errorf("%s with exit code %d: %v", name, exitCode, broken)
		}
	}
	if len(Validate([]any{}, 0)) == 0 {
		t.Error("a list is no document")
	}
}

func TestCheckModeValidatesEveryEnvelope(t *testing.T) {
	schema := envelopeSchema
	defer func() { envelopeSchema = schema }()
	envelopeSchema = false
	refused(t, Succeed(data))
	t.Setenv("MANILA_CHECK", "0")
	answer(t, Succeed(data))
}

{{checker_test}}
{{#payload}}

func TestAPayloadThatWouldHideTheEnvelopeStandsBelowData(t *testing.T) {
	all := []any{[]any{json.Number("1")}}
	for _, name := range []string{{own_keys_go}} {
		all = append(all, map[string]any{name: json.Number("1")})
	}
	for _, data := range all {
		document, _ := plain(answer(t, Succeed(data)))
		if found := document.(map[string]any)["data"]; !reflect.DeepEqual(found, data) {
			t.Errorf("%v became %v", data, found)
		}
	}
}
{{/payload}}
{{#pointer}}

func pointer(text string) *string { return &text }
{{/pointer}}
