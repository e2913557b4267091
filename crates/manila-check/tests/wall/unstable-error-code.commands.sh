#!/bin/sh
# The flaw: a usage error of one command has another code than in all others.

otherwise() {
    exit_code() {
        codes=$3
        if [ "$1" = 3 ]; then codes="$3,\"BAD_USAGE\""; fi
        exits="$exits${exits:+,}\"$1\":{\"name\":\"$2\",\"retryable\":false,\"codes\":[$codes]}"
    }
    refuse() {
        if [ "$error_count" = 0 ]; then return; fi
        if [ "$command" != list ]; then fail_usage "$errors"; fi
        fail 3 BAD_USAGE "$errors" ',"phase":"validation","suggestion":"notes --help"'
    }
}

. "${0%/*}/right.sh"
