#!/bin/sh
# The flaw: every answer names its command, and one was copied from another.

otherwise() {
    meta() {
        named="$word_1${word_2:+ $word_2}"
        case $word_1 in
        list | search | show | dump) named=$word_1 ;;
        esac
        if [ "$named" = dump ]; then named=list; fi
        meta="{\"duration_ms\":1,\"schema_version\":\"1.0\",\"tool_version\":\"$version\",\"command\":\"$named\"$1}"
    }
}

. "${0%/*}/right.sh"
