#!/bin/sh
# The flaw: deleting is declared to be safe.

otherwise() {
    succeed() {
        data=$1
        if [ "$command" = manifest ]; then data="${data%%destructive*}safe${data#*destructive}"; fi
        envelope true "$data" null "${2-}"
        finish 0
    }
}

. "${0%/*}/right.sh"
