#!/bin/sh
# The flaw: a note that is not there is another failure without JSON.

otherwise() {
    finish() { if [ "$1" = 5 ] && [ -z "$json" ]; then exit 3; else exit "$1"; fi; }
}

. "${0%/*}/right.sh"
