#!/bin/sh
# The flaw: showing the settings never ends.

otherwise() {
    run_config_show() { while :; do sleep 60; done; }
}

. "${0%/*}/right.sh"
