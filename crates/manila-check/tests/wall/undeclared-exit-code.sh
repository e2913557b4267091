#!/bin/sh
# The flaw: a note that is not there ends with a number that no command declares.

otherwise() {
    finish() { if [ "$1" = 5 ]; then exit 44; else exit "$1"; fi; }
}

. "${0%/*}/right.sh"
