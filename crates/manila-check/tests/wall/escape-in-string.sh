#!/bin/sh
# The flaw: the text for people became the value.

otherwise() {
    run_config_show() {
        if [ -n "$json" ]; then succeed '{"limit":20,"colour":"\u001b[32mnever\u001b[0m"}'; fi
        printf 'limit   20\ncolour  never\n'
        finish 0
    }
}

. "${0%/*}/right.sh"
