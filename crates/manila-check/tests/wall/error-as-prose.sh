#!/bin/sh
# The flaw: nobody thought of JSON where a note is not there.

otherwise() {
    fail_missing() {
        printf "error: there is no note '%s'\n" "$1" >&2
        finish 5
    }
}

. "${0%/*}/right.sh"
