#!/bin/sh
# The flaw: a limit is larger than a double can represent.

otherwise() {
    run_config_show() {
        if [ -n "$json" ]; then succeed '{"limit":9007199254740993,"colour":"never"}'; fi
        printf 'limit   20\ncolour  never\n'
        finish 0
    }
}

. "${0%/*}/right.sh"
