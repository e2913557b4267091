#!/bin/sh
# The flaw: the version was never filled in.

otherwise() {
    run_version() {
        if [ -n "$json" ]; then succeed '{"name":"notes","version":"unknown"}'; fi
        printf 'notes (version unknown)\n'
        finish 0
    }
}

. "${0%/*}/right.sh"
