#!/bin/sh
# The flaw: the settings have no JSON, and no error says so.

otherwise() {
    run_config_show() {
        if [ -z "$json" ]; then printf 'limit   20\ncolour  never\n'; fi
        finish 0
    }
}

. "${0%/*}/right.sh"
