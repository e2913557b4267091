#!/bin/sh
# The flaw: it counts on standard input being there.

otherwise() {
    run_config_show() {
        if [ -e /dev/stdin ]; then settings; fi
        fail_usage 'there is no standard input'
    }
}

. "${0%/*}/right.sh"
