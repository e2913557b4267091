#!/bin/sh
# The flaw: the status is that of the last thing that was tried.

otherwise() {
    run_config_show() {
        if [ -n "$json" ]; then
            envelope true '{"limit":20,"colour":"never"}' null
            finish 3
        fi
        printf 'limit   20\ncolour  never\n'
        finish 3
    }
}

. "${0%/*}/right.sh"
