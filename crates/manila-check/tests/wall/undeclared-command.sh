#!/bin/sh
# The flaw: the manifest does not know of one command.

otherwise() {
    succeed() {
        data=$1
        if [ "$command" = manifest ]; then data="${data%%,\"dump\":*},\"list\":${data#*,\"list\":}"; fi
        envelope true "$data" null "${2-}"
        finish 0
    }
}

. "${0%/*}/right.sh"
