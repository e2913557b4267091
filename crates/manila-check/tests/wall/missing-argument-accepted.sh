#!/bin/sh
# The flaw: a word that is not there is looked for all the same.

otherwise() {
    missing() { if [ "$1" != WORD ]; then usage_error "$1 is missing"; fi; }
}

. "${0%/*}/right.sh"
