#!/bin/sh
# The flaw: the manifest names a command that was taken out.

otherwise() {
    succeed() {
        data=$1
        if [ "$command" = manifest ]; then data="${data%\}\}},\"export\":{\"description\":\"Write them to a file\",\"danger_level\":\"mutating\"}}}"; fi
        envelope true "$data" null "${2-}"
        finish 0
    }
}

. "${0%/*}/right.sh"
