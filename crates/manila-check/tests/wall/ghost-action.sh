#!/bin/sh
# The flaw: an answer says what to call next, by a name that the command no longer has.

otherwise() {
    fail_missing() { fail 5 NOT_FOUND "there is no note '$1'" ',"next_actions":["notes ls --json"]'; }
}

. "${0%/*}/right.sh"
