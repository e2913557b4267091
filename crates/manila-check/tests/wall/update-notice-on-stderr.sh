#!/bin/sh
# The flaw: every call reports a newer version.

otherwise() {
    finish() {
        printf 'Update available: 1.2.0 -> 1.3.0\n' >&2
        exit "$1"
    }
}

. "${0%/*}/right.sh"
