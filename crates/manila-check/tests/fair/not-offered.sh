#!/bin/sh
# Not a flaw: one command offers JSON, and another one does not.
case "$*" in
    *list*--help*) printf 'Usage: tool list [OPTIONS]\n\nOptions:\n  --json  Answer in JSON\n' ;;
    *status*--help*) printf 'Usage: tool status [OPTIONS]\n\nOptions:\n  --short  In one line\n' ;;
    *--help*) printf 'Usage: tool <COMMAND>\n\nCommands:\n  list    List all\n  status  Show the state\n\nOptions:\n  --help     Print help\n  --version  Print the version\n' ;;
    *--version*) echo "tool 1.0.0" ;;
    "list --json") echo '[]' ;;
    list) echo "nothing" ;;
    status | "status --short") echo "[ok] all is well" ;;
    list*--json*) echo '{"error":{"code":"USAGE","message":"unknown argument"}}'; exit 2 ;;
    *) echo "unknown argument: $*" >&2; exit 2 ;;
esac
