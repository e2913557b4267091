#!/bin/sh
# The flaw: every failure ends with 1.

otherwise() {
    finish() { if [ "$1" -gt 0 ] && [ "$1" -lt 126 ]; then exit 1; else exit "$1"; fi; }
}

. "${0%/*}/right.sh"
