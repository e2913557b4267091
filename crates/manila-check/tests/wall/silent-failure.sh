#!/bin/sh
# The flaw: a note that is not there is nothing to talk about.

otherwise() {
    fail_missing() { finish 5; }
}

. "${0%/*}/right.sh"
