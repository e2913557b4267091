#!/bin/sh
# The flaw: a note that is not there is told, and the status is 0.

otherwise() {
    finish() { if [ "$1" = 5 ]; then exit 0; else exit "$1"; fi; }
}

. "${0%/*}/right.sh"
