#!/bin/sh
# The flaw: there is no limit, and the language writes that as NaN.

otherwise() {
    run_config_show() {
        if [ -n "$json" ]; then succeed '{"limit":NaN,"colour":"never"}'; fi
        printf 'limit   none\ncolour  never\n'
        finish 0
    }
}

. "${0%/*}/right.sh"
