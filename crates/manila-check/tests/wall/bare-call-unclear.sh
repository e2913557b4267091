#!/bin/sh
# The flaw: without a command it ends as if all were well.

otherwise() {
    missing() {
        if [ "$words$error_count$json" = 00 ]; then finish 0; fi
        usage_error "$1 is missing"
    }
}

. "${0%/*}/right.sh"
