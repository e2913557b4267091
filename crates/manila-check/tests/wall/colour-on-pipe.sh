#!/bin/sh
# The flaw: notes are coloured wherever they are shown.

otherwise() {
    note_text() { printf '\033[1m%3s\033[0m  %-8s  %s\n' "$1" "$2" "$3"; }
}

. "${0%/*}/right.sh"
