#!/bin/sh
# The flaw: a library prints a greeting on stdout before the list.

otherwise() {
    put() {
        if [ "$command" = list ]; then printf 'Using keyring backend: keyring\n'; fi
        printf '%s\n' "$1"
    }
}

. "${0%/*}/right.sh"
