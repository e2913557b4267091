// {{header}}
// Do not edit: change what it is made from and generate it again.

// Package envelope makes the answers of a command-line program in {{dialect}}.
//
// A command handler returns Succeed(...) or Fail(...). Respond calls the handler, times it and makes
// the envelope; handlers never do. Emit writes the envelope and returns the exit code. With
// MANILA_CHECK=1 every envelope is validated before it is written.
package envelope

import (
	{{imports}}
)

{{exit_constants}}

// ExitCodes has the exit code of each class.
var ExitCodes = map[string]int{
	{{exit_codes}}
}

// ErrorCode is what callers branch on.
type ErrorCode string

{{error_constants}}

// ExitCode is the exit code of an error code.
func (code ErrorCode) ExitCode() int {
	switch code {
	{{error_exits}}
	}
	return 1
}
{{#retryable}}

// isRetryable says whether the same call may be made again after an exit code.
func isRetryable(exitCode int) bool {
	switch exitCode {
	{{retryable}}
	}
	return false
}
{{/retryable}}

{{types}}

// An Error is an answer that contradicts itself. It is a bug in the program, not a failure of a call.
type Error struct{ Message string }

func (err *Error) Error() string { return err.Message }

// A Result is what a command handler returns. Succeed and the functions below it make one.
type Result[T any] struct {
	{{result_fields}}
}

// Succeed makes a success with its data.
func Succeed[T any](data T) Result[T] {
	return Result[T]{Data: &data}
}

// Fail makes a failure. Its code decides the exit code.
{{fail}}
{{#page}}

// Page makes a list that is cut where its JSON would exceed maxBytes; cursor names where the rest begins.
func Page[T any](items []T, maxBytes int, cursor func(kept int) string) Result[[]T] {
	kept, size := 0, 2
	for _, item := range items {
		text, err := json.Marshal(item)
		if err != nil {
			break
		}
		if kept > 0 {
			size++
		}
		size += len(text)
		if size > maxBytes && kept > 0 {
			break
		}
		kept++
	}
	if kept == len(items) {
		return Succeed(items)
	}
	result := Succeed(items[:kept])
	result.Meta.{{truncated_field}} = true
	result.Meta.{{cursor_field}} = cursor(kept)
	return result
}
{{/page}}
{{#cache}}

// NotModified is a cache hit: what the caller has still holds, so that there is no data.
func NotModified[T any]() Result[T] {
	return Result[T]{Meta: {{not_modified_literal}}}
}
{{/cache}}

// A ResponseEnvelope is one answer. Only Respond makes one; OK follows from the exit code.
type ResponseEnvelope[T any] struct {
	result     Result[T]
	kind       string
	durationMs int64
}

// OK says whether the exit code is 0.
func (envelope *ResponseEnvelope[T]) OK() bool { return envelope.result.ExitCode == 0 }

// ExitCode is what the process ends with.
func (envelope *ResponseEnvelope[T]) ExitCode() int { return envelope.result.ExitCode }

// Data is the payload, or nil.
func (envelope *ResponseEnvelope[T]) Data() *T { return envelope.result.Data }

// Err is what went wrong, or nil.
func (envelope *ResponseEnvelope[T]) Err() *ErrorDetail { return envelope.result.Err }

// DurationMs is how long the handler ran.
func (envelope *ResponseEnvelope[T]) DurationMs() int64 { return envelope.durationMs }

// MarshalJSON writes the envelope as {{dialect}} has it.
func (envelope *ResponseEnvelope[T]) MarshalJSON() ([]byte, error) {
	result := &envelope.result
	{{document}}
}

// now is a variable so that tests can turn the clock.
var now = time.Now

// Respond calls a handler, times it, and makes the envelope of what it returns.
{{respond_signature}}
	started := now()
	result := handler()
	if result.ExitCode != 0 && result.Err == nil {
		return nil, &Error{fmt.Sprintf("exit code %d without an error", result.ExitCode)}
	}
	if result.ExitCode != 0 && result.Data != nil {
		return nil, &Error{fmt.Sprintf("exit code %d with data", result.ExitCode)}
	}
	if result.ExitCode == 0 && result.Err != nil {
		return nil, &Error{"exit code 0 with an error"}
	}
{{#data_needed}}
	if {{nothing_said}} {
		return nil, &Error{"neither data nor error"}
	}
{{/data_needed}}
	envelope := &ResponseEnvelope[T]{result: result, durationMs: now().Sub(started).Milliseconds()}
{{#kind}}
	envelope.kind = kind
{{/kind}}
	if os.Getenv("MANILA_CHECK") == "1" {
		document, err := plain(envelope)
		if err != nil {
			return nil, &Error{err.Error()}
		}
		if broken := Validate(document, result.ExitCode); len(broken) > 0 {
			return nil, &Error{strings.Join(broken, "; ")}
		}
	}
	return envelope, nil
}

// Emit writes an envelope to its stream and returns the exit code of the process.
func Emit[T any](envelope *ResponseEnvelope[T], stdout, stderr io.Writer) (int, error) {
	{{stream}}
	text, err := json.{{marshal}}
	if err != nil {
		return 1, err
	}
	_, err = stream.Write(append(text, '\n'))
	return envelope.ExitCode(), err
}

// Validate says what is wrong with a document of a run that ended with this exit code.
func Validate(document any, exitCode int) []string {
	broken := Violations(envelopeSchema, document, envelopeSchema, "")
	members, _ := document.(map[string]any)
	claim := members["{{claim}}"]
	if {{claim_test}} {
		broken = append(broken, fmt.Sprintf("{{claim}}: %v contradicts exit code %d", claim, exitCode))
	}
	return broken
}

// envelopeSchema is the JSON Schema that every document satisfies.
var envelopeSchema = parse(`
{{schema}}
`)
{{#merge}}

// merged is a value's members with others.
func merged(value any, others map[string]any) map[string]any {
	read, _ := plain(value)
	members := read.(map[string]any)
	for name, other := range others {
		members[name] = other
	}
	return members
}
{{/merge}}
{{#payload}}

// withPayload adds the members of the payload; what cannot stand at the top stands below data.
func withPayload(document map[string]any, data any) map[string]any {
	text, err := json.Marshal(data)
	var members map[string]json.RawMessage
	if err != nil || json.Unmarshal(text, &members) != nil {
		document["data"] = data
		return document
	}
	for name := range members {
		switch name {
		case {{own_keys}}:
			document["data"] = data
			return document
		}
	}
	for name, member := range members {
		document[name] = member
	}
	return document
}
{{/payload}}

{{checker}}
