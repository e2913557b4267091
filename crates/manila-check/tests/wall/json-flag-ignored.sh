#!/bin/sh
# The flaw: the settings are for people, whatever was asked for.

otherwise() {
    run_config_show() {
        printf 'limit   20\ncolour  never\n'
        finish 0
    }
}

. "${0%/*}/right.sh"
