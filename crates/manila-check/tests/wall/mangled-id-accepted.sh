#!/bin/sh
# The flaw: of an id the digits at its beginning are read, and the rest is left.

otherwise() {
    run_show() {
        wanted=${1%%[!0-9]*}
        each_note show_one
        fail_missing "$1"
    }
}

. "${0%/*}/right.sh"
