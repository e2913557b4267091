#!/bin/sh
# The flaw: the settings come without warnings.

otherwise() {
    run_config_show() {
        meta
        answered=yes
        put "{\"ok\":true,\"data\":{\"limit\":20,\"colour\":\"never\"},\"error\":null,\"meta\":$meta}"
        finish 0
    }
}

. "${0%/*}/right.sh"
