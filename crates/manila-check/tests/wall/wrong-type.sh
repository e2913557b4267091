#!/bin/sh
# The flaw: the duration is a number in quotes wherever settings are shown.

otherwise() {
    run_config_show() {
        answered=yes
        meta="{\"duration_ms\":\"1\",\"schema_version\":\"1.0\",\"tool_version\":\"$version\"}"
        put "{\"ok\":true,\"data\":{\"limit\":20,\"colour\":\"never\"},\"error\":null,\"warnings\":[],\"meta\":$meta}"
        finish 0
    }
}

. "${0%/*}/right.sh"
