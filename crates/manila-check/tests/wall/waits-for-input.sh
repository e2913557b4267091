#!/bin/sh
# The flaw: it reads stdin for nothing.

otherwise() {
    run_config_show() {
        while read -r _; do :; done
        settings
    }
}

. "${0%/*}/right.sh"
