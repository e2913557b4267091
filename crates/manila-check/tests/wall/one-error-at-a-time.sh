#!/bin/sh
# The flaw: only the first error is reported.

otherwise() {
    usage_error() {
        if [ -z "$errors" ]; then errors=$1; fi
        error_count=$((error_count + 1))
    }
}

. "${0%/*}/right.sh"
