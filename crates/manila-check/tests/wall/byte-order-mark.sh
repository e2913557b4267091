#!/bin/sh
# The flaw: the list begins with a byte-order mark.

otherwise() {
    put() {
        if [ "$command" = list ]; then printf '\357\273\277'; fi
        printf '%s\n' "$1"
    }
}

. "${0%/*}/right.sh"
