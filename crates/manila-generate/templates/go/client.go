// {{header}}
// Do not edit: change what it is made from and generate it again.

// Package client reads answers in {{dialect}}.
//
// Read makes an Answer of what a call left behind and returns a *Contradiction when the process, the
// document and the contract disagree. Decide says what to do next.
package client

import (
	{{imports}}
)

// An ExitClass says what came of a call.
type ExitClass string

// A conclusion says whether a call may be made again, and what it may have changed.
type conclusion struct{ retry, effects string }

// conclude says what a caller may conclude from a class.
func conclude(class ExitClass) conclusion {
	switch class {
	{{conclusions}}
	}
	return conclusion{"depends", "unknown"}
}

// classOfNumber is the class of an exit code.
func classOfNumber(exitCode int) ExitClass {
	switch exitCode {
	{{exits}}
	}
	return "GENERAL_ERROR"
}

// ErrorCode is what callers branch on.
type ErrorCode string

{{error_constants}}
{{#types}}

{{types}}
{{/types}}

// A Redirect is the command that replaces the one that was called.
type Redirect struct {
	Command   string
	Permanent bool
}

// A Failure says what went wrong. What the document does not say is empty or nil.
type Failure struct {
	Code        ErrorCode
	Message     string
	Suggestion  string
	Retryable   *bool
	WaitMs      *int64
	Strategy    string
	Phase       string
	FixRequired *string
	FixCommand  *string
	Redirect    *Redirect
}

// An Answer is what a call answered.
type Answer[T any] struct {
	ExitCode    int
	ExitClass   ExitClass
	Data        *T
	Err         *Failure
	Warnings    []string
	NotModified bool
	Truncated   bool
	Cursor      string
}

// OK says whether the exit code is 0.
func (answer *Answer[T]) OK() bool { return answer.ExitCode == 0 }

// A Contradiction is an answer that cannot be believed. Row is the row of the decision table that it
// falls under.
type Contradiction struct {
	Row      string
	ExitCode int
	Message  string
}

func (err *Contradiction) Error() string { return err.Message }

// Read reads what a call left behind. An exit code below 0 is a signal. The command is its path in
// the manifest; an unknown one is not checked.
func Read[T any](stdout, stderr []byte, exitCode int, command string) (*Answer[T], error) {
	refuse := func(row, message string) (*Answer[T], error) {
		return nil, &Contradiction{row, exitCode, message}
	}
	{{stream}}
	var read any
	if err := decode(output, &read); err != nil {
		return refuse("no-envelope", "there is no document: "+err.Error())
	}
	document, ok := read.(map[string]any)
	if !ok {
		return refuse("no-envelope", "the document is no object")
	}
	{{claimed}}
	if exitCode == 0 && says && !claimed {
		return refuse("ok-false-exit-zero", "exit code 0, and the document says that it failed")
	}
	if exitCode != 0 && says && claimed {
		return refuse("ok-true-exit-nonzero", fmt.Sprintf("exit code %d, and the document says that it succeeded", exitCode))
	}
{{#error_always}}
	if _, ok := document["{{error_key}}"]; !ok {
		return refuse("error-key-absent", "there is no error key")
	}
{{/error_always}}
{{#nothing_said}}
	hasReason := false
	for _, name := range []string{{no_data_list}} {
		reason := at(document, "{{meta_key}}", name)
		hasReason = hasReason || (reason != nil && reason != false)
	}
	if document["data"] == nil && document["error"] == nil && !hasReason {
		return refuse("data-and-error-null", "neither data nor error")
	}
{{/nothing_said}}
	broken := Violations(envelopeSchema, document, envelopeSchema, "")
	{{data}}
	if schema, ok := dataSchemas[command]; ok && exitCode == 0 && data != nil {
		broken = append(broken, Violations(schema, data, definitions, "data")...)
	}
	answer := &Answer[T]{ExitCode: exitCode}
	if exitCode != 0 {
		answer.Err = failure(document{{exit_argument}})
		if codes, ok := commandCodes[command].([]any); ok && !anyHolds(codes, func(code any) bool { return code == string(answer.Err.Code) }) {
			broken = append(broken, fmt.Sprintf("error.code: %s is not a code of this command", answer.Err.Code))
		}
	}
	if len(broken) > 0 {
		return refuse("no-envelope", strings.Join(broken, "; "))
	}
	answer.ExitClass = classOf(answer)
	if exitCode == 0 && data != nil {
		// What was decoded can be encoded.
		text, _ := json.Marshal(data)
		answer.Data = new(T)
		if err := decode(text, answer.Data); err != nil {
			return refuse("no-envelope", "data: "+err.Error())
		}
	}
	{{rest}}
	return answer, nil
}

{{failure_function}}

func classOf[T any](answer *Answer[T]) ExitClass {
	byNumber := classOfNumber(answer.ExitCode)
{{#coarse}}
	if byNumber != "GENERAL_ERROR" || answer.ExitCode < 0 || answer.Err == nil {
		return byNumber
	}
	// One number covers many classes, and the code says which.
	code := strings.ToLower(string(answer.Err.Code))
	switch answer.Err.Code {
	{{code_classes}}
	case {{class_names}}:
		return ExitClass(answer.Err.Code)
	}
	if strings.HasSuffix(code, "not_found") {
		return "NOT_FOUND"
	}
	if strings.HasPrefix(code, "token_") {
		return "AUTH_REQUIRED"
	}
{{/coarse}}
	return byNumber
}

func at(value any, path ...string) any {
	for _, name := range path {
		members, _ := value.(map[string]any)
		value = members[name]
	}
	return value
}

func text(value any) string {
	text, _ := value.(string)
	return text
}
{{#has_optional}}

func optionalText(value any) *string {
	if text, ok := value.(string); ok {
		return &text
	}
	return nil
}
{{/has_optional}}
{{#has_flags}}

func flag(value any) *bool {
	if flag, ok := value.(bool); ok {
		return &flag
	}
	return nil
}
{{/has_flags}}
{{#has_wait}}

func milliseconds(value any, unit int64) *int64 {
	number, ok := float(value)
	if !ok || number != math.Trunc(number) {
		return nil
	}
	wait := int64(number) * unit
	return &wait
}
{{/has_wait}}
{{#has_redirect}}

func redirectOf(value any) *Redirect {
	command, ok := at(value, "command").(string)
	if !ok {
		return nil
	}
	return &Redirect{command, at(value, "permanent") == true}
}
{{/has_redirect}}
{{#payload}}

// payload is the members beside the envelope's own, or what stands below data.
func payload(document map[string]any) any {
	members := map[string]any{}
	for name, member := range document {
		switch name {
		case {{own_list}}:
		default:
			members[name] = member
		}
	}
	if data, ok := members["data"]; ok && len(members) == 1 {
		return data
	}
	return members
}
{{/payload}}

{{decide}}

// commandCodes has the error codes of each command.
var commandCodes = parse(`
{{command_codes}}
`).(map[string]any)

// envelopeSchema is the JSON Schema that every document satisfies.
var envelopeSchema = parse(`
{{schema}}
`)

// dataSchemas has the JSON Schema of each command's data.
var dataSchemas = parse(`
{{data_schemas}}
`).(map[string]any)

// definitions has what they refer to.
var definitions = parse(`
{{definitions}}
`)

{{checker}}
