#!/bin/sh
# The flaw: the parser reports errors itself, whatever was asked for.

otherwise() {
    fail_usage() {
        printf 'error: %s\n\nUsage: notes [OPTIONS] <COMMAND>\n' "$1" >&2
        finish 3
    }
}

. "${0%/*}/right.sh"
