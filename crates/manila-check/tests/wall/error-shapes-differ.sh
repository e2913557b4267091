#!/bin/sh
# The flaw: the code of a note that is not there has another name.

otherwise() {
    error_object() {
        quote "$2"
        error="{\"code\":\"$1\",\"message\":$quoted,\"retryable\":false${3-}}"
        if [ "$1" = NOT_FOUND ]; then error="{\"kind\":\"$1\",\"message\":$quoted,\"retryable\":false}"; fi
    }
}

. "${0%/*}/right.sh"
