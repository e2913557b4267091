// A Decision says what to do next. Row is the row of the table that says so (manila explain ROW).
type Decision struct {
	Action   string
	Row      string
	Reason   string
	WaitMs   *int64
	Change   string
	Cursor   string
	Argv     []string
	Remember bool
	Notes    []string
}

// A History says what has happened in this call so far.
type History struct {
	// Attempts has the error codes since the last change of state.
	Attempts []ErrorCode

	Cursors   []string
	Redirects []string
	Refreshed bool
	Fixed     bool
	Reissued  bool
}

// A Policy says what a caller is willing to do. DefaultPolicy has the usual values.
type Policy struct {
	Retries     int
	Hops        int
	Jitter      float64
	RemainingMs *int64
	Idempotent  bool
	Cached      bool
	Fixes       bool
	Refresh     bool
	// Redirects is never, same-program or any.
	Redirects string
}

// DefaultPolicy retries three times, follows five redirects and runs no other program.
func DefaultPolicy() Policy {
	return Policy{Retries: 3, Hops: 5, Redirects: "same-program"}
}

const longestWaitMs = 300_000

// Decide says what to do about an answer, or about the error of Read: the first row of the table that
// fits, within the budget.
func Decide[T any](answer *Answer[T], err error, history History, policy Policy, argv []string) Decision {
	decision := firstRow(answer, err, history, policy, argv)
	if decision.WaitMs != nil {
		used := 0
		if answer != nil && answer.Err != nil {
			used = countOf(answer.Err.Code, history)
		}
		if used >= policy.Retries {
			decision = Decision{Action: "give-up", Row: "budget", Reason: "the retries are used up"}
		} else if policy.RemainingMs != nil && *decision.WaitMs > *policy.RemainingMs {
			decision = Decision{Action: "give-up", Row: decision.Row, Reason: "the wait exceeds the deadline"}
		}
	}
	if answer != nil {
		decision.Notes = notesOf(answer.Warnings)
	}
	return decision
}

