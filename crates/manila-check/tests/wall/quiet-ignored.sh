#!/bin/sh
# The flaw: --quiet is never looked at.

otherwise() {
    say() { if [ -z "$json" ]; then printf '%s\n' "$1" >&2; fi; }
}

. "${0%/*}/right.sh"
