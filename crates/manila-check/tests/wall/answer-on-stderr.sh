#!/bin/sh
# The flaw: the results of a search go to stderr.

otherwise() {
    put() {
        if [ "$command" = search ]; then printf '%s\n' "$1" >&2; else printf '%s\n' "$1"; fi
    }
}

. "${0%/*}/right.sh"
