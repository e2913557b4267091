#!/bin/sh
# The flaw: a missing note is reported, and the exit code is 0.

otherwise() {
    finish() { if [ "$1" = 5 ]; then exit 0; else exit "$1"; fi; }
}

. "${0%/*}/right.sh"
