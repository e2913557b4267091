#!/bin/sh
# The flaw: a setting is there twice, as it is in the file.

otherwise() {
    run_config_show() {
        if [ -n "$json" ]; then succeed '{"limit":10,"limit":20,"colour":"never"}'; fi
        printf 'limit   20\ncolour  never\n'
        finish 0
    }
}

. "${0%/*}/right.sh"
