#!/bin/sh
# The flaw: every answer has a key of its own beside those of the dialect.

otherwise() {
    envelope() {
        meta "${4-}"
        answered=yes
        put "{\"ok\":$1,\"data\":$2,\"error\":$3,\"warnings\":[],\"meta\":$meta,\"trace_id\":\"7f\"}"
    }
}

. "${0%/*}/right.sh"
