#!/bin/sh
# The flaw: a note that is not there ends with -1.

otherwise() {
    finish() { if [ "$1" = 5 ]; then exit 255; else exit "$1"; fi; }
}

. "${0%/*}/right.sh"
