#!/bin/sh
# The flaw: the settings are printed as they are, without the envelope of the others.

otherwise() {
    run_config_show() {
        answered=yes
        put '{"limit":20,"colour":"never"}'
        finish 0
    }
}

. "${0%/*}/right.sh"
