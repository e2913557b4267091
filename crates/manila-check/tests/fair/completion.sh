#!/bin/sh
# Not a flaw: a completion script is not an answer, whatever form is asked for.
case "$*" in
    *completion*--help*) printf 'Usage: tool completion [--json]\n\nOptions:\n  --json  Answer in JSON\n' ;;
    *list*--help*) printf 'Usage: tool list [--json]\n\nOptions:\n  --json  Answer in JSON\n' ;;
    *--help*) printf 'Usage: tool <COMMAND>\n\nCommands:\n  list        List all\n  completion  Print the completion script\n\nOptions:\n  --help     Print help\n  --version  Print the version\n' ;;
    *--version*) echo "tool 1.0.0" ;;
    completion) printf '_tool() {\n  [ "$1" = { ] && echo "[ {"\n}\n' ;;
    "list --json") echo '[]' ;;
    list) echo "nothing" ;;
    *--json*) echo '{"error":{"code":"USAGE","message":"unknown argument"}}'; exit 2 ;;
    *) echo "unknown argument" >&2; exit 2 ;;
esac
