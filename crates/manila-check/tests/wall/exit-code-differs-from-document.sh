#!/bin/sh
# The flaw: the number in the document is always that of a general error.

otherwise() {
    fail() {
        if [ -n "$json" ]; then
            error_object "$2" "$3" "${4-}"
            envelope false null "$error" ",\"exit_code\":1"
        else
            answered=yes
            printf 'error: %s\n' "$3" >&2
        fi
        finish "$1"
    }
}

. "${0%/*}/right.sh"
