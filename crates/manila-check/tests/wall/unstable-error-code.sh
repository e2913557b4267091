#!/bin/sh
# The flaw: the id is part of the code.

otherwise() {
    fail_missing() {
        case $1 in
        *[!A-Za-z0-9_-]*) fail 5 NO_NOTE "there is no note '$1'" ;;
        esac
        fail 5 "NO_NOTE_$1" "there is no note '$1'"
    }
}

. "${0%/*}/right.sh"
