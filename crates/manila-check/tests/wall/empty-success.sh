#!/bin/sh
# The flaw: there is no JSON of the settings, and nobody says so.

otherwise() {
    run_config_show() {
        if [ -z "$json" ]; then printf 'limit   20\ncolour  never\n'; fi
        finish 0
    }
}

. "${0%/*}/right.sh"
