#!/bin/sh
# The flaw: the exception for a missing note is not caught.

otherwise() {
    fail_missing() {
        printf 'Traceback (most recent call last):\n  File "notes.py", line 12, in show\nKeyError: 1\n' >&2
        finish 1
    }
}

. "${0%/*}/right.sh"
