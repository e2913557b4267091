#!/bin/sh
# The flaw: it asks before it shows anything.

otherwise() {
    run_config_show() {
        printf 'Show the settings? [y/N] ' >&2
        read -r _
        settings
    }
}

. "${0%/*}/right.sh"
