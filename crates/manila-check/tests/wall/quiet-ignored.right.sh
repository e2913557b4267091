#!/bin/sh
# Right: it talks to a pipe as well, and --quiet silences it.

otherwise() {
    say() { if [ -z "$quiet$json" ]; then printf '%s\n' "$1" >&2; fi; }
}

. "${0%/*}/right.sh"
