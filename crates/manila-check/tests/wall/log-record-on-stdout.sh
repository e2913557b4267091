#!/bin/sh
# The flaw: whoever sets LOG_LEVEL gets the log on standard output.

otherwise() {
    put() {
        if [ -n "${LOG_LEVEL-}" ]; then printf '{"level":"debug","msg":"answering"}\n'; fi
        printf '%s\n' "$1"
    }
}

. "${0%/*}/right.sh"
