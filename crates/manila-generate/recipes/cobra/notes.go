// A small program with cobra that answers in envelopes.
//
// manila generate --lang go --for producer -o envelope
package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"notes/envelope"
)

type note struct {
	ID   string `json:"id"`
	Text string `json:"text"`
}

var notes = []note{{"1", "buy milk"}, {"2", "call home"}}

func main() {
	var result *envelope.Result[any]
	root := &cobra.Command{
		Use:           "notes",
		Short:         "Keeps notes.",
		Version:       "1.0",
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(&cobra.Command{
		Use:   "list",
		Short: "List the notes.",
		Args:  cobra.NoArgs,
		Run: func(*cobra.Command, []string) {
			listed := envelope.Succeed[any](notes)
			result = &listed
		},
	})
	root.AddCommand(&cobra.Command{
		Use:   "show NOTE",
		Short: "Show one note.",
		Args:  cobra.ExactArgs(1),
		Run: func(_ *cobra.Command, args []string) {
			more := envelope.ErrorExtras{Suggestion: "`notes list` has all of them"}
			found := envelope.Fail[any](envelope.CodeNotFound, fmt.Sprintf("there is no note %q", args[0]), more)
			for _, one := range notes {
				if one.ID == args[0] {
					found = envelope.Succeed[any](one)
				}
			}
			result = &found
		},
	})
	answer, err := envelope.Respond(func() envelope.Result[any] {
		if err := root.Execute(); err != nil {
			more := envelope.ErrorExtras{Phase: envelope.PhaseValidation}
			return envelope.Fail[any](envelope.CodeArgError, message(root, err), more)
		}
		// Help and the version are text.
		if result == nil {
			os.Exit(0)
		}
		return *result
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	exitCode, _ := envelope.Emit(answer, os.Stdout, os.Stderr)
	os.Exit(exitCode)
}

// message says what is wrong with the arguments. Of several unknown flags cobra names the first.
func message(root *cobra.Command, err error) string {
	if !strings.HasPrefix(err.Error(), "unknown flag") {
		return err.Error()
	}
	var unknown []string
	for _, word := range os.Args[1:] {
		if strings.HasPrefix(word, "--") && !isFlag(root, word[2:]) {
			unknown = append(unknown, word)
		}
	}
	return "unknown flags: " + strings.Join(unknown, ", ")
}

func isFlag(root *cobra.Command, name string) bool {
	for _, command := range append(root.Commands(), root) {
		if command.Flags().Lookup(name) != nil {
			return true
		}
	}
	return false
}
