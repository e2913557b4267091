#!/bin/sh
# The flaw: one error does not say whether it is worth another try.

otherwise() {
    error_object() {
        quote "$2"
        error="{\"code\":\"$1\",\"message\":$quoted,\"retryable\":false${3-}}"
        if [ "$1" = NOT_FOUND ]; then error="{\"code\":\"$1\",\"message\":$quoted}"; fi
    }
}

. "${0%/*}/right.sh"
