#!/bin/sh
# The flaw: a text was cut in the middle of a character.

otherwise() {
    run_config_show() {
        if [ -n "$json" ]; then succeed '{"limit":20,"colour":"never \ud83d"}'; fi
        printf 'limit   20\ncolour  never\n'
        finish 0
    }
}

. "${0%/*}/right.sh"