func firstRow[T any](answer *Answer[T], err error, history History, policy Policy, argv []string) Decision {
	if answer == nil {
		return contradiction(err)
	}
	if answer.Err == nil {
		return success(answer, history, policy)
	}
	failed, class, exitCode := answer.Err, answer.ExitClass, answer.ExitCode
	retry, effects := conclude(class).retry, conclude(class).effects
	code := strings.ToUpper(string(failed.Code))
	alike := countOf(failed.Code, history)
	isYes := failed.Retryable != nil && *failed.Retryable
	isNo := failed.Retryable != nil && !*failed.Retryable
	validation := failed.Phase == "validation"
	violent := exitCode < 0 || exitCode == 101 || exitCode == 124 || exitCode >= 128
	partlyDone := violent || (effects == "partial" && !validation)
	// "Retryable" promises that nothing happened, which settles what is only unknown.
	unknown := effects == "unknown" && !isYes && !validation
	mayHaveEffects := !policy.Idempotent && (partlyDone || unknown)
	wrongArguments := class == "ARG_ERROR" && !mayHaveEffects
	isLock := (class == "CONFLICT" || class == "PRECONDITION") && effects == "none" && !mayHaveEffects
	forbidden := exitCode >= 64 && exitCode <= 78
	if retry == "no" || retry == "after-fix" {
		forbidden = !policy.Idempotent
	}
	mayCallAgain := !forbidden && !mayHaveEffects
	isExpired := code == "TOKEN_EXPIRED" || code == "CREDENTIALS_EXPIRED" || code == "AUTH_EXPIRED"
	isNeeded := code == "TOKEN_INVALID" || code == "TOKEN_MISSING" || code == "UNAUTHENTICATED" || code == "AUTH_REQUIRED"
	aboutCredentials := class == "AUTH_REQUIRED" || isExpired || isNeeded
	refreshes := isExpired && !history.Refreshed && alike == 0 && !partlyDone && !mayHaveEffects
	exponential := backOff(alike, policy.Jitter)
	again := func(row string, waitMs int64, reason string) Decision {
		action := "retry"
		if class == "ARG_ERROR" {
			action = "correct-arguments"
		}
		return Decision{Action: action, Row: row, Reason: reason, WaitMs: &waitMs}
	}

	// 9: the command has moved.
	if class == "REDIRECTED" {
		return redirected(failed.Redirect, history, policy, argv)
	}
	// 10: a command corrects it.
	if failed.FixCommand != nil && !(policy.Refresh && refreshes) {
		row, words := "fix-command", wordsOf(*failed.FixCommand)
		switch {
		case mayHaveEffects:
			return Decision{Action: "inspect-state", Row: row, Reason: "some of the work may be done already"}
		case history.Fixed:
			return Decision{Action: "give-up", Row: row, Reason: "a fix was applied and it still fails"}
		case !policy.Fixes:
			return Decision{Action: "escalate", Row: row, Reason: "the caller must allow the stated fix"}
		case words == nil:
			return Decision{Action: "escalate", Row: row, Reason: "the fix cannot be run without a shell"}
		case !mayRun(words[0], policy, argv):
			return Decision{Action: "escalate", Row: row, Reason: "it is not the program that was called"}
		}
		return Decision{Action: "apply-fix", Row: row, Reason: "the error states a command", Argv: words}
	}
	// 11: something must be true first.
	if failed.FixRequired != nil && !refreshes {
		reason := "this must be true first: " + *failed.FixRequired
		if wrongArguments && !history.Fixed && alike == 0 {
			return again("fix-required", 0, reason)
		}
		return Decision{Action: "escalate", Row: "fix-required", Reason: reason}
	}
	// 12: calling again will not help.
	if isNo && retry != "yes" && !aboutCredentials {
		if partlyDone {
			return Decision{Action: "inspect-state", Row: "not-retryable", Reason: "it may be partly done"}
		}
		return Decision{Action: "give-up", Row: "not-retryable", Reason: "calling again will not help"}
	}
	// 13: the credentials are old.
	if refreshes {
		return Decision{Action: "refresh-credentials", Row: "token-expired", Reason: code}
	}
	// 14: credentials are needed.
	if aboutCredentials && !partlyDone {
		return Decision{Action: "acquire-credentials", Row: "credentials-needed", Reason: code}
	}
	// 15: the error says how long to wait.
	if failed.WaitMs != nil {
		retryable := isYes || (failed.Retryable == nil && (retry == "yes" || isLock))
		if retryable && (mayCallAgain || isLock) {
			return again("wait-stated", *failed.WaitMs, "the error says how long to wait")
		}
	}
	if !isNo && !mayHaveEffects {
		// 16: too many calls.
		if class == "RATE_LIMITED" {
			return again("rate-limited", 60_000, "too many calls")
		}
		// 17: something it needs cannot be reached.
		if class == "UNAVAILABLE" {
			return again("unavailable", exponential, "not reachable")
		}
	}
	// 18: the error says that calling again may help.
	if isYes && class != "TIMEOUT" && mayCallAgain {
		waitMs := int64(1000)
		switch {
		case class == "ARG_ERROR" || failed.Strategy == "immediate":
			waitMs = 0
		case failed.Strategy == "linear_backoff":
			waitMs = int64(math.Min(1000*float64(alike+1), longestWaitMs))
		case failed.Strategy == "exponential_backoff":
			waitMs = exponential
		}
		return again("retryable", waitMs, "calling again may help")
	}
	// 19: the exit table decides.
	if failed.Retryable == nil {
		row := "retryable-absent"
		switch {
		case (retry == "yes" || retry == "after-fix") && wrongArguments:
			return again(row, 0, "the arguments are wrong")
		case retry == "no" && effects == "partial":
			return Decision{Action: "inspect-state", Row: row, Reason: "it leaves work partly done"}
		case retry == "no":
			return Decision{Action: "give-up", Row: row, Reason: "the class is not to be retried"}
		case retry == "after-fix" || (retry == "depends" && effects == "none"):
			return Decision{Action: "escalate", Row: row, Reason: "it needs a correction first"}
		case validation:
			return Decision{Action: "escalate", Row: row, Reason: "nothing was done; something is wrong"}
		}
	}
	// 20: the exit table says retry, the error says no.
	if isNo && retry == "yes" {
		if partlyDone {
			return Decision{Action: "inspect-state", Row: "error-says-no", Reason: "it may be partly done"}
		}
		return Decision{Action: "give-up", Row: "error-says-no", Reason: "the error says no"}
	}
	// 21: the exit table says no, or a correction first, and the error says retry.
	if isYes {
		row := "error-says-yes"
		switch {
		case retry == "no" && effects == "partial":
			return Decision{Action: "inspect-state", Row: row, Reason: "some of the work may be done"}
		case retry == "no":
			return Decision{Action: "give-up", Row: row, Reason: "the exit code says no"}
		case retry == "after-fix" && wrongArguments:
			return again(row, 0, "the arguments are wrong")
		case retry == "after-fix":
			return Decision{Action: "escalate", Row: row, Reason: "the exit code says correct it first"}
		}
	}
	// 22: it ran out of time.
	if class == "TIMEOUT" && !isNo {
		if mayHaveEffects {
			return Decision{Action: "inspect-state", Row: "timeout", Reason: "some of the work may be done"}
		}
		return again("timeout", exponential, "it may be called twice")
	}
	return byStatus(exitCode)
}

