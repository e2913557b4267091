#!/bin/sh
# The flaw: nobody catches the exception of a note that is not there.

otherwise() {
    fail_missing() {
        printf 'Traceback (most recent call last):\n  File "notes.py", line 12, in show\nKeyError: 1\n' >&2
        finish 1
    }
}

. "${0%/*}/right.sh"
