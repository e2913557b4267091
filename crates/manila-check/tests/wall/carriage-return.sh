#!/bin/sh
# The flaw: lines end as they do on another system.

otherwise() {
    put() { printf '%s\r\n' "$1"; }
}

. "${0%/*}/right.sh"
