#!/bin/sh
# The flaw: the manifest knows the code by its old name.

otherwise() {
    fail_missing() { fail 5 NO_SUCH_NOTE "there is no note '$1'"; }
}

. "${0%/*}/right.sh"
