#!/bin/sh
# The flaw: on a terminal there is colour whatever is asked for.

otherwise() {
    note_text() {
        if [ -t 1 ]; then printf '\033[1m%3s\033[0m  %-8s  %s\n' "$1" "$2" "$3"; else printf '%3s  %-8s  %s\n' "$1" "$2" "$3"; fi
    }
}

. "${0%/*}/right.sh"
