#!/bin/sh
# The flaw: where there are no warnings the list is null.

otherwise() {
    run_config_show() {
        meta
        answered=yes
        put "{\"ok\":true,\"data\":{\"limit\":20,\"colour\":\"never\"},\"error\":null,\"warnings\":null,\"meta\":$meta}"
        finish 0
    }
}

. "${0%/*}/right.sh"
