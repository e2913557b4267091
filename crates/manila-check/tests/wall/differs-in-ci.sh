#!/bin/sh
# The flaw: in CI the list is shortened.

otherwise() {
    list_one() { if [ -z "${CI-}" ] || [ "$1" -le 2 ]; then collect "$@"; fi; }
}

. "${0%/*}/right.sh"
