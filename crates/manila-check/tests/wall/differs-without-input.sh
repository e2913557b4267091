#!/bin/sh
# The flaw: it assumes that stdin is open.

otherwise() {
    run_config_show() {
        if [ -e /dev/stdin ]; then settings; fi
        fail_usage 'there is no standard input'
    }
}

. "${0%/*}/right.sh"
