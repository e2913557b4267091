#!/bin/sh
# The flaw: a key has the moment in its name.

otherwise() {
    run_config_show() {
        if [ -n "$json" ]; then succeed "{\"limit\":20,\"colour\":\"never\",\"seen_at_$(date +%N)\":true}"; fi
        printf 'limit   20\ncolour  never\n'
        finish 0
    }
}

. "${0%/*}/right.sh"
