#!/bin/sh
# The flaw: news of a newer version follows the list.

otherwise() {
    put() {
        printf '%s\n' "$1"
        if [ "$command" = list ]; then printf 'A new version of notes is available: 1.3.0\n'; fi
    }
}

. "${0%/*}/right.sh"
