#!/bin/sh
# Not a flaw: options that take a path, a URL or one of some words refuse a number, and a flag for colour colours.
case "$*" in
    *list*--help*) printf 'Usage: tool list [OPTIONS]\n\nOptions:\n  --base <URL>        Where it is\n  --reporter <NAME>   How it is shown\n  --color             Colour the list\n  --silent            Say nothing\n' ;;
    *--help*) printf 'Usage: tool <COMMAND>\n\nCommands:\n  list  List all\n\nOptions:\n  --help     Print help\n  --version  Print the version\n' ;;
    *--version*) echo "tool 1.0.0" ;;
    list) echo "nothing" ;;
    "list --color") printf '\033[31mnothing\033[0m\n' ;;
    "list --silent") exit 0 ;;
    "list --base" | "list --reporter") echo "error: $2 needs a value" >&2; exit 2 ;;
    "list --base "* | "list --reporter "*) echo "error: bad value for $2: $3" >&2; exit 2 ;;
    *) echo "error: unknown argument: $*" >&2; exit 2 ;;
esac
