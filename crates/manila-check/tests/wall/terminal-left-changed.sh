#!/bin/sh
# The flaw: it turns the echo off and not on again.

otherwise() {
    run_config_show() {
        if [ -t 0 ]; then stty -echo; fi
        settings
    }
}

. "${0%/*}/right.sh"
