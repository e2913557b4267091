#!/bin/sh
# Not a flaw: the flag for JSON stands before the command, as the usage says.
json=
[ "$1" = --json ] && { json=1; shift; }
fail() {
    [ -n "$json" ] && echo '{"error":{"code":"USAGE","message":"unknown argument"}}' || echo "unknown argument: $1" >&2
    exit 2
}
case "$*" in
    "list --help") printf 'usage: tool list [-h] [--all]\n\noptions:\n  -h, --help  show this help\n  --all       also those that are done\n' ;;
    *--help*) printf 'usage: tool [-h] [--json] {list} ...\n\npositional arguments:\n  {list}\n    list      List all notes\n\noptions:\n  -h, --help  show this help\n  --json      answer in JSON\n  --version   print the version\n' ;;
    *--version*) echo "tool 1.0.0" ;;
    list | "list --all") [ -n "$json" ] && echo '[]' || echo "nothing" ;;
    *) fail "$*" ;;
esac
