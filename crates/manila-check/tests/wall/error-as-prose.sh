#!/bin/sh
# The flaw: the error for a missing note is never JSON.

otherwise() {
    fail_missing() {
        printf "error: there is no note '%s'\n" "$1" >&2
        finish 5
    }
}

. "${0%/*}/right.sh"
