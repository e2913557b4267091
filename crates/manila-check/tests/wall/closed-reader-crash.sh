#!/bin/sh
# The flaw: a reader that hangs up is an error to complain about.

otherwise() {
    put() { printf '%s\n' "$1" || printf 'notes: write error: Broken pipe\n' >&2; }
    trap "" PIPE
}

. "${0%/*}/right.sh"
