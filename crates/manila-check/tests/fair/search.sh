#!/bin/sh
# Not a flaw: a search that finds nothing says so with its status alone, and a cache in the temporary directory stays.
mkdir -p "$TMPDIR/tool-cache" && : > "$TMPDIR/tool-cache/1"
case "$*" in
    *--help*) printf 'Usage: search PATTERN [FILE]\n\nSearch for a pattern in a file\n\nOptions:\n  --help     Print help\n  --version  Print the version\n' ;;
    *--version*) echo "search 1.0.0" ;;
    --* | *" --"*) echo "search: unknown option" >&2; exit 2 ;;
    "") echo "search: a pattern is needed" >&2; exit 2 ;;
    a*) echo "alpha" ;;
    *) exit 1 ;;
esac