func success[T any](answer *Answer[T], history History, policy Policy) Decision {
	// 7: the kept answer holds.
	if answer.NotModified {
		row := "not-modified"
		if policy.Cached {
			return Decision{Action: "use-cache", Row: row, Reason: "nothing has changed"}
		}
		if history.Reissued {
			return Decision{Action: "escalate", Row: row, Reason: "still not modified without a version"}
		}
		waitMs := int64(0)
		return Decision{Action: "retry", Row: row, Reason: "there is no kept answer", WaitMs: &waitMs, Change: "without-etag"}
	}
	// 8: the data are not all.
	if answer.Truncated {
		row := "truncated"
		if answer.Cursor == "" {
			return Decision{Action: "escalate", Row: row, Reason: "there is no cursor: narrow the query"}
		}
		if contains(history.Cursors, answer.Cursor) {
			return Decision{Action: "give-up", Row: row, Reason: "the cursor was already asked for"}
		}
		return Decision{Action: "next-page", Row: row, Reason: "there is more", Cursor: answer.Cursor}
	}
	return Decision{Action: "accept", Row: "success", Reason: "the command succeeded"}
}

func redirected(redirect *Redirect, history History, policy Policy, argv []string) Decision {
	decision := Decision{Action: "escalate", Row: "redirected"}
	if redirect == nil {
		decision.Reason = "nothing says where to"
		return decision
	}
	words := wordsOf(redirect.Command)
	switch {
	case words == nil:
		decision.Reason = "the command cannot be run without a shell"
	case len(history.Redirects) >= policy.Hops:
		decision.Action, decision.Reason = "give-up", "too many redirects were followed"
	case contains(history.Redirects, redirect.Command) || reflect.DeepEqual(words, argv):
		decision.Action, decision.Reason = "give-up", "it leads back to where it began"
	case policy.Redirects == "never":
		decision.Reason = "the caller follows no redirects"
	case !mayRun(words[0], policy, argv):
		decision.Reason = "it is not the program that was called"
	default:
		decision.Action, decision.Reason = "redirect", "the command moved"
		decision.Argv, decision.Remember = words, redirect.Permanent
	}
	return decision
}

