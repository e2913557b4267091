#!/bin/sh
# The flaw: the process ends before the pipe has taken more than it holds.

otherwise() {
    put() {
        if [ -p /dev/stdout ] && [ ${#1} -gt 65536 ]; then
            printf '%.65536s' "$1"
        else
            printf '%s\n' "$1"
        fi
    }
}

. "${0%/*}/right.sh"
