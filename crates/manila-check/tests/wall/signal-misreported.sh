#!/bin/sh
# The flaw: a cancelled watch counts as done.

otherwise() {
    watch_signals() {
        trap 'cancel 0' INT TERM
    }
    cancel() {
        if [ -n "$sleeper" ]; then kill "$sleeper" 2>/dev/null; fi
        succeed "{}"
    }
}

. "${0%/*}/right.sh"
