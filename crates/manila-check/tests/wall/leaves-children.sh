#!/bin/sh
# The flaw: something is left running in the background.

otherwise() {
    run_config_show() {
        sleep 60 </dev/null >/dev/null 2>&1 &
        settings
    }
}

. "${0%/*}/right.sh"
