#!/bin/sh
# The flaw: the error of a note that is not there is an exception without fields.

otherwise() {
    error_object() {
        quote "$2"
        error="{\"code\":\"$1\",\"message\":$quoted,\"retryable\":false${3-}}"
        if [ "$1" = NOT_FOUND ]; then error='{}'; fi
    }
}

. "${0%/*}/right.sh"
