#!/bin/sh
# Not a flaw: without a login nothing can be listed, and that is said in text on stderr with or without JSON.
case "$*" in
    *list*--help*) printf 'Usage: tool list [--json]\n\nOptions:\n  --json  Answer in JSON\n' ;;
    *info*--help*) printf 'Usage: tool info [--json]\n\nOptions:\n  --json  Answer in JSON\n' ;;
    *--help*) printf 'Usage: tool <COMMAND>\n\nCommands:\n  info  Show the settings\n  list  List all\n\nOptions:\n  --help     Print help\n  --version  Print the version\n' ;;
    *--version*) echo "tool 1.0.0" ;;
    "info --json") echo '{"home":"none"}' ;;
    info) echo "home: none" ;;
    "list --json" | list) echo "error: not logged in; run tool login" >&2; exit 4 ;;
    *--json*) echo '{"error":{"code":"USAGE","message":"unknown argument"}}'; exit 2 ;;
    *) echo "unknown argument: $*" >&2; exit 2 ;;
esac
