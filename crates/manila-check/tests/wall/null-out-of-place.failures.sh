#!/bin/sh
# The flaw: no failure has the key `data`, and no answer states its revision.

otherwise() {
    meta() { meta="{\"duration_ms\":1,\"tool_version\":\"$version\"$1}"; }
    envelope() {
        meta "${4-}"
        answered=yes
        if [ "$1" = true ]; then
            put "{\"ok\":true,\"data\":$2,\"error\":null,\"warnings\":[],\"meta\":$meta}"
        else
            put "{\"ok\":false,\"error\":$3,\"warnings\":[],\"meta\":$meta}"
        fi
    }
}

. "${0%/*}/right.sh"
