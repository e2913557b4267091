#!/bin/sh
# The flaw: a note that is not there ends with the number of wrong arguments.

otherwise() {
    fail_missing() { fail 3 NOT_FOUND "there is no note '$1'"; }
}

. "${0%/*}/right.sh"
