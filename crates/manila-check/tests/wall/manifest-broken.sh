#!/bin/sh
# The flaw: the manifest has something of the moment.

otherwise() {
    succeed() {
        data=$1
        if [ "$command" = manifest ]; then data="{\"printed_at_$(date +%N)\":true,${data#?}"; fi
        envelope true "$data" null "${2-}"
        finish 0
    }
}

. "${0%/*}/right.sh"
