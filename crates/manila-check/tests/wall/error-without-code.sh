#!/bin/sh
# The flaw: the error of a note that is not there has only a message.

otherwise() {
    error_object() {
        quote "$2"
        error="{\"code\":\"$1\",\"message\":$quoted,\"retryable\":false${3-}}"
        if [ "$1" = NOT_FOUND ]; then error="{\"message\":$quoted,\"retryable\":false}"; fi
    }
}

. "${0%/*}/right.sh"
