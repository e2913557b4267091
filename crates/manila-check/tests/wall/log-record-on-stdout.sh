#!/bin/sh
# The flaw: with LOG_LEVEL set, the log is on stdout.

otherwise() {
    put() {
        if [ -n "${LOG_LEVEL-}" ]; then printf '{"level":"debug","msg":"answering"}\n'; fi
        printf '%s\n' "$1"
    }
}

. "${0%/*}/right.sh"
