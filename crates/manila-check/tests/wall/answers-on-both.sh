#!/bin/sh
# The flaw: failures are reported on both streams.

otherwise() {
    put() {
        printf '%s\n' "$1"
        case $1 in '{"ok":false'*) printf '%s\n' "$1" >&2 ;; esac
    }
}

. "${0%/*}/right.sh"