func contradiction(err error) Decision {
	refused, ok := err.(*Contradiction)
	if !ok {
		return Decision{Action: "escalate", Row: "no-envelope", Reason: fmt.Sprint(err)}
	}
	if refused.Row == "ok-true-exit-nonzero" || refused.Row == "error-key-absent" {
		return Decision{Action: "inspect-state", Row: refused.Row, Reason: refused.Message}
	}
	if refused.Row == "no-envelope" && refused.ExitCode != 0 {
		return byStatus(refused.ExitCode)
	}
	return Decision{Action: "escalate", Row: refused.Row, Reason: refused.Message}
}

func byStatus(exitCode int) Decision {
	if exitCode >= 0 && exitCode <= 13 {
		return Decision{Action: "inspect-state", Row: "nothing-else", Reason: "nothing says what was done"}
	}
	row := "outside-the-table"
	if exitCode >= 64 && exitCode <= 78 {
		return Decision{Action: "give-up", Row: row, Reason: "a sysexits number, not to be retried"}
	}
	if exitCode >= 79 && exitCode <= 127 && exitCode != 101 && exitCode != 124 {
		return Decision{Action: "escalate", Row: row, Reason: "the program's own number, or it never ran"}
	}
	return Decision{Action: "inspect-state", Row: row, Reason: "some of the work may be done"}
}

func countOf(code ErrorCode, history History) int {
	count := 0
	for _, one := range history.Attempts {
		if one == code {
			count++
		}
	}
	return count
}

func contains(all []string, one string) bool {
	for _, other := range all {
		if other == one {
			return true
		}
	}
	return false
}

func backOff(alike int, jitter float64) int64 {
	wait := math.Min(1000*math.Exp2(float64(alike)), longestWaitMs)
	spread := wait * math.Min(math.Max(jitter, 0), 1)
	return int64(math.Min(wait+spread, longestWaitMs))
}

func mayRun(named string, policy Policy, argv []string) bool {
	if policy.Redirects == "any" || len(argv) == 0 {
		return true
	}
	return named == argv[0] || named == argv[0][strings.LastIndex(argv[0], "/")+1:]
}

// wordsOf splits a command into words; nil means that only a shell could make sense of it.
func wordsOf(command string) []string {
	var words []string
	var word strings.Builder
	inWord := false
	quote := rune(0)
	characters := []rune(command)
	add := func(character rune) {
		word.WriteRune(character)
		inWord = true
	}
	for at := 0; at < len(characters); at++ {
		character := characters[at]
		switch {
		case quote == '\'':
			if character == quote {
				quote = 0
			} else {
				add(character)
			}
		case strings.ContainsRune("$`", character) || (quote == 0 && strings.ContainsRune(";&|<>(){}*\n", character)):
			return nil
		case character == '\\':
			at++
			if at == len(characters) {
				return nil
			}
			if quote != 0 && !strings.ContainsRune("\"\\$`", characters[at]) {
				add(character)
			}
			add(characters[at])
		case quote != 0:
			if character == quote {
				quote = 0
			} else {
				add(character)
			}
		case character == '\'' || character == '"':
			quote, inWord = character, true
		case character == ' ' || character == '\t':
			if inWord {
				words = append(words, word.String())
			}
			word.Reset()
			inWord = false
		case !inWord && (character == '#' || character == '~'):
			return nil
		default:
			add(character)
		}
	}
	if inWord {
		words = append(words, word.String())
	}
	// NAME=value sets a variable, which only a shell does.
	if quote != 0 || len(words) == 0 || words[0] == "" || strings.Contains(words[0], "=") {
		return nil
	}
	return words
}

func notesOf(warnings []string) []string {
	var notes []string
	for _, warning := range warnings {
		notes = append(notes, "warning: "+warning)
		lower := strings.ToLower(warning)
		if strings.Contains(lower, "deprecated") || strings.Contains(lower, "will be removed") {
			notes = append(notes, "plan to change this call: it will stop working")
		}
	}
	return notes
}
