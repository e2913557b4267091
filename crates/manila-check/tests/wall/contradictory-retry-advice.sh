#!/bin/sh
# The flaw: what does not exist is said to come by asking again.

otherwise() {
    error_object() {
        quote "$2"
        error="{\"code\":\"$1\",\"message\":$quoted,\"retryable\":false${3-}}"
        if [ "$1" = NOT_FOUND ]; then error="{\"code\":\"$1\",\"message\":$quoted,\"retryable\":true}"; fi
    }
}

. "${0%/*}/right.sh"
