#!/bin/sh
# The flaw: a list is paged wherever it goes.

otherwise() {
    put() { printf '%s\n' "$1" | "${PAGER-less}"; }
}

. "${0%/*}/right.sh"
