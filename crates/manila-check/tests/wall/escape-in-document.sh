#!/bin/sh
# The flaw: the terminal is asked for its background colour before the list.

otherwise() {
    put() {
        if [ "$command" = list ]; then printf '\033]11;?\007'; fi
        printf '%s\n' "$1"
    }
}

. "${0%/*}/right.sh"
